// The link that carries the model, made and opened. Opening one shows its text and runs nothing.
import { useState } from "preact/hooks";
import { LinkError, fromFragment, toFragment } from "../link";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";
import type { Store } from "../store";

export function ShareButton({ store }: { store: Store }) {
  const [link, setLink] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const make = async (): Promise<void> => {
    const subject = store.subject.value;
    const document = store.active.value;
    if (!subject || !document) return;
    const { path, language, text, parameters } = subject;
    const { beside } = document;
    try {
      const fragment = await toFragment({ path, language, text, ...(Object.keys(beside).length > 0 ? { beside } : {}), ...(parameters ? { parameters } : {}) });
      setCopied(false);
      setLink(`${location.origin}${location.pathname}#${fragment}`);
    } catch (error) {
      store.complain(error instanceof LinkError ? error.message : String(error));
    }
  };
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link ?? "");
      setCopied(true);
      store.announce("The link is copied");
    } catch {
      store.complain("The browser does not let the page copy; select the link and copy it yourself.");
    }
  };
  return (
    <>
      <button type="button" class="button quiet" disabled={!store.subject.value} onClick={() => void make()} title="A link that carries this model in itself">
        <Icon name="link" /> <span class="word">Link</span>
      </button>
      {link && (
        <Dialog title="A link that carries this model" onClose={() => setLink(null)}>
          <p>The text is in the link itself ({link.length} characters); no server keeps it. Who opens it in a workbench of their own sees the text; nothing is run until they say so.</p>
          <label>Link <textarea readOnly rows={4} value={link} onFocus={(event) => event.currentTarget.select()} /></label>
          <div class="buttons">
            <button type="button" class="button" onClick={() => setLink(null)}>Close</button>
            <button type="button" class="button primary" onClick={() => void copy()}><Icon name={isCopied ? "yes" : "link"} /> {isCopied ? "Copied" : "Copy"}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** Opens the model that the address carries, if it does, and takes it out of the address: a reload keeps what was edited since. */
export async function openLink(store: Store): Promise<void> {
  try {
    const carried = await fromFragment(location.hash);
    if (!carried) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    let number = 1;
    while (store.documents.value.some((each) => each.key === `link:${number}:${carried.path}` && each.saved.value !== carried.text)) number++;
    const key = `link:${number}:${carried.path}`;
    const { path, language, text, beside } = carried;
    const document = store.add({ key, path, origin: "link", language, text, beside });
    if (carried.parameters) document.parameters.value = carried.parameters;
    store.view.value = "source";
    store.tell("This text came with the link. Nothing was run; check it when you want to.");
  } catch (error) {
    store.complain(error instanceof LinkError ? error.message : String(error));
  }
}
