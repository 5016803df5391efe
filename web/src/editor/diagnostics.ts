// Findings of the language service as underlines, with what the service proposes to do about them.
import { setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import type { OutlineItem, Store } from "../store";

/** So long nothing must be typed before the service hears of it. */
const PAUSE = 40;

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

export function diagnostics(store: Store): LSPClientExtension {
  return {
    clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true, codeDescriptionSupport: true }, codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix"] } } } } },
    notificationHandlers: {
      "textDocument/publishDiagnostics": (client, params: lsp.PublishDiagnosticsParams) => {
        void show(client, params, store);
        return true;
      },
    },
    editorExtension: sync,
  };
}

async function show(client: LSPClient, params: lsp.PublishDiagnosticsParams, store: Store): Promise<void> {
  const file = client.workspace.getFile(params.uri);
  const view = file?.getView();
  const plugin = view && LSPPlugin.get(view);
  if (!file || !view || !plugin || (params.version !== undefined && params.version !== file.version)) return;
  const { version } = file;
  const errors = params.diagnostics.filter((each) => (each.severity ?? 1) === 1).length;
  const warnings = params.diagnostics.filter((each) => each.severity === 2).length;
  store.setProblems(params.uri, { errors, warnings });
  const put = (actions: lsp.CodeAction[]): void => {
    if (file.version !== version || !LSPPlugin.get(view)) return;
    const place = (position: lsp.Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
    const shown = params.diagnostics.map((each): Diagnostic => ({
      from: place(each.range.start),
      to: place(each.range.end),
      severity: SEVERITIES[each.severity ?? 1] ?? "error",
      message: typeof each.message === "string" ? each.message : each.message.value,
      source: each.code === undefined ? undefined : String(each.code),
      actions: [...actions.filter((action) => concerns(action, each)).map((action) => asAction(action, client)), ...page(each)],
    }));
    view.dispatch(setDiagnostics(view.state, shown));
  };
  put([]);
  void outline(client, params.uri, store);
  if (params.diagnostics.length === 0) return;
  const end = plugin.toPosition(plugin.syncedDoc.length, plugin.syncedDoc);
  const asked: lsp.CodeActionParams = { textDocument: { uri: params.uri }, range: { start: { line: 0, character: 0 }, end }, context: { diagnostics: params.diagnostics } };
  const answer = await client.request<lsp.CodeActionParams, (lsp.CodeAction | lsp.Command)[] | null>("textDocument/codeAction", asked).catch(() => null);
  const actions = (answer ?? []).filter((each): each is lsp.CodeAction => "edit" in each && each.edit !== undefined);
  if (actions.length > 0) put(actions);
}

async function outline(client: LSPClient, uri: string, store: Store): Promise<void> {
  const symbols = await client.request<lsp.DocumentSymbolParams, lsp.DocumentSymbol[] | null>("textDocument/documentSymbol", { textDocument: { uri } }).catch(() => null);
  if (!symbols) return;
  const flat = (list: lsp.DocumentSymbol[]): OutlineItem[] => list.flatMap((each) => [
    { name: each.name, kind: each.detail ?? "", line: each.range.start.line + 1, endLine: each.range.end.line + 1 },
    ...flat(each.children ?? []),
  ]);
  store.outlines.value = new Map(store.outlines.value).set(uri, flat(symbols));
}

const same = (a: lsp.Range, b: lsp.Range): boolean =>
  a.start.line === b.start.line && a.start.character === b.start.character && a.end.line === b.end.line && a.end.character === b.end.character;

function concerns(action: lsp.CodeAction, diagnostic: lsp.Diagnostic): boolean {
  return action.diagnostics?.some((each) => same(each.range, diagnostic.range) && each.message === diagnostic.message) ?? false;
}

/** The page about a finding, opened beside the workbench. */
function page(diagnostic: lsp.Diagnostic): Action[] {
  const href = diagnostic.codeDescription?.href;
  if (!href?.startsWith(`${location.origin}/`)) return [];
  return [{ name: `About ${diagnostic.code}`, apply: () => void open(href, "_blank", "noopener") }];
}

function asAction(action: lsp.CodeAction, client: LSPClient): Action {
  return { name: action.title, apply: () => applyEdit(client, action.edit as lsp.WorkspaceEdit) };
}

/** Changes the texts as the service says. */
export function applyEdit(client: LSPClient, edit: lsp.WorkspaceEdit): void {
  for (const [uri, edits] of Object.entries(edit.changes ?? {})) {
    const view = client.workspace.getFile(uri)?.getView();
    const plugin = view && LSPPlugin.get(view);
    if (!view || !plugin) continue;
    view.dispatch({ changes: edits.map((each) => ({ from: plugin.fromPosition(each.range.start), to: plugin.fromPosition(each.range.end), insert: each.newText })), userEvent: "input.fix" });
  }
}

/** Tells the service what is typed. */
const sync = ViewPlugin.fromClass(class {
  private timer: ReturnType<typeof setTimeout> | undefined;
  constructor(private readonly view: EditorView) {}
  update(update: ViewUpdate): void {
    if (!update.docChanged) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => LSPPlugin.get(this.view)?.client.sync(), PAUSE);
  }
  destroy(): void {
    clearTimeout(this.timer);
  }
});
