// The scripts of the panels, run in a document that is not shown.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildSync } from "esbuild";
import { parseHTML } from "linkedom";
import { chartPage } from "../src/page";
import { simulatorPage } from "../src/panels";

/** Runs a script of a panel on a page; gives the document, what was sent to the editor, and a way to send something back. */
function panel(script: string, html: string) {
  const { outputFiles } = buildSync({ entryPoints: [`src/webview/${script}.ts`], bundle: true, format: "iife", write: false, target: "es2022" });
  const { window, document } = parseHTML(html);
  const sent: unknown[] = [];
  const api = () => ({ postMessage: (message: unknown) => sent.push(message) });
  const listeners: ((event: { data: unknown }) => void)[] = [];
  const outside = { addEventListener: (_: string, listener: (event: { data: unknown }) => void) => listeners.push(listener) };
  new Function("window", "document", "acquireVsCodeApi", outputFiles[0].text)(outside, document, api);
  const press = (element: Element | null): unknown => element?.dispatchEvent(new window.Event("click"));
  const tell = (data: unknown): void => listeners.forEach((listener) => listener({ data }));
  return { document, window, sent, press, tell };
}

const explained = readFileSync(join(process.cwd(), "test/recorded/alternating_bit.html"), "utf8");

test("steps of tables and drawings are told to the editor", () => {
  const { document, window, sent, press } = panel("chart", chartPage(explained, { title: "p", script: "x", nonce: "n" }));
  const rows = document.querySelectorAll("tr[data-step]");
  const arrows = document.querySelectorAll("g[data-step]");
  assert.ok(rows.length > 10);
  assert.equal(arrows.length, rows.length, "every step is drawn");
  press(document.querySelector('tr[data-step="0.3"]'));
  press(document.querySelector('g[data-step="1.2"]'));
  const enter = Object.assign(new window.Event("keydown"), { key: "Enter" });
  document.querySelector('tr[data-step="1.1"]')?.dispatchEvent(enter);
  assert.deepEqual(sent, [
    { type: "step", chart: 0, step: 3 },
    { type: "step", chart: 1, step: 2 },
    { type: "step", chart: 1, step: 1 },
  ]);
  const current = [...document.querySelectorAll(".current")].map((element) => element.getAttribute("data-step"));
  assert.deepEqual(new Set(current), new Set(["1.1"]));
});

test("the simulator's buttons ask, and what it answers is shown as text", () => {
  const { document, sent, press, tell } = panel("simulator", `<html><body>${simulatorPage("<m>", true)}</body></html>`);
  assert.deepEqual(sent.splice(0), [{ type: "ready" }]);
  const answer = { heading: "<b>in idle</b>", changes: ["+ c"], watched: [{ number: 2, text: "p = true" }], choices: [{ number: 4, label: "Ann: <pay>" }], choosing: false, notes: [] };
  tell({ type: "state", answer, trail: ["restart"] });
  assert.equal(document.querySelector("#state")?.textContent, "<b>in idle</b>");
  assert.equal(document.querySelector("#state b"), null);
  for (const selector of ["#choices button", "#watched button", "#undo", "#next", "#trail button"]) press(document.querySelector(selector));
  assert.deepEqual(sent.splice(0), [
    { type: "ask", command: "4" },
    { type: "ask", command: "x 2" },
    { type: "ask", command: "u" },
    { type: "ask", command: "n" },
    { type: "step", step: 1 },
  ]);
  document.querySelector<HTMLInputElement>("#formula")!.value = " AF paid ";
  press(document.querySelector("#watch"));
  assert.deepEqual(sent, [{ type: "ask", command: "w AF paid" }]);
});
