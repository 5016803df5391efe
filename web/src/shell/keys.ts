// Keys that work everywhere in the page.
import { useEffect } from "preact/hooks";
import { PANELS } from "../panels";
import { isTyping } from "../panels/keys";
import type { Store } from "../store";

export function useKeys(store: Store): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const hasCommand = event.ctrlKey || event.metaKey;
      if (hasCommand && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "s") {
        event.preventDefault();
        void store.saveActive();
      } else if (hasCommand && event.key === "Enter") {
        event.preventDefault();
        store.openPanel("properties", { check: "all" });
      } else if (event.key === "?" && !isTyping(event)) {
        event.preventDefault();
        store.listsKeys.value = true;
      } else if (event.altKey && !hasCommand && /^Digit[1-9]$/.test(event.code)) {
        const panel = PANELS[Number(event.code.slice(5)) - 1];
        if (!panel) return;
        event.preventDefault();
        store.view.value = "panels";
        store.panel.value = panel.id;
        document.getElementById(`tab-${panel.id}`)?.focus();
      }
    };
    const onBeforeUnload = (event: BeforeUnloadEvent): void => {
      // Drafts are kept; the browser asks only where they cannot be.
      if (store.losesDrafts.value) event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    addEventListener("beforeunload", onBeforeUnload);
    return () => {
      removeEventListener("keydown", onKeyDown);
      removeEventListener("beforeunload", onBeforeUnload);
    };
  }, []);
}
