// The state graph: drawn or as a table, searched, with ways and with what is wrong in it marked.
import { useMemo, useState } from "preact/hooks";
import type { Graph, Place } from "../../protocol";
import { Findings } from "../../ui/findings";
import { Icon } from "../../ui/icon";
import { grouped } from "../../ui/words";
import { useMarks } from "../marks";
import type { Panel, PanelProps } from "../panel";
import { Words } from "../words";
import { GraphCanvas, type CanvasProps } from "./canvas";
import { Details } from "./details";
import { NOTHING, type Highlight } from "./draw";
import { Exports } from "./exports";
import { Kinds, Search } from "./search";
import type { By, GraphSession } from "./session";
import { drawnGraph, MOST } from "./sessions";
import { Tables } from "./tables";

function GraphPanel({ subject, store }: PanelProps) {
  const session = useMemo(() => drawnGraph(store), [store]);
  const [view, setView] = useState<"drawing" | "table">("drawing");
  const [wanted, setWanted] = useState<CanvasProps["wanted"]>({ number: 0, to: "fit" });
  const go = (to: CanvasProps["wanted"]["to"]): void => setWanted((before) => ({ number: before.number + 1, to }));
  const graph = session.graph.value;
  const scene = session.scene.value;
  const highlight = useHighlight(session);
  const select = (node: number | null): void => session.select(node);
  const show = (node: number): void => {
    session.select(node);
    go({ node });
  };
  useMarks(store, graphPanel.id, placesOf(session), [session.path.value, session.selected.value, graph]);
  if (!subject) return null;
  const drawnOf = session.subject.value;
  const isOld = drawnOf !== null && (drawnOf.text !== subject.text || drawnOf.path !== subject.path);
  const label = graph ? `State graph with ${grouped(graph.nodes.length)} nodes and ${grouped(graph.edges.length)} edges` : "State graph";
  return (
    <div class="pane graph">
      <h2 class="visually-hidden">Graph</h2>
      <Choose session={session} draw={(by) => session.start(subject, by, MOST)} />
      {isOld && <p class="flag row wrap"><Icon name="warning" /> {drawnOf.path === subject.path ? "The text has changed since." : `This is the graph of ${drawnOf.path}.`} <button type="button" class="button" onClick={() => session.start(subject, session.by.value, MOST)}>Draw it again</button></p>}
      {session.message.value !== "" && <p class="flag" role="status"><Icon name="info" /> <Words text={session.message.value} /></p>}
      <Findings findings={session.findings.value} store={store} />
      {session.status.value === "exploring" && <p class="progress" role="status"><span class="words">The states are being explored. {session.progress.value}</span><button type="button" class="button small" onClick={() => session.stop()}><Icon name="stop" /> Stop</button></p>}
      {session.status.value === "laying" && <p class="soft" role="status">The graph is being laid out.</p>}
      {graph && (
        <>
          <Summary graph={graph} way={scene?.way} />
          <Search session={session} show={show} />
          <Kinds session={session} graph={graph} show={show} />
          <div class="row wrap" role="group" aria-label="How the graph is shown">
            <button type="button" class="button small" aria-pressed={view === "drawing"} onClick={() => setView("drawing")}>Drawing</button>
            <button type="button" class="button small" aria-pressed={view === "table"} onClick={() => setView("table")}>Table</button>
            {view === "drawing" && scene && (
              <>
                <button type="button" class="button small" onClick={() => go("larger")}>Larger</button>
                <button type="button" class="button small" onClick={() => go("smaller")}>Smaller</button>
                <button type="button" class="button small" onClick={() => go("fit")}>All of it</button>
                <Exports scene={scene} highlight={highlight} name={drawnOf?.path ?? "graph"} />
              </>
            )}
          </div>
          {view === "drawing" && scene && <GraphCanvas scene={scene} highlight={highlight} label={label} wanted={wanted} theme={store.theme.value} select={select} />}
          {view === "drawing" && scene && <Legend graph={graph} />}
          {view === "table" && <Tables graph={graph} found={session.found.value} select={select} selected={session.selected.value} />}
          <Details session={session} graph={graph} store={store} show={show} />
        </>
      )}
    </div>
  );
}

function useHighlight(session: GraphSession): Highlight {
  const selected = session.selected.value;
  const found = session.found.value;
  const path = session.path.value;
  return useMemo(() => ({
    ...NOTHING,
    selected,
    nodes: new Set(found?.states ?? []),
    path: new Set(path?.states ?? []),
    pathEdges: new Set(path?.edges ?? []),
  }), [selected, found, path]);
}

/** The lines of the source that a way goes along, or that leave the selected state. */
function placesOf(session: GraphSession): Place[] {
  const graph = session.graph.value;
  if (!graph) return [];
  const path = new Set(session.path.value?.edges ?? []);
  const selected = session.selected.value;
  const edges = graph.edges.filter((edge) => (path.size > 0 ? path.has(edge.id) : edge.from === selected));
  return edges.flatMap((edge) => (edge.place ? [edge.place] : []));
}

function Choose({ session, draw }: { session: GraphSession; draw: (by: By) => void }) {
  const [kind, setKind] = useState<"state" | "control" | "variables">("state");
  const [chosen, setChosen] = useState<string[]>([]);
  const variables = session.graph.value?.variables ?? [];
  const toggle = (name: string): void => setChosen(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]);
  const isReady = kind !== "variables" || chosen.length > 0;
  return (
    <>
      <div class="bar">
        <label class="row">Nodes are{" "}
          <select value={kind} onChange={(event) => setKind(event.currentTarget.value as typeof kind)}>
            <option value="state">whole states</option>
            <option value="control">control states</option>
            <option value="variables">values of chosen variables</option>
          </select>
        </label>
        <button type="button" class="button primary" disabled={!isReady || session.status.value === "exploring"} onClick={() => draw(kind === "variables" ? { variables: chosen } : kind)}>Draw</button>
      </div>
      {kind === "variables" && (
        <fieldset class="choices">
          <legend>States that agree on these are one node</legend>
          {variables.length === 0 && <p class="soft">Draw it by control states first: then the variables are known.</p>}
          {variables.map((name) => <label key={name} class="row"><input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} /> <code>{name}</code></label>)}
        </fieldset>
      )}
    </>
  );
}

function Summary({ graph, way }: { graph: Graph; way: "dagre" | "distance" | undefined }) {
  const counts = `${grouped(graph.nodes.length)} ${graph.nodes.length === 1 ? "node" : "nodes"}, ${grouped(graph.edges.length)} ${graph.edges.length === 1 ? "edge" : "edges"}`;
  const states = graph.by === "state" && graph.isWhole ? "" : `, of ${grouped(graph.states)} states`;
  return (
    <p class="soft">
      {counts}{states}. {graph.isWhole ? "" : "This is only a part: the graph has more. "}
      {way === "distance" && "Rows are steps from the beginning."}
    </p>
  );
}

function Legend({ graph }: { graph: Graph }) {
  const parts = [
    graph.nodes.some((node) => node.isDeadlock) && "Eight corners: deadlock.",
    graph.nodes.some((node) => node.isFinal) && "Double line: end.",
    graph.nodes.some((node) => node.unkeepable.length > 0) && "Pointed sides: a promise in force there cannot be kept.",
  ].filter(Boolean);
  return parts.length > 0 ? <p class="soft">{parts.join(" ")}</p> : null;
}

export const graphPanel: Panel = {
  id: "graph",
  title: "Graph",
  about: "The states of the model and how they lead to each other; deadlocks and promises that cannot be kept are marked.",
  component: GraphPanel,
};
