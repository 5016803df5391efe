// The parts that need no editor.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readAnswer } from "../src/answer";
import { readExplanation } from "../src/explanation";
import { locate, readLabel } from "../src/locate";
import { chartPage, charts, themed, withoutScripts } from "../src/page";
import { properties } from "../src/properties";
import { run, whyNotStarted } from "../src/run";
import { readSettings } from "../src/settings";
import { Simulation } from "../src/simulation";

const recorded = (name: string): string => join(process.cwd(), "test/recorded", name);
const example = (name: string): string => readFileSync(join(process.cwd(), "test/models", name), "utf8");
const program = recorded("servanda.cjs");

test("settings of the wrong kind are as if they were not set", () => {
  const wrong = readSettings(() => ({}), undefined);
  assert.deepEqual(wrong, { path: "servanda", serverArguments: ["lsp"], checkArguments: [], timeoutSeconds: 60, languageServer: true });
  const values: Record<string, unknown> = { path: "~/bin/servanda", arguments: ["lsp", "${workspaceFolder}/x"], timeout: 5, languageServer: false };
  const right = readSettings((name) => values[name], "/models");
  assert.equal(right.path, join(homedir(), "bin/servanda"));
  assert.deepEqual(right.serverArguments, ["lsp", "/models/x"]);
  assert.deepEqual([right.timeoutSeconds, right.languageServer], [5, false]);
});

test("programs are ended by time, by their output and by the user", async () => {
  assert.equal((await run(program, ["sleep"], { timeoutMs: 300 })).ended, "timeout");
  assert.equal((await run(program, ["shout"], { timeoutMs: 20000, mostBytes: 5000 })).ended, "too much output");
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 200);
  assert.equal((await run(program, ["sleep"], { timeoutMs: 20000, signal: stop.signal })).ended, "cancelled");
  const error = await run("/no/such/program", [], { timeoutMs: 1000 }).catch((error: unknown) => error);
  assert.match(whyNotStarted("/no/such/program", error), /was not found/);
});

test("properties are found where they stand, and not in comments", () => {
  const text = "// property no = p\nproperty yes expect true = p /*\nproperty no = q */\n  scenario run { a }\nproperty each[i] = r\nproperty -- a --> b";
  assert.deepEqual(properties("pact", text).map(({ name, line }) => [name, line]), [["yes", 1], ["run", 3]]);
  const formulas = properties("ispl", example("dining3.ispl"));
  assert.deepEqual(formulas.map(({ name }) => name), ["formula_1", "formula_2", "formula_3", "formula_4"]);
  assert.match(example("dining3.ispl").split("\n")[formulas[3].line], /K\(C1, paid2\)\); -- FALSE/);
});

test("labels are read in all their forms", () => {
  assert.deepEqual(readLabel("Ann -> Bob: pay(3, _)"), { actor: "Ann", name: "pay", receives: false, arguments: ["3", "_"] });
  assert.deepEqual(readLabel("Bidder[2]: bid[2]?(3)"), { actor: "Bidder", name: "bid", receives: true, arguments: ["3"] });
  assert.deepEqual(readLabel("restart"), { actor: "", name: "restart", receives: false, arguments: [] });
});

test("each step of a recorded chart leads to its line", () => {
  const source = example("netbill.pact");
  const [chart] = charts(readFileSync(recorded("netbill.html"), "utf8"));
  const lines = chart.steps.map((step) => source.split("\n")[locate("pact", source, step) ?? -1]?.replace(/\s+/g, " "));
  assert.deepEqual(lines, [
    "idle -- Cr(Cus, request) --> requested",
    "requested -- Ref(Mer, request) --> rejected",
    "rejected -- restart --> idle",
    "idle -- Cr(Cus, request) --> requested",
    "requested -- Ref(Mer, request) --> rejected",
  ]);
});

test("of several machines the one that moves counts", () => {
  const source = example("alternating_bit.pact");
  const [first, second] = charts(readFileSync(recorded("alternating_bit.html"), "utf8"));
  const line = (index: number): string => source.split("\n")[locate("pact", source, first.steps[index]) ?? -1] ?? "";
  assert.match(line(0), /idle +-- Sender: take/);
  assert.match(line(1), /sending -- Sender: data!/);
  assert.match(line(2), /ready +-- Receiver: data\?\(b, v\)/);
  assert.match(line(5), /sending -- Sender: ack\?\(b\) +when b = sbit/);
  assert.ok(second.steps.length > 0);
});

test("a step that fits nowhere leads nowhere", () => {
  const nowhere = { label: "tick", before: {}, after: {} };
  assert.equal(locate("pact", example("netbill.pact"), nowhere), undefined);
  assert.equal(locate("ispl", example("dining3.ispl"), nowhere), undefined);
  const only = "proc A = 'b.nil\nproc C = b.nil";
  assert.equal(locate("ccs", only, { ...nowhere, label: "A: tau<b>" }), 0);
});

test("the page of a chart obeys one script and loads nothing", () => {
  const html = readFileSync(recorded("netbill.html"), "utf8");
  const page = chartPage(html, { title: "<x>", script: "webview:/chart.js", nonce: "abc" });
  assert.match(page, /default-src &#39;none&#39;; style-src &#39;nonce-abc&#39;; script-src &#39;nonce-abc&#39;/);
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.match(page, /<title>&#60;x&#62;<\/title>/);
  assert.doesNotMatch(page, /\sstyle="|prefers-color-scheme/);
  assert.match(page, /body\.vscode-dark \.paper,/);
  assert.equal(withoutScripts('<p onclick="x()">a<script>y</script><iframe src=z></p>'), "<p>a</p>");
});

test("dark colours go by the editor's theme", () => {
  const style = themed("a{b:c}@media (prefers-color-scheme:dark){body{d:e}.f,g{h:i}}j{k:l}");
  assert.match(style, /^a\{b:c\}j\{k:l\}/);
  assert.match(style, /body\.vscode-dark,[^{]*\{d:e\}/);
  assert.match(style, /body\.vscode-dark \.f,[^{]*body\.vscode-dark g,[^{]*\{h:i\}/);
});

test("answers of the server are read with care", () => {
  assert.equal(readExplanation({ text: "x" }), undefined);
  assert.equal(readExplanation(null), undefined);
  const read = readExplanation({ html: "<p>", steps: [{ file: "/a.pact", line: 3 }, null, { file: "/a.pact", line: 0 }] });
  assert.deepEqual(read?.steps, [{ file: "/a.pact", line: 3, column: 1 }, null, null]);
});

test("answers of the simulator are read line by line", () => {
  const answer = readAnswer("1: Cr(Cus, request)\n  in requested (was idle)\n  + request\n  watch 1: AF paid = false\n    false  paid\n  [ 1] Ref(Mer, request)\n  [10] Ac(Mer, request)\n");
  assert.deepEqual(answer.choices, [{ number: 1, label: "Ref(Mer, request)" }, { number: 10, label: "Ac(Mer, request)" }]);
  assert.deepEqual(answer.changes, ["in requested (was idle)", "+ request"]);
  assert.deepEqual(answer.watched, [{ number: 1, text: "AF paid = false\nfalse  paid" }]);
  assert.equal(readAnswer("32 initial states; choose one\n  [1] x = 0\n").choosing, true);
  assert.deepEqual(readAnswer("3: in x\n  nothing can happen here: a deadlock\n").notes, ["nothing can happen here: a deadlock"]);
});

test("each question to the simulator has its answer, and none is left without one", async () => {
  const simulation = new Simulation(program, ["sim", "netbill.pact"]);
  const [first, step, refused] = await Promise.all([simulation.ask(""), simulation.ask("1"), simulation.ask("9\nq")]);
  assert.equal(readAnswer(first).choices.length, 1);
  assert.equal(readAnswer(step).heading, "Cr(Cus, request)");
  assert.deepEqual(readAnswer(refused).notes, ["there is no transition 9 q here"]);
  await assert.rejects(simulation.ask("crash"), /has ended/);
  await assert.rejects(simulation.ask("1"), /has ended/);
  simulation.dispose();
  await assert.rejects(new Simulation("/no/such/program", []).ask(""), /was not found/);
});

const real = process.env.SERVANDA;
test("the program itself is understood", { skip: real ? false : "SERVANDA names no program" }, async () => {
  const model = join(process.cwd(), "test/models/netbill.pact");
  const simulation = new Simulation(real as string, ["sim", model]);
  assert.deepEqual(readAnswer(await simulation.ask("")).choices, [{ number: 1, label: "Cr(Cus, request)" }]);
  assert.deepEqual(readAnswer(await simulation.ask("1")).changes, ["in requested (was idle)", "+ request"]);
  assert.match(await simulation.ask("w AF paid"), /watch 1: AF paid = false/);
  assert.match(await simulation.ask("nonsense"), /no command/);
  assert.equal(readAnswer(await simulation.ask("u")).moment, 0);
  simulation.dispose();
  const explained = await run(real as string, ["explain", model, "--property", "always_compliant", "--format", "html"], { timeoutMs: 60000 });
  assert.deepEqual(charts(explained.stdout), charts(readFileSync(recorded("netbill.html"), "utf8")));
});
