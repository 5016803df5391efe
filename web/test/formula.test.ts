import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../src/panels/formula/history";
import { Inquiry } from "../src/panels/formula/inquiry";
import { freshName, hindrance, insertProperty, isName } from "../src/panels/formula/insert";
import { parts } from "../src/panels/formula/underline";
import type { End, Event, Finding, Request, Subject } from "../src/protocol";

const subject: Subject = { language: "pact", path: "a.pact", text: "protocol A\n" };
const finding = (severity: Finding["severity"], column: number, endColumn: number, line = 1, endLine = line): Finding =>
  ({ severity, code: "unknown-name", message: "", help: [], place: { path: "", line, column, endLine, endColumn } });

test("what is wrong is underlined, the worst first, also at the very end and over lines", () => {
  assert.deepEqual(parts("AG pai", [finding("error", 4, 7)]), [{ text: "AG ", severity: null }, { text: "pai", severity: "error" }]);
  assert.deepEqual(parts("AG x", [finding("note", 1, 5), finding("error", 4, 5)]), [{ text: "AG ", severity: "note" }, { text: "x", severity: "error" }]);
  assert.deepEqual(parts("AG", [finding("error", 3, 3)]), [{ text: "AG", severity: null }, { text: " ", severity: "error" }]);
  assert.deepEqual(parts("A\nbc", [finding("warning", 2, 3, 2)]), [{ text: "A\nb", severity: null }, { text: "c", severity: "warning" }]);
  assert.deepEqual(parts("abc", [finding("error", 90, 99, 7)]).map((part) => part.text).join(""), "abc ");
  assert.deepEqual(parts("", []), []);
});

test("a formula becomes a property at the end of a Pact file and in the formulas of an ISPL file", () => {
  assert.deepEqual(insertProperty("pact", "protocol A\nproperty p = AG x\n\n", "q", "AF\n  y"), { text: "protocol A\nproperty p = AG x\nproperty q = AF y\n", line: 3 });
  assert.deepEqual(insertProperty("pact", "protocol A", "q", "AF y"), { text: "protocol A\n\nproperty q = AF y\n", line: 3 });
  assert.deepEqual(insertProperty("ispl", "Formulae\n  AG x;\nend Formulae\n", "", "AF y;"), { text: "Formulae\n  AG x;\n  AF y;\nend Formulae\n", line: 3 });
  assert.equal(hindrance("pact", ""), null);
  assert.match(hindrance("ispl", "Agent A")!, /end Formulae/);
  assert.match(hindrance("ccs", "")!, /no properties/);
  assert.equal(freshName("property property_1 = x"), "property_2");
  assert.ok(isName("a_1") && !isName("1a") && !isName("a b"));
});

test("formulas asked before: each once, the latest first, a broken store is no harm", () => {
  const kept = new Map<string, string>([["servanda.formulas", "not json"]]);
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => void kept.set(name, value) };
  const history = new History(storage);
  history.add("AG x"); history.add(" AF y "); history.add("AG x"); history.add("  ");
  assert.deepEqual(history.formulas.value, ["AG x", "AF y"]);
  assert.deepEqual(new History(storage).formulas.value, ["AG x", "AF y"]);
  history.remove("AG x");
  assert.deepEqual(new History(storage).formulas.value, ["AF y"]);
});

test("only the answer to the last formula counts", async () => {
  const jobs: { request: Request; tell: (event: Event) => void; finish: (end: End) => void; isStopped: boolean }[] = [];
  const start = (request: Request, tell: (event: Event) => void) => {
    let finish!: (end: End) => void;
    const job = { request, tell, finish: (end: End) => finish(end), isStopped: false };
    jobs.push(job);
    return { id: jobs.length, ended: new Promise<End>((resolve) => (finish = resolve)), isOver: false, say: () => true, stop: () => void (job.isStopped = true) };
  };
  const inquiry = new Inquiry({ jobs: { start }, limits: () => ({}), announce: () => {} }, 1);
  inquiry.type("AG", subject);
  inquiry.type("AG x", subject);
  await new Promise((resolve) => setTimeout(resolve, 15));
  assert.equal(jobs.length, 1);
  inquiry.type("AG y", subject);
  await new Promise((resolve) => setTimeout(resolve, 15));
  assert.ok(jobs[0]?.isStopped);
  const view = (text: string) => ({ event: "formula" as const, formula: { text, words: "", notes: [], findings: [] } });
  jobs[1]?.tell(view("AG y"));
  jobs[0]?.tell(view("AG x"));
  assert.equal(inquiry.view.value?.text, "AG y");
  jobs[1]?.finish({ reason: "time" });
  await new Promise((resolve) => setTimeout(resolve));
  assert.match(inquiry.message.value, /limit of time/);
  assert.equal(inquiry.isBusy.value, false);
  inquiry.type("", subject);
  assert.equal(inquiry.view.value, null);
});
