// Checks of the model that is open: what is asked, what comes back, how far it is.
import { batch, signal } from "@preact/signals";
import type { Job } from "./jobs";
import { describeEnd } from "./jobs";
import type { Event, Request, Subject, Verdict } from "./protocol";
import type { Results, Store } from "./store";
import { spoken } from "./ui/words";

export type Progress = Extract<Event, { event: "progress" }>;

export interface Running { key: string; job: Job; names: ReadonlySet<string> | null; progress: Progress | null; isStopping: boolean; since: number }

const NONE: Results = { text: "", asked: [], verdicts: new Map(), findings: [], model: null };

/** Kept apart from the panel that shows them: a check goes on when another panel is looked at. */
export class Checks {
  readonly running = signal<Running | null>(null);
  /** How the last check came to its end, where it did not just finish. */
  readonly trouble = signal<string | null>(null);

  constructor(private readonly store: Store) {}

  /** Checks the properties that are named, or all. A check that is under way is stopped first. */
  async start(subject: Subject, key: string, names?: string[], engine?: string): Promise<void> {
    await this.stop();
    const before = this.store.results.value.get(key) ?? NONE;
    const isSame = before.text === subject.text;
    // One property of the text that was checked before: the other verdicts stay true.
    this.put(key, { ...(names && isSame ? before : { ...NONE, asked: before.asked }), text: subject.text, findings: [] });
    if (names && isSame) this.forget(key, names);
    const request: Request = { kind: "check", subject, limits: this.store.limits.value, ...(names ? { properties: names } : {}), ...(engine ? { engine } : {}) };
    const job = this.store.jobs.start(request, (event) => this.take(key, event, names));
    batch(() => {
      this.trouble.value = null;
      this.running.value = { key, job, names: names ? new Set(names) : null, progress: null, isStopping: false, since: Date.now() };
    });
    const end = await job.ended;
    if (this.running.value?.job !== job) return;
    batch(() => {
      this.running.value = null;
      this.trouble.value = describeEnd(end) ?? this.trouble.value;
    });
    this.store.announce(describeEnd(end) ?? this.summary(key));
  }

  async stop(): Promise<void> {
    const running = this.running.value;
    if (!running) return;
    this.running.value = { ...running, isStopping: true };
    running.job.stop();
    await running.job.ended;
  }

  private results(key: string): Results {
    return this.store.results.value.get(key) ?? NONE;
  }

  private put(key: string, results: Results): void {
    this.store.results.value = new Map(this.store.results.value).set(key, results);
  }

  private forget(key: string, names: string[]): void {
    const verdicts = new Map(this.results(key).verdicts);
    names.forEach((name) => verdicts.delete(name));
    this.put(key, { ...this.results(key), verdicts });
  }

  private take(key: string, event: Event, names?: string[]): void {
    const results = this.results(key);
    switch (event.event) {
      case "findings": return this.put(key, { ...results, findings: event.findings });
      case "asked": {
        // Where some were named, only those are told: the list of all stays.
        const told = new Map(event.properties.map((asked) => [asked.name, asked]));
        const asked = names && results.asked.length > 0 ? results.asked.map((each) => told.get(each.name) ?? each) : event.properties;
        return this.put(key, { ...results, asked });
      }
      case "verdict": {
        this.put(key, { ...results, verdicts: new Map(results.verdicts).set(event.verdict.name, event.verdict) });
        if (!event.verdict.asWanted) this.store.announce(spoken(event.verdict));
        return;
      }
      case "progress": {
        const running = this.running.value;
        if (running) this.running.value = { ...running, progress: event };
        return;
      }
      case "model": return this.put(key, { ...results, model: event });
      case "refused":
        this.trouble.value = event.message;
        if (event.findings) this.put(key, { ...results, findings: event.findings });
        return;
      default: return;
    }
  }

  /** What the verdicts come to, in words. */
  summary(key: string): string {
    const { asked, verdicts } = this.results(key);
    return summarize([...verdicts.values()], asked.filter((each) => !verdicts.has(each.name)).length);
  }
}

/** What is not checked is said too: it never counts as a pass. */
export function summarize(verdicts: Verdict[], unchecked = 0): string {
  const count = (of: (verdict: Verdict) => boolean): number => verdicts.filter(of).length;
  const wanted = count((each) => each.asWanted && each.verdict !== "unknown");
  const unknown = count((each) => each.verdict === "unknown");
  const not = verdicts.length - wanted - unknown;
  if (verdicts.length === 0) return "Nothing was decided.";
  if (not + unknown + unchecked === 0) return verdicts.length === 1 ? "As wanted." : `All ${verdicts.length} as wanted.`;
  const parts = [`${wanted} as wanted`, not > 0 && `${not} not as wanted`, unknown > 0 && `${unknown} not decided`, unchecked > 0 && `${unchecked} not checked`];
  return `${parts.filter(Boolean).join(", ")}.`;
}
