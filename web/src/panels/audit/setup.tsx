// What is judged, and by what.
import { useEffect, useState } from "preact/hooks";
import type { Level } from "../../protocol";
import type { Store } from "../../store";
import { Icon } from "../../ui/icon";
import { grouped } from "../../ui/words";
import { logOf, mappingBeside, suggested } from "./log";
import { beside, modelsOf } from "./mapping";
import type { AuditSession } from "./session";

export function Setup({ session, store }: { session: AuditSession; store: Store }) {
  const library = store.library.value;
  const log = session.log.value;
  const [by, setBy] = useState<"library" | "mapping">("library");
  const [name, setName] = useState("");
  const [source, setSource] = useState("");
  const [mapping, setMapping] = useState({ path: "", text: "" });
  const [isComplete, setIsComplete] = useState(false);
  const [level, setLevel] = useState<Level>("may");
  const entry = library.find((each) => each.name === name) ?? library[0];
  useEffect(() => {
    if (!log) return;
    let isLate = false;
    const own = log.path === undefined ? undefined : mappingBeside(log.path, store.files.peek());
    const found = suggested(log, library);
    if (found) {
      setName(found.library);
      setSource(found.source);
    }
    // A mapping that lies beside the log was put there for it.
    setBy(own === undefined ? "library" : "mapping");
    if (own !== undefined) void store.trying(() => store.api.file(own)).then((file) => { if (file && !isLate) setMapping({ path: own, text: file.text }); });
    return () => { isLate = true; };
  }, [log, library]);
  const judge = async (): Promise<void> => {
    const options = { complete: isComplete, level };
    if (by === "library" && entry) return session.start({ library: entry.name, ...(entry.sources.includes(source) ? { source } : {}), ...options });
    const models = await modelsFor(store, mapping);
    if (models) session.start({ mapping: mapping.text, models, ...options });
  };
  const isReady = log !== null && (by === "library" ? entry !== undefined : mapping.text.trim() !== "");
  return (
    <>
      <Logs session={session} store={store} />
      <fieldset class="choices">
        <legend>Judged by</legend>
        <label class="row"><input type="radio" name="audit-by" checked={by === "library"} onChange={() => setBy("library")} /> a protocol of the library</label>
        <label class="row"><input type="radio" name="audit-by" checked={by === "mapping"} onChange={() => setBy("mapping")} /> a mapping of your own</label>
      </fieldset>
      {by === "library" && entry && (
        <div class="row wrap">
          <label class="row">Protocol <select value={entry.name} onChange={(event) => setName(event.currentTarget.value)}>{library.map((each) => <option key={each.name} value={each.name}>{each.name}: {each.title}</option>)}</select></label>
          {entry.sources.length > 1 && <label class="row">Recorded by <select value={source} onChange={(event) => setSource(event.currentTarget.value)}>{entry.sources.map((each) => <option key={each} value={each}>{each}</option>)}</select></label>}
          <p class="soft">{entry.about}</p>
        </div>
      )}
      {by === "library" && !entry && <p class="soft">The library is empty.</p>}
      {by === "mapping" && <Mapping store={store} mapping={mapping} setMapping={setMapping} />}
      <div class="row wrap">
        <label class="row"><input type="checkbox" checked={isComplete} onChange={(event) => setIsComplete(event.currentTarget.checked)} /> the log is complete: what is open at its end is judged</label>
        <label class="row">Findings from level <select value={level} onChange={(event) => setLevel(event.currentTarget.value as Level)}><option value="must">must</option><option value="should">should</option><option value="may">may</option></select></label>
        <button type="button" class="button primary" disabled={!isReady || session.isBusy.value} onClick={() => void judge()}><Icon name="play" /> Judge the log</button>
        {session.isBusy.value && <button type="button" class="button" onClick={() => session.stop()}><Icon name="stop" /> Stop</button>}
        {log && <span class="soft">{log.name}, {grouped(log.lines.length)} lines</span>}
      </div>
    </>
  );
}

/** Where the log comes from: dropped, chosen, or a file of the directory. */
function Logs({ session, store }: { session: AuditSession; store: Store }) {
  const [isOver, setIsOver] = useState(false);
  const files = store.files.value.filter((file) => file.language === "log");
  const read = async (file: File | undefined): Promise<void> => {
    if (file) session.take(logOf(file.name, await file.text()));
  };
  const open = async (path: string): Promise<void> => {
    if (path === "") return;
    const file = await store.trying(() => store.api.file(path));
    if (file) session.take(logOf(path, file.text, path));
  };
  return (
    <div
      class={isOver ? "drop is-over" : "drop"} onDragOver={(event) => { event.preventDefault(); setIsOver(true); }} onDragLeave={() => setIsOver(false)}
      onDrop={(event) => { event.preventDefault(); setIsOver(false); void read(event.dataTransfer?.files[0]); }}
    >
      <label class="row wrap">Drop a log here, or choose one: <input type="file" accept=".jsonl,.ndjson,.json,.log,.csv,.txt" onChange={(event) => void read(event.currentTarget.files?.[0])} /></label>
      {files.length > 0 && (
        <label class="row wrap">or one of the directory:{" "}
          <select value="" onChange={(event) => void open(event.currentTarget.value)}>
            <option value="">choose a log</option>
            {files.map((file) => <option key={file.path} value={file.path}>{file.path}</option>)}
          </select>
        </label>
      )}
    </div>
  );
}

interface MappingText { path: string; text: string }

function Mapping({ store, mapping, setMapping }: { store: Store; mapping: MappingText; setMapping: (mapping: MappingText) => void }) {
  const files = store.files.value.filter((file) => file.language === "mapping");
  const models = modelsOf(mapping.text);
  const open = async (path: string): Promise<void> => {
    if (path === "") return setMapping({ path: "", text: mapping.text });
    const file = await store.trying(() => store.api.file(path));
    if (file) setMapping({ path, text: file.text });
  };
  return (
    <div>
      {files.length > 0 && (
        <label class="row wrap">Mapping{" "}
          <select value={mapping.path} onChange={(event) => void open(event.currentTarget.value)}>
            <option value="">pasted below</option>
            {files.map((file) => <option key={file.path} value={file.path}>{file.path}</option>)}
          </select>
        </label>
      )}
      <textarea rows={8} aria-label="Mapping (TOML)" spellcheck={false} value={mapping.text} placeholder={'version = 1\n[source]\nformat = "jsonl"'} onInput={(event) => setMapping({ ...mapping, text: event.currentTarget.value })} />
      {models.length > 0 && <p class="soft">Its models are taken from the open texts or from beside it: {models.join(", ")}</p>}
    </div>
  );
}

/** The texts of the models that a mapping names; a notice where one is nowhere. */
async function modelsFor(store: Store, mapping: MappingText): Promise<Record<string, string> | null> {
  const models: Record<string, string> = {};
  for (const name of modelsOf(mapping.text)) {
    const path = beside(mapping.path, name);
    const open = store.documents.peek().find((each) => each.path === path || each.path === name);
    const text = open ? open.text.peek() : (await store.trying(() => store.api.file(path)))?.text;
    if (text === undefined) return null;
    models[name] = text;
  }
  return models;
}
