// Joins the language server, the commands and the panels.
import * as vscode from "vscode";
import { Actions } from "./actions";
import { properties } from "./properties";
import { LANGUAGES, Server } from "./server";
import { readSettings, type Settings } from "./settings";
import { SourceMark } from "./source";

function settings(of?: vscode.Uri): Settings {
  const values = vscode.workspace.getConfiguration("servanda", of);
  return readSettings((name) => values.get(name), vscode.workspace.workspaceFolders?.[0]?.uri.fsPath);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Servanda");
  const mark = new SourceMark();
  const actions: Actions = new Actions({ extension: context.extensionUri, output, mark, server: () => server, settings });
  const pages = vscode.Uri.joinPath(context.extensionUri, "dist", "docs", "errors");
  const server: Server = new Server(output, (command, args) => fromServer(actions, command, args), pages);
  const start = async (): Promise<void> => (vscode.workspace.isTrusted ? server.start(settings()) : undefined);
  const current = (act: (model: vscode.TextDocument) => Promise<void>) => async (): Promise<void> => {
    const model = vscode.window.activeTextEditor?.document;
    if (model && LANGUAGES.includes(model.languageId)) await act(model);
  };
  const picked = (act: (model: vscode.TextDocument, property: string) => Promise<void>) =>
    current(async (model) => {
      const property = await actions.pick(model);
      if (property) await act(model, property);
    });
  const command = vscode.commands.registerCommand;
  context.subscriptions.push(
    output,
    mark,
    server,
    command("servanda.checkFile", current((model) => actions.check(model))),
    command("servanda.checkProperty", picked((model, property) => actions.check(model, property))),
    command("servanda.explainProperty", picked((model, property) => actions.explain(model, property))),
    command("servanda.simulateFile", current((model) => actions.simulate(model))),
    command("servanda.lens", (name: string, uri: string, property: string) => fromServer(actions, name, [uri, property])),
    command("servanda.restart", start),
    command("servanda.showOutput", () => output.show(true)),
    vscode.languages.registerCodeLensProvider(LANGUAGES.map((language) => ({ scheme: "file", language })), {
      provideCodeLenses: (model) => lenses(model, server),
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const ours = ["servanda.path", "servanda.arguments", "servanda.languageServer", "servanda.timeout"];
      if (ours.some((name) => change.affectsConfiguration(name))) void start();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => void start()),
  );
  await start();
}

export function deactivate(): void {
  // Everything is among the subscriptions.
}

/** The server's commands, which its code lenses carry, have panels here; `undefined` for those that are the server's own business. */
export function fromServer(actions: Actions, command: string, args: unknown[]): Promise<true> | undefined {
  const [uri, property] = args;
  if (typeof uri !== "string" || (property !== undefined && typeof property !== "string")) return undefined;
  const act = async (how: (model: vscode.TextDocument) => Promise<void>): Promise<true> => {
    await how(await vscode.workspace.openTextDocument(vscode.Uri.parse(uri)));
    return true;
  };
  if (command === "servanda.explain" && property) return act((model) => actions.explain(model, property));
  if (command === "servanda.simulate") return act((model) => actions.simulate(model, property));
  if (command === "servanda.checkHere") return act((model) => actions.check(model, property));
  return undefined;
}

/** Properties have lenses also where there is no server, and one for the simulator where the server has none. */
function lenses(model: vscode.TextDocument, server: Server): vscode.CodeLens[] {
  const all = [["Check", "servanda.checkHere"], ["Explain", "servanda.explain"], ["Simulate", "servanda.simulate"]];
  const simulator = server.offers("servanda.simulate") ? [] : all.slice(2);
  const kinds = server.hasLenses ? simulator : all;
  return properties(model.languageId, model.getText()).flatMap((place) =>
    kinds.map(([title, name]) => {
      const range = new vscode.Range(place.line, 0, place.line, 0);
      return new vscode.CodeLens(range, { title, command: "servanda.lens", arguments: [name, model.uri.toString(), place.name] });
    }),
  );
}
