// Colours from the language service: what a word is, not what it looks like.
import { LSPPlugin } from "@codemirror/lsp-client";
import { ChangeSet, type Range, type Text } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type * as lsp from "vscode-languageserver-protocol";

const PAUSE = 60;
const AGAIN = 1500;

/** The words of a text from how the protocol packs them: five numbers each, places from the word before. */
export function unpack(data: number[], legend: string[], doc: Text): { from: number; to: number; type: string }[] {
  const found = [];
  let line = 0;
  let character = 0;
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4);
    character = down === 0 ? character + right : right;
    line += down;
    if (line >= doc.lines) break;
    const { from, to } = doc.line(line + 1);
    const begin = Math.min(from + character, to);
    const end = Math.min(begin + length, to);
    if (begin < end) found.push({ from: begin, to: end, type: legend[type] ?? "variable" });
  }
  return found;
}

const looks = new Map<string, Decoration>();
function look(type: string): Decoration {
  const known = looks.get(type);
  if (known) return known;
  const made = Decoration.mark({ class: `tok-${type}` });
  looks.set(type, made);
  return made;
}

class Tokens {
  decorations: DecorationSet = Decoration.none;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private since = ChangeSet.empty(0);
  private isOver = false;

  constructor(private readonly view: EditorView) {
    this.later(0);
  }

  update(update: ViewUpdate): void {
    if (!update.docChanged) return;
    this.decorations = this.decorations.map(update.changes);
    this.since = this.since.length === update.startState.doc.length ? this.since.compose(update.changes) : ChangeSet.empty(update.state.doc.length);
    this.later(PAUSE);
  }

  private later(pause: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.view);
    if (!plugin || this.isOver) return;
    const { client, uri } = plugin;
    if (!client.connected) return this.later(AGAIN);
    client.sync();
    const { doc } = this.view.state;
    this.since = ChangeSet.empty(doc.length);
    const answer = await client.request<lsp.SemanticTokensParams, lsp.SemanticTokens | null>("textDocument/semanticTokens/full", { textDocument: { uri } }).catch(() => undefined);
    if (this.isOver) return;
    // The connection was lost; the next one will know.
    if (answer === undefined) return this.later(AGAIN);
    const legend = client.serverCapabilities?.semanticTokensProvider?.legend.tokenTypes ?? [];
    const ranges: Range<Decoration>[] = unpack(answer?.data ?? [], legend, doc).map(({ from, to, type }) => look(type).range(from, to));
    this.decorations = Decoration.set(ranges).map(this.since);
    this.view.dispatch({});
  }

  destroy(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }
}

export const semanticTokens = ViewPlugin.fromClass(Tokens, { decorations: (tokens) => tokens.decorations });
