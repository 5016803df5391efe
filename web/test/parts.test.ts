import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { DOMParser } from "linkedom";
import { takeToken } from "../src/api";
import { summarize } from "../src/checks";
import { smallest } from "../src/editor/smallest";
import { sanitize } from "../src/editor/sanitize";
import { unpack } from "../src/editor/tokens";
import type { Verdict } from "../src/protocol";
import { objection } from "../src/shell/names";
import { compareLines } from "../src/ui/compare";
import { duration, grouped } from "../src/ui/words";

test("colours are unpacked to places, and none reaches over its line", () => {
  const doc = Text.of(["protocol X", "roles A"]);
  const words = unpack([0, 0, 8, 0, 0, 0, 9, 1, 1, 0, 1, 0, 50, 0, 0, 7, 0, 3, 0, 0], ["keyword", "class"], doc);
  assert.deepEqual(words, [
    { from: 0, to: 8, type: "keyword" },
    { from: 9, to: 10, type: "class" },
    { from: 11, to: 18, type: "keyword" },
  ]);
});

test("the smallest change makes one text of the other", () => {
  let seed = 3;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const word = (): string => Array.from({ length: random(8) }, () => "ab\n"[random(3)]).join("");
  for (let round = 0; round < 2000; round++) {
    const [from, to] = [word(), word()];
    const change = smallest(from, to);
    assert.equal(from.slice(0, change.from) + change.insert + from.slice(change.to), to);
  }
});

test("differences lead from one text to the other", () => {
  let seed = 5;
  const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  const text = (): string => Array.from({ length: 1 + random(8) }, () => "xyz"[random(3)]).join("\n");
  for (let round = 0; round < 500; round++) {
    const [from, to] = [text(), text()];
    const lines = compareLines(from, to);
    if (lines.some((line) => line.kind === "gap")) continue;
    assert.equal(lines.filter((line) => line.kind !== "ins").map((line) => line.text).join("\n"), from === to ? lines.map((line) => line.text).join("\n") : from);
    if (from !== to) assert.equal(lines.filter((line) => line.kind !== "del").map((line) => line.text).join("\n"), to);
  }
});

test("what is the same is left out of a comparison", () => {
  const long = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const lines = compareLines(long.join("\n"), long.with(20, "other").join("\n"));
  assert.deepEqual(lines.filter((line) => line.kind === "ins" || line.kind === "del"), [{ kind: "del", text: "line 20" }, { kind: "ins", text: "other" }]);
  assert.ok(lines.length < 12);
});

test("names of files stay in the directory", () => {
  assert.equal(objection("a/b.pact"), null);
  for (const bad of ["", "/a.pact", "../a.pact", "a/../b.pact", "a//b.pact", "a.exe", "./a.pact"]) assert.ok(objection(bad), bad);
});

test("verdicts are summed up", () => {
  const verdict = (asWanted: boolean, word: Verdict["verdict"] = "true"): Verdict => ({ name: "p", verdict: word, asWanted, engine: "enumerate", seconds: 0, hasEvidence: false });
  assert.equal(summarize([]), "Nothing was decided.");
  assert.equal(summarize([verdict(true)]), "As wanted.");
  assert.equal(summarize([verdict(true), verdict(true)]), "All 2 as wanted.");
  assert.equal(summarize([verdict(true), verdict(false, "false"), verdict(false, "unknown")]), "1 as wanted, 1 not as wanted, 1 not decided.");
});

test("times and counts are said as people say them", () => {
  assert.deepEqual([0.0002, 0.25, 3.14, 42, 61].map(duration), ["under 1 ms", "250 ms", "3.1 s", "42 s", "1 min 1 s"]);
  assert.equal(grouped("12345678901234567890"), "12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890");
});

test("nothing in a hover can act", () => {
  const before = globalThis.DOMParser;
  globalThis.DOMParser = class {
    parseFromString(html: string) {
      return new DOMParser().parseFromString(`<html><body>${html}</body></html>`, "text/html");
    }
  } as unknown as typeof globalThis.DOMParser;
  try {
    const clean = sanitize('<p onclick="x()">a <b style="color:red">b</b><script>bad()</script><img src=x onerror="bad()"><a href="javascript:bad()">c</a><a href="https://x.example/">d</a></p>');
    assert.doesNotMatch(clean, /script|onclick|onerror|style|img|javascript/);
    assert.match(clean, /href="https:\/\/x\.example\/"/);
    assert.match(clean, /<b>b<\/b>/);
  } finally {
    globalThis.DOMParser = before;
  }
});

test("the token is taken out of the address and kept", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value) } as Storage;
  let address = "http://127.0.0.1:7000/?token=abc&x=1#model=zzz";
  const history = { state: null, replaceState: (_: unknown, __: string, to: URL) => (address = String(to)) } as unknown as History;
  const token = takeToken({ href: address } as Location, history, storage);
  assert.equal(token, "abc");
  assert.equal(address, "http://127.0.0.1:7000/?x=1#model=zzz");
  assert.equal(takeToken({ href: address } as Location, history, storage), "abc");
});
