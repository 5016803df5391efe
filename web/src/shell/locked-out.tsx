// Without the token the server says nothing.
import { useState } from "preact/hooks";
import { keepToken } from "../api";
import { Dialog } from "../ui/dialog";
import type { Store } from "../store";

export function LockedOut({ store }: { store: Store }) {
  const [token, setToken] = useState("");
  if (!store.isLockedOut.value) return null;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = /[?&]token=([^&#]+)/.exec(token)?.[1];
    keepToken(given ? decodeURIComponent(given) : token.trim(), localStorage);
    location.reload();
  };
  return (
    <Dialog title="Which workbench is this?" onClose={() => {}}>
      <p>The server answers only those who know its token. Open the address that <code>servanda serve</code> printed, or paste it here.</p>
      <form onSubmit={submit}>
        <label>Address or token <input type="text" autofocus autocomplete="off" spellcheck={false} value={token} onInput={(event) => setToken(event.currentTarget.value)} /></label>
        <div class="buttons"><button type="submit" class="button primary" disabled={token.trim() === ""}>Open</button></div>
      </form>
    </Dialog>
  );
}
