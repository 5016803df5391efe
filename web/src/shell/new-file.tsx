// Names for files: a new one, or one for a text that has none yet.
import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import type { Store } from "../store";
import { objection } from "./names";

const BEGINNINGS: Record<string, string> = {
  pact: "protocol New\nroles A, B\n\nstart idle\nidle -- A -> B: hello --> done\nfinal done\n\nproperty greeted = EF in done\n",
};

export function NewFile({ store }: { store: Store }) {
  const [isAsking, ask] = useState(false);
  // Saving a text that has no file asks for one too.
  useEffect(() => effect(() => { if (store.wantsName.value) ask(true); }), []);
  const close = (): void => {
    store.wantsName.value = null;
    ask(false);
  };
  return (
    <>
      <button type="button" class="button quiet small" onClick={() => ask(true)}><Icon name="plus" /> New<span class="visually-hidden"> file</span></button>
      {isAsking && <NameDialog store={store} onClose={close} />}
    </>
  );
}

function NameDialog({ store, onClose }: { store: Store; onClose: () => void }) {
  const document = store.wantsName.value;
  const [path, setPath] = useState(document ? suggested(document.path, document.language) : "");
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const found = objection(path.trim());
    setWrong(found);
    if (found) return;
    const text = document ? document.text.value : BEGINNINGS[path.slice(path.lastIndexOf(".") + 1)] ?? "";
    const hindered = await store.saveAs(path.trim(), text, document ?? undefined);
    setWrong(hindered);
    if (hindered !== null) return;
    onClose();
    void store.reveal({ path: path.trim(), line: 1, column: 1, endLine: 1, endColumn: 1 }, true);
  };
  return (
    <Dialog title={document ? `Save ${document.path} as a file` : "New file"} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <label>Name, below {store.info.value?.directory ?? "the directory"}
          <input type="text" autofocus value={path} placeholder="protocol.pact" autocomplete="off" spellcheck={false} aria-invalid={wrong !== null} aria-describedby="name-wrong" onInput={(event) => setPath(event.currentTarget.value)} />
        </label>
        <p id="name-wrong" class="bad" role="alert">{wrong}</p>
        <div class="buttons">
          <button type="button" class="button" onClick={onClose}>Cancel</button>
          <button type="submit" class="button primary">{document ? "Save" : "Make"}</button>
        </div>
      </form>
    </Dialog>
  );
}

function suggested(path: string, language: string): string {
  return /\.\w+$/.test(path) ? path : `${path}.${language}`;
}
