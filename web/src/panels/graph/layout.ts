// Where the nodes of a graph are put. Small graphs are laid out by dagre; larger ones by their distance from the beginning, which takes
// time that grows no faster than their size.
import { Graph, layout as dagre } from "@dagrejs/dagre";
import { byDistance } from "./distance";

/** Plain arrays, so that a worker can be given them. */
export interface LayoutInput {
  widths: ArrayLike<number>;
  heights: ArrayLike<number>;
  /** From and to, one after the other, by the positions of nodes. */
  edges: ArrayLike<number>;
  initial: readonly number[];
  /** How wide the label of each edge is; none where labels have no place of their own. */
  labels?: ArrayLike<number>;
}
export interface Laid {
  /** Centres. */
  x: Float64Array;
  y: Float64Array;
  /** By edge: the points its line goes through, x and y one after the other; none: a line straight from node to node. */
  bends: (number[] | undefined)[];
  /** By edge: the middle of its label, where it has a place of its own. */
  labels?: ([number, number] | undefined)[];
  way: "dagre" | "distance";
}

/** Up to this size dagre takes about a second (0.9 s for 100 nodes with 300 edges on one slow core); its time grows much faster than the graph. */
export const MOST_NODES = 120;
export const MOST_EDGES = 300;

export function lay(input: LayoutInput): Laid {
  if (input.widths.length <= MOST_NODES && input.edges.length / 2 <= MOST_EDGES) {
    try {
      return byDagre(input);
    } catch {
      // It gives up on a few graphs; the other way knows no such graphs.
    }
  }
  return byDistance(input);
}

const SPACE = { nodesep: 26, ranksep: 46, edgesep: 12, marginx: 0, marginy: 0 };

const LABEL_HEIGHT = 13;

function byDagre({ widths, heights, edges, labels: labelWidths }: LayoutInput): Laid {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ ...SPACE, rankdir: "TB" });
  for (let node = 0; node < widths.length; node++) graph.setNode(String(node), { width: widths[node] ?? 0, height: heights[node] ?? 0 });
  const count = edges.length / 2;
  // A node's way to itself takes no part: it is drawn as a loop at its side.
  for (let edge = 0; edge < count; edge++) {
    if (edges[2 * edge] !== edges[2 * edge + 1]) graph.setEdge(String(edges[2 * edge]), String(edges[2 * edge + 1]), { width: labelWidths?.[edge] ?? 0, height: labelWidths?.[edge] ? LABEL_HEIGHT : 0, labelpos: "c" }, String(edge));
  }
  dagre(graph);
  const x = new Float64Array(widths.length);
  const y = new Float64Array(widths.length);
  for (let node = 0; node < widths.length; node++) {
    const at = graph.node(String(node)) as { x: number; y: number };
    x[node] = at.x;
    y[node] = at.y;
  }
  const bends: Laid["bends"] = Array.from({ length: count });
  const labels: NonNullable<Laid["labels"]> = Array.from({ length: count });
  for (let edge = 0; edge < count; edge++) {
    if (edges[2 * edge] === edges[2 * edge + 1]) continue;
    const laid = graph.edge(String(edges[2 * edge]), String(edges[2 * edge + 1]), String(edge)) as { x?: number; y?: number; points?: { x: number; y: number }[] };
    bends[edge] = laid.points?.flatMap((point) => [point.x, point.y]);
    if (laid.x !== undefined && laid.y !== undefined) labels[edge] = [laid.x, laid.y];
  }
  return { x, y, bends, labels, way: "dagre" };
}
