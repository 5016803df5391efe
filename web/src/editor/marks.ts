// Lines that are marked because something else in the page refers to them: the step of a chart, a rule of an audit.
import { RangeSet, StateEffect, StateField, type Range, type Text } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass, type DecorationSet } from "@codemirror/view";
import type { Place } from "../protocol";
import type { Document } from "../store";

export const showMarks = StateEffect.define<DecorationSet>();

const line = Decoration.line({ class: "cm-step-line" });
const gutter = new (class extends GutterMarker {
  override elementClass = "cm-step-gutter";
})();

/** The decorations of the places that are in a document. Lines that are no longer there are left out. */
export function marksOf(doc: Text, document: Document, places: Place[]): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  for (const place of places) {
    if (place.path !== "" && place.path !== document.path) continue;
    for (let number = place.line; number <= Math.min(place.endLine, doc.lines); number++) {
      if (number >= 1) ranges.push(line.range(doc.line(number).from));
    }
  }
  return Decoration.set(ranges, true);
}

/** Where a line and column are; null where the line is not there. */
export function offset(doc: Text, number: number, column: number): number | null {
  if (number < 1 || number > doc.lines) return null;
  const { from, to } = doc.line(number);
  return Math.min(from + Math.max(column - 1, 0), to);
}

export const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let found = value.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(showMarks)) found = effect.value;
    return found;
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    gutterLineClass.from(field, (set) => {
      const ranges: Range<GutterMarker>[] = [];
      for (const at = set.iter(); at.value; at.next()) if (at.from === at.to) ranges.push(gutter.range(at.from));
      return RangeSet.of(ranges, true);
    }),
  ],
});
