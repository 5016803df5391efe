// One formula that is being typed: asked about after a pause, the answer to the last one is what counts.
import { batch, signal } from "@preact/signals";
import { describeEnd, type Job, type Jobs } from "../../jobs";
import type { Finding, FormulaView, Limits, Subject } from "../../protocol";

export interface World { jobs: Pick<Jobs, "start">; limits(): Limits; announce(text: string): void }

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
  private job: Job | null = null;

  constructor(private readonly world: World, private readonly pause = PAUSE) {}

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
    this.job?.stop();
    const text = this.text.value;
    if (text.trim() === "") return this.clear();
    batch(() => {
      this.isBusy.value = true;
      this.message.value = "";
    });
    const job = this.world.jobs.start({ kind: "formula", subject, formula: text, limits: this.world.limits() }, (event) => {
      if (this.job !== job) return;
      if (event.event === "formula") batch(() => {
        this.view.value = event.formula;
        this.asked.value = text;
        this.findings.value = event.formula.findings;
      });
      else if (event.event === "refused") batch(() => {
        this.message.value = event.message;
        this.findings.value = event.findings ?? [];
        this.view.value = null;
      });
      else if (event.event === "findings") this.message.value = modelMistakes(event.findings);
    });
    this.job = job;
    void job.ended.then((end) => {
      if (this.job !== job) return;
      batch(() => {
        this.job = null;
        this.isBusy.value = false;
        const said = describeEnd(end);
        if (said) this.message.value = said;
      });
      const verdict = this.view.value?.verdict;
      if (verdict) this.world.announce(`The formula is ${verdict.verdict}`);
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.job?.stop();
  }

  private clear(): void {
    const { job } = this;
    this.job = null;
    job?.stop();
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
