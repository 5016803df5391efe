// The language server: started, watched, started again, and asked.
import * as vscode from "vscode";
import { LanguageClient, State, type LanguageClientOptions } from "vscode-languageclient/node";
import type { Settings } from "./settings";

export const LANGUAGES = ["pact", "ispl", "ccs", "servanda-acts"];

/** Mappings are no models: there is nothing to check in them, but much to read. */
const READ = [...LANGUAGES, "audit-mapping"];

/** What the server's own commands do in the editor. */
export type Handler = (command: string, args: unknown[]) => Thenable<unknown> | undefined;

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly status: vscode.StatusBarItem;

  constructor(
    private readonly output: vscode.OutputChannel,
    private readonly handle: Handler,
    /** Where the pages about findings are. */
    private readonly pages: vscode.Uri,
  ) {
    this.status = vscode.window.createStatusBarItem("servanda.status", vscode.StatusBarAlignment.Left);
    this.status.name = "Servanda";
    this.status.command = "servanda.restart";
  }

  get running(): boolean {
    return this.client?.state === State.Running;
  }

  /** Does it offer code lenses itself? */
  get hasLenses(): boolean {
    return this.running && this.client?.initializeResult?.capabilities.codeLensProvider !== undefined;
  }

  /** Does it know a command? */
  offers(command: string): boolean {
    const known = this.client?.initializeResult?.capabilities.executeCommandProvider?.commands;
    return this.running && (known?.includes(command) ?? false);
  }

  async start(settings: Settings): Promise<void> {
    await this.stop();
    if (!settings.languageServer) return this.show("$(circle-slash) Servanda", "The language server is turned off.");
    this.show("$(sync~spin) Servanda", "The language server is starting.");
    const options: LanguageClientOptions = {
      documentSelector: READ.map((language) => ({ scheme: "file", language })),
      outputChannel: this.output,
      initializationOptions: { errorPages: this.pages.toString(), timeoutSeconds: settings.timeoutSeconds },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{pact,ispl,ccs,acts,audit.toml}") },
      middleware: {
        executeCommand: async (command, args, next) => (await this.handle(command, args)) ?? next(command, args),
      },
    };
    const program = { command: settings.path, args: settings.serverArguments };
    const client = new LanguageClient("servanda", "Servanda", program, options);
    client.onDidChangeState((change) => {
      if (change.newState === State.Running) this.show("$(check) Servanda", "The language server is running. Click to restart it.");
      if (change.newState === State.Stopped) this.show("$(warning) Servanda", "The language server is not running. Click to start it.");
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.output.appendLine(`The language server could not be started: ${why}`);
      this.show("$(warning) Servanda", `The language server could not be started: ${why}`);
    }
  }

  /** Asks the server to execute a command of its own; `undefined` if it does not run or does not know it. */
  async execute(command: string, args: unknown[]): Promise<unknown> {
    if (!this.offers(command)) return undefined;
    return this.client?.sendRequest("workspace/executeCommand", { command, arguments: args });
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop().catch(() => undefined);
    await client?.dispose().catch(() => undefined);
  }

  dispose(): void {
    void this.stop();
    this.status.dispose();
  }

  private show(text: string, tooltip: string): void {
    this.status.text = text;
    this.status.tooltip = tooltip;
    this.status.show();
  }
}
