// As much of the editor as the extension touches, with a record of what was done to it.
import { readFileSync } from "node:fs";

type Listener<T> = (value: T) => unknown;
const disposable = { dispose: (): void => undefined };

export const record = {
  commands: new Map<string, (...args: any[]) => unknown>(),
  panels: [] as Panel[],
  shown: [] as { uri: string; line: number }[],
  messages: [] as string[],
  lenses: [] as any[],
  output: "",
  configuration: new Map<string, unknown>(),
  trusted: true,
};

export class Uri {
  constructor(readonly scheme: string, readonly path: string) {}
  static file = (path: string): Uri => new Uri("file", path);
  static parse = (text: string): Uri => new Uri(text.slice(0, text.indexOf(":")), text.replace(/^[a-z]+:\/\//, ""));
  static joinPath = (base: Uri, ...parts: string[]): Uri => new Uri(base.scheme, [base.path, ...parts].join("/"));
  get fsPath(): string { return this.path; }
  toString(): string { return `${this.scheme}://${this.path}`; }
}
export class Range {
  constructor(readonly line: number) {}
}
export class CodeLens {
  constructor(readonly range: Range, readonly command: unknown) {}
}
export class ThemeColor {}
export enum ViewColumn { Beside = -2, One = 1 }
export enum StatusBarAlignment { Left = 1 }
export enum OverviewRulerLane { Center = 2 }
export enum TextEditorRevealType { InCenterIfOutsideViewport = 2 }
export enum ProgressLocation { Notification = 15 }

export class Panel {
  sent: any[] = [];
  hear: Listener<any> = () => undefined;
  closed: Listener<void> = () => undefined;
  webview = {
    html: "",
    asWebviewUri: (uri: Uri): Uri => new Uri("webview", uri.path),
    postMessage: async (message: unknown): Promise<boolean> => this.sent.push(message) > 0,
    onDidReceiveMessage: (listener: Listener<any>): unknown => ((this.hear = listener), disposable),
  };
  constructor(readonly title: string, readonly options: any) {}
  onDidDispose = (listener: Listener<void>): unknown => ((this.closed = listener), disposable);
}

export const document = (path: string): any => ({
  uri: Uri.file(path),
  languageId: path.slice(path.lastIndexOf(".") + 1),
  isDirty: false,
  getText: () => readFileSync(path, "utf8"),
});
const tell = async (text: string): Promise<undefined> => void record.messages.push(text);

export const window = {
  activeTextEditor: undefined as any,
  visibleTextEditors: [] as any[],
  createOutputChannel: () => ({ ...disposable, append: (text: string) => (record.output += text), appendLine: (text: string) => (record.output += `${text}\n`), show: () => undefined }),
  createStatusBarItem: () => ({ ...disposable, show: () => undefined }),
  createTextEditorDecorationType: () => disposable,
  createWebviewPanel: (_: string, title: string, __: unknown, options: unknown): Panel => {
    record.panels.push(new Panel(title, options));
    return record.panels[record.panels.length - 1];
  },
  showTextDocument: async (model: any) => ({
    revealRange: (range: Range) => record.shown.push({ uri: model.uri.toString(), line: range.line }),
    setDecorations: () => undefined,
  }),
  showInformationMessage: tell,
  showWarningMessage: tell,
  showErrorMessage: tell,
  showQuickPick: async (names: string[]) => names[0],
  showInputBox: async () => undefined,
  withProgress: async (_: unknown, task: (progress: unknown, token: unknown) => Promise<unknown>) =>
    task({}, { onCancellationRequested: () => disposable }),
};
export const workspace = {
  get isTrusted(): boolean { return record.trusted; },
  workspaceFolders: undefined,
  getConfiguration: () => ({ get: (name: string) => record.configuration.get(name) }),
  openTextDocument: async (uri: Uri) => document(uri.path),
  createFileSystemWatcher: () => disposable,
  onDidChangeConfiguration: () => disposable,
  onDidGrantWorkspaceTrust: () => disposable,
};
export const commands = {
  registerCommand: (name: string, act: (...args: any[]) => unknown) => (record.commands.set(name, act), disposable),
};
export const languages = {
  registerCodeLensProvider: (_: unknown, provider: unknown) => (record.lenses.push(provider), disposable),
};
