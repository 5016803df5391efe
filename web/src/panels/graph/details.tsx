// The selected node: what it is, how to get there, where it leads; with buttons, so that the graph can be walked without a mouse.
import type { Graph, GraphEdge, GraphNode } from "../../protocol";
import type { Store } from "../../store";
import { Icon } from "../../ui/icon";
import { StateView } from "../../ui/state";
import { badgeOf } from "./scene";
import type { GraphSession } from "./session";

interface DetailsProps { session: GraphSession; graph: Graph; store: Store; show: (node: number) => void }

export function Details({ session, graph, store, show }: DetailsProps) {
  const node = graph.nodes.find((each) => each.id === session.selected.value);
  return (
    <>
      <Path session={session} graph={graph} show={show} />
      {node && <Node session={session} graph={graph} store={store} show={show} node={node} />}
      {!node && <p class="soft">Select a state in the drawing, in the table or by a search to see what is in it.</p>}
    </>
  );
}

function Node({ session, graph, store, show, node }: DetailsProps & { node: GraphNode }) {
  const out = graph.edges.filter((edge) => edge.from === node.id);
  const into = graph.edges.filter((edge) => edge.to === node.id && edge.from !== node.id);
  const path = session.path.value;
  const pathEnd = path?.states.at(-1);
  const badge = badgeOf(node);
  return (
    <section class="graph-details" aria-label={`State ${node.id}`}>
      <h3>State {node.id}: <code>{node.text}</code>{badge && <span class="tag">{badge}</span>}</h3>
      {node.unkeepable.length > 0 && <p class="flag warn"><Icon name="warning" /> In force, but on no way from here kept: {node.unkeepable.join(", ")}.</p>}
      <div class="row wrap">
        <button type="button" class="button small" onClick={() => session.way(node.id)}>A shortest way here</button>
        {pathEnd !== undefined && pathEnd !== node.id && <button type="button" class="button small" onClick={() => session.wayBetween(pathEnd, node.id)}>A way here from state {pathEnd}</button>}
        {graph.by === "state" && node.state && <button type="button" class="button small" onClick={() => store.openPanel("knowledge", { state: node.state })}><Icon name="eye" /> Who knows what here</button>}
      </div>
      <div class="sim-columns">
        <Edges title="Leads to" edges={out} end="to" graph={graph} show={show} store={store} />
        <Edges title="Comes from" edges={into} end="from" graph={graph} show={show} store={store} />
        {node.state && <div><StateView state={node.state} /></div>}
      </div>
    </section>
  );
}

const MOST_LISTED = 50;

function Edges({ title, edges, end, graph, show, store }: { title: string; edges: GraphEdge[]; end: "from" | "to"; graph: Graph; show: (node: number) => void; store: Store }) {
  const texts = new Map(graph.nodes.map((node) => [node.id, node.text]));
  return (
    <div>
      <h4>{title}</h4>
      {edges.length === 0 && <p class="soft">nothing</p>}
      <ul class="edge-list">
        {edges.slice(0, MOST_LISTED).map((edge) => (
          <li key={edge.id}>
            <button type="button" class="plain" onClick={() => show(edge[end])}><code>{edge.labels.join(", ")}</code> {end === "to" ? "→" : "←"} {edge[end]}: {texts.get(edge[end])}</button>
            {edge.place && <button type="button" class="button quiet small" aria-label={`Source of ${edge.labels.join(", ")}`} onClick={() => edge.place && void store.reveal(edge.place, true)}>source</button>}
          </li>
        ))}
      </ul>
      {edges.length > MOST_LISTED && <p class="soft">and {edges.length - MOST_LISTED} more: the table has all of them</p>}
    </div>
  );
}

/** The way that is highlighted, in words. */
function Path({ session, graph, show }: { session: GraphSession; graph: Graph; show: (node: number) => void }) {
  const path = session.path.value;
  if (!path) return null;
  const edges = new Map(graph.edges.map((edge) => [edge.id, edge]));
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  return (
    <section aria-label="Highlighted way" class="graph-path">
      <div class="row"><h3 class="grow">A way of {path.edges.length} {path.edges.length === 1 ? "step" : "steps"}</h3><button type="button" class="button quiet small" onClick={() => (session.path.value = null)}><Icon name="close" /> Clear</button></div>
      <ol>
        {path.states.map((state, at) => (
          <li key={at}>
            {at > 0 && <code>{edges.get(path.edges[at - 1] ?? -1)?.labels.join(", ")} → </code>}
            <button type="button" class="plain" onClick={() => show(state)}>{state}: {nodes.get(state)?.text}</button>
          </li>
        ))}
      </ol>
    </section>
  );
}
