// The keys, in a dialog.
import type { Store } from "../store";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const COMMAND = isMac ? "⌘" : "Ctrl";

const KEYS: { where: string; keys: [keys: string, what: string][] }[] = [
  { where: "Everywhere", keys: [[`${COMMAND} S`, "save"], [`${COMMAND} Enter`, "check all properties"], ["Alt 1 … 7", "go to a panel"], ["?", "list the keys, where nothing is typed"]] },
  {
    where: "In the source",
    keys: [
      ["Ctrl Space", "propose how to go on"], ["F12", `go to where a name is declared, also ${COMMAND} and a click`], ["Shift F12", "all places of a name"],
      ["F2", "rename"], ["Shift Alt F", "write in standard form"], ["F8", "next problem"], [`${COMMAND} F`, "find"],
    ],
  },
  { where: "In the chart", keys: [["↓ ↑", "next step, step back"], ["PageDown PageUp", "ten steps on, ten back"], ["Home End", "first and last step"], ["Enter", "unfold what is folded"], ["Escape", "close it and go back to where it was asked for"]] },
  { where: "In the simulator", keys: [["1 … 9", "take what has this number"], ["Backspace", "take back"], ["Home", "to the beginning"], ["r", "a step by chance"], ["↓ ↑ ← →", "go around in the visited moments"]] },
  { where: "In the graph", keys: [["↓ ↑ ← →", "move"], ["+ −", "larger, smaller"], ["0", "see all of it"], ["Escape", "choose nothing"]] },
  { where: "Between two parts", keys: [["← →", "make one wider"], ["Home End", "as narrow and as wide as can be"]] },
];

export function HelpButton({ store }: { store: Store }) {
  const isOpen = store.listsKeys.value;
  const setOpen = (isOpen: boolean): void => void (store.listsKeys.value = isOpen);
  return (
    <>
      <button type="button" class="button quiet" onClick={() => setOpen(true)} title="Keys (?)"><Icon name="question" /><span class="visually-hidden">Keys</span></button>
      {isOpen && (
        <Dialog title="Keys" isWide onClose={() => setOpen(false)}>
          <div class="keys-columns">
            {KEYS.map(({ where, keys }) => (
              <table key={where} class="keys">
                <caption>{where}</caption>
                <tbody>{keys.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody>
              </table>
            ))}
          </div>
          <div class="buttons"><button type="button" class="button primary" autofocus onClick={() => setOpen(false)}>Close</button></div>
        </Dialog>
      )}
    </>
  );
}
