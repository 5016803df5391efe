import assert from "node:assert/strict";
import { test } from "node:test";
import { around, logOf, mappingBeside, pretty, suggested } from "../src/panels/audit/log";
import { beside, modelsOf } from "../src/panels/audit/mapping";
import { AuditSession, counts, spoken } from "../src/panels/audit/session";
import { promised, summary } from "../src/panels/audit/slices-view";
import type { Audited, AuditFinding, Event, LibraryEntry, Request } from "../src/protocol";

/** As the official SDK 1.27.0 was recorded: it answers a request that was cancelled. */
const RECORDED = [
  '{"t": 0.1, "session": "s", "from": "client", "msg": {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}}',
  '{"t": 0.2, "session": "s", "from": "server", "msg": {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": "2025-11-25"}}}',
  "not json",
].join("\r\n");

const library: LibraryEntry[] = [
  { name: "a2a/1.0", title: "A2A", about: "", sources: ["http"] },
  { name: "mcp/2025-06-18", title: "MCP", about: "", sources: ["stdio", "otlp"] },
  { name: "mcp/2025-11-25", title: "MCP", about: "", sources: ["stdio", "otlp"] },
];

const finding = (line: number, key: string, level: AuditFinding["level"]): AuditFinding => ({ kind: "property", level, isCertain: true, code: "property-false", message: "a cancelled request is answered", line, view: "request", key, possible: [] });
const slice = (key: string, lines: number[]) => ({ view: "request", key, lines, verdicts: [{ name: "p", verdict: "false" as const, line: 2, level: "must" as const }, { name: "q", verdict: "open" as const, level: "may" as const }], commitments: [{ name: "c", debtor: "A", creditor: "B", outcome: "kept" as const, line: 2 }, { name: "d", debtor: "B", creditor: "A", outcome: "owed" as const }], fitness: 1 });
const audited: Audited = { lines: 3, slices: [slice("a", [1]), slice("b", [2, 3])], findings: [finding(2, "b", "should"), finding(3, "none", "must")], isWhole: true };

test("lines of a log, whatever ends them", () => {
  const log = logOf("a.jsonl", `${RECORDED}\r\n`);
  assert.equal(log.lines.length, 3);
  assert.match(pretty(log.lines[0]!), /\n {2}"msg": \{\n/);
  assert.equal(pretty(log.lines[2]!), "not json");
  assert.deepEqual(around(1000, 500, 60), { from: 470, to: 529 });
  assert.deepEqual(around(1000, 3, 60), { from: 1, to: 60 });
  assert.deepEqual(around(1000, 1000, 60), { from: 941, to: 1000 });
  assert.deepEqual(around(5, 3, 60), { from: 1, to: 5 });
});

test("the protocol is suggested by the version that the log names", () => {
  assert.deepEqual(suggested(logOf("a", RECORDED), library), { library: "mcp/2025-11-25", source: "stdio" });
  assert.deepEqual(suggested(logOf("a", '{"resourceSpans": [], "v": "2025-11-25"}'), library), { library: "mcp/2025-11-25", source: "otlp" });
  assert.deepEqual(suggested(logOf("a", '{"msg": {"method": "SendMessage"}}'), library), { library: "a2a/1.0", source: "http" });
  assert.equal(suggested(logOf("a", "nothing of this"), library), undefined);
});

test("the protocol is suggested by where the log lies", () => {
  assert.deepEqual(suggested(logOf("copies/mcp/2025-06-18/recordings/otlp/a.jsonl", "{}"), library), { library: "mcp/2025-06-18", source: "otlp" });
  assert.deepEqual(suggested(logOf("mcp/2025-06-18/a.jsonl", "{}"), library), { library: "mcp/2025-06-18", source: "stdio" });
});

test("a mapping beside a log is meant for it", () => {
  const files = (...paths: string[]) => paths.map((path) => ({ path, language: path.endsWith(".toml") ? "mapping" as const : "log" as const, bytes: 1 }));
  assert.equal(mappingBeside("a/orders.jsonl", files("a/orders.audit.toml", "a/other.audit.toml", "orders.audit.toml")), "a/orders.audit.toml");
  assert.equal(mappingBeside("a/orders-monday.jsonl", files("a/orders.audit.toml", "a/other.audit.toml")), "a/orders.audit.toml");
  assert.equal(mappingBeside("a/log.jsonl", files("a/orders.audit.toml")), "a/orders.audit.toml");
  assert.equal(mappingBeside("a/log.jsonl", files("a/one.audit.toml", "a/two.audit.toml", "log.audit.toml")), undefined);
  assert.equal(mappingBeside("mcp/x/recordings/stdio/good.jsonl", files("mcp/x/stdio.audit.toml", "mcp/x/http.audit.toml")), "mcp/x/stdio.audit.toml");
  assert.equal(mappingBeside("log.jsonl", files("deep/log.audit.toml")), undefined);
});

test("the models that a mapping names lie beside it", () => {
  assert.deepEqual(modelsOf('[[view]]\nmodel = "a.pact"\n# model = "no.pact"\n[[view]]\n  model = \'b/c.pact\'\n[[view]]\nmodel = "a.pact"'), ["a.pact", "b/c.pact"]);
  assert.equal(beside("maps/x.toml", "a.pact"), "maps/a.pact");
  assert.equal(beside("maps/deep/x.toml", "../a.pact"), "maps/a.pact");
  assert.equal(beside("x.toml", "a.pact"), "a.pact");
});

test("a judged log: the first finding is looked at, with its line and its slice", () => {
  let tell: (event: Event) => void = () => {};
  const requests: Request[] = [];
  const jobs = { start: (request: Request, onEvent: (event: Event) => void) => { requests.push(request); tell = onEvent; return { id: 1, ended: new Promise<never>(() => {}), isOver: false, stop: () => {}, say: () => true }; } };
  const session = new AuditSession({ jobs, limits: () => ({}), announce: () => {} });
  session.start({ library: "mcp/2025-11-25" });
  assert.equal(requests.length, 0);
  session.take(logOf("a.jsonl", RECORDED));
  session.start({ library: "mcp/2025-11-25", complete: true });
  assert.deepEqual(requests, [{ kind: "audit", log: RECORDED, logName: "a.jsonl", limits: {}, library: "mcp/2025-11-25", complete: true }]);
  tell({ event: "audited", audited });
  assert.deepEqual([session.line.value, session.slice.value], [2, 1]);
  session.look(audited.findings[1]!);
  assert.deepEqual([session.line.value, session.slice.value], [3, 1]);
  session.take(logOf("b.jsonl", ""));
  assert.equal(session.audited.value, null);
  assert.equal(session.judged.value, null);
});

test("what was found, in words", () => {
  assert.deepEqual(counts(audited), { must: 1, should: 1, may: 0 });
  assert.equal(spoken(audited), "3 lines in 2 slices: 2 findings (1 of level must, 1 of level should).");
  assert.equal(spoken({ ...audited, findings: [] }), "3 lines in 2 slices: nothing was found.");
  assert.equal(summary(audited.slices[0]!), "1 false, 1 open");
  assert.equal(promised(audited.slices[0]!), "1 still owed, 1 kept");
  assert.equal(promised({ ...audited.slices[0]!, commitments: [] }), "–");
});
