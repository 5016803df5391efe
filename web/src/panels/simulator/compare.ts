// Two branches side by side: where they part, and in what their ends differ.
import type { InForce, SimulatorNode } from "../../protocol";
import { pathTo, stateKey, type Tree } from "./tree";

export interface Difference { name: string; left: string; right: string }

export interface Comparison {
  left: SimulatorNode;
  right: SimulatorNode;
  /** How many moments from the beginning both have. 0: they begin in different initial states. */
  common: number;
  /** What happens on each side after the last common moment; the shorter one ends with `undefined`. */
  rows: { left?: SimulatorNode; right?: SimulatorNode; isSameStep: boolean; isSameState: boolean }[];
  values: Difference[];
  inForce: Difference[];
  watched: Difference[];
  isSameState: boolean;
}

const ABSENT = "\u2013";

/** Compares the ways to two moments, and the moments. */
export function compare(tree: Tree, a: number, b: number): Comparison | undefined {
  const left = tree.nodes.get(a);
  const right = tree.nodes.get(b);
  if (!left || !right) return undefined;
  const ways: [SimulatorNode[], SimulatorNode[]] = [pathTo(tree, a), pathTo(tree, b)];
  let common = 0;
  while (areAlike(ways[0][common], ways[1][common])) common++;
  const rows: Comparison["rows"] = [];
  for (let index = common; index < Math.max(ways[0].length, ways[1].length); index++) {
    const one = ways[0][index];
    const two = ways[1][index];
    rows.push({
      ...(one ? { left: one } : {}),
      ...(two ? { right: two } : {}),
      isSameStep: one?.step?.label === two?.step?.label && (one !== undefined) === (two !== undefined),
      isSameState: one !== undefined && two !== undefined && stateKey(one.state) === stateKey(two.state),
    });
  }
  return {
    left, right, common, rows,
    values: differing(left.state.values.map(pair), right.state.values.map(pair)),
    inForce: differing(left.state.inForce.map(forcePair), right.state.inForce.map(forcePair)),
    watched: differing(left.watched.map(watchedPair), right.watched.map(watchedPair)),
    isSameState: stateKey(left.state) === stateKey(right.state),
  };
}

/** The same step to the same state: a replayed run has moments of its own for what was visited before. */
function areAlike(one: SimulatorNode | undefined, two: SimulatorNode | undefined): boolean {
  if (!one || !two) return false;
  return one.node === two.node || (one.step?.label === two.step?.label && stateKey(one.state) === stateKey(two.state));
}

const pair = (each: { name: string; value: string }): [string, string] => [each.name, each.value];
const watchedPair = (each: { text: string; value: string }): [string, string] => [each.text, each.value];
const forcePair = (each: InForce): [string, string] => [each.text, each.keepable === false ? "in force, cannot be kept" : "in force"];

/** The names whose values are not the same, in the order of the left side, then what only the right side has. */
export function differing(left: [string, string][], right: [string, string][]): Difference[] {
  const there = new Map(right);
  const here = new Map(left);
  const out: Difference[] = [];
  for (const [name, value] of left) {
    const other = there.get(name);
    if (other !== value) out.push({ name, left: value, right: other ?? ABSENT });
  }
  for (const [name, value] of right) if (!here.has(name)) out.push({ name, left: ABSENT, right: value });
  return out;
}
