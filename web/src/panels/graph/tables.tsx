// The same graph in words: a table of states and one of edges, page by page.
import { useState } from "preact/hooks";
import type { Graph } from "../../protocol";
import { grouped } from "../../ui/words";
import { badgeOf } from "./scene";
import type { Found } from "./session";

const PAGE = 100;

interface TablesProps { graph: Graph; found: Found | null; selected: number | null; select: (node: number) => void }

export function Tables({ graph, found, selected, select }: TablesProps) {
  const isFound = found && new Set(found.states);
  const nodes = isFound ? graph.nodes.filter((node) => isFound.has(node.id)) : graph.nodes;
  const edges = selected === null ? graph.edges : graph.edges.filter((edge) => edge.from === selected || edge.to === selected);
  const texts = new Map(graph.nodes.map((node) => [node.id, node.text]));
  const link = (id: number) => <button type="button" class="plain" onClick={() => select(id)}>{id}: {texts.get(id)}</button>;
  return (
    <>
      <Paged
        title={found ? `States: ${found.what}` : "States"} head={["state", "what it is"]} items={nodes}
        row={(node) => (
          <tr key={node.id} class={node.id === selected ? "is-here" : undefined}>
            <th scope="row">{link(node.id)}</th>
            <td>{badgeOf(node)}</td>
          </tr>
        )}
      />
      <Paged
        title={selected === null ? "Edges" : `Edges of state ${selected}`} head={["from", "what happens", "to"]} items={edges}
        row={(edge) => <tr key={edge.id}><td>{link(edge.from)}</td><td><code>{edge.labels.join(", ")}</code></td><td>{link(edge.to)}</td></tr>}
      />
    </>
  );
}

function Paged<T>({ title, head, items, row }: { title: string; head: string[]; items: T[]; row: (item: T) => preact.JSX.Element }) {
  const [wanted, setPage] = useState(0);
  const pages = Math.max(1, Math.ceil(items.length / PAGE));
  const page = Math.min(wanted, pages - 1);
  return (
    <section aria-label={title}>
      <div class="scroll-x" tabIndex={0} role="group" aria-label={title}>
        <table class="grid">
          <caption>{title} ({grouped(items.length)})</caption>
          <thead><tr>{head.map((each) => <th key={each} scope="col">{each}</th>)}</tr></thead>
          <tbody>{items.slice(page * PAGE, (page + 1) * PAGE).map(row)}</tbody>
        </table>
      </div>
      {pages > 1 && (
        <p class="row wrap">
          <button type="button" class="button small" disabled={page === 0} onClick={() => setPage(page - 1)}>Previous page</button>
          <span>page {page + 1} of {pages}</span>
          <button type="button" class="button small" disabled={page === pages - 1} onClick={() => setPage(page + 1)}>Next page</button>
        </p>
      )}
    </section>
  );
}
