// Watched formulas: their values at every moment on the way here.
import { useState } from "preact/hooks";
import { describe } from "../../chart/layout";
import type { SimulatorNode, Watched } from "../../protocol";
import { Icon, type IconName } from "../../ui/icon";

interface WatchProps { path: SimulatorNode[]; watches: string[]; current: number; watch: (text: string) => void; unwatch: (text: string) => void; goTo: (node: number) => void }

const ICONS: Record<Watched["value"], IconName> = { true: "yes", false: "no", unknown: "question" };

export function WatchView({ path, watches, current, watch, unwatch, goTo }: WatchProps) {
  const [text, setText] = useState("");
  const submit = (event: Event): void => {
    event.preventDefault();
    watch(text);
    setText("");
  };
  return (
    <section aria-label="Watched formulas">
      <h3>Watched formulas</h3>
      <form class="row" onSubmit={submit}>
        <input class="grow mono" type="text" aria-label="A formula to watch" placeholder="EF delivered" value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} autocomplete="off" />
        <button type="submit" class="button" disabled={text.trim() === ""}><Icon name="eye" /> Watch</button>
      </form>
      {watches.length > 0 && (
        <div class="scroll-x" tabIndex={0} role="group" aria-label="Values of the watched formulas">
          <table class="grid">
            <thead>
              <tr>
                <th scope="col">moment</th>
                {watches.map((each) => (
                  <th key={each} scope="col"><code>{each}</code> <button type="button" class="button quiet small" aria-label={`No longer watch ${each}`} onClick={() => unwatch(each)}><Icon name="close" /></button></th>
                ))}
              </tr>
            </thead>
            <tbody>
              {path.map((node) => (
                <tr key={node.node} class={node.node === current ? "is-here" : undefined}>
                  <th scope="row"><button type="button" class="plain" aria-current={node.node === current ? "step" : undefined} onClick={() => goTo(node.node)}>{node.node}: {node.step ? describe(node.step) : "beginning"}</button></th>
                  {watches.map((each) => <td key={each}><WatchedValue watched={node.watched.find((one) => one.text === each)} /></td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function WatchedValue({ watched }: { watched: Watched | undefined }) {
  if (!watched) return <span class="soft">not asked</span>;
  return <span class={`watched-${watched.value}`} title={watched.reason}><Icon name={ICONS[watched.value]} /> {watched.value}{watched.reason && <span class="visually-hidden">: {watched.reason}</span>}</span>;
}
