// Findings of the language service as underlines, with what the service proposes to do about them.
import { setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import { LSPPlugin, type LSPClient, type LSPClientExtension } from "@codemirror/lsp-client";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";
import type { OutlineItem, Problem, Store } from "../store";

/** So long nothing must be typed before the service hears of it. */
const PAUSE = 40;

/** Proposals are asked for so many findings; nobody fixes more at a time. */
const MOST_FIXED = 30;

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
  const put = (actions: Action[][]): void => {
    if (file.version !== version || !LSPPlugin.get(view)) return;
    const place = (position: lsp.Position): number => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, plugin.syncedDoc));
    const shown = params.diagnostics.map((each, index): Diagnostic => ({
      from: place(each.range.start),
      to: place(each.range.end),
      severity: SEVERITIES[each.severity ?? 1] ?? "error",
      message: words(each),
      source: each.code === undefined ? undefined : String(each.code),
      actions: [...(actions[index] ?? []), ...page(each)],
    }));
    view.dispatch(setDiagnostics(view.state, shown));
    const problems = params.diagnostics.map((each, index): Problem => ({
      severity: each.severity === 2 ? "warning" : (each.severity ?? 1) === 1 ? "error" : "note",
      message: words(each),
      code: String(each.code ?? ""),
      line: each.range.start.line + 1,
      column: each.range.start.character + 1,
      fixes: (actions[index] ?? []).map(({ name, apply }) => ({ name, apply: () => apply(view, 0, 0) })),
    }));
    store.problems.value = new Map(store.problems.value).set(params.uri, problems);
  };
  put([]);
  void outline(client, params.uri, store);
  const actions = await Promise.all(params.diagnostics.slice(0, MOST_FIXED).map((each) => fixes(client, params.uri, each)));
  if (actions.some((list) => list.length > 0)) put(actions);
}

const words = ({ message }: lsp.Diagnostic): string => (typeof message === "string" ? message : message.value);

/** What the service proposes to do about a finding. */
async function fixes(client: LSPClient, uri: string, diagnostic: lsp.Diagnostic): Promise<Action[]> {
  const asked: lsp.CodeActionParams = { textDocument: { uri }, range: diagnostic.range, context: { diagnostics: [diagnostic], only: ["quickfix"] } };
  const answer = await client.request<lsp.CodeActionParams, (lsp.CodeAction | lsp.Command)[] | null>("textDocument/codeAction", asked).catch(() => null);
  const actions = (answer ?? []).filter((each): each is lsp.CodeAction => "edit" in each && each.edit !== undefined && each.isPreferred === true);
  return actions.map((action) => ({ name: action.title, apply: () => applyEdit(client, action.edit as lsp.WorkspaceEdit) }));
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

/** The page about a finding, opened beside the workbench. */
function page(diagnostic: lsp.Diagnostic): Action[] {
  const href = diagnostic.codeDescription?.href;
  if (!href?.startsWith(`${location.origin}/`)) return [];
  return [{ name: `About ${diagnostic.code}`, apply: () => void open(href, "_blank", "noopener") }];
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
