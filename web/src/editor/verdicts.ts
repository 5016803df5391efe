// Verdicts at the end of the lines of their properties, as long as the text is the one that was checked.
import { effect } from "@preact/signals";
import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet } from "@codemirror/view";
import type { Verdict } from "../protocol";
import type { Document, Store } from "../store";
import { expectation, tone } from "../ui/words";

const SIGNS: Record<Verdict["verdict"], string> = { true: "✓", possible: "✓", false: "✗", impossible: "✗", unknown: "?" };

class VerdictWidget extends WidgetType {
  constructor(private readonly verdict: Verdict) {
    super();
  }
  override eq(other: VerdictWidget): boolean {
    const [a, b] = [this.verdict, other.verdict];
    return a.name === b.name && a.verdict === b.verdict && a.asWanted === b.asWanted;
  }
  override toDOM(): HTMLElement {
    const element = document.createElement("span");
    const more = expectation(this.verdict);
    element.className = `cm-verdict ${tone(this.verdict)}`;
    element.textContent = `${SIGNS[this.verdict.verdict]} ${this.verdict.verdict}${more ? `, ${more}` : ""}`;
    return element;
  }
}

const show = StateEffect.define<{ line: number; verdict: Verdict }[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let found = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(show)) continue;
      const { doc } = transaction.state;
      const ranges: Range<Decoration>[] = effect.value
        .filter(({ line }) => line >= 1 && line <= doc.lines)
        .map(({ line, verdict }) => Decoration.widget({ widget: new VerdictWidget(verdict), side: 1 }).range(doc.line(line).to));
      found = Decoration.set(ranges, true);
    }
    return found;
  },
  provide: (self) => EditorView.decorations.from(self),
});

export function verdicts(text: Document, store: Store): Extension {
  const follow = ViewPlugin.define((view) => {
    let isShown = false;
    const stop = effect(() => {
      const results = store.results.value.get(text.key);
      const places = new Map(results?.asked.map((asked) => [asked.name, asked.place]));
      const isCurrent = results?.text === text.text.value;
      const shown = isCurrent ? [...(results?.verdicts.values() ?? [])].flatMap((verdict) => {
        const place = places.get(verdict.name);
        return place && place.path === text.path ? [{ line: place.endLine, verdict }] : [];
      }) : [];
      if (shown.length === 0 && !isShown) return;
      isShown = shown.length > 0;
      // Effects may run while the view is being updated; it takes nothing then.
      queueMicrotask(() => view.dispatch({ effects: show.of(shown) }));
    });
    return { destroy: stop };
  });
  return [field, follow];
}
