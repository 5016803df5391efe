// A file was changed here and outside: both texts are shown, and the user decides.
import { batch } from "@preact/signals";
import { Dialog } from "../ui/dialog";
import { compareLines } from "../ui/compare";
import type { Store } from "../store";

export function Conflict({ store }: { store: Store }) {
  const conflict = store.conflict.value;
  if (!conflict) return null;
  const { document, theirs } = conflict;
  const close = (): void => { store.conflict.value = null; };
  const takeTheirs = (): void => batch(() => {
    document.version = theirs.version;
    document.text.value = document.saved.value = theirs.text;
    close();
    store.tell(`${document.path} is as it is in the directory`);
  });
  const keepMine = async (): Promise<void> => {
    close();
    if (await store.save(document, theirs.version)) store.tell(`${document.path} is saved over the other text`);
  };
  return (
    <Dialog title={`${document.path} was changed outside the workbench`} isWide onClose={close}>
      <p>Lines with <span class="bad">−</span> are in the file now, lines with <span class="good">+</span> are yours.</p>
      <pre class="compare" tabIndex={0} aria-label="Differences">
        {compareLines(theirs.text, document.text.value).map((line, at) => <div key={at} class={line.kind}>{{ same: "  ", ins: "+ ", del: "− ", gap: "  " }[line.kind]}{line.text}</div>)}
      </pre>
      <div class="buttons">
        <button type="button" class="button" autofocus onClick={close}>Go on editing</button>
        <button type="button" class="button danger" onClick={takeTheirs}>Take the file, drop mine</button>
        <button type="button" class="button primary" onClick={() => void keepMine()}>Save mine over it</button>
      </div>
    </Dialog>
  );
}
