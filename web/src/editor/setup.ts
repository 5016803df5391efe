// What an editor of a text is made of.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { marks } from "./marks";
import type { Document, Store } from "../store";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

export function fresh(text: Document, store: Store): EditorState {
  return EditorState.create({ doc: text.text.peek(), extensions: [...common, EditorView.contentAttributes.of({ "aria-label": `Source of ${text.path}` }), follow(text, store)] });
}

const common: Extension[] = [
  EditorView.cspNonce.of(nonce),
  lineNumbers(), foldGutter(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
  bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), marks,
  EditorState.tabSize.of(2),
  keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap, ...lintKeymap]),
];

/** Tells the store what is typed and where the cursor is. */
function follow(text: Document, store: Store): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged) text.text.value = update.state.doc.toString();
    if (!update.docChanged && !update.selectionSet && !update.focusChanged) return;
    const head = update.state.selection.main.head;
    const line = update.state.doc.lineAt(head);
    store.cursor.value = { key: text.key, line: line.number, column: head - line.from + 1 };
  });
}
