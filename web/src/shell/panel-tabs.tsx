// The panels: tabs with arrow keys. A panel that was opened once stays, hidden, so that it keeps what it has.
import { useRef } from "preact/hooks";
import { PANELS } from "../panels";
import type { Panel } from "../panels/panel";
import type { Store } from "../store";
import { Grip } from "./grip";

export function PanelTabs({ store }: { store: Store }) {
  const opened = useRef(new Set<string>());
  const chosen = PANELS.find((panel) => panel.id === store.panel.value) ?? PANELS[0];
  if (chosen) opened.current.add(chosen.id);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = PANELS.findIndex((panel) => panel.id === chosen?.id);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: PANELS.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const panel = PANELS[(to + PANELS.length) % PANELS.length];
    if (!panel) return;
    store.panel.value = panel.id;
    document.getElementById(`tab-${panel.id}`)?.focus();
  };
  return (
    <section class="panels" id="panels" aria-label="Panels" tabIndex={-1}>
      <Grip name="panels" label="Width of the panels" least={280} most={1400} fromRight />
      <div class="strip" role="tablist" aria-label="Panels" onKeyDown={onKeyDown}>
        {PANELS.map((panel) => (
          <button key={panel.id} type="button" role="tab" id={`tab-${panel.id}`} aria-controls={opened.current.has(panel.id) ? `panel-${panel.id}` : undefined}
            aria-selected={panel === chosen} tabIndex={panel === chosen ? 0 : -1} title={panel.about}
            onClick={() => (store.panel.value = panel.id)}>
            {panel.title}
          </button>
        ))}
      </div>
      {PANELS.filter((panel) => opened.current.has(panel.id)).map((panel) => (
        <div key={panel.id} class="panel" role="tabpanel" id={`panel-${panel.id}`} aria-labelledby={`tab-${panel.id}`} hidden={panel !== chosen} tabIndex={0}>
          <Content panel={panel} store={store} />
        </div>
      ))}
    </section>
  );
}

function Content({ panel, store }: { panel: Panel; store: Store }) {
  const subject = store.subject.value;
  const Component = panel.component;
  if (!subject && !panel.needsNoSubject) {
    return <div class="empty-panel"><p><strong>{panel.title}</strong></p><p>{panel.about}</p><p>Open an example or a file to begin.</p></div>;
  }
  return <Component subject={subject} store={store} />;
}
