// A layout for large graphs: rows by the distance from the beginning, each row ordered by where its neighbours are.
import type { Laid, LayoutInput } from "./layout";

const GAP_X = 18;
const GAP_Y = 70;
/** A row with more nodes than this is broken into several below each other, so that the drawing is not a thin line. */
const WIDEST = 60;
const ROUNDS = 12;

export function byDistance(input: LayoutInput): Laid {
  const { widths, heights, edges } = input;
  const count = widths.length;
  const near = neighbours(count, edges);
  const rows = broken(order(distances(count, edges, input.initial), near));
  const { x, y } = place(rows, near, widths, heights);
  return { x, y, bends: Array.from({ length: edges.length / 2 }), way: "distance" };
}

/** For each node its neighbours in both directions, packed: those of `n` are `list[start[n]] .. list[start[n + 1]]`. */
interface Near { start: Int32Array; list: Int32Array }

function neighbours(count: number, edges: ArrayLike<number>): Near {
  const start = new Int32Array(count + 1);
  for (let at = 0; at < edges.length; at += 2) {
    const from = edges[at] ?? 0;
    const to = edges[at + 1] ?? 0;
    if (from === to) continue;
    start[from + 1] = (start[from + 1] ?? 0) + 1;
    start[to + 1] = (start[to + 1] ?? 0) + 1;
  }
  for (let node = 0; node < count; node++) start[node + 1] = (start[node + 1] ?? 0) + (start[node] ?? 0);
  const list = new Int32Array(start[count] ?? 0);
  const next = start.slice();
  const put = (node: number, other: number): void => {
    const at = next[node] ?? 0;
    list[at] = other;
    next[node] = at + 1;
  };
  for (let at = 0; at < edges.length; at += 2) {
    const from = edges[at] ?? 0;
    const to = edges[at + 1] ?? 0;
    if (from === to) continue;
    put(from, to);
    put(to, from);
  }
  return { start, list };
}

/** Rows by the number of steps from an initial node; what none of them reaches begins where it is first met. */
export function distances(count: number, edges: ArrayLike<number>, initial: readonly number[]): number[][] {
  const next: number[][] = Array.from({ length: count }, () => []);
  for (let at = 0; at < edges.length; at += 2) next[edges[at] ?? 0]?.push(edges[at + 1] ?? 0);
  const seen = new Uint8Array(count);
  const rows: number[][] = [];
  const spread = (first: number[]): void => {
    let row = first.filter((node) => !seen[node]);
    for (const node of row) seen[node] = 1;
    for (let depth = 0; row.length > 0; depth++) {
      (rows[depth] ??= []).push(...row);
      const following: number[] = [];
      for (const node of row) {
        for (const to of next[node] ?? []) {
          if (seen[to]) continue;
          seen[to] = 1;
          following.push(to);
        }
      }
      row = following;
    }
  };
  spread([...new Set(initial)]);
  for (let node = 0; node < count; node++) if (!seen[node]) spread([node]);
  return rows;
}

/** Orders each row by the mean of where the neighbours are, downwards and upwards in turn. */
function order(rows: number[][], near: Near): number[][] {
  const where = new Float64Array(near.start.length - 1);
  const settle = (row: number[]): void => row.forEach((node, at) => (where[node] = (at + 0.5) / row.length));
  rows.forEach(settle);
  for (let round = 0; round < ROUNDS; round++) {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[round % 2 === 0 ? at : rows.length - 1 - at];
      if (!row) continue;
      const wanted = new Map(row.map((node) => [node, mean(node, near, where)]));
      row.sort((one, two) => (wanted.get(one) ?? 0) - (wanted.get(two) ?? 0) || one - two);
      settle(row);
    }
  }
  return rows;
}

function mean(node: number, near: Near, where: Float64Array): number {
  const from = near.start[node] ?? 0;
  const to = near.start[node + 1] ?? 0;
  if (from === to) return where[node] ?? 0;
  let sum = 0;
  for (let at = from; at < to; at++) sum += where[near.list[at] ?? 0] ?? 0;
  return sum / (to - from);
}

/** Rows that are too long become several: every k-th node of one goes to the same part, so that its neighbours stay near. */
function broken(rows: number[][]): number[][] {
  return rows.flatMap((row) => {
    const parts = Math.ceil(row.length / WIDEST);
    return Array.from({ length: parts }, (_, part) => row.filter((_node, at) => at % parts === part));
  });
}

/** Puts nodes near the mean of their neighbours without changing the order of a row, nor letting two touch. */
function place(rows: number[][], near: Near, widths: ArrayLike<number>, heights: ArrayLike<number>): { x: Float64Array; y: Float64Array } {
  const x = new Float64Array(widths.length);
  const y = new Float64Array(widths.length);
  let top = 0;
  for (const row of rows) {
    const height = Math.max(...row.map((node) => heights[node] ?? 0));
    const total = row.reduce((sum, node) => sum + (widths[node] ?? 0) + GAP_X, -GAP_X);
    let left = -total / 2;
    for (const node of row) {
      x[node] = left + (widths[node] ?? 0) / 2;
      y[node] = top + height / 2;
      left += (widths[node] ?? 0) + GAP_X;
    }
    top += height + GAP_Y;
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (let at = 0; at < rows.length; at++) {
      const row = rows[round % 2 === 0 ? at : rows.length - 1 - at];
      if (row) shift(row, near, widths, x);
    }
  }
  return { x, y };
}

/** Moves the nodes of a row to where they want to be; from left and from right in turn, and the mean of both, so that no side is preferred. */
function shift(row: number[], near: Near, widths: ArrayLike<number>, x: Float64Array): void {
  const wanted = row.map((node) => mean(node, near, x));
  const space = (at: number): number => ((widths[row[at - 1] ?? 0] ?? 0) + (widths[row[at] ?? 0] ?? 0)) / 2 + GAP_X;
  const right = wanted.slice();
  for (let at = 1; at < row.length; at++) right[at] = Math.max(right[at] ?? 0, (right[at - 1] ?? 0) + space(at));
  const left = wanted.slice();
  for (let at = row.length - 2; at >= 0; at--) left[at] = Math.min(left[at] ?? 0, (left[at + 1] ?? 0) - space(at + 1));
  row.forEach((node, at) => (x[node] = ((right[at] ?? 0) + (left[at] ?? 0)) / 2));
}
