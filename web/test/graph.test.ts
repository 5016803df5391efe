import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event, Graph, GraphNode, Request, Say, Subject } from "../src/protocol";
import { NOTHING, type Colours } from "../src/panels/graph/draw";
import { lay } from "../src/panels/graph/layout";
import { badgeOf, labelOf, layoutInput, middle, sceneOf, short, trace, traceHead, wrapped, type Pen } from "../src/panels/graph/scene";
import { GraphSession, searched, shortest } from "../src/panels/graph/session";
import { svg } from "../src/panels/graph/svg";
import { centreOn, first, fit, nodeAt, pan, READABLE, seen, toDrawing, zoom } from "../src/panels/graph/view";
import { alikeRows } from "../src/panels/knowledge/differences";

function node(id: number, text: string, more: Partial<GraphNode> = {}): GraphNode {
  const state = { values: [{ name: "at", value: text, kind: "control" as const, seenBy: [] }, { name: "secret", value: String(id), kind: "variable" as const, owner: "Ann", seenBy: ["Ann"] }], inForce: [], isDeadlock: false, isFinal: false };
  return { id, text, states: 1, isInitial: false, isDeadlock: false, isFinal: false, unkeepable: [], state, ...more };
}

const graph: Graph = {
  by: "state", states: "4", isWhole: true, roles: ["Ann", "Bob"], variables: ["secret"],
  nodes: [node(0, "idle", { isInitial: true }), node(1, "asked"), node(2, "stuck", { isDeadlock: true }), node(7, "done <&>", { isFinal: true, unkeepable: ["pay"] })],
  edges: [
    { id: 0, from: 0, to: 1, labels: ["ask"] }, { id: 1, from: 1, to: 2, labels: ["lose"] }, { id: 2, from: 1, to: 7, labels: ["answer"] },
    { id: 3, from: 7, to: 7, labels: ["wait"] }, { id: 4, from: 7, to: 0, labels: ["again"] },
  ],
};
const subject: Subject = { language: "pact", path: "a.pact", text: "" };
const scene = sceneOf(graph, lay(layoutInput(graph)));
const colours = new Proxy({}, { get: (_, name) => String(name) }) as unknown as Colours;

test("what a node is is said in words as well as by its shape", () => {
  assert.deepEqual(graph.nodes.map(badgeOf), ["start", "", "deadlock", "end · cannot keep pay"]);
  const corners = scene.nodes.map((each) => each.outline.map((points) => points.length / 2));
  assert.deepEqual(corners, [[4], [4], [8], [6, 4]]);
  assert.equal(short("a".repeat(40)).length, 28);
  const text = "in requested, paid = false, delivered = false; in force: request";
  assert.deepEqual(wrapped(text, 5), ["in requested, paid = false,", "delivered = false;", "in force: request"]);
  assert.deepEqual(wrapped(text, 2), ["in requested, paid = false,", "delivered = false; in force…"]);
  assert.deepEqual(wrapped(text, 1), [short(text)]);
});

test("lines begin and end at the borders of their nodes", () => {
  for (const edge of scene.edges) {
    const to = scene.nodes[scene.positions.get(edge.to)!]!;
    const [x, y] = edge.line.slice(-2) as [number, number];
    assert.ok(Math.abs(x - to.x) <= to.width / 2 + 0.5 && Math.abs(y - to.y) <= to.height / 2 + 0.5);
    assert.ok(Math.abs(Math.abs(x - to.x) - to.width / 2) < 0.6 || Math.abs(Math.abs(y - to.y) - to.height / 2) < 0.6, `edge ${edge.id} ends inside`);
  }
});

test("a line goes from its first to its last point", () => {
  for (const line of [[0, 0, 10, 10], [0, 0, 5, 9, 10, 10], [0, 0, 1, 1, 2, 5, 9, 9, 10, 10]]) {
    const ends: number[][] = [];
    const pen: Pen = { moveTo: (x, y) => ends.push([x, y]), lineTo: (x, y) => ends.push([x, y]), quadraticCurveTo: (_a, _b, x, y) => ends.push([x, y]), closePath: () => {} };
    trace(pen, line);
    assert.deepEqual([ends[0], ends.at(-1)], [[0, 0], [10, 10]]);
    ends.length = 0;
    traceHead(pen, line);
    assert.deepEqual(ends[0], [10, 10]);
  }
  assert.deepEqual(middle([0, 0, 10, 20]), [5, 10]);
  assert.deepEqual(middle([0, 0, 3, 4, 10, 20]), [3, 4]);
});

test("zooming keeps what is under the pointer; all of it is seen when fitted", () => {
  const size = { width: 400, height: 300 };
  const view = fit(scene.box, size);
  const box = seen(view, size);
  assert.ok(box.left <= scene.box.left + 0.01 && box.right >= scene.box.right - 0.01 && box.top <= scene.box.top + 0.01 && box.bottom >= scene.box.bottom - 0.01);
  assert.deepEqual(first(scene, size, scene.nodes[0]), view);
  const tall = { ...scene, box: { ...scene.box, bottom: 9000 } };
  const begun = first(tall, size, scene.nodes[0]);
  assert.ok(begun.scale > READABLE);
  assert.ok(nodeAt(scene, scene.nodes[0]!.x, scene.nodes[0]!.y) && seen(begun, size).top <= scene.nodes[0]!.y && scene.nodes[0]!.y <= seen(begun, size).bottom);
  const before = toDrawing(view, size, 90, 40);
  const after = toDrawing(zoom(view, size, 2.5, 90, 40), size, 90, 40);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  const moved = toDrawing(pan(view, 30, -10), size, 90 + 30, 40 - 10);
  assert.ok(Math.hypot(before[0] - moved[0], before[1] - moved[1]) < 1e-9);
  const one = scene.nodes[1]!;
  assert.deepEqual(toDrawing(centreOn(view, one), size, 200, 150), [one.x, one.y]);
  assert.equal(nodeAt(scene, one.x + 2, one.y - 2)?.id, 1);
  assert.equal(nodeAt(scene, 1e6, 0), undefined);
});

test("a drawing as a file has all nodes and lines, and nothing that is not escaped", () => {
  const text = svg(scene, colours, { ...NOTHING, path: new Set([0, 1]), pathEdges: new Set([0]) }, "Graph of <a>");
  assert.equal(text.match(/<text/g)?.length, graph.nodes.length + 3 + graph.edges.length);
  assert.match(text, /done &lt;&amp;&gt;/);
  assert.match(text, /<title>Graph of &lt;a&gt;<\/title>/);
  assert.doesNotMatch(text, /NaN|undefined/);
});

test("states are found by words, ways along edges", () => {
  assert.deepEqual(searched(graph, "at = asked").states, [1]);
  assert.deepEqual(searched(graph, "DEADLOCK").states, [2]);
  assert.deepEqual(searched(graph, "#7").states, [7]);
  assert.deepEqual(searched(graph, "  ").states, []);
  assert.deepEqual(shortest(graph, 1, 0), { states: [1, 7, 0], edges: [2, 4] });
  assert.deepEqual(shortest(graph, 2, 2), { states: [2], edges: [] });
  assert.equal(shortest(graph, 2, 0), undefined);
});

test("a session: the graph is laid out, questions are asked and answered, mistakes are told", async () => {
  let tell: (event: Event) => void = () => {};
  const said: Say[] = [];
  const jobs = { start: (_: Request, onEvent: (event: Event) => void) => { tell = onEvent; return { id: 1, ended: new Promise<never>(() => {}), isOver: false, stop: () => {}, say: (say: Say) => (said.push(say), true) }; } };
  const session = new GraphSession({ jobs, limits: () => ({}), announce: () => {}, lay: (input) => Promise.resolve(lay(input)) });
  session.start(subject, { variables: ["secret"] }, 100);
  assert.equal(session.status.value, "exploring");
  tell({ event: "graph", graph });
  assert.equal(session.status.value, "laying");
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(session.status.value, "ready");
  assert.equal(session.scene.value?.nodes.length, 4);
  session.find("EF at = asked");
  tell({ event: "satisfying", states: [0, 1], count: "2" });
  assert.deepEqual(session.found.value, { what: "EF at = asked", states: [0, 1], count: "2" });
  session.way(7);
  session.cannotTell(1, "Bob");
  assert.deepEqual(said, [{ find: "EF at = asked" }, { way: 7 }, { alike: 1, role: "Bob" }]);
  tell({ event: "refused", message: "no such name" });
  assert.equal(session.message.value, "no such name");
  assert.equal(session.stateLike(graph.nodes[1]!.state!), 1);
  session.wayBetween(2, 0);
  assert.match(session.message.value, /no way from state 2/);
});

test("states that look alike, with the values that differ", () => {
  const alike = { state: 1, role: "Bob", states: [0, 1], sees: [], differs: [{ name: "secret", values: ["0", "1"] }, { name: "at", values: ["idle", "asked"] }] };
  assert.deepEqual(alikeRows(graph, alike), [
    { state: 1, text: "asked", values: ["1", "asked"], isItself: true },
    { state: 0, text: "idle", values: ["0", "idle"], isItself: false },
  ]);
});

test("an edge says all that it carries, or how much that is", () => {
  assert.equal(labelOf({ labels: ["ask"] }), "ask");
  assert.equal(labelOf({ labels: ["ask", "answer"] }), "ask, answer");
  const many = ["Ann: asks for the price", "Bob: answers with a price", "Ann: leaves"];
  assert.equal(labelOf({ labels: many }), "Ann: asks for the price and others (3)");
  assert.equal(labelOf({ labels: [...many, "\u2026"] }), "Ann: asks for the price and others (3+)");
});

test("of lines that lead both ways no label lies on the other", () => {
  const both: Graph = { ...graph, nodes: [node(0, "a"), node(1, "b")], edges: [{ id: 0, from: 0, to: 1, labels: ["there"] }, { id: 1, from: 1, to: 0, labels: ["back"] }] };
  const laid = { x: Float64Array.of(0, 0), y: Float64Array.of(0, 200), bends: [undefined, undefined], way: "distance" as const };
  const [there, back] = sceneOf(both, laid).edges;
  assert.ok(Math.abs((there?.label[1] ?? 0) - (back?.label[1] ?? 0)) > 20);
});
