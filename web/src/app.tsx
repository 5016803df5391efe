// The page: what is where. Each part is a file in `shell/`.
import { useEffect } from "preact/hooks";
import { Editor } from "./editor/editor";
import { Conflict } from "./shell/conflict";
import { Foot } from "./shell/foot";
import { useKeys } from "./shell/keys";
import { LockedOut } from "./shell/locked-out";
import { PanelTabs } from "./shell/panel-tabs";
import { Problems } from "./shell/problems";
import { Side } from "./shell/side";
import { TextTabs } from "./shell/text-tabs";
import { Top } from "./shell/top";
import { Icon } from "./ui/icon";
import type { Store } from "./store";

export function App({ store }: { store: Store }) {
  const theme = store.theme.value;
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  useKeys(store);
  const view = store.view.value;
  return (
    <>
      <a class="skip" href="#editor" onClick={() => (store.view.value = "source")}>Skip to the source</a>
      <a class="skip" href="#panels" onClick={() => (store.view.value = "panels")}>Skip to the panels</a>
      <div class="shell" data-view={view}>
        <Top store={store} />
        <Side store={store} />
        {/* Both are the main thing; on a phone only one of them, or the list of files, is seen. */}
        <main class="parts">
          <section class="work" aria-label="Source">
            <TextTabs store={store} />
            <Editor store={store} />
            <Problems store={store} />
          </section>
          <PanelTabs store={store} />
        </main>
        <Foot store={store} />
      </div>
      <Notice store={store} />
      <Conflict store={store} />
      <LockedOut store={store} />
      <div class="visually-hidden" role="status" aria-live="polite">{store.announcement.value}</div>
    </>
  );
}

function Notice({ store }: { store: Store }) {
  const notice = store.notice.value;
  if (!notice) return null;
  return (
    <div class={notice.isError ? "notice error" : "notice"} role="region" aria-label="Message">
      <Icon name={notice.isError ? "warning" : "info"} />
      <p>{notice.text}</p>
      <button type="button" class="button quiet small" aria-label="Close the message" onClick={() => (store.notice.value = null)}><Icon name="close" /></button>
    </div>
  );
}
