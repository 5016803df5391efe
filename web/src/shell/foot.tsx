import { Icon } from "../ui/icon";
import { uriOf } from "../editor/language";
import type { Store } from "../store";
import { ViewSwitch } from "./top";

export function Foot({ store }: { store: Store }) {
  const cursor = store.cursor.value;
  const info = store.info.value;
  return (
    <footer class="foot">
      <ViewSwitch store={store} />
      <span class={store.isConnected.value ? undefined : "bad"}>
        <Icon name={store.isConnected.value ? "dot" : "warning"} /> {store.isConnected.value ? "connected" : "not connected"}
      </span>
      <Problems store={store} />
      <span class="fill" />
      {cursor && cursor.key === store.activeKey.value && <span class="position">line {cursor.line}, column {cursor.column}</span>}
      {info && <span class="version">Servanda {info.version}</span>}
      <a class="version" href="licenses.txt" target="_blank" rel="noopener">licences</a>
    </footer>
  );
}

function Problems({ store }: { store: Store }) {
  const document = store.active.value;
  if (!document) return null;
  const problems = store.problems.value.get(uriOf(document)) ?? [];
  const count = (severity: string, word: string): string | false => {
    const number = problems.filter((each) => each.severity === severity).length;
    return number > 0 && `${number} ${word}${number === 1 ? "" : "s"}`;
  };
  const errors = count("error", "error");
  const words = [errors, count("warning", "warning"), count("note", "note")].filter(Boolean).join(", ");
  if (words === "") return <span class="problems">no problems</span>;
  return <button type="button" class={errors ? "problems bad" : "problems warn"} aria-expanded={store.listsProblems.value} onClick={() => (store.listsProblems.value = !store.listsProblems.value)}>{words}</button>;
}
