// Places that a panel marks in the editor while it is shown.
import { useEffect } from "preact/hooks";
import type { Place } from "../protocol";
import type { Store } from "../store";

/** Marks places as long as the panel is the one that is shown; then they are unmarked, unless another panel has marked others by then. */
export function useMarks(store: Store, panel: string, places: Place[], dependencies: unknown[]): void {
  const isShown = store.panel.value === panel;
  useEffect(() => {
    if (!isShown) return undefined;
    store.mark(places);
    return () => {
      if (store.marked.peek() === places) store.mark([]);
    };
  }, [isShown, ...dependencies]);
}
