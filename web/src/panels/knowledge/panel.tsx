// Knowledge: the states a role cannot tell from one, and why.
import { effect } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Alike, Graph, StateData } from "../../protocol";
import type { Store } from "../../store";
import { Findings } from "../../ui/findings";
import { Icon } from "../../ui/icon";
import { StateView } from "../../ui/state";
import { grouped } from "../../ui/words";
import { short } from "../graph/scene";
import { searched, type GraphSession } from "../graph/session";
import { drawnGraph, fullGraph, MOST } from "../graph/sessions";
import type { Panel, PanelProps } from "../panel";
import { Words } from "../words";
import { simulationOf } from "../simulator/panel";
import { currentNode } from "../simulator/tree";
import { alikeRows } from "./differences";

function KnowledgePanel({ subject, store }: PanelProps) {
  const session = fullGraph(store);
  const graph = session.graph.value;
  const [wanted, setWanted] = useState<StateData | null>(null);
  const [state, setState] = useState<number | null>(null);
  const [role, setRole] = useState("");
  const isShown = store.panel.value === knowledge.id;
  const isFresh = session.subject.value?.path === subject?.path && session.subject.value?.text === subject?.text;

  useEffect(() => {
    if (subject && isShown && session.status.value === "idle") session.start(subject, "state", MOST);
  }, [isShown, session]);
  useEffect(() => effect(() => {
    if (store.intent.value?.panel !== knowledge.id) return;
    const given = store.takeIntent(knowledge.id)?.["state"] as StateData | undefined;
    if (given) setWanted(given);
  }), [store]);
  // A state that was picked elsewhere is looked up as soon as the states are known.
  useEffect(() => {
    if (!graph || !wanted) return;
    const found = session.stateLike(wanted);
    setWanted(null);
    if (found === undefined) session.message.value = "That state is not among those that were explored here.";
    else setState(found);
  }, [graph, wanted]);
  const chosenRole = graph && graph.roles.includes(role) ? role : (graph?.roles[0] ?? "");
  const node = graph?.nodes.find((each) => each.id === state);
  useEffect(() => {
    if (node && chosenRole !== "") session.cannotTell(node.id, chosenRole);
  }, [node?.id, chosenRole, graph]);

  if (!subject) return null;
  const alike = session.alike.value;
  return (
    <div class="pane knowledge">
      <h2 class="visually-hidden">Knowledge</h2>
      {!isFresh && session.status.value !== "idle" && <p class="flag row wrap"><Icon name="warning" /> The text has changed since. <button type="button" class="button" onClick={() => session.start(subject, "state", MOST)}>Explore it again</button></p>}
      {session.message.value !== "" && <p class="flag" role="status"><Icon name="info" /> <Words text={session.message.value} /></p>}
      <Findings findings={session.findings.value} store={store} />
      {session.status.value === "exploring" && <p class="progress" role="status"><span class="words">The states are being explored. {session.progress.value}</span><button type="button" class="button small" onClick={() => session.stop()}><Icon name="stop" /> Stop</button></p>}
      {graph && (
        <>
          <Pick store={store} session={session} graph={graph} pick={setState} />
          {graph.roles.length === 0 && <p class="soft">Nobody in this model sees anything: it has no roles.</p>}
          {node && graph.roles.length > 0 && (
            <>
              <fieldset class="choices">
                <legend>Who looks at state {node.id}: <code>{short(node.text, 60)}</code></legend>
                {graph.roles.map((each) => <label key={each} class="row"><input type="radio" name="knowledge-role" value={each} checked={each === chosenRole} onChange={() => setRole(each)} /> {each}</label>)}
              </fieldset>
              {alike && alike.state === node.id && alike.role === chosenRole && <Answer graph={graph} alike={alike} pick={setState} />}
              <details><summary>All of state {node.id}</summary>{node.state && <StateView state={node.state} />}</details>
            </>
          )}
          {!node && <p class="soft">Pick a state: find it here, or come from the simulator, the graph or a chart.</p>}
        </>
      )}
    </div>
  );
}

const MOST_LISTED = 12;

/** Where the state comes from. */
function Pick({ store, session, graph, pick }: { store: Store; session: GraphSession; graph: Graph; pick: (state: number) => void }) {
  const [text, setText] = useState("");
  const found = searched(graph, text).states;
  const texts = new Map(graph.nodes.map((node) => [node.id, node.text]));
  const moment = currentNode(simulationOf(store).tree.value);
  const simulated = moment && !moment.initial ? session.stateLike(moment.state) : undefined;
  const drawn = drawnGraph(store);
  const selected = drawn.by.value === "state" ? drawn.graph.value?.nodes.find((node) => node.id === drawn.selected.value)?.state : undefined;
  const selectedHere = selected && session.stateLike(selected);
  const initial = graph.nodes.find((node) => node.isInitial);
  return (
    <section aria-label="Pick a state">
      <div class="row wrap">
        <input class="grow mono" type="search" aria-label="Find a state by its words" placeholder="paid = true" value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} autocomplete="off" />
        {initial && <button type="button" class="button small" onClick={() => pick(initial.id)}>The beginning</button>}
        {simulated !== undefined && moment && <button type="button" class="button small" onClick={() => pick(simulated)}>Moment {moment.node} of the simulator</button>}
        {selectedHere !== undefined && <button type="button" class="button small" onClick={() => pick(selectedHere)}>Selected in the graph</button>}
      </div>
      {text.trim() !== "" && (
        <ul class="edge-list" aria-label="States that were found">
          {found.slice(0, MOST_LISTED).map((id) => <li key={id}><button type="button" class="plain" onClick={() => pick(id)}>{id}: {texts.get(id)}</button></li>)}
          {found.length > MOST_LISTED && <li class="soft">and {grouped(found.length - MOST_LISTED)} more</li>}
          {found.length === 0 && <li class="soft">no state has these words</li>}
        </ul>
      )}
    </section>
  );
}

const MOST_ROWS = 200;

function Answer({ graph, alike, pick }: { graph: Graph; alike: Alike; pick: (state: number) => void }) {
  const rows = alikeRows(graph, alike);
  const others = rows.length - 1;
  return (
    <section aria-label={`What ${alike.role} knows`} aria-live="polite">
      <h3>{others === 0 ? `${alike.role} knows that this is the state: it looks like no other.` : `${alike.role} cannot tell this state from ${grouped(others)} ${others === 1 ? "other" : "others"}.`}</h3>
      {!graph.isWhole && <p class="flag warn"><Icon name="warning" /> Only a part of the states was explored: there may be more that look the same.</p>}
      <h4>What {alike.role} sees{others > 0 && ", the same in all of them"}</h4>
      {alike.sees.length === 0
        ? <p class="soft">nothing</p>
        : <table class="grid"><thead><tr><th scope="col">name</th><th scope="col">value</th></tr></thead><tbody>{alike.sees.map((each) => <tr key={each.name}><th scope="row">{each.name}</th><td class="mono">{each.value}</td></tr>)}</tbody></table>}
      {others > 0 && (
        <>
          <h4>In what they differ, which {alike.role} does not see</h4>
          <div class="scroll-x" tabIndex={0} role="group" aria-label="States that look the same">
            <table class="grid">
              <thead><tr><th scope="col">state</th>{alike.differs.map((each) => <th key={each.name} scope="col">{each.name}</th>)}</tr></thead>
              <tbody>
                {rows.slice(0, MOST_ROWS).map((row) => (
                  <tr key={row.state} class={row.isItself ? "is-here" : undefined}>
                    <th scope="row">{row.isItself ? <strong title={row.text}>{row.state}: {short(row.text, 40)} (this one)</strong> : <button type="button" class="plain" title={row.text} onClick={() => pick(row.state)}>{row.state}: {short(row.text, 40)}</button>}</th>
                    {row.values.map((value, at) => <td key={at} class={value !== rows[0]?.values[at] ? "mono differs" : "mono"}>{value}{value !== rows[0]?.values[at] && <span class="visually-hidden"> (differs)</span>}</td>)}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {rows.length > MOST_ROWS && <p class="soft">and {grouped(rows.length - MOST_ROWS)} more</p>}
        </>
      )}
    </section>
  );
}

export const knowledge: Panel = {
  id: "knowledge",
  title: "Knowledge",
  about: "Pick a state and a role: see which states the role cannot tell apart, and why.",
  component: KnowledgePanel,
};
