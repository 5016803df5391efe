// What the commands do: check, explain, simulate.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { readExplanation, type Explanation } from "./explanation";
import { showChart, showSimulator } from "./panels";
import { properties } from "./properties";
import { run, whyNotStarted, type Outcome } from "./run";
import type { Server } from "./server";
import type { Settings } from "./settings";
import { Simulation } from "./simulation";
import type { SourceMark } from "./source";

export interface Surroundings {
  extension: vscode.Uri;
  output: vscode.OutputChannel;
  mark: SourceMark;
  server: () => Server;
  settings: (of?: vscode.Uri) => Settings;
}

export class Actions {
  constructor(private readonly around: Surroundings) {}

  /** Checks one property, or all. */
  async check(model: vscode.TextDocument, property?: string): Promise<void> {
    if (!(await this.ready(model))) return;
    const chosen = property ? ["--property", property] : [];
    const outcome = await this.program(model, "check", ["check", model.uri.fsPath, "--color", "never", ...chosen]);
    if (!outcome) return;
    this.around.output.append(outcome.stdout + outcome.stderr);
    const what = property ?? "All properties";
    if (outcome.ended) return void vscode.window.showWarningMessage(`${what}: ended (${outcome.ended}).`);
    const said = ["as wanted", "not as wanted", "the input is bad", "undecided"][outcome.status ?? 2] ?? "failed";
    const tell = outcome.status === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
    const answer = await tell(`${what}: ${said}.`, "Show the Output", ...(property ? ["Explain"] : []));
    if (answer === "Show the Output") this.around.output.show(true);
    if (answer === "Explain" && property) await this.explain(model, property);
  }

  /** Shows the chart of a verdict. */
  async explain(model: vscode.TextDocument, property: string): Promise<void> {
    if (!(await this.ready(model))) return;
    const why = (await this.explainedByServer(model, property)) ?? (await this.explainedByProgram(model, property));
    if (why) showChart(this.around.extension, this.around.mark, model, property, why);
  }

  /** Simulates a model; with a property, along what shows its verdict where there is such a run. */
  async simulate(model: vscode.TextDocument, property?: string): Promise<void> {
    if (!(await this.ready(model))) return;
    const { path, checkArguments } = this.around.settings(model.uri);
    const trace = property ? await this.recorded(model, property) : undefined;
    const follow = trace && property ? ["--trace", trace, "--property", property] : [];
    const args = ["sim", model.uri.fsPath, "--color", "never", ...checkArguments, ...follow];
    const simulation = new Simulation(path, args, dirname(model.uri.fsPath));
    const first = simulation.ask("");
    // The program has read the file by the time of its first answer.
    if (trace) void first.catch(() => undefined).then(() => rm(dirname(trace), { recursive: true, force: true }));
    void first.catch((error: Error) => vscode.window.showErrorMessage(error.message));
    showSimulator(this.around.extension, this.around.mark, model, simulation, trace !== undefined);
  }

  /** Asks which property is meant. */
  async pick(model: vscode.TextDocument): Promise<string | undefined> {
    const names = properties(model.languageId, model.getText()).map((place) => place.name);
    if (names.length > 0) return vscode.window.showQuickPick(names, { placeHolder: "Which property?" });
    return vscode.window.showInputBox({ prompt: "The name of the property" });
  }

  private async explainedByServer(model: vscode.TextDocument, property: string): Promise<Explanation | undefined> {
    try {
      return readExplanation(await this.around.server().execute("servanda.explain", [model.uri.toString(), property]));
    } catch (error) {
      this.around.output.appendLine(`servanda.explain: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  private async explainedByProgram(model: vscode.TextDocument, property: string): Promise<Explanation | undefined> {
    const args = ["explain", model.uri.fsPath, "--property", property, "--format", "html", "--color", "never"];
    const outcome = await this.program(model, `explain ${property}`, args);
    if (!outcome) return undefined;
    if (outcome.status === 0) return { html: outcome.stdout, steps: [] };
    this.around.output.append(outcome.stderr);
    const why = outcome.ended ?? (outcome.stderr.trim().split("\n")[0] || "no explanation was found");
    void vscode.window.showErrorMessage(`${property}: ${why}`);
    return undefined;
  }

  /** A file with the run that shows a verdict, in a directory of its own. */
  private async recorded(model: vscode.TextDocument, property: string): Promise<string | undefined> {
    const args = ["check", model.uri.fsPath, "--property", property, "--trace", "--format", "json"];
    const outcome = await this.program(model, `trace of ${property}`, args);
    if (!outcome || !hasTrace(outcome.stdout, property)) return undefined;
    const file = join(await mkdtemp(join(tmpdir(), "servanda-")), "trace.json");
    await writeFile(file, outcome.stdout, { mode: 0o600 });
    return file;
  }

  /** The program reads files, so what is on the screen must be on the disk. */
  private async ready(model: vscode.TextDocument): Promise<boolean> {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage("Servanda runs no program in a folder that is not trusted.");
      return false;
    }
    if (model.uri.scheme !== "file" || (model.isDirty && !(await model.save()))) {
      void vscode.window.showWarningMessage("Save the model first.");
      return false;
    }
    return true;
  }

  private async program(model: vscode.TextDocument, title: string, args: string[]): Promise<Outcome | undefined> {
    const { path, checkArguments, timeoutSeconds } = this.around.settings(model.uri);
    const options = { location: vscode.ProgressLocation.Notification, title: `Servanda: ${title}`, cancellable: true };
    return vscode.window.withProgress(options, async (_, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      try {
        const limits = { timeoutMs: timeoutSeconds * 1000, signal: stop.signal, cwd: dirname(model.uri.fsPath) };
        return await run(path, [...args, ...checkArguments], limits);
      } catch (error) {
        void vscode.window.showErrorMessage(whyNotStarted(path, error));
        return undefined;
      }
    });
  }
}

/** Do the results of a check have a run for this property? */
export function hasTrace(json: string, property: string): boolean {
  try {
    const found = (JSON.parse(json) as { properties?: { name?: string; trace?: unknown }[] }).properties;
    return found?.some((each) => each.name === property && each.trace !== undefined) ?? false;
  } catch {
    return false;
  }
}
