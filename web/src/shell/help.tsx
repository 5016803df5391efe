// The keys, in a dialog.
import { useState } from "preact/hooks";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icon";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const COMMAND = isMac ? "⌘" : "Ctrl";

const KEYS: { where: string; keys: [keys: string, what: string][] }[] = [
  { where: "Everywhere", keys: [[`${COMMAND} S`, "save"], [`${COMMAND} Enter`, "check all properties"], ["Alt 1 … 7", "go to a panel"]] },
  {
    where: "In the source",
    keys: [
      ["Ctrl Space", "propose how to go on"], ["F12", `go to where a name is declared, also ${COMMAND} and a click`], ["Shift F12", "all places of a name"],
      ["F2", "rename"], ["Shift Alt F", "write in standard form"], ["F8", "next problem"], [`${COMMAND} F`, "find"],
    ],
  },
  { where: "In the chart", keys: [["↓ ↑", "next step, step back"], ["Home End", "first and last step"], ["Enter", "unfold what is folded"]] },
  { where: "Between two parts", keys: [["← →", "make one wider"]] },
];

export function HelpButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button quiet" onClick={() => setOpen(true)} title="Keys"><Icon name="question" /><span class="visually-hidden">Keys</span></button>
      {isOpen && (
        <Dialog title="Keys" onClose={() => setOpen(false)}>
          {KEYS.map(({ where, keys }) => (
            <table key={where} class="keys">
              <caption>{where}</caption>
              <tbody>{keys.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody>
            </table>
          ))}
          <div class="buttons"><button type="button" class="button primary" autofocus onClick={() => setOpen(false)}>Close</button></div>
        </Dialog>
      )}
    </>
  );
}
