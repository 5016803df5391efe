// The editors: one view of CodeMirror for each open text, of which one is seen.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Place } from "../protocol";
import type { Document, Store } from "../store";
import { LanguageService, uriOf } from "./language";
import { marksOf, offset, showMarks } from "./marks";
import { extensionsFor } from "./setup";
import { smallest } from "./smallest";

export function Editor({ store }: { store: Store }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const editors = host.current ? new Editors(host.current, store) : null;
    return () => editors?.destroy();
  }, []);
  return (
    <>
      <div class="editor" id="editor" ref={host} tabIndex={-1} hidden={!store.active.value} />
      {!store.active.value && <Welcome store={store} />}
    </>
  );
}

const FIRST = ["netbill", "netbill.pact"];

function Welcome({ store }: { store: Store }) {
  const first = store.gallery.value.find((entry) => FIRST.includes(entry.name));
  return (
    <div class="empty-panel" id="editor" tabIndex={-1}>
      <p><strong>Promises, kept or not.</strong></p>
      <p>Open an example or a file from the list. Every example can be edited, checked and simulated as it is; save it to keep it in the directory.</p>
      {first && <button type="button" class="button primary" onClick={() => void store.openExample(first.name)}>Open {first.title}</button>}
    </div>
  );
}

class Editors {
  private readonly views = new Map<string, { view: EditorView; pane: HTMLElement; stop: () => void }>();
  private readonly service: LanguageService;
  private readonly stops: (() => void)[];

  constructor(private readonly host: HTMLElement, private readonly store: Store) {
    this.service = new LanguageService(store, (uri) => this.display(uri));
    this.stops = [
      effect(() => this.keep(store.documents.value)),
      effect(() => this.front(store.active.value)),
      effect(() => this.go(store.wanted.value)),
      effect(() => this.mark(store.marked.value)),
    ];
  }

  destroy(): void {
    this.stops.forEach((stop) => stop());
    this.keep([]);
  }

  private active(): EditorView | undefined {
    const key = this.store.activeKey.peek();
    return key === null ? undefined : this.views.get(key)?.view;
  }

  /** A view for each text, and none for others. */
  private keep(documents: Document[]): void {
    const open = new Set(documents.map((each) => each.key));
    for (const [key, { view, pane, stop }] of [...this.views]) {
      if (open.has(key)) continue;
      stop();
      view.destroy();
      pane.remove();
      this.views.delete(key);
    }
    for (const document of documents) if (!this.views.has(document.key)) this.open(document);
  }

  private open(document: Document): void {
    this.service.workspace.openBeside(document);
    const pane = this.host.ownerDocument.createElement("div");
    pane.className = "text-pane";
    pane.hidden = document.key !== this.store.activeKey.peek();
    this.host.append(pane);
    const view = new EditorView({
      parent: pane,
      state: EditorState.create({ doc: document.text.peek(), extensions: extensionsFor(document, this.store, this.service) }),
    });
    // A text that is changed elsewhere: read again, renamed in, taken from the file.
    const stop = effect(() => {
      const text = document.text.value;
      const now = view.state.doc.toString();
      if (now !== text) view.dispatch({ changes: smallest(now, text) });
    });
    this.views.set(document.key, { view, pane, stop });
  }

  private front(document: Document | null): void {
    for (const [key, { pane }] of this.views) pane.hidden = key !== document?.key;
    this.active()?.requestMeasure();
  }

  private go(wanted: { key: string; place: Place; takesFocus: boolean } | null): void {
    const view = wanted && this.views.get(wanted.key)?.view;
    if (!wanted || !view) return;
    const { doc } = view.state;
    const anchor = offset(doc, Math.min(Math.max(wanted.place.line, 1), doc.lines), wanted.place.column) ?? 0;
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    if (wanted.takesFocus) requestAnimationFrame(() => view.focus());
  }

  private mark(places: Place[]): void {
    for (const document of this.store.documents.value) {
      const view = this.views.get(document.key)?.view;
      view?.dispatch({ effects: showMarks.of(marksOf(view.state.doc, document, places)) });
    }
  }

  /** Shows the text that the language service refers to. */
  private async display(uri: string): Promise<EditorView | null> {
    const known = this.store.documents.value.find((each) => uriOf(each) === uri);
    if (known) this.store.activeKey.value = known.key;
    else if (uri.startsWith("file:///@")) {
      const path = decodeURIComponent(uri.slice(uri.indexOf("/", 9) + 1));
      await this.store.reveal({ path, line: 1, column: 1, endLine: 1, endColumn: 1 });
    } else await this.store.openFile(decodeURIComponent(uri.slice("file:///".length)));
    return this.active() ?? null;
  }
}
