// Limits of jobs, values of the model's parameters, and which process is meant.
import { uriOf } from "../editor/language";
import type { Store } from "../store";

export function Settings({ store }: { store: Store }) {
  const most = store.info.value?.limits;
  const limits = store.limits.value;
  const document = store.active.value;
  const processes = document?.language === "ccs" ? (store.outlines.value.get(uriOf(document)) ?? []).filter((item) => item.kind === "process") : [];
  const parameters = document ? (store.outlines.value.get(uriOf(document)) ?? []).filter((item) => item.kind === "parameter") : [];
  const change = (name: "seconds" | "megabytes", text: string): void => {
    const number = Number(text);
    const { [name]: _, ...rest } = limits;
    store.limits.value = text.trim() === "" || !(number > 0) ? rest : { ...rest, [name]: number };
  };
  const set = (name: string, text: string): void => {
    if (!document) return;
    const { [name]: _, ...rest } = document.parameters.value;
    document.parameters.value = text.trim() === "" || !Number.isInteger(Number(text)) ? rest : { ...rest, [name]: Number(text) };
  };
  return (
    <div class="settings">
      <label>Seconds <input type="number" min={1} max={most?.seconds} step={1} placeholder={most ? String(most.seconds) : ""} value={limits.seconds ?? ""} onInput={(event) => change("seconds", event.currentTarget.value)} /></label>
      <label>Megabytes <input type="number" min={16} max={most?.megabytes} step={16} placeholder={most ? String(most.megabytes) : ""} value={limits.megabytes ?? ""} onInput={(event) => change("megabytes", event.currentTarget.value)} /></label>
      {most && <p class="soft">At most {most.seconds} seconds and {most.megabytes} megabytes a job: the server was started so.</p>}
      {document && processes.length > 0 && (
        <label>Process <select value={document.process.value} onChange={(event) => (document.process.value = event.currentTarget.value)}>
          <option value="">as the file says</option>
          {processes.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        </select></label>
      )}
      {document && parameters.map(({ name }) => (
        <label key={name}>{name} <input type="number" step={1} placeholder="as written" value={document.parameters.value[name] ?? ""} onInput={(event) => set(name, event.currentTarget.value)} /></label>
      ))}
      {parameters.length > 0 && <p class="soft">Parameters of this model, for this page only.</p>}
    </div>
  );
}
