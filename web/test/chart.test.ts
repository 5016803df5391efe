import assert from "node:assert/strict";
import { test } from "node:test";
import { findFolds } from "../src/chart/folds";
import { HEAD, LOOP_FOLD, describe, foldsOf, lay, yOf } from "../src/chart/layout";
import { branchesOf, runsAlong } from "../src/chart/path";
import type { Evidence, InForce, Moment, Run, StepData } from "../src/protocol";

const step = (label: string, from?: string, to: string[] = [], kind: StepData["kind"] = "message"): StepData => ({ label, from, to, kind, places: [] });
const moment = (made?: StepData, inForce: InForce[] = []): Moment => ({ step: made, state: { values: [], inForce, isDeadlock: false, isFinal: false }, changed: [], knows: [] });
const run = (steps: StepData[], more: Partial<Run> = {}): Run => ({ title: "", moments: [moment(), ...steps.map((each) => moment(each))], branches: [], judged: [], ...more });
const ALL = { folded: new Set<number>(), isLoopFolded: false };

test("repetitions are found, the longest first, and none over what a loop goes back to", () => {
  assert.deepEqual(findFolds([..."abcabcabc"]), [{ from: 0, period: 3, count: 3 }]);
  assert.deepEqual(findFolds([..."xaaaay"]), [{ from: 1, period: 1, count: 4 }]);
  assert.deepEqual(findFolds([..."aa"]), [], "one row less is not worth a button");
  assert.deepEqual(findFolds([..."abab"]), [{ from: 0, period: 2, count: 2 }]);
  assert.deepEqual(findFolds([..."abcdef"]), []);
  assert.deepEqual(findFolds([..."aaaaaa"], 3), [{ from: 0, period: 1, count: 3 }, { from: 3, period: 1, count: 3 }]);
});

test("every repetition that is found is one, and together they lose no step", () => {
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 500; round++) {
    const labels = Array.from({ length: random(30) }, () => "ab"[random(2)] ?? "a");
    let end = 0;
    for (const { from, period, count } of findFolds(labels)) {
      assert.ok(from >= end && from + period * count <= labels.length);
      for (let at = from + period; at < from + period * count; at++) assert.equal(labels[at], labels[at - period]);
      end = from + period * count;
    }
  }
});

test("there is a row for each moment, one below the other", () => {
  const layout = lay(["A", "B"], run([step("x", "A", ["B"]), step("y", "B", ["A"]), step("tick", undefined, [], "time")]), ALL);
  assert.deepEqual(layout.rows.map((row) => row.moment), [0, 1, 2, 3]);
  let y = HEAD;
  for (const row of layout.rows) {
    assert.equal(row.y, y);
    y += row.height;
  }
  assert.ok(layout.height >= y);
});

test("lifelines make room for what is said between them", () => {
  const long = "a_message_with_a_long_name(with, contents)";
  const narrow = lay(["A", "B", "C"], run([step("x", "A", ["B"])]), ALL);
  const wide = lay(["A", "B", "C"], run([step(long, "A", ["C"])]), ALL);
  const span = (layout: typeof wide): number => (layout.heads[2]?.x ?? 0) - (layout.heads[0]?.x ?? 0);
  assert.ok(span(wide) > span(narrow));
  assert.ok(span(wide) >= long.length * 7);
  assert.ok(wide.width >= (wide.heads[2]?.x ?? 0));
});

test("folding hides steps and keeps where they are", () => {
  const ticks = run([step("go", "A", ["B"]), ...Array.from({ length: 5 }, () => step("tick", undefined, [], "time")), step("end", "B", ["A"])]);
  assert.deepEqual(foldsOf(ticks), [{ from: 2, period: 1, count: 5 }]);
  const folded = lay(["A", "B"], ticks, { folded: new Set([0]), isLoopFolded: false });
  assert.deepEqual(folded.rows.map((row) => [row.kind, row.first, row.moment]), [["start", 0, 0], ["step", 1, 1], ["step", 2, 2], ["fold", 3, 6], ["step", 7, 7]]);
  assert.equal(yOf(folded.rows, 4), yOf(folded.rows, 6));
  const whole = lay(["A", "B"], ticks, ALL);
  assert.equal(whole.rows.length, 8);
  assert.equal(whole.rows[2]?.unfolded?.id, 0);
});

test("a loop is drawn from its last row back, and can be folded", () => {
  const loop = run([step("a", "A", ["B"]), step("b", "B", ["A"])], { loopTo: 1, loopStep: step("c", "A", ["B"]) });
  const layout = lay(["A", "B"], loop, ALL);
  assert.equal(layout.rows.at(-1)?.kind, "back");
  assert.equal(layout.loop?.top, yOf(layout.rows, 1));
  const last = layout.rows.at(-1);
  assert.equal(layout.loop?.bottom, (last?.y ?? 0) + (last?.height ?? 0) / 2);
  const folded = lay(["A", "B"], loop, { folded: new Set([LOOP_FOLD]), isLoopFolded: true });
  assert.deepEqual(folded.rows.map((row) => row.kind), ["start", "step", "fold"]);
  assert.equal(folded.rows.at(-1)?.fold?.text, "a loop of 2 steps");
  assert.equal(lay(["A"], run([step("a", "A")], { loopTo: 1 }), ALL).loop?.isEnd, true);
});

test("a commitment is drawn along its debtor's line while it is in force", () => {
  const promise: InForce = { name: "p", debtor: "B", creditor: "A", content: "F x", text: "SC(B, A, F x)" };
  const promised = run([step("a", "A", ["B"]), step("b", "B", ["A"]), step("c", "A", ["B"])]);
  promised.moments[1] = moment(step("a", "A", ["B"]), [promise]);
  promised.moments[2] = moment(step("b", "B", ["A"]), [{ ...promise, keepable: false }]);
  const layout = lay(["A", "B"], promised, ALL);
  assert.equal(layout.bars.length, 1);
  const [bar] = layout.bars;
  assert.deepEqual([bar?.top, bar?.bottom, bar?.isKeepable], [yOf(layout.rows, 1), yOf(layout.rows, 3), false]);
  assert.ok(Math.abs((bar?.x ?? 0) - (layout.heads[1]?.x ?? 0)) < 8);
});

test("roles that nobody knows and runs of one moment are drawn too", () => {
  const odd = lay([], run([step("x", "Nobody", ["Nowhere"])]), ALL);
  assert.ok(Number.isFinite(odd.width) && Number.isFinite(odd.height));
  assert.equal(lay(["A"], run([]), ALL).rows.length, 1);
});

test("steps are described in words", () => {
  assert.equal(describe(step("pay(3)", "A", ["B", "C"])), "A to B, C: pay(3)");
  assert.equal(describe(step("pay", "A", ["B"], "lost")), "A to B: pay (lost)");
  assert.equal(describe(step("tick")), "tick");
});

test("a path leads through branches, or nowhere", () => {
  const inner = run([step("b", "A")]);
  const outer = run([step("a", "A")], { branches: [{ at: 1, why: "why", run: inner }, { at: 1, why: "other", run: run([]) }] });
  const evidence: Evidence = { kind: "witness", roles: ["A"], runs: [outer], legend: [] };
  assert.deepEqual(runsAlong(evidence, [0, 0]), [outer, inner]);
  assert.deepEqual(runsAlong(evidence, [0, 5]), []);
  assert.deepEqual(branchesOf(outer).map((branch) => branch.slot), [0, 1]);
});
