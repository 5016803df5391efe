// In what states differ that a role cannot tell apart.
import type { Alike, Graph, StateData } from "../../protocol";

export interface AlikeRow { state: number; text: string; values: string[]; isItself: boolean }

const ABSENT = "–";

/** One row for each of the states, with the values that differ among them; the state itself first. */
export function alikeRows(graph: Graph, alike: Alike): AlikeRow[] {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const names = alike.differs.map((each) => each.name);
  const states = [alike.state, ...alike.states.filter((state) => state !== alike.state)];
  return states.map((state) => {
    const node = nodes.get(state);
    return { state, text: node?.text ?? "", values: names.map((name) => (node?.state ? valueOf(node.state, name) : ABSENT)), isItself: state === alike.state };
  });
}

function valueOf(state: StateData, name: string): string {
  const value = state.values.find((each) => each.name === name);
  if (value) return value.value;
  // Commitments are no values: they are in force or not.
  return state.inForce.some((each) => each.name === name || each.text === name) ? "in force" : ABSENT;
}
