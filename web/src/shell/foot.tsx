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
  const { errors, warnings } = store.problems.value.get(uriOf(document)) ?? { errors: 0, warnings: 0 };
  if (errors + warnings === 0) return <span class="problems">no problems</span>;
  const words = [errors && `${errors} ${errors === 1 ? "error" : "errors"}`, warnings && `${warnings} ${warnings === 1 ? "warning" : "warnings"}`];
  return <button type="button" class={errors ? "problems bad" : "problems warn"} onClick={() => store.showProblems()}>{words.filter(Boolean).join(", ")}</button>;
}
