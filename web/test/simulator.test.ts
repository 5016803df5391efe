import assert from "node:assert/strict";
import { test } from "node:test";
import type { End, Event, Request, Say, SimulatorNode, StateData, Subject } from "../src/protocol";
import { compare } from "../src/panels/simulator/compare";
import { Simulation } from "../src/panels/simulator/simulation";
import * as trees from "../src/panels/simulator/tree";
import { target } from "../src/panels/simulator/tree-view";

const subject: Subject = { language: "pact", path: "shop.pact", text: "protocol Shop" };

function state(x: number, isDeadlock = false): StateData {
  return { values: [{ name: "x", value: String(x), kind: "variable", seenBy: [] }], inForce: [], isDeadlock, isFinal: false };
}

/** A counter that goes up by `up` or `twice`, as the server would tell it. */
function node(number: number, parent: number | undefined, label: string | undefined, x: number): SimulatorNode {
  const step = (name: string) => ({ label: name, from: "Ann", to: ["Bob"], kind: "message" as const, places: [] });
  return {
    node: number, ...(parent === undefined ? {} : { parent }), ...(label === undefined ? {} : { step: step(label) }), state: state(x), changed: ["x"], watched: [],
    choices: ["up", "twice"].map((name, index) => ({ index, step: step(name), changes: [{ name: "x", from: String(x), to: String(x + 1 + index) }] })),
  };
}

/** A server that counts; says what it was told. */
class Server {
  said: Say[] = [];
  requests: Request[] = [];
  private tell: (event: Event) => void = () => {};
  private finish: (end: End) => void = () => {};
  private xs: number[] = [];
  jobs = {
    start: (request: Request, onEvent: (event: Event) => void) => {
      this.requests.push(request);
      this.tell = onEvent;
      this.xs = [];
      const ended = new Promise<End>((resolve) => (this.finish = resolve));
      return { id: 1, ended, isOver: false, stop: () => {}, say: (say: Say) => (this.said.push(say), true) };
    },
  };
  begin(): void { this.visit(undefined, undefined, 0); }
  event(event: Event): void { this.tell(event); }
  end(end: End): void { this.finish(end); }
  visit(parent: number | undefined, label: string | undefined, x: number): void {
    this.tell({ event: "node", node: node(this.xs.length, parent, label, x) });
    this.xs.push(x);
  }
  /** Answers the last thing said, which must have been a choice. */
  answer(): void {
    const say = this.said.at(-1);
    assert.ok(say && "take" in say);
    this.visit(say.at, ["up", "twice"][say.take], (this.xs[say.at] ?? 0) + 1 + say.take);
  }
}

function begun(): { server: Server; simulation: Simulation; said: string[] } {
  const server = new Server();
  const said: string[] = [];
  const simulation = new Simulation({ jobs: server.jobs, limits: () => ({}), announce: (text) => said.push(text) });
  simulation.start(subject);
  server.begin();
  return { server, simulation, said };
}

const here = (simulation: Simulation): string | undefined => trees.currentNode(simulation.tree.value)?.state.values[0]?.value;

test("steps, taking back and branching; a choice taken before is gone to without asking", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.take(1); server.answer();
  assert.equal(here(simulation), "3");
  simulation.back();
  simulation.take(0); server.answer();
  assert.equal(here(simulation), "2");
  simulation.back();
  const asked = server.said.length;
  simulation.take(1);
  assert.equal(server.said.length, asked);
  assert.equal(here(simulation), "3");
  assert.deepEqual(trees.rows(simulation.tree.value).map((row) => [row.node.node, row.depth, row.isOnPath]), [[0, 0, true], [1, 0, true], [3, 1, false], [2, 0, true]]);
  simulation.toStart();
  assert.equal(here(simulation), "0");
  simulation.forward();
  assert.equal(here(simulation), "1");
});

test("an answer that comes late does not pull away from where one has gone meanwhile", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.take(0);
  simulation.back();
  server.visit(1, "up", 2);
  assert.equal(simulation.tree.value.current, 0);
  assert.equal(simulation.tree.value.nodes.size, 3);
});

test("one of several beginnings is chosen, and chosen again", () => {
  const { server, simulation } = begun();
  simulation.start(subject);
  server.event({ event: "node", node: { ...node(0, undefined, undefined, 0), choices: [], initial: [state(1), state(5)] } });
  simulation.choose(1);
  assert.deepEqual(server.said.at(-1), { choose: 1 });
  server.event({ event: "node", node: node(1, undefined, undefined, 5) });
  assert.equal(here(simulation), "5");
  simulation.back();
  assert.equal(simulation.tree.value.current, 0);
  simulation.choose(0);
  server.event({ event: "node", node: node(2, undefined, undefined, 1) });
  assert.equal(compare(simulation.tree.value, 1, 2)?.common, 0);
});

test("a very long run needs no deep recursion", () => {
  let tree = trees.EMPTY;
  for (let number = 0; number < 4000; number++) tree = trees.add(tree, node(number, number === 0 ? undefined : number - 1, "up", number));
  assert.equal(trees.rows(tree).length, 4000);
  assert.equal(trees.pathTo(tree, 3999).length, 4000);
});

test("choices are grouped by who acts", () => {
  const { simulation } = begun();
  const choices = trees.currentNode(simulation.tree.value)!.choices;
  const tick = { index: 2, step: { label: "tick", to: [], kind: "time" as const, places: [] }, changes: [] };
  assert.deepEqual(trees.grouped([choices[0]!, tick, choices[1]!]).map((group) => [group.actor, group.choices.map((choice) => choice.index)]), [["Ann", [0, 1]], ["Time", [2]]]);
});

test("two branches: where they part and in what they differ", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.take(0); server.answer();
  const left = simulation.tree.value.current!;
  simulation.toStart();
  simulation.take(1); server.answer();
  const found = compare(simulation.tree.value, left, simulation.tree.value.current!)!;
  assert.equal(found.common, 1);
  assert.deepEqual(found.rows.map((row) => [row.left?.step?.label, row.right?.step?.label, row.isSameStep, row.isSameState]), [["up", "twice", false, false], ["up", undefined, false, false]]);
  assert.deepEqual(found.values, []);
  assert.ok(found.isSameState);
  // The same run once more, as a replay tells it.
  server.event({ event: "node", node: node(4, undefined, undefined, 0) });
  server.event({ event: "node", node: node(5, 4, "up", 1) });
  assert.equal(compare(simulation.tree.value, 1, 5)?.common, 2);
  const apart = compare(simulation.tree.value, 1, 3)!;
  assert.deepEqual(apart.values, [{ name: "x", left: "1", right: "2" }]);
});

test("watched formulas are asked for where they are not known; one that makes no sense is taken out again", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.watch(" x > 0 ");
  assert.deepEqual(server.said.slice(-3), [{ watch: "x > 0" }, { look: 0 }, { look: 1 }]);
  server.event({ event: "watched", node: 1, watched: [{ text: "x > 0", value: "true" }] });
  assert.equal(trees.currentNode(simulation.tree.value)?.watched[0]?.value, "true");
  simulation.watch("x >");
  const place = { path: "", line: 1, column: 4, endLine: 1, endColumn: 4 };
  server.event({ event: "refused", message: "it has no meaning", findings: [{ severity: "error", code: "syntax", message: "a number was expected", help: [], place }] });
  assert.deepEqual(simulation.watches.value, ["x > 0"]);
  assert.equal(simulation.message.value, "it has no meaning: a number was expected");
  assert.deepEqual(simulation.findings.value, []);
  simulation.unwatch("x > 0");
  assert.deepEqual(trees.currentNode(simulation.tree.value)?.watched, []);
});

test("a node told again changes nothing but itself", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  server.event({ event: "node", node: { ...node(0, undefined, undefined, 0), watched: [{ text: "p", value: "false" }] } });
  assert.equal(simulation.tree.value.current, 1);
  assert.equal(simulation.tree.value.nodes.get(0)?.watched.length, 1);
});

test("another text: the steps are repeated as far as they can be", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.take(1); server.answer();
  simulation.startAgain({ ...subject, text: "protocol Shop // changed" });
  server.begin();
  server.answer();
  assert.equal(here(simulation), "1");
  server.answer();
  assert.equal(here(simulation), "3");

  simulation.startAgain(subject);
  server.event({ event: "node", node: { ...node(0, undefined, undefined, 0), choices: [] } });
  assert.match(simulation.message.value, /`up` cannot happen here any more; 1 further steps/);
});

test("replays wait until the simulation has begun; their loop is told", () => {
  const server = new Server();
  const simulation = new Simulation({ jobs: server.jobs, limits: () => ({}), announce: () => {} });
  simulation.start(subject);
  simulation.replayWhenReady({ property: "safe" });
  assert.deepEqual(server.said, []);
  server.begin();
  assert.deepEqual(server.said, [{ replay: { property: "safe" } }]);
  server.event({ event: "node", node: { ...node(1, 0, "up", 1), loopTo: 0 } });
  assert.match(simulation.message.value, /goes on as from moment 0/);
});

test("the end of the job is told, and nothing is said to it any more", async () => {
  const { server, simulation } = begun();
  server.end({ reason: "memory" });
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(simulation.status.value, "over");
  assert.match(simulation.message.value, /limit of memory/);
  const said = server.said.length;
  simulation.take(0);
  assert.equal(server.said.length, said);
});

test("keys go around in the tree", () => {
  const { server, simulation } = begun();
  simulation.take(0); server.answer();
  simulation.take(0); server.answer();
  const list = trees.rows(simulation.tree.value);
  assert.deepEqual(["ArrowUp", "ArrowDown", "Home", "End", "ArrowLeft", "ArrowRight", "x"].map((key) => target(list, 1, key)), [0, 2, 0, 2, 0, 2, undefined]);
});
