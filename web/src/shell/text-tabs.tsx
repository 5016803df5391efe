// The texts that are open. Each is a button beside a button that closes it.
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../ui/icon";
import type { Document, Store } from "../store";

/** What stands on a text's tab. */
export function titleOf(document: Document): string {
  return document.path.slice(document.path.lastIndexOf("/") + 1);
}

export function TextTabs({ store }: { store: Store }) {
  const close = (document: Document): void => {
    if (document.isChanged.value && !confirm(`Close ${document.path} and lose what is not saved?`)) return;
    store.close(document);
  };
  const current = useRef<HTMLLIElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest", inline: "nearest" }), [store.activeKey.value]);
  if (store.documents.value.length === 0) return null;
  return (
    <nav class="strip" aria-label="Open texts">
      <ul class="texts">
        {store.documents.value.map((document) => {
          const isCurrent = document.key === store.activeKey.value;
          const isChanged = document.isChanged.value;
          return (
            <li key={document.key} ref={isCurrent ? current : undefined} class={isCurrent ? "current" : undefined}>
              <button type="button" class="text-tab" aria-current={isCurrent ? "true" : undefined} title={document.path}
                onClick={() => (store.activeKey.value = document.key)}
                onAuxClick={(event) => event.button === 1 && close(document)}>
                {isChanged && <span class="unsaved" title="not saved">●<span class="visually-hidden"> not saved: </span></span>}
                {titleOf(document)}
                {document.origin !== "file" && <span class="tag">{document.origin}</span>}
              </button>
              <button type="button" class="shut" aria-label={`Close ${document.path}`} onClick={() => close(document)}><Icon name="close" /></button>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
