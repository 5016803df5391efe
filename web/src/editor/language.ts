// The language service: one connection for all editors, opened again when it was lost.
import { LSPClient, LSPPlugin, Workspace, hoverTooltips, serverCompletion, signatureHelp, type Transport, type WorkspaceFile } from "@codemirror/lsp-client";
import { ChangeSet, Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { Socket } from "../api";
import { languageOf, serviceLanguage, type Document, type Store } from "../store";
import { diagnostics } from "./diagnostics";
import { sanitize } from "./sanitize";
import { semanticTokens } from "./tokens";

/** The name of a text in the protocol. What is no file of the directory has a folder of its own, so that it hides none. */
export function uriOf(document: Pick<Document, "origin" | "path">): string {
  const path = document.path.split("/").map(encodeURIComponent).join("/");
  return document.origin === "file" ? `file:///${path}` : `file:///@${document.origin}/${path}`;
}

export class LanguageService {
  readonly client: LSPClient;
  readonly workspace: Texts;

  constructor(private readonly store: Store, display: (uri: string) => Promise<EditorView | null>) {
    let workspace!: Texts;
    this.client = new LSPClient({
      rootUri: "file:///",
      timeout: 15_000,
      sanitizeHTML: sanitize,
      workspace: (client) => (workspace = new Texts(client, display)),
      initializationOptions: { errorPages: `${location.origin}/errors` },
      extensions: [serverCompletion(), hoverTooltips(), signatureHelp(), diagnostics(store), semanticTokens],
    });
    this.workspace = workspace;
    this.connect();
  }

  private connect(): void {
    let handler: ((message: string) => void) | null = null;
    const transport: Transport = {
      // What is lost is told again after the next connection: all open texts are sent then.
      send: (message) => void socket.send(message),
      subscribe: (given) => void (handler = given),
      unsubscribe: () => void (handler = null),
    };
    const socket = new Socket(() => this.store.api.socketAddress("/api/language"), {
      opened: () => {
        this.client.connect(transport);
        this.client.initializing.catch(() => {});
      },
      closed: () => this.client.disconnect(),
      message: (text) => handler?.(text),
    });
  }
}

class OpenText implements WorkspaceFile {
  version = 0;
  constructor(readonly uri: string, readonly languageId: string, public doc: Text, public view: EditorView | null) {}
  getView(): EditorView | null {
    return this.view;
  }
}

/** The texts the service is told of: those in editors, and what came with examples. */
export class Texts extends Workspace {
  files: OpenText[] = [];

  constructor(client: LSPClient, private readonly display: (uri: string) => Promise<EditorView | null>) {
    super(client);
  }

  syncFiles() {
    const found = [];
    for (const file of this.files) {
      const plugin = file.view && LSPPlugin.get(file.view);
      if (!file.view || !plugin || plugin.unsyncedChanges.empty) continue;
      found.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version++;
      plugin.clear();
    }
    return found;
  }

  openFile(uri: string, languageId: string, view: EditorView): void {
    const known = this.files.find((file) => file.uri === uri);
    if (known) {
      // It was told of as something that an example uses; now somebody looks at it.
      const changes = ChangeSet.of({ from: 0, to: known.doc.length, insert: view.state.doc }, known.doc.length);
      known.view = view;
      known.doc = view.state.doc;
      known.version++;
      const textDocument = { uri, version: known.version };
      if (!changes.empty) this.client.notification("textDocument/didChange", { textDocument, contentChanges: [{ text: view.state.doc.toString() }] });
      return;
    }
    this.tell(new OpenText(uri, languageId, view.state.doc, view));
  }

  closeFile(uri: string): void {
    const file = this.files.find((each) => each.uri === uri);
    if (!file) return;
    this.files = this.files.filter((each) => each !== file);
    this.client.didClose(uri);
  }

  /** Tells of texts that came with an example, so that what uses them is understood. */
  openBeside(document: Document): void {
    for (const [path, text] of Object.entries(document.beside)) {
      const uri = uriOf({ origin: document.origin, path });
      if (!this.files.some((file) => file.uri === uri)) this.tell(new OpenText(uri, serviceLanguage(languageOf(path)) ?? "plaintext", Text.of(text.split("\n")), null));
    }
  }

  private tell(file: OpenText): void {
    this.files.push(file);
    if (this.client.connected) this.client.didOpen(file);
  }

  override displayFile(uri: string): Promise<EditorView | null> {
    return this.display(uri);
  }
}
