// What an editor of a text is made of.
import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { findReferencesKeymap, formatKeymap, jumpToDefinition, jumpToDefinitionKeymap, renameKeymap } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { isModel, serviceLanguage, type Document, type Store } from "../store";
import { uriOf, type LanguageService } from "./language";
import { marks } from "./marks";
import { verdicts } from "./verdicts";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";

export function extensionsFor(text: Document, store: Store, service: LanguageService): Extension[] {
  const language = serviceLanguage(text.language);
  return [
    ...common,
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `Source of ${text.path}` }),
    follow(text, store),
    language === null ? [] : service.client.plugin(uriOf(text), language),
    isModel(text.language) ? verdicts(text, store) : [],
  ];
}

const common: Extension[] = [
  EditorView.cspNonce.of(nonce),
  lintGutter(), lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(), indentOnInput(),
  bracketMatching(), closeBrackets(), highlightActiveLine(), highlightSelectionMatches(), marks,
  EditorState.tabSize.of(2),
  keymap.of([
    ...closeBracketsKeymap, ...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap,
    ...defaultKeymap.filter((binding) => binding.key !== "Mod-Enter"), ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap.filter((binding) => binding.key === "F8"),
  ]),
  EditorView.domEventHandlers({
    mousedown(event, view) {
      if (event.button !== 0 || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
      const at = view.posAtCoords(event);
      if (at === null) return false;
      event.preventDefault();
      view.dispatch({ selection: { anchor: at } });
      return jumpToDefinition(view);
    },
  }),
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
