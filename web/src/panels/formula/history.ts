// Formulas that were asked before, kept in the browser.
import { signal } from "@preact/signals";

const NAME = "servanda.formulas";
const MOST = 50;

export class History {
  readonly formulas = signal<string[]>([]);

  constructor(private readonly storage: Pick<Storage, "getItem" | "setItem">) {
    try {
      const kept: unknown = JSON.parse(storage.getItem(NAME) ?? "[]");
      if (Array.isArray(kept)) this.formulas.value = kept.filter((each): each is string => typeof each === "string").slice(0, MOST);
    } catch {
      // Written by something else: begin anew.
    }
  }

  /** The latest first, each once. */
  add(formula: string): void {
    const text = formula.trim();
    if (text === "") return;
    this.keep([text, ...this.formulas.value.filter((each) => each !== text)].slice(0, MOST));
  }

  remove(formula: string): void {
    this.keep(this.formulas.value.filter((each) => each !== formula));
  }

  private keep(formulas: string[]): void {
    this.formulas.value = formulas;
    try {
      this.storage.setItem(NAME, JSON.stringify(formulas));
    } catch {
      // No room: it lasts as long as the page.
    }
  }
}
