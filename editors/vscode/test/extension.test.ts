// The extension in an editor that keeps a record.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, beforeEach, test } from "node:test";
import { activate } from "../src/extension";
import { servers, wanted } from "./mock/languageclient";
import { document, record, Uri, window } from "./mock/vscode";

const model = join(process.cwd(), "test/models/netbill.pact");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !holds(); tries += 1) await new Promise((done) => setTimeout(done, 25));
  assert.ok(holds(), String(holds));
};

before(async () => {
  record.configuration.set("path", join(process.cwd(), "test/recorded/servanda.cjs"));
  await activate({ subscriptions: [], extensionUri: Uri.file("/extension") } as any);
});
beforeEach(() => {
  record.panels.length = record.shown.length = record.messages.length = 0;
  wanted.answer = undefined;
});

test("every command of the manifest is there, and no command is the server's", () => {
  const names = manifest.contributes.commands.map((each: { command: string }) => each.command);
  assert.deepEqual(names.filter((name: string) => !record.commands.has(name)), []);
  // The client registers these itself, and a name can be taken once only.
  for (const name of ["servanda.check", "servanda.explain", "servanda.simulate"]) assert.ok(!record.commands.has(name), name);
});

test("every file that the manifest names is there", () => {
  const { languages, grammars, snippets } = manifest.contributes;
  const paths = [...languages.map((each: any) => each.configuration), ...[...grammars, ...snippets].map((each: any) => each.path)];
  for (const path of paths) assert.doesNotThrow(() => JSON.parse(readFileSync(path, "utf8")), path);
  assert.ok(existsSync("README.md"));
});

test("the server is started with what is set", () => {
  assert.deepEqual(servers.at(-1)?.program.args, ["lsp"]);
  const options = { errorPages: "file:///extension/dist/docs/errors", timeoutSeconds: 60 };
  assert.deepEqual(servers.at(-1)?.options.initializationOptions, options);
});

test("the lenses of the server open the panels of the editor", async () => {
  const server = servers.at(-1)!;
  const next = (): Promise<string> => Promise.resolve("asked the server");
  const execute = server.options.middleware.executeCommand;
  const uri = Uri.file(model).toString();
  assert.equal(await execute("servanda.simulate", [uri, "always_compliant"], next), true);
  assert.equal(record.panels.length, 1);
  record.panels[0].closed();
  assert.equal(await execute("servanda.check", [uri, "always_compliant"], next), "asked the server");
});

test("without lenses of the server each property has three", async () => {
  const lenses = record.lenses[0].provideCodeLenses(document(model));
  assert.equal(lenses.length, 8 * 3);
  await record.commands.get("servanda.lens")?.(...lenses[3 * 3 + 1].command.arguments);
  assert.equal(record.panels.at(-1)?.title, "always_compliant");
});

test("where the server has lenses only what it lacks is added", () => {
  const titles = (capabilities: unknown): string[] => {
    servers.at(-1)!.initializeResult = { capabilities };
    const lenses = record.lenses[0].provideCodeLenses(document(model));
    return [...new Set<string>(lenses.map((lens: any) => lens.command.title))];
  };
  assert.deepEqual(titles({ codeLensProvider: {} }), ["Simulate"]);
  assert.deepEqual(titles({ codeLensProvider: {}, executeCommandProvider: { commands: ["servanda.simulate"] } }), []);
  assert.deepEqual(titles({}), ["Check", "Explain", "Simulate"]);
});

test("a step of the chart leads to its line", async () => {
  await record.commands.get("servanda.lens")?.("servanda.explain", `file://${model}`, "always_compliant");
  const panel = record.panels[0];
  assert.match(panel.webview.html, /Content-Security-Policy/);
  assert.equal(panel.options.enableForms, false);
  await panel.hear({ type: "step", chart: 0, step: 2 });
  const line = readFileSync(model, "utf8").split("\n")[record.shown[0].line];
  assert.match(line, /^requested -- Ref/);
  await panel.hear({ type: "step", chart: 0, step: 99 });
  assert.match(panel.sent.at(-1).text, /not known/);
});

test("what the server says of a step goes before what is guessed", async () => {
  const server = servers.at(-1);
  server!.initializeResult = { capabilities: { executeCommandProvider: { commands: ["servanda.explain"] } } };
  wanted.answer = { html: "<body><h2 id=\"chart1\">x</h2></body>", steps: [{ file: model, line: 7, column: 1 }] };
  let passedOn = false;
  const answer = await server!.options.middleware.executeCommand("servanda.explain", [`file://${model}`, "p"], () => (passedOn = true));
  assert.deepEqual([answer, passedOn], [true, false]);
  assert.deepEqual(server!.asked.at(-1), ["workspace/executeCommand", { command: "servanda.explain", arguments: [`file://${model}`, "p"] }]);
  await record.panels[0].hear({ type: "step", chart: 0, step: 1 });
  assert.equal(record.shown[0].line, 6);
  await server!.options.middleware.executeCommand("servanda.check", [`file://${model}`, "p"], () => (passedOn = true));
  assert.ok(passedOn, "checking is the server's business");
  server!.initializeResult = { capabilities: {} };
});

test("a property that is not there is a message, not a panel", async () => {
  await record.commands.get("servanda.lens")?.("servanda.explain", `file://${model}`, "nonsense");
  assert.equal(record.panels.length, 0);
  assert.match(record.messages[0], /there is no property of this name/);
});

test("checking says what came of it", async () => {
  window.activeTextEditor = { document: document(model) };
  await record.commands.get("servanda.checkFile")?.();
  assert.deepEqual(record.messages, ["All properties: as wanted."]);
  assert.match(record.output, /as expected/);
});

test("the simulator shows choices, takes steps and leads to their lines", async () => {
  window.activeTextEditor = { document: document(model) };
  await record.commands.get("servanda.simulateFile")?.();
  const panel = record.panels[0];
  await panel.hear({ type: "ready" });
  const last = (): any => panel.sent.filter((message) => message.type === "state").at(-1);
  assert.deepEqual(last().answer.choices, [{ number: 1, label: "Cr(Cus, request)" }]);
  await panel.hear({ type: "ask", command: "1" });
  assert.deepEqual(last().trail, ["Cr(Cus, request)"]);
  assert.deepEqual(last().answer.changes, ["in requested (was idle)", "+ request"]);
  await panel.hear({ type: "step", step: 1 });
  assert.match(readFileSync(model, "utf8").split("\n")[record.shown[0].line], /^idle/);
  panel.closed();
  await panel.hear({ type: "ask", command: "1" });
  await until(() => /was closed/.test(panel.sent.at(-1).text));
});

test("in a folder that is not trusted nothing is run", async () => {
  record.trusted = false;
  await record.commands.get("servanda.checkFile")?.();
  record.trusted = true;
  assert.match(record.messages[0], /not trusted/);
});
