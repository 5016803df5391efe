import assert from "node:assert/strict";
import { test } from "node:test";
import { byDistance, distances } from "../src/panels/graph/distance";
import { lay, MOST_NODES, type LayoutInput } from "../src/panels/graph/layout";

/** A reproducible stream of numbers. */
function stream(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Each node is reached from an earlier one; one edge in five goes anywhere. */
function random(nodes: number, edges: number, seed: number): LayoutInput {
  const next = stream(seed);
  const list: number[] = [];
  for (let node = 1; node < nodes; node++) list.push(Math.max(0, node - 1 - next(30)), node);
  for (let edge = nodes - 1; edge < edges; edge++) {
    const from = next(nodes);
    list.push(from, next(5) === 0 ? next(nodes) : Math.min(nodes - 1, from + 1 + next(40)));
  }
  const widths = Array.from({ length: nodes }, () => 40 + next(80));
  return { widths, heights: widths.map(() => 24), edges: list, initial: [0] };
}

function overlaps({ widths, heights }: LayoutInput, x: Float64Array, y: Float64Array): number {
  let count = 0;
  for (let one = 0; one < widths.length; one++) {
    for (let two = one + 1; two < widths.length; two++) {
      const isApart = Math.abs(x[one]! - x[two]!) >= (widths[one]! + widths[two]!) / 2 - 0.01 || Math.abs(y[one]! - y[two]!) >= (heights[one]! + heights[two]!) / 2 - 0.01;
      if (!isApart) count++;
    }
  }
  return count;
}

test("rows are distances from the beginning", () => {
  assert.deepEqual(distances(5, [0, 1, 0, 2, 2, 3, 3, 0], [0]), [[0, 4], [1, 2], [3]]);
});

test("no two nodes touch, whatever the graph and the way", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const input = random(3 + seed * 7, 5 + seed * 13, seed);
    const laid = lay(input);
    assert.equal(overlaps(input, laid.x, laid.y), 0, `seed ${seed}, ${laid.way}`);
    assert.ok([...laid.x, ...laid.y].every(Number.isFinite));
  }
});

test("small graphs go to dagre, large ones do not", () => {
  assert.equal(lay(random(20, 40, 1)).way, "dagre");
  assert.equal(lay(random(MOST_NODES + 1, 200, 1)).way, "distance");
});

test("3,000 nodes with 10,000 edges are laid out within seconds", () => {
  const input = random(3000, 10_000, 3);
  const begun = performance.now();
  const laid = byDistance(input);
  const took = performance.now() - begun;
  assert.ok(took < 5000, `${took} ms`);
  assert.equal(overlaps(input, laid.x, laid.y), 0);
  console.log(`3,000 nodes, 10,000 edges: ${Math.round(took)} ms`);
});

test("a graph without nodes, a node with itself, and nodes that nothing reaches", () => {
  assert.equal(lay({ widths: [], heights: [], edges: [], initial: [] }).x.length, 0);
  const laid = lay({ widths: [30, 30], heights: [20, 20], edges: [0, 0], initial: [0] });
  assert.equal(laid.bends[0], undefined);
  assert.notDeepEqual([laid.x[0], laid.y[0]], [laid.x[1], laid.y[1]]);
});
