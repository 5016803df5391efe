// What the workbench knows: one object of signals, and what can be done with them.
import { batch, computed, effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import { Api, ApiError, Conflict } from "./api";
import { Drafts } from "./drafts";
import { Checks } from "./checks";
import { Jobs, type Job } from "./jobs";
import type { Asked, Event, Evidence, FileEntry, FileText, Finding, GalleryEntry, Info, Language, LibraryEntry, Limits, Place, Subject, Verdict } from "./protocol";

export type Theme = "auto" | "light" | "dark";
/** The part that is seen where there is room for one only. */
export type View = "side" | "source" | "panels";
export type Origin = "file" | "example" | "link";

/** A text that is open in the page. */
export interface Document {
  /** Names it in the page; no two are the same. */
  readonly key: string;
  readonly path: string;
  readonly origin: Origin;
  readonly language: FileEntry["language"];
  readonly text: Signal<string>;
  /** As it was last read or written; what differs from it is unsaved. */
  readonly saved: Signal<string>;
  /** Of the file that was read; null where there is no file yet. */
  version: string | null;
  /** What came with an example. */
  readonly beside: Record<string, string>;
  readonly parameters: Signal<Record<string, number>>;
  /** CCS: the process that is meant; empty where the text says it. */
  readonly process: Signal<string>;
  readonly isChanged: ReadonlySignal<boolean>;
}

/** Where the cursor is. Lines and columns are from 1. */
export interface Cursor { key: string; line: number; column: number }

/** The evidence that the chart shows. */
export interface Shown { evidence: Evidence; verdict: Verdict; subject: Subject; key: string; property?: string; formula?: string }

/** Something a panel is asked to do when it is opened from elsewhere: `{ panel: "simulator", replay: { property } }`. */
export interface Intent { panel: string; [more: string]: unknown }

/** Something that the language service finds wrong, and what it proposes. */
export interface Problem { severity: Finding["severity"]; message: string; code: string; line: number; column: number; fixes: { name: string; apply: () => void }[] }

/** Something that a text declares: `kind` is "property", "scenario", "parameter", "role" and so on. */
export interface OutlineItem { name: string; kind: string; line: number; endLine: number }

/** What the last checks of a text have said. It stays shown while the text is edited, as what it is: about another text. */
export interface Results {
  text: string;
  asked: Asked[];
  verdicts: ReadonlyMap<string, Verdict>;
  findings: Finding[];
  model: Extract<Event, { event: "model" }> | null;
}

const NOTICE = 8000;
const LOST = "The connection to the server was lost. What you write is kept here; is `servanda serve` still running?";

const LANGUAGES: Record<string, Language> = { pact: "pact", ispl: "ispl", ccs: "ccs" };

/** The language of a file by its name. */
export function languageOf(path: string): FileEntry["language"] {
  if (path.endsWith(".audit.toml")) return "mapping";
  return LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? "other";
}

/** Is there a language service for it? What it calls the language is returned. */
export function serviceLanguage(language: FileEntry["language"]): string | null {
  return language === "mapping" ? "audit-mapping" : isModel(language) ? language : null;
}

export const isModel = (language: FileEntry["language"]): language is Language => language in LANGUAGES;

export class Store {
  readonly jobs: Jobs;
  readonly checks = new Checks(this);
  readonly info = signal<Info | null>(null);
  readonly files = signal<FileEntry[]>([]);
  readonly gallery = signal<GalleryEntry[]>([]);
  readonly library = signal<LibraryEntry[]>([]);
  readonly isConnected = signal(false);
  /** The server has answered, and what was open before a reload is open again. */
  readonly isLoaded = signal(false);
  /** The token is wrong or missing: nothing works until it is given. */
  readonly isLockedOut = signal(false);

  readonly documents = signal<Document[]>([]);
  readonly activeKey = signal<string | null>(null);
  readonly active = computed(() => this.documents.value.find((each) => each.key === this.activeKey.value) ?? null);
  readonly cursor = signal<Cursor | null>(null);
  /** Places that are marked in the editor, as those of the step that is shown. */
  readonly marked = signal<Place[]>([]);
  /** The editor goes here; a new object each time. */
  readonly wanted = signal<{ key: string; place: Place; takesFocus: boolean } | null>(null);

  /** What the language service finds wrong, by the name it has for a text. */
  readonly problems = signal<ReadonlyMap<string, Problem[]>>(new Map());
  /** What the language service reads in a text, by the same name. */
  readonly outlines = signal<ReadonlyMap<string, OutlineItem[]>>(new Map());
  /** What checks have said, by the key of the document. */
  readonly results = signal<ReadonlyMap<string, Results>>(new Map());
  /** Are they listed below the source? */
  readonly listsProblems = signal(false);
  /** A text that is to be saved and has no file yet. */
  readonly wantsName = signal<Document | null>(null);
  /** The browser has no room for drafts. */
  readonly losesDrafts = signal(false);

  readonly view = signal<View>("side");
  readonly panel = signal("properties");
  readonly intent = signal<Intent | null>(null);
  readonly shown = signal<Shown | null>(null);
  /** Where the chart was asked for: its panel, and what had the focus. */
  chartFrom: { panel: string; focus: Element | null } | null = null;
  /** Are the keys listed? */
  readonly listsKeys = signal(false);
  /** The job that looks for evidence. */
  readonly explaining = signal<Job | null>(null);
  readonly limits = signal<Limits>({});
  readonly checksOnSave = signal(true);
  readonly theme = signal<Theme>("auto");
  /** Read aloud by screen readers. */
  readonly announcement = signal("");
  /** Shown at the foot of the page until the next one or until it is closed. */
  readonly notice = signal<{ text: string; isError: boolean } | null>(null);
  /** A file was changed on both sides: the user decides. */
  readonly conflict = signal<{ document: Document; theirs: FileText } | null>(null);
  /** Told when a document was saved. */
  readonly savedNow = signal<Document | null>(null);

  /** The model that is open as jobs want it. */
  readonly subject = computed<Subject | null>(() => {
    const document = this.active.value;
    if (!document || !isModel(document.language)) return null;
    const process = document.process.value;
    // A file uses files as they stand in the page; what came from elsewhere uses what came with it.
    const open: Record<string, string> = { ...document.beside };
    for (const other of document.origin === "file" ? this.documents.value : []) {
      if (other !== document && isModel(other.language) && other.origin === "file") open[other.path] = other.text.value;
    }
    const { language, path } = document;
    const parameters = document.parameters.value;
    return { language, path, text: document.text.value, open, ...(Object.keys(parameters).length > 0 ? { parameters } : {}), ...(process ? { process } : {}) };
  });

  private drafts: Drafts | null = null;

  constructor(readonly api: Api) {
    this.jobs = new Jobs(() => api.socketAddress("/api/jobs"), (isConnected) => this.connected(isConnected));
    effect(() => this.checkWanted());
  }

  private connected(isConnected: boolean): void {
    const wasConnected = this.isConnected.value;
    this.isConnected.value = isConnected;
    if (isConnected) {
      if (this.notice.value?.text === LOST) this.notice.value = null;
      return;
    }
    if (wasConnected) this.complain(LOST);
    // A server that was started anew has another token; sockets do not tell why they are refused.
    this.api.info().catch((error) => {
      if (error instanceof ApiError && error.status === 401) this.isLockedOut.value = true;
    });
  }

  /** Checks what was saved, and what the keyboard asks for. */
  private checkWanted(): void {
    const [saved, intent] = [this.savedNow.value, this.intent.value];
    const asks = intent?.panel === "properties" && intent.check === "all";
    if (!saved && !asks) return;
    untracked(() => {
      this.savedNow.value = null;
      if (asks) this.intent.value = null;
      const [subject, active] = [this.subject.value, this.active.value];
      if (subject && active && (asks || (saved === active && this.checksOnSave.value))) void this.checks.start(subject, active.key);
    });
  }

  /** Fetches what the server has. */
  async load(): Promise<void> {
    const { api } = this;
    await this.trying(async () => {
      const [info, files, gallery, library] = await Promise.all([api.info(), api.files(), api.gallery(), api.library()]);
      batch(() => {
        this.info.value = info;
        this.files.value = files;
        this.gallery.value = gallery;
        this.library.value = library;
        this.isLockedOut.value = false;
        if (!this.drafts) {
          this.drafts = new Drafts(localStorage, sessionStorage, info.directory);
          this.drafts.restore(this);
        }
      });
      this.isLoaded.value = true;
      await Promise.all(this.documents.value.map((each) => this.reread(each)));
    });
  }

  /** Reads a file again that was not changed here; one that is gone stays as a draft. */
  private async reread(document: Document): Promise<void> {
    if (document.origin !== "file" || document.isChanged.value) return;
    try {
      const { text, version } = await this.api.file(document.path);
      if (document.isChanged.value || version === document.version) return;
      batch(() => {
        document.version = version;
        document.text.value = document.saved.value = text;
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      document.version = null;
      document.saved.value = "";
    }
  }

  async refreshFiles(): Promise<void> {
    await this.trying(async () => { this.files.value = await this.api.files(); });
  }

  /** Does something with the server; a failure becomes a notice. */
  async trying<T>(doing: () => Promise<T>): Promise<T | undefined> {
    try {
      return await doing();
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.isLockedOut.value = true;
      else this.complain(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  announce(text: string): void {
    // The same words twice must be heard twice.
    this.announcement.value = this.announcement.value === text ? `${text}\u00a0` : text;
  }

  tell(text: string): void {
    const notice = { text, isError: false };
    this.notice.value = notice;
    this.announce(text);
    // What is good news need not be closed.
    setTimeout(() => { if (this.notice.value === notice) this.notice.value = null; }, NOTICE);
  }

  complain(text: string): void {
    this.notice.value = { text, isError: true };
    this.announce(text);
  }

  /** Puts a text into the page, in front. One of the same key is only shown. */
  add(given: { key: string; path: string; origin: Origin; language: FileEntry["language"]; text: string; saved?: string; version?: string | null; beside?: Record<string, string> }): Document {
    let document = this.documents.value.find((each) => each.key === given.key);
    if (!document) {
      const text = signal(given.text);
      const saved = signal(given.saved ?? given.text);
      document = {
        key: given.key, path: given.path, origin: given.origin, language: given.language, text, saved,
        version: given.version ?? null, beside: given.beside ?? {}, parameters: signal({}), process: signal(""),
        isChanged: computed(() => text.value !== saved.value),
      };
      this.documents.value = [...this.documents.value, document];
    }
    this.activeKey.value = document.key;
    return document;
  }

  async openFile(path: string): Promise<Document | undefined> {
    const key = `file:${path}`;
    if (this.documents.value.some((each) => each.key === key)) {
      this.activeKey.value = key;
      return this.active.value ?? undefined;
    }
    return this.trying(async () => {
      const { text, version, language } = await this.api.file(path);
      return this.add({ key, path, origin: "file", language, text, version });
    });
  }

  async openExample(name: string): Promise<Document | undefined> {
    const key = `example:${name}`;
    if (this.documents.value.some((each) => each.key === key)) {
      this.activeKey.value = key;
      return this.active.value ?? undefined;
    }
    return this.trying(async () => {
      const { text, language, beside } = await this.api.example(name);
      return this.add({ key, path: name, origin: "example", language, text, beside });
    });
  }

  close(document: Document): void {
    const documents = this.documents.value;
    const at = documents.indexOf(document);
    const rest = documents.filter((each) => each !== document);
    batch(() => {
      this.documents.value = rest;
      if (this.activeKey.value === document.key) this.activeKey.value = (rest[at] ?? rest[at - 1])?.key ?? null;
    });
  }

  /** Writes a document into its file. False where it was not. */
  async save(document: Document, over?: string): Promise<boolean> {
    if (document.origin !== "file") return false;
    const text = document.text.value;
    try {
      document.version = await this.api.save(document.path, text, over ?? document.version ?? "new");
      batch(() => {
        document.saved.value = text;
        this.savedNow.value = document;
      });
      this.announce(`${document.path} is saved`);
      return true;
    } catch (error) {
      if (error instanceof Conflict) this.conflict.value = { document, theirs: error.theirs };
      else await this.trying(() => Promise.reject(error));
      return false;
    }
  }

  /** Saves what is in front; a text without a file gets a name first. */
  async saveActive(): Promise<void> {
    const document = this.active.value;
    if (!document) return;
    if (document.origin === "file") await this.save(document);
    else this.wantsName.value = document;
  }

  /** Makes a new file of a text, and opens it. What hinders that is told to who asked. */
  async saveAs(path: string, text: string, instead?: Document): Promise<string | null> {
    try {
      const version = await this.api.save(path, text, "new");
      batch(() => {
        if (instead) this.close(instead);
        this.add({ key: `file:${path}`, path, origin: "file", language: languageOf(path), text, version });
      });
      this.savedNow.value = this.active.value;
      await this.refreshFiles();
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) this.isLockedOut.value = true;
      return error instanceof Conflict ? `There is a file ${path} already.` : error instanceof Error ? error.message : String(error);
    }
  }

  /** The document a place is in; the active one where no path is given. */
  documentOf(path: string): Document | undefined {
    const active = this.active.value;
    if (active && (path === "" || path === active.path)) return active;
    return this.documents.value.find((each) => each.path === path) ?? undefined;
  }

  /** Shows a place in the editor, opening its file where needed. */
  async reveal(place: Place, takesFocus = false): Promise<void> {
    const document = this.documentOf(place.path) ?? this.openBeside(place.path) ?? (await this.openFile(place.path));
    if (!document) return;
    batch(() => {
      this.activeKey.value = document.key;
      if (takesFocus) this.view.value = "source";
      this.wanted.value = { key: document.key, place, takesFocus };
    });
  }

  private openBeside(path: string): Document | undefined {
    const text = this.active.value?.beside[path];
    if (text === undefined) return undefined;
    return this.add({ key: `example:${path}`, path, origin: "example", language: languageOf(path), text, beside: this.active.value?.beside ?? {} });
  }

  /** Marks places in the editor; an empty list unmarks all. */
  mark(places: Place[]): void {
    this.marked.value = places;
  }

  /** Opens a panel, and tells it what for. */
  openPanel(panel: string, more: Record<string, unknown> = {}): void {
    batch(() => {
      this.view.value = "panels";
      this.panel.value = panel;
      this.intent.value = { panel, ...more };
    });
  }

  /** Closes the chart: where it was asked for the focus goes back to. */
  closeChart(): void {
    const { panel, focus } = this.chartFrom ?? { panel: "properties", focus: null };
    this.explaining.value?.stop();
    batch(() => {
      this.shown.value = null;
      if (this.panel.value === "chart") this.panel.value = panel;
    });
    // What was hidden until now can have the focus once it is drawn.
    requestAnimationFrame(() => {
      if (focus instanceof HTMLElement && focus.isConnected && focus !== document.body) focus.focus();
      const isThere = document.activeElement !== null && document.activeElement !== document.body;
      if (!isThere) document.getElementById(`tab-${panel}`)?.focus();
    });
  }

  /** What a panel was asked to do, once. */
  takeIntent(panel: string): Intent | null {
    const intent = this.intent.value;
    if (intent?.panel !== panel) return null;
    this.intent.value = null;
    return intent;
  }
}
