// The editor: CodeMirror, one state for each open text.
import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { EditorView } from "@codemirror/view";
import type { EditorState } from "@codemirror/state";
import { fresh } from "./setup";
import { marksOf, showMarks } from "./marks";
import type { Document, Store } from "../store";

export function Editor({ store }: { store: Store }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => (host.current ? attach(host.current, store) : undefined), []);
  return (
    <>
      <div class="editor" id="editor" ref={host} hidden={!store.active.value} />
      {!store.active.value && <Welcome store={store} />}
    </>
  );
}

function Welcome({ store }: { store: Store }) {
  return (
    <div class="empty-panel">
      <p><strong>Servanda</strong></p>
      <p>Open an example or a file from the list to begin. Every example can be edited, checked and simulated as it is; save it to keep it in the directory.</p>
      {store.gallery.value.some((entry) => entry.name === "netbill.pact") &&
        <button type="button" class="button primary" onClick={() => void store.openExample("netbill.pact")}>Open the NetBill example</button>}
    </div>
  );
}

/** Binds a view to the store: whatever is in front is shown, whatever is typed goes to the document. */
function attach(host: HTMLElement, store: Store): () => void {
  const states = new Map<string, EditorState>();
  const view = new EditorView({ parent: host });
  let shown: Document | null = null;

  const show = (document: Document | null): void => {
    if (shown) states.set(shown.key, view.state);
    shown = document;
    if (!document) return;
    view.setState(states.get(document.key) ?? fresh(document, store));
    take(document.text.peek());
  };
  // A text that was changed elsewhere: read again, renamed in, taken from the file.
  const take = (text: string): void => {
    if (!shown || view.state.doc.toString() === text) return;
    view.dispatch({ changes: smallest(view.state.doc.toString(), text) });
  };
  const stops = [
    effect(() => {
      const document = store.active.value;
      if (document !== shown) show(document);
    }),
    effect(() => { if (store.active.value) take(store.active.value.text.value); }),
    effect(() => {
      const document = store.active.value;
      if (document) view.dispatch({ effects: showMarks.of(marksOf(view.state.doc, document, store.marked.value)) });
    }),
    effect(() => {
      const wanted = store.wanted.value;
      if (!wanted || wanted.key !== store.activeKey.value || !shown) return;
      const { place } = wanted;
      const doc = view.state.doc;
      const line = doc.line(Math.min(Math.max(place.line, 1), doc.lines));
      const anchor = Math.min(line.from + Math.max(place.column - 1, 0), line.to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      if (wanted.takesFocus) view.focus();
    }),
    effect(() => {
      const open = new Set(store.documents.value.map((each) => each.key));
      for (const key of states.keys()) if (!open.has(key)) states.delete(key);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    view.destroy();
  };
}

/** One change that makes one text of another, without what they share at both ends: the cursor stays where it was. */
export function smallest(from: string, to: string): { from: number; to: number; insert: string } {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < from.length - head && tail < to.length - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  return { from: head, to: from.length - tail, insert: to.slice(head, to.length - tail) };
}
