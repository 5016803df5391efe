// What a reload must not lose: open texts, what is in front, and settings. Kept in the browser, apart for each directory that is served.
//
// Each text has an entry of its own, so that two windows on one directory do not write over each other's drafts. Which texts are open is
// kept for the window, and for windows to come; a text with changes is opened again even where no list has it.
import { effect } from "@preact/signals";
import type { FileEntry, Limits } from "./protocol";
import type { Document, Origin, Store } from "./store";

interface KeptDocument {
  key: string; path: string; origin: Origin; language: FileEntry["language"];
  text: string; saved: string; version: string | null; beside: Record<string, string>; parameters: Record<string, number>; process: string;
}
interface Session { open: string[]; active: string | null; panel: string; limits: Limits; checksOnSave: boolean }

const PAUSE = 300;

export class Drafts {
  private readonly written = new Map<string, string>();

  constructor(private readonly lasting: Storage, private readonly ofWindow: Storage, directory: string) {
    this.prefix = `servanda:${directory}:`;
  }
  private readonly prefix: string;

  /** Puts back what was kept, and keeps what comes. */
  restore(store: Store): void {
    const session = read<Session>(this.ofWindow, `${this.prefix}session`) ?? read<Session>(this.lasting, `${this.prefix}session`);
    for (const key of new Set([...(session?.open ?? []), ...this.changed()])) {
      const kept = read<KeptDocument>(this.lasting, `${this.prefix}text:${key}`);
      if (!kept || typeof kept.text !== "string") continue;
      const document = store.add(kept);
      document.parameters.value = kept.parameters ?? {};
      document.process.value = kept.process ?? "";
    }
    if (session) {
      store.activeKey.value = session.active ?? store.activeKey.value;
      store.panel.value = session.panel ?? "properties";
      store.limits.value = session.limits ?? {};
      store.checksOnSave.value = session.checksOnSave ?? true;
    }
    this.keep(store);
  }

  /** The keys of texts that were kept with changes. */
  private changed(): string[] {
    const found = [];
    for (let at = 0; at < this.lasting.length; at++) {
      const name = this.lasting.key(at);
      if (!name?.startsWith(`${this.prefix}text:`)) continue;
      const kept = read<KeptDocument>(this.lasting, name);
      if (kept && kept.text !== kept.saved) found.push(kept.key);
    }
    return found.sort();
  }

  private keep(store: Store): void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      clearTimeout(timer);
      timer = undefined;
      this.write(store);
    };
    effect(() => {
      session(store);
      store.documents.value.forEach(kept);
      timer ??= setTimeout(write, PAUSE);
    });
    globalThis.addEventListener?.("pagehide", write);
    globalThis.addEventListener?.("beforeunload", write);
  }

  private write(store: Store): void {
    const texts = new Map(store.documents.peek().map((each) => [`${this.prefix}text:${each.key}`, JSON.stringify(kept(each))]));
    const open = JSON.stringify(session(store));
    try {
      for (const [name, text] of texts) {
        if (this.written.get(name) !== text) this.lasting.setItem(name, text);
        this.written.set(name, text);
      }
      this.ofWindow.setItem(`${this.prefix}session`, open);
      this.lasting.setItem(`${this.prefix}session`, open);
      store.losesDrafts.value = false;
    } catch {
      if (!store.losesDrafts.value) store.complain("The browser has no room to keep drafts: save before you reload.");
      store.losesDrafts.value = true;
    }
    // What this window closed is closed; what another window has open is not touched.
    for (const name of [...this.written.keys()]) {
      if (texts.has(name)) continue;
      this.lasting.removeItem(name);
      this.written.delete(name);
    }
  }
}

function read<T>(storage: Storage, name: string): T | null {
  try {
    return JSON.parse(storage.getItem(name) ?? "null") as T | null;
  } catch {
    return null; // Written by something else: nothing of ours is lost.
  }
}

function session(store: Store): Session {
  return {
    open: store.documents.value.map((each) => each.key),
    active: store.activeKey.value,
    panel: store.panel.value,
    limits: store.limits.value,
    checksOnSave: store.checksOnSave.value,
  };
}

function kept(document: Document): KeptDocument {
  const { key, path, origin, language, version, beside } = document;
  return { key, path, origin, language, text: document.text.value, saved: document.saved.value, version, beside, parameters: document.parameters.value, process: document.process.value };
}
