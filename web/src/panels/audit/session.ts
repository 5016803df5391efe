// One audit: what is judged by what, and what was found.
import { batch, signal } from "@preact/signals";
import type { AuditFinding, Audited, Finding, Level, Request } from "../../protocol";
import { Current, type World } from "../current";
import type { Log } from "./log";

export type AuditRequest = Extract<Request, { kind: "audit" }>;

export class AuditSession {
  readonly log = signal<Log | null>(null);
  /** The log that `audited` is about. */
  readonly judged = signal<Log | null>(null);
  readonly audited = signal<Audited | null>(null);
  readonly isBusy = signal(false);
  readonly progress = signal("");
  readonly message = signal("");
  readonly findings = signal<Finding[]>([]);
  readonly line = signal<number | null>(null);
  /** Of `audited.slices`. */
  readonly slice = signal<number | null>(null);
  readonly finding = signal<AuditFinding | null>(null);
  private readonly current: Current;

  constructor(private readonly world: World) {
    this.current = new Current(world);
  }

  take(log: Log): void {
    batch(() => {
      this.log.value = log;
      this.judged.value = null;
      this.forget();
    });
    this.world.announce(`${log.name}, ${log.lines.length} lines`);
  }

  start(how: Omit<AuditRequest, "kind" | "log" | "logName" | "limits">): void {
    const log = this.log.value;
    if (!log) return;
    this.stop();
    batch(() => {
      this.forget();
      this.isBusy.value = true;
      this.judged.value = log;
    });
    this.current.start({ kind: "audit", log: log.text, logName: log.name, ...how }, (event) => {
      if (event.event === "audited") this.show(event.audited);
      else if (event.event === "progress") this.progress.value = event.phase;
      else if (event.event === "findings") this.findings.value = event.findings;
      else if (event.event === "refused") {
        this.message.value = event.message;
        this.findings.value = event.findings ?? [];
      }
    }, (said) => {
      this.isBusy.value = false;
      if (said) this.message.value = said;
    });
  }

  stop(): void {
    this.current.forget();
    this.isBusy.value = false;
  }

  /** Looks at a finding: its line, its slice and its rule. */
  look(finding: AuditFinding): void {
    batch(() => {
      this.finding.value = finding;
      this.line.value = finding.line;
      const at = this.audited.value?.slices.findIndex((slice) => slice.view === finding.view && slice.key === finding.key) ?? -1;
      if (at >= 0) this.slice.value = at;
    });
    this.world.announce(`Line ${finding.line}: ${finding.message}`);
  }

  private show(audited: Audited): void {
    this.audited.value = audited;
    if (audited.message) this.message.value = audited.message;
    this.world.announce(spoken(audited));
    const [first] = audited.findings;
    if (first) this.look(first);
  }

  private forget(): void {
    this.audited.value = null;
    this.message.value = "";
    this.progress.value = "";
    this.findings.value = [];
    this.line.value = null;
    this.slice.value = null;
    this.finding.value = null;
  }
}

/** How many findings there are of each level. */
export function counts(audited: Audited): Record<Level, number> {
  const out: Record<Level, number> = { must: 0, should: 0, may: 0 };
  for (const finding of audited.findings) out[finding.level]++;
  return out;
}

/** What was found, in a sentence. */
export function spoken(audited: Audited): string {
  const { must, should, may } = counts(audited);
  const size = `${audited.lines} ${audited.lines === 1 ? "line" : "lines"} in ${audited.slices.length} ${audited.slices.length === 1 ? "slice" : "slices"}`;
  if (audited.findings.length === 0) return `${size}: nothing was found${audited.isWhole ? "" : " as far as it was judged"}.`;
  const parts = [[must, "must"], [should, "should"], [may, "may"]].filter(([count]) => count !== 0).map(([count, level]) => `${count} of level ${level}`);
  return `${size}: ${audited.findings.length} ${audited.findings.length === 1 ? "finding" : "findings"} (${parts.join(", ")}).`;
}
