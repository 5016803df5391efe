// The graphs of the page: the one that is drawn, and the one of all states that knowledge is about.
import type { Store } from "../../store";
import { layBeside } from "./layouter";
import { GraphSession } from "./session";

/** As many nodes as can still be looked at. */
export const MOST = 3000;

const sessions = new WeakMap<Store, { drawn: GraphSession; full: GraphSession }>();

function both(store: Store): { drawn: GraphSession; full: GraphSession } {
  let made = sessions.get(store);
  if (!made) {
    const world = { jobs: store.jobs, limits: () => store.limits.value, announce: (text: string) => store.announce(text) };
    made = { drawn: new GraphSession({ ...world, lay: layBeside }), full: new GraphSession(world) };
    sessions.set(store, made);
  }
  return made;
}

/** The graph that is drawn. */
export const drawnGraph = (store: Store): GraphSession => both(store).drawn;

/** A graph of whole states: the drawn one if it is one of the same text, otherwise one of its own. */
export function fullGraph(store: Store): GraphSession {
  const { drawn, full } = both(store);
  const isSame = drawn.by.value === "state" && drawn.graph.value !== null && drawn.subject.value?.path === store.subject.value?.path && drawn.subject.value?.text === store.subject.value?.text;
  return isSame ? drawn : full;
}
