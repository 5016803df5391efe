// The tree of the moments that were visited, as plain data: every function gives a new tree.
import type { Choice, SimulatorNode, StateData, StepData, Watched } from "../../protocol";

export interface Tree {
  readonly nodes: ReadonlyMap<number, SimulatorNode>;
  /** In the order in which they were visited. A parent that is not there (an initial state) is `null`. */
  readonly children: ReadonlyMap<number | null, readonly number[]>;
  /** Which choices have been taken already: taking one again is going there. */
  readonly taken: ReadonlyMap<string, number>;
  readonly current: number | null;
}

export const EMPTY: Tree = { nodes: new Map(), children: new Map(), taken: new Map(), current: null };

const choiceKey = (at: number, index: number): string => `${at}:${index}`;

/** Adds a moment, or tells one again. A new one becomes the current one where it follows it. `by` is the choice that led to it, where it is known. */
export function add(tree: Tree, node: SimulatorNode, by?: { at: number; index: number }): Tree {
  const known = tree.nodes.get(node.node);
  const isNew = known === undefined;
  // Where a replayed run goes back to is said once.
  const nodes = new Map(tree.nodes).set(node.node, known?.loopTo === undefined ? node : { ...node, loopTo: known.loopTo });
  const taken = by ? new Map(tree.taken).set(choiceKey(by.at, by.index), node.node) : tree.taken;
  if (!isNew) return { ...tree, nodes, taken };
  const parent = node.parent ?? null;
  const children = new Map(tree.children).set(parent, [...(tree.children.get(parent) ?? []), node.node]);
  // Who has gone elsewhere meanwhile is not pulled away from there.
  const isFollowed = parent === null || parent === tree.current || tree.current === null;
  return { nodes, children, taken, current: isFollowed ? node.node : tree.current };
}

/** Goes to a moment that was visited. */
export function jump(tree: Tree, to: number): Tree {
  return tree.nodes.has(to) ? { ...tree, current: to } : tree;
}

/** The moment that a choice has led to before. */
export function visited(tree: Tree, at: number, index: number): number | undefined {
  return tree.taken.get(choiceKey(at, index));
}

export function currentNode(tree: Tree): SimulatorNode | undefined {
  return tree.current === null ? undefined : tree.nodes.get(tree.current);
}

/** From the beginning to a moment, both included. */
export function pathTo(tree: Tree, to: number): SimulatorNode[] {
  const path: SimulatorNode[] = [];
  for (let node = tree.nodes.get(to); node; node = node.parent === undefined ? undefined : tree.nodes.get(node.parent)) {
    path.push(node);
    if (path.length > tree.nodes.size) break; // A parent that is its own descendant: nobody should send it.
  }
  return path.reverse();
}

/** What is watched at a moment takes the place of what was known of it. */
export function watch(tree: Tree, node: number, watched: Watched[]): Tree {
  const known = tree.nodes.get(node);
  return known ? { ...tree, nodes: new Map(tree.nodes).set(node, { ...known, watched }) } : tree;
}

/** A formula is no longer watched. */
export function unwatch(tree: Tree, text: string): Tree {
  const nodes = new Map<number, SimulatorNode>();
  for (const [number, node] of tree.nodes) nodes.set(number, { ...node, watched: node.watched.filter((each) => each.text !== text) });
  return { ...tree, nodes };
}

/** One line of the tree as it is drawn. A run without branches stays at one depth. */
export interface Row { node: SimulatorNode; depth: number; isOnPath: boolean; branches: number }

/** The tree from top to bottom; where it branches, what was visited first stays at the depth of its parent. */
export function rows(tree: Tree): Row[] {
  const onPath = new Set(tree.current === null ? [] : pathTo(tree, tree.current).map((each) => each.node));
  const out: Row[] = [];
  // Not recursive: a random run may be thousands of steps long. Taken from the end, so what comes first is pushed last.
  const todo = [...(tree.children.get(null) ?? [])].reverse().map((number) => ({ number, depth: 0 }));
  for (let next = todo.pop(); next; next = todo.pop()) {
    const node = tree.nodes.get(next.number);
    if (!node) continue;
    const children = tree.children.get(next.number) ?? [];
    out.push({ node, depth: next.depth, isOnPath: onPath.has(next.number), branches: children.length });
    const { depth } = next;
    // Later branches first and deeper, so that the line that goes on is not torn apart from its beginning.
    if (children[0] !== undefined) todo.push({ number: children[0], depth });
    for (let index = children.length - 1; index >= 1; index--) todo.push({ number: children[index] as number, depth: depth + 1 });
  }
  return out;
}

/** Where the way back goes: the parent, or from a beginning that was chosen to the choice. */
export function before(tree: Tree): number | undefined {
  const node = currentNode(tree);
  if (!node || node.parent !== undefined) return node?.parent;
  return [...tree.nodes.values()].find((each) => each.initial && each.node !== node.node)?.node;
}

/** Where the way forward goes: the child on the way to the moment visited last. */
export function forward(tree: Tree): number | undefined {
  if (tree.current === null) return undefined;
  return tree.children.get(tree.current)?.at(-1);
}

export interface ChoiceGroup { actor: string; choices: Choice[] }

const KINDS: Partial<Record<StepData["kind"], string>> = { time: "Time", joint: "Together", lost: "Lost on the way" };

/** Who acts in a step. */
export function actorOf(step: StepData): string {
  return step.from ?? KINDS[step.kind] ?? "Nobody in particular";
}

/** What can happen next, by who acts, in the order in which the actors first come. */
export function grouped(choices: readonly Choice[]): ChoiceGroup[] {
  const groups = new Map<string, Choice[]>();
  for (const choice of choices) {
    const actor = actorOf(choice.step);
    const group = groups.get(actor);
    if (group) group.push(choice);
    else groups.set(actor, [choice]);
  }
  return [...groups].map(([actor, list]) => ({ actor, choices: list }));
}

/** The same text for the same state, whatever the order of its values. */
export function stateKey(state: StateData): string {
  const values = state.values.map(({ name, value }) => `${name}\u0001${value}`).sort();
  const inForce = state.inForce.map(({ name, debtor, creditor, content }) => [name, debtor, creditor, content].join("\u0001")).sort();
  return JSON.stringify([values, inForce]);
}
