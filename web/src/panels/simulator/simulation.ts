// One simulation: the conversation with its job, and what is known of it.
import { batch, signal } from "@preact/signals";
import { describe } from "../../chart/layout";
import type { Asked, Event, Finding, Say, SimulatorNode, Subject } from "../../protocol";
import { Current, type World } from "../current";
import { refusal } from "../refusal";
import * as trees from "./tree";

export type Replay = Extract<Say, { replay: unknown }>["replay"];

export type Status = "idle" | "starting" | "running" | "over";

export class Simulation {
  readonly tree = signal(trees.EMPTY);
  readonly status = signal<Status>("idle");
  /** The text that is simulated. */
  readonly subject = signal<Subject | null>(null);
  readonly asked = signal<Asked[]>([]);
  readonly watches = signal<string[]>([]);
  readonly findings = signal<Finding[]>([]);
  /** What the last thing said led to, where it was not a step. */
  readonly message = signal("");
  /** The moment that the current one is compared with. */
  readonly other = signal<number | null>(null);

  private readonly current: Current;
  private taking: { at: number; index: number } | null = null;
  /** Steps that are yet to be repeated, by their labels. */
  private script: string[] = [];
  private isReplaying = false;
  private watching: string | null = null;
  /** What is to be replayed as soon as the simulation has begun. */
  private waiting: Replay | null = null;

  constructor(private readonly world: World) {
    this.current = new Current(world);
  }

  /** Begins, and repeats steps where labels are given. */
  start(subject: Subject, script: string[] = []): void {
    this.stop();
    batch(() => {
      this.tree.value = trees.EMPTY;
      this.status.value = "starting";
      this.subject.value = subject;
      this.findings.value = [];
      this.message.value = "";
      this.other.value = null;
    });
    this.script = [...script];
    this.taking = null;
    this.current.start({ kind: "simulate", subject }, (event) => this.hear(event), (said) => {
      this.status.value = "over";
      if (said) this.message.value = said;
    });
  }

  /** Begins again with another text, and does what was done until now as far as it can be done there. */
  startAgain(subject: Subject): void {
    const { current } = this.tree.value;
    const path = current === null ? [] : trees.pathTo(this.tree.value, current);
    this.start(subject, path.flatMap((node) => (node.step ? [node.step.label] : [])));
  }

  stop(): void {
    this.current.forget();
    if (this.status.value !== "idle") this.status.value = "over";
  }

  /** What happens next: a choice of the current moment. */
  take(index: number): void {
    const { current } = this.tree.value;
    if (current === null) return;
    const there = trees.visited(this.tree.value, current, index);
    if (there !== undefined) return this.goTo(there);
    if (this.say({ take: index, at: current })) this.taking = { at: current, index };
  }

  /** One of several initial states. */
  choose(index: number): void {
    this.say({ choose: index });
  }

  back(): void {
    const before = trees.before(this.tree.value);
    if (before !== undefined) this.goTo(before);
  }

  forward(): void {
    const next = trees.forward(this.tree.value);
    if (next !== undefined) this.goTo(next);
  }

  toStart(): void {
    const { current } = this.tree.value;
    const first = current === null ? undefined : trees.pathTo(this.tree.value, current)[0];
    if (first) this.goTo(first.node);
  }

  goTo(node: number): void {
    this.script = [];
    this.message.value = "";
    this.tree.value = trees.jump(this.tree.value, node);
    const here = trees.currentNode(this.tree.value);
    if (here) this.world.announce(`Moment ${node}: ${describe(here.step)}`);
  }

  random(steps: number): void {
    const { current } = this.tree.value;
    if (current !== null) this.say({ random: steps, at: current });
  }

  replay(what: Replay): void {
    this.message.value = "";
    this.isReplaying = this.say({ replay: what });
  }

  /** Replays now, or when the simulation has begun. */
  replayWhenReady(what: Replay): void {
    if (this.status.value === "running") this.replay(what);
    else this.waiting = what;
  }

  watch(text: string): void {
    const trimmed = text.trim();
    if (trimmed === "" || this.watches.value.includes(trimmed)) return;
    this.message.value = "";
    this.watches.value = [...this.watches.value, trimmed];
    this.watching = trimmed;
    if (this.say({ watch: trimmed })) this.lookAround();
  }

  unwatch(text: string): void {
    this.watches.value = this.watches.value.filter((each) => each !== text);
    this.tree.value = trees.unwatch(this.tree.value, text);
    this.say({ unwatch: text });
  }

  /** Compares the current moment with another one; null ends it. */
  compareWith(node: number | null): void {
    this.other.value = node;
  }

  /** Asks for what is watched on the way to the current moment where it is not known yet. */
  lookAround(): void {
    const { current } = this.tree.value;
    if (current === null) return;
    const nodes = trees.pathTo(this.tree.value, current);
    const other = this.other.value === null ? undefined : this.tree.value.nodes.get(this.other.value);
    for (const node of other ? [...nodes, other] : nodes) if (!this.knowsAllOf(node)) this.say({ look: node.node });
  }

  private knowsAllOf(node: SimulatorNode): boolean {
    if (node.initial) return true;
    const known = new Set(node.watched.map((each) => each.text));
    return this.watches.value.every((text) => known.has(text));
  }

  private say(say: Say): boolean {
    if (!("look" in say)) this.message.value = "";
    if (this.current.say(say)) return true;
    this.message.value = "The simulation is over: start it again.";
    return false;
  }

  private hear(event: Event): void {
    switch (event.event) {
      case "node": return this.visit(event.node);
      case "watched":
        this.watching = null;
        this.tree.value = trees.watch(this.tree.value, event.node, event.watched);
        return;
      case "asked": this.asked.value = event.properties; return;
      case "findings": this.findings.value = event.findings; return;
      case "refused": return this.refused(event.message, event.findings ?? []);
      default: return;
    }
  }

  private visit(node: SimulatorNode): void {
    const isNew = !this.tree.value.nodes.has(node.node);
    const isFirst = this.tree.value.nodes.size === 0;
    const taking = isNew && this.taking && this.taking.at === node.parent ? this.taking : null;
    if (taking) this.taking = null;
    this.tree.value = trees.add(this.tree.value, node, taking ?? undefined);
    this.status.value = "running";
    if (!isNew) return;
    // What was watched before is watched again, now that somebody is there who listens.
    if (isFirst) {
      for (const text of this.watches.value) this.say({ watch: text });
      if (this.waiting) this.replay(this.waiting);
      this.waiting = null;
    }
    this.watching = null;
    this.world.announce(spokenNode(node));
    if (node.loopTo !== undefined && this.isReplaying) this.message.value = `From moment ${node.node} the run goes on as from moment ${node.loopTo}, again and again.`;
    if (this.script.length > 0) this.repeat(node);
  }

  /** Takes the next step that is to be repeated. */
  private repeat(node: SimulatorNode): void {
    if (node.initial) return this.giveUp("Choose an initial state first; the steps were not repeated.");
    const [label, ...rest] = this.script;
    const choice = node.choices.find((each) => each.step.label === label);
    if (!choice) return this.giveUp(`\`${label}\` cannot happen here any more; ${rest.length === 0 ? "it was the last step" : `${rest.length} further steps were not repeated`}.`);
    this.script = rest;
    if (this.say({ take: choice.index, at: node.node })) this.taking = { at: node.node, index: choice.index };
  }

  private giveUp(message: string): void {
    this.script = [];
    this.message.value = message;
    this.world.announce(message);
  }

  private refused(message: string, findings: Finding[]): void {
    this.taking = null;
    this.script = [];
    this.isReplaying = false;
    // A formula that cannot be watched is not in the list of those that are.
    if (this.watching !== null) this.watches.value = this.watches.value.filter((each) => each !== this.watching);
    this.watching = null;
    const { text, aboutModel } = refusal(message, findings, this.tree.value.nodes.size === 0);
    this.message.value = text;
    this.findings.value = aboutModel;
    this.world.announce(text);
  }
}

function spokenNode(node: SimulatorNode): string {
  const count = node.choices.length;
  const next = node.state.isDeadlock ? "deadlock" : count === 0 ? "nothing can happen next" : `${count} ${count === 1 ? "thing" : "things"} can happen next`;
  return `${node.step ? describe(node.step) : "The beginning"}; ${next}.`;
}
