// The simulator: click what happens next, take it back, branch, compare.
import { effect } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Choice } from "../../protocol";
import type { Store } from "../../store";
import { Findings } from "../../ui/findings";
import { Icon } from "../../ui/icon";
import { StateView } from "../../ui/state";
import type { Panel, PanelProps } from "../panel";
import { Words } from "../words";
import { isTyping } from "../keys";
import { useMarks } from "../marks";
import { Choices, Beginnings, keyOrder } from "./choices";
import { compare } from "./compare";
import { CompareView } from "./compare-view";
import { ReplayView } from "./replay-view";
import { Simulation, type Replay } from "./simulation";
import * as trees from "./tree";
import { TreeView } from "./tree-view";
import { WatchView } from "./watch-view";

const simulations = new WeakMap<Store, Simulation>();

/** The one simulation of the page. */
export function simulationOf(store: Store): Simulation {
  let simulation = simulations.get(store);
  if (!simulation) {
    simulation = new Simulation({ jobs: store.jobs, limits: () => store.limits.value, announce: (text) => store.announce(text) });
    simulations.set(store, simulation);
  }
  return simulation;
}

function SimulatorPanel({ subject, store }: PanelProps) {
  const simulation = useMemo(() => simulationOf(store), [store]);
  const isShown = store.panel.value === simulator.id;
  const simulated = simulation.subject.value;

  // It begins by itself when it is opened, and with another file; another text of the same file is the user's to decide.
  useEffect(() => {
    if (subject && isShown && simulated?.path !== subject.path) simulation.start(subject);
  }, [subject?.path, isShown]);
  useEffect(() => effect(() => {
    if (store.intent.value?.panel !== simulator.id) return;
    const replay = store.takeIntent(simulator.id)?.["replay"] as Replay | undefined;
    const wanted = store.subject.peek();
    if (!replay || !wanted) return;
    if (simulation.status.peek() !== "running" || simulation.subject.peek()?.text !== wanted.text) simulation.start(wanted);
    simulation.replayWhenReady(replay);
  }), [store, simulation]);

  const tree = simulation.tree.value;
  const node = trees.currentNode(tree);
  useMarks(store, simulator.id, node?.step?.places ?? [], [node?.node, simulated]);
  useEffect(() => simulation.lookAround(), [node?.node]);

  if (!subject) return null;
  const isOld = simulated !== null && simulated.path === subject.path && simulated.text !== subject.text;
  return (
    <div class="pane simulator" onKeyDown={(event) => onKey(event, simulation)}>
      <h2 class="visually-hidden">Simulator</h2>
      <Toolbar simulation={simulation} restart={() => simulation.start(subject)} />
      {isOld && (
        <p class="flag row wrap"><Icon name="warning" /> The text has changed since.
          <button type="button" class="button" onClick={() => simulation.startAgain(subject)}>Simulate the new text, and repeat the steps</button>
        </p>
      )}
      {simulation.message.value !== "" && <p class="flag" role="status"><Icon name="info" /> <Words text={simulation.message.value} /></p>}
      <Findings findings={simulation.findings.value} store={store} />
      {simulation.status.value === "starting" && !node && <p class="soft" role="status">The model is being read.</p>}
      {node && <Body store={store} simulation={simulation} tree={tree} node={node} />}
    </div>
  );
}

function Body({ store, simulation, tree, node }: { store: Store; simulation: Simulation; tree: trees.Tree; node: NonNullable<ReturnType<typeof trees.currentNode>> }) {
  const other = simulation.other.value;
  const comparison = other === null ? undefined : compare(tree, other, node.node);
  const before = node.parent === undefined ? undefined : tree.nodes.get(node.parent)?.state;
  const goTo = (to: number): void => simulation.goTo(to);
  // The button that was pressed is gone after a step: the focus goes to what can happen next.
  const next = useRef<HTMLElement>(null);
  const hasStepped = useRef(false);
  useEffect(() => {
    if (hasStepped.current && (document.activeElement === document.body || !document.activeElement)) (next.current?.querySelector("button") ?? next.current)?.focus();
    hasStepped.current = false;
  }, [node.node]);
  const stepping = (doing: () => void): void => {
    hasStepped.current = true;
    doing();
  };
  const hover = (choice: Choice | null): void => store.mark(choice ? choice.step.places : (node.step?.places ?? []));
  return (
    <>
      <div class="sim-columns">
        <section aria-label="What can happen next" ref={next} tabIndex={-1}>
          <h3>What can happen next</h3>
          {node.trouble && <p class="flag"><Icon name="warning" /> <Words text={node.trouble} /></p>}
          {node.initial
            ? <Beginnings states={node.initial} choose={(index) => stepping(() => simulation.choose(index))} />
            : node.choices.length === 0
              ? <p class="soft">{node.state.isFinal ? "Nothing has to happen any more: this is the end." : "Nothing can happen here."}</p>
              : <Choices tree={tree} node={node.node} choices={node.choices} isAtCursor={(choice) => isAtCursor(store, choice)} take={(index) => stepping(() => simulation.take(index))} hover={hover} />}
        </section>
        <section aria-label="Visited moments">
          <h3>Visited moments</h3>
          <TreeView tree={tree} pinned={other} loopTo={(at) => tree.nodes.get(at)?.loopTo} goTo={goTo} />
        </section>
        {!node.initial && (
          <section aria-label="State">
            <h3>State at moment {node.node}</h3>
            <StateView state={node.state} changed={node.changed} {...(before ? { before } : {})} />
            <button type="button" class="button" onClick={() => store.openPanel("knowledge", { state: node.state })}><Icon name="eye" /> Who knows what here</button>
          </section>
        )}
      </div>
      {comparison && <CompareView comparison={comparison} goTo={goTo} unpin={() => simulation.compareWith(null)} />}
      <WatchView path={trees.pathTo(tree, node.node)} watches={simulation.watches.value} current={node.node} watch={(text) => simulation.watch(text)} unwatch={(text) => simulation.unwatch(text)} goTo={goTo} />
      <section aria-label="Replay">
        <h3>Replay</h3>
        <ReplayView asked={simulation.asked.value} replay={(what) => simulation.replay(what)} />
      </section>
    </>
  );
}

function Toolbar({ simulation, restart }: { simulation: Simulation; restart: () => void }) {
  const [steps, setSteps] = useState(1);
  const tree = simulation.tree.value;
  const node = trees.currentNode(tree);
  const isRunning = simulation.status.value === "running";
  return (
    <div class="bar" role="toolbar" aria-label="Simulator">
      <button type="button" class="button" onClick={restart} title="Start again from the beginning"><Icon name="loop" /> Start again</button>
      <button type="button" class="button" onClick={() => simulation.toStart()} disabled={!node} aria-keyshortcuts="Home"><Icon name="first" /> Beginning</button>
      <button type="button" class="button" onClick={() => simulation.back()} disabled={trees.before(tree) === undefined} aria-keyshortcuts="Backspace"><Icon name="back" /> Take back</button>
      <button type="button" class="button" onClick={() => simulation.forward()} disabled={trees.forward(tree) === undefined}><Icon name="next" /> Forward</button>
      <span class="row">
        <button type="button" class="button" onClick={() => simulation.random(steps)} disabled={!isRunning || !node || node.choices.length === 0} aria-keyshortcuts="r"><Icon name="play" /> By chance</button>
        <label class="row"><span class="visually-hidden">how many steps</span><input class="count" type="number" min={1} max={1000} value={steps} onInput={(event) => setSteps(Math.max(1, Math.min(1000, event.currentTarget.valueAsNumber || 1)))} /> {steps === 1 ? "step" : "steps"}</label>
      </span>
      <button type="button" class="button" onClick={() => simulation.compareWith(node ? node.node : null)} disabled={!node} title="Then go to another moment: both are shown side by side"><Icon name="branch" /> Pin to compare</button>
    </div>
  );
}

/** Was this choice written on the line of the cursor? */
function isAtCursor(store: Store, choice: Choice): boolean {
  const cursor = store.cursor.value;
  const path = store.active.value?.path;
  if (!cursor || cursor.key !== store.activeKey.value) return false;
  return choice.step.places.some((place) => (place.path === path || place.path === "") && place.line <= cursor.line && cursor.line <= place.endLine);
}

function onKey(event: KeyboardEvent, simulation: Simulation): void {
  if (isTyping(event)) return;
  const node = trees.currentNode(simulation.tree.peek());
  const choice = /^[1-9]$/.test(event.key) ? keyOrder(node?.choices ?? [])[Number(event.key) - 1] : undefined;
  if (choice && !node?.initial) simulation.take(choice.index);
  else if (node?.initial && /^[1-9]$/.test(event.key) && Number(event.key) <= node.initial.length) simulation.choose(Number(event.key) - 1);
  else if (event.key === "Backspace") simulation.back();
  else if (event.key === "Home") simulation.toStart();
  else if (event.key === "r" && node && node.choices.length > 0) simulation.random(1);
  else return;
  event.preventDefault();
}

export const simulator: Panel = {
  id: "simulator",
  title: "Simulator",
  about: "Step through the model: choose what happens next, take it back, branch, compare.",
  component: SimulatorPanel,
};
