import { Icon, type IconName } from "../ui/icon";
import type { Store, Theme, View } from "../store";
import { HelpButton } from "./help";
import { ShareButton } from "./share";

const NEXT: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const LOOKS: Record<Theme, { icon: IconName; words: string }> = {
  auto: { icon: "auto", words: "as the system" },
  light: { icon: "sun", words: "light" },
  dark: { icon: "moon", words: "dark" },
};

export function Top({ store }: { store: Store }) {
  const document = store.active.value;
  const theme = store.theme.value;
  const change = (): void => {
    store.theme.value = NEXT[theme];
    store.announce(`Colours: ${LOOKS[NEXT[theme]].words}`);
  };
  return (
    <header class="top">
      <h1><img src="favicon.svg" alt="" />Servanda</h1>
      <span class="directory soft" title="The directory that is served">{store.info.value?.directory}</span>
      <span class="fill" />
      <button type="button" class="button quiet" disabled={!document || document.origin === "file" && !document.isChanged.value} onClick={() => void store.saveActive()} title="Save (Ctrl+S)">
        <Icon name="save" /> <span class="word">Save</span>
      </button>
      <ShareButton store={store} />
      <HelpButton store={store} />
      <button type="button" class="button quiet" onClick={change} title={`Colours: ${LOOKS[theme].words}`}>
        <Icon name={LOOKS[theme].icon} /> <span class="visually-hidden">Colours: {LOOKS[theme].words}. Change.</span>
      </button>
    </header>
  );
}

const VIEWS: { view: View; icon: IconName; title: string }[] = [
  { view: "side", icon: "file", title: "Files" },
  { view: "source", icon: "book", title: "Source" },
  { view: "panels", icon: "eye", title: "Panels" },
];

/** On a phone one part is seen at a time. */
export function ViewSwitch({ store }: { store: Store }) {
  return (
    <nav class="views" aria-label="Parts of the page">
      {VIEWS.map(({ view, icon, title }) => (
        <button key={view} type="button" aria-current={store.view.value === view ? "true" : undefined} onClick={() => (store.view.value = view)}>
          <Icon name={icon} /> {title}
        </button>
      ))}
    </nav>
  );
}
