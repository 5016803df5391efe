// One formula that is being typed: asked about after a pause, the answer to the last one is what counts.
import { batch, signal } from "@preact/signals";
import type { Finding, FormulaView, Subject } from "../../protocol";
import { Current, type World } from "../current";

const PAUSE = 350;

export class Inquiry {
  readonly text = signal("");
  /** What is known of `asked`, which may be older than `text`. */
  readonly view = signal<FormulaView | null>(null);
  readonly asked = signal("");
  readonly isBusy = signal(false);
  readonly message = signal("");
  readonly findings = signal<Finding[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly current: Current;

  constructor(private readonly world: World, private readonly pause = PAUSE) {
    this.current = new Current(world);
  }

  /** The formula as it is typed. */
  type(text: string, subject: Subject): void {
    this.text.value = text;
    clearTimeout(this.timer);
    if (text.trim() === "") return this.clear();
    this.timer = setTimeout(() => this.ask(subject), this.pause);
  }

  /** Asks now. */
  ask(subject: Subject): void {
    clearTimeout(this.timer);
    this.current.forget();
    const text = this.text.value;
    if (text.trim() === "") return this.clear();
    batch(() => {
      this.isBusy.value = true;
      this.message.value = "";
    });
    this.current.start({ kind: "formula", subject, formula: text }, (event) => {
      if (event.event === "formula") {
        this.view.value = event.formula;
        this.asked.value = text;
        this.findings.value = event.formula.findings;
      } else if (event.event === "refused") {
        this.message.value = event.message;
        this.findings.value = event.findings ?? [];
        this.view.value = null;
      } else if (event.event === "findings") this.message.value = modelMistakes(event.findings);
    }, (said) => {
      this.isBusy.value = false;
      if (said) this.message.value = said;
      const verdict = this.view.value?.verdict;
      if (verdict) this.world.announce(`The formula is ${verdict.verdict}`);
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.current.end();
  }

  private clear(): void {
    this.current.forget();
    batch(() => {
      this.view.value = null;
      this.asked.value = "";
      this.findings.value = [];
      this.message.value = "";
      this.isBusy.value = false;
    });
  }
}

function modelMistakes(findings: Finding[]): string {
  const errors = findings.filter((finding) => finding.severity === "error").length;
  return errors === 0 ? "" : `The model has ${errors === 1 ? "an error" : `${errors} errors`}: formulas are decided when ${errors === 1 ? "it is" : "they are"} gone.`;
}
