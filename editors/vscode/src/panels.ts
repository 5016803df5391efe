// The panel of a chart and the panel of a simulation.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { readAnswer } from "./answer";
import type { Explanation } from "./explanation";
import { locate, type Step } from "./locate";
import { chartPage, charts, document as page, escape } from "./page";
import type { Simulation } from "./simulation";
import type { SourceMark } from "./source";

const nonce = (): string => randomBytes(18).toString("base64url");

function open(extension: vscode.Uri, kind: string, title: string): { panel: vscode.WebviewPanel; script: string } {
  const scripts = vscode.Uri.joinPath(extension, "dist", "webview");
  const panel = vscode.window.createWebviewPanel(
    `servanda.${kind}`,
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: true, enableForms: false, localResourceRoots: [scripts], retainContextWhenHidden: true },
  );
  return { panel, script: panel.webview.asWebviewUri(vscode.Uri.joinPath(scripts, `${kind}.js`)).toString() };
}

/** Shows where a step comes from, or says that this is not known. */
async function jump(panel: vscode.WebviewPanel, mark: SourceMark, model: vscode.TextDocument, step: Step | undefined): Promise<void> {
  const line = step && locate(model.languageId, model.getText(), step);
  if (line !== undefined) await mark.show(model.uri, line);
  const text = line === undefined ? "It is not known where this step comes from." : `Line ${line + 1} of the source is marked.`;
  await panel.webview.postMessage({ type: "message", text });
}

/** A chart; clicking a step marks its line in the source. */
export function showChart(extension: vscode.Uri, mark: SourceMark, model: vscode.TextDocument, name: string, why: Explanation): void {
  const { panel, script } = open(extension, "chart", name);
  const drawn = charts(why.html);
  panel.webview.onDidReceiveMessage(async (message: { type?: string; chart?: number; step?: number }) => {
    if (message.type !== "step" || !Number.isInteger(message.step)) return;
    const index = Number(message.step) - 1;
    const known = message.chart === 0 ? why.steps[index] : undefined;
    if (known) {
      const uri = /^[a-z][a-z0-9+.-]+:/i.test(known.file) && !/^[a-z]:[\\/]/i.test(known.file) ? vscode.Uri.parse(known.file) : vscode.Uri.file(known.file);
      await mark.show(uri, known.line - 1);
    } else {
      await jump(panel, mark, model, drawn[message.chart ?? 0]?.steps[index]);
    }
  });
  panel.webview.html = chartPage(why.html, { title: name, script, nonce: nonce() });
}

const SIMULATOR_STYLE = `body{font:inherit;padding:0 1rem;max-width:60rem}button{font:inherit;color:var(--vscode-button-secondaryForeground);
background:var(--vscode-button-secondaryBackground);border:1px solid var(--vscode-contrastBorder,transparent);padding:.3rem .6rem;margin:.1rem;text-align:left;cursor:pointer}
button:hover{background:var(--vscode-button-secondaryHoverBackground)}input{font:inherit;width:60%;color:var(--vscode-input-foreground);
background:var(--vscode-input-background);border:1px solid var(--vscode-input-border,currentColor);padding:.3rem}
ul,ol{list-style:none;padding:0}#state,#choices,#trail,#watched,#message{font-family:var(--vscode-editor-font-family)}#message{white-space:pre-wrap}`;

/** What the panel of a simulation is made of. */
export function simulatorPage(name: string, follows: boolean): string {
  const next = follows ? '<button id="next">Next step of the counterexample</button>' : "";
  return `<h1>${escape(name)}</h1>
<div role="toolbar" aria-label="Walk"><button id="undo">Take back</button><button id="restart">Restart</button>
<button id="any">A random step</button>${next}<button id="properties">Properties here</button></div>
<h2>Now</h2><p id="state"></p><ul id="changes"></ul>
<h2>What can happen</h2><ol id="choices"></ol>
<h2>Formulas</h2><p><label for="formula">Formula</label> <input id="formula" type="text" spellcheck="false">
<button id="evaluate">Evaluate</button><button id="watch">Watch</button></p><ul id="watched"></ul>
<p id="message" role="status" aria-live="polite"></p>
<h2>What has happened</h2><ol id="trail"></ol>`;
}

/** The steps so far, as the simulator lists them. */
export const trailOf = (text: string): string[] => [...text.matchAll(/^ {2}\d+: (.*)$/gm)].map(([, label]) => label);

/** A simulation; the panel asks, the program answers, and both end together. */
export function showSimulator(extension: vscode.Uri, mark: SourceMark, model: vscode.TextDocument, simulation: Simulation, follows: boolean): void {
  const name = model.uri.path.slice(model.uri.path.lastIndexOf("/") + 1);
  const { panel, script } = open(extension, "simulator", `Simulate ${name}`);
  let trail: string[] = [];
  const turn = async (command: string): Promise<void> => {
    try {
      const said = await simulation.ask(command);
      const [now, steps] = [readAnswer(await simulation.ask("s")), await simulation.ask("t")];
      const answer = readAnswer(said);
      trail = trailOf(steps);
      const text = /^[ep]( |$)/.test(command) ? said : [...new Set([...answer.notes, ...now.notes])].join("\n");
      await panel.webview.postMessage({ type: "state", answer: { ...now, changes: answer.changes }, trail });
      await panel.webview.postMessage({ type: "message", text });
    } catch (error) {
      await panel.webview.postMessage({ type: "message", text: error instanceof Error ? error.message : String(error) });
    }
  };
  panel.webview.onDidReceiveMessage(async (message: { type?: string; command?: unknown; step?: number }) => {
    if (message.type === "ready") await turn("");
    if (message.type === "ask" && typeof message.command === "string") await turn(message.command);
    if (message.type === "step") {
      await jump(panel, mark, model, { label: trail[Number(message.step) - 1] ?? "", before: {}, after: {} });
    }
  });
  panel.onDidDispose(() => simulation.dispose());
  const body = simulatorPage(name, follows);
  panel.webview.html = page({ title: name, style: SIMULATOR_STYLE, body, script, nonce: nonce() });
}
