// One state graph: the conversation with its job, and what was asked about it.
import { batch, signal } from "@preact/signals";
import type { Alike, Event, Finding, Graph, Request, Say, StateData, Subject } from "../../protocol";
import { Current, type World as Page } from "../current";
import { refusal } from "../refusal";
import { stateKey } from "../simulator/tree";
import type { Laid, LayoutInput } from "./layout";
import { layoutInput, sceneOf, type Scene } from "./scene";

export type By = Extract<Request, { kind: "graph" }>["by"];
export type Status = "idle" | "exploring" | "laying" | "ready" | "over";

/** What a graph needs of the page. `lay` is left out where nothing is drawn. */
export interface World extends Page { lay?(input: LayoutInput): Promise<Laid> }

/** States that were looked for. */
export interface Found { what: string; states: number[]; count: string }

export class GraphSession {
  readonly graph = signal<Graph | null>(null);
  readonly scene = signal<Scene | null>(null);
  readonly status = signal<Status>("idle");
  readonly subject = signal<Subject | null>(null);
  readonly by = signal<By>("state");
  readonly message = signal("");
  readonly progress = signal("");
  readonly findings = signal<Finding[]>([]);
  readonly selected = signal<number | null>(null);
  readonly found = signal<Found | null>(null);
  readonly path = signal<{ states: number[]; edges: number[] } | null>(null);
  readonly alike = signal<Alike | null>(null);

  private readonly current: Current;
  private keys: Map<string, number> | null = null;
  private finding = "";

  constructor(private readonly world: World) {
    this.current = new Current(world);
  }

  start(subject: Subject, by: By, most: number): void {
    this.stop();
    batch(() => {
      this.graph.value = null;
      this.scene.value = null;
      this.subject.value = subject;
      this.by.value = by;
      this.status.value = "exploring";
      this.message.value = "";
      this.progress.value = "";
      this.findings.value = [];
      this.selected.value = null;
      this.forget();
    });
    this.keys = null;
    this.current.start({ kind: "graph", subject, by, most }, (event) => this.hear(event), (said) => {
      if (said) this.message.value = said;
      if (this.status.value === "exploring") this.status.value = "over";
    });
  }

  stop(): void {
    this.current.forget();
    if (this.status.value === "exploring") this.status.value = "over";
  }

  select(state: number | null): void {
    this.selected.value = state;
    const node = this.graph.value?.nodes.find((each) => each.id === state);
    if (node) this.world.announce(`State ${node.id}: ${node.text}`);
  }

  /** The states where a formula holds. */
  find(formula: string): void {
    this.finding = formula;
    this.say({ find: formula });
  }

  /** The states whose text or values have some words in them. */
  search(text: string): void {
    const graph = this.graph.value;
    if (!graph) return;
    this.found.value = { what: text, ...searched(graph, text) };
    this.world.announce(`${this.found.value.count} states with ${text}`);
  }

  /** Marks states that are of a kind. */
  showAll(what: string, states: number[]): void {
    this.found.value = { what, states, count: String(states.length) };
  }

  /** A shortest way from an initial state. */
  way(state: number): void {
    this.say({ way: state });
  }

  /** A shortest way from one state to another, found on the page. */
  wayBetween(from: number, to: number): void {
    const path = this.graph.value && shortest(this.graph.value, from, to);
    if (path) this.path.value = path;
    this.message.value = path ? "" : `There is no way from state ${from} to state ${to}.`;
  }

  /** The states a role cannot tell from this one. */
  cannotTell(state: number, role: string): void {
    this.say({ alike: state, role });
  }

  /** Nothing stands out any more. */
  forget(): void {
    this.found.value = null;
    this.path.value = null;
    this.alike.value = null;
  }

  /** The state of the graph that is this one. */
  stateLike(state: StateData): number | undefined {
    if (!this.keys) {
      this.keys = new Map();
      for (const node of this.graph.value?.nodes ?? []) if (node.state) this.keys.set(stateKey(node.state), node.id);
    }
    return this.keys.get(stateKey(state));
  }

  private say(say: Say): void {
    this.message.value = "";
    if (!this.current.say(say)) this.message.value = "The job behind this graph is over: draw it again to ask about it.";
  }

  private hear(event: Event): void {
    switch (event.event) {
      case "progress": this.progress.value = `${event.phase}${event.states === undefined ? "" : `, ${event.states} states`}`; return;
      case "findings": this.findings.value = event.findings; return;
      case "graph": return this.show(event.graph);
      case "satisfying":
        this.found.value = { what: this.finding, states: event.states, count: event.count };
        this.world.announce(`${event.count} states satisfy ${this.finding}`);
        return;
      case "path":
        this.path.value = { states: event.states, edges: event.edges };
        this.world.announce(`A way of ${event.edges.length} steps`);
        return;
      case "alike": this.alike.value = event.alike; return;
      case "refused": {
        const { text, aboutModel } = refusal(event.message, event.findings ?? [], this.graph.value === null);
        this.message.value = text;
        this.findings.value = aboutModel;
        this.world.announce(text);
        return;
      }
      default: return;
    }
  }

  private show(graph: Graph): void {
    this.graph.value = graph;
    this.keys = null;
    this.message.value = graph.message ?? "";
    this.world.announce(`${graph.nodes.length} nodes and ${graph.edges.length} edges`);
    if (!this.world.lay) {
      this.status.value = "ready";
      return;
    }
    this.status.value = "laying";
    void this.world.lay(layoutInput(graph)).then(
      (laid) => {
        if (this.graph.value !== graph) return;
        batch(() => {
          this.scene.value = sceneOf(graph, laid);
          this.status.value = "ready";
        });
      },
      (error: unknown) => {
        if (this.graph.value !== graph) return;
        batch(() => {
          this.status.value = "ready";
          this.message.value = `The graph could not be laid out (${String(error)}); the table has all of it.`;
        });
      },
    );
  }
}

/** The states with a text, in their order. */
export function searched(graph: Graph, text: string): { states: number[]; count: string } {
  const wanted = text.trim().toLowerCase();
  const states = wanted === "" ? [] : graph.nodes.filter((node) => wordsOf(node).includes(wanted)).map((node) => node.id);
  return { states, count: String(states.length) };
}

function wordsOf(node: Graph["nodes"][number]): string {
  const values = node.state?.values.map(({ name, value }) => `${name} = ${value} ${name}=${value}`) ?? [];
  const inForce = node.state?.inForce.map(({ name, text }) => `${name} ${text}`) ?? [];
  return [`#${node.id}`, node.text, ...values, ...inForce, ...node.unkeepable, node.isDeadlock ? "deadlock" : "", node.isFinal ? "end" : "", node.isInitial ? "start" : ""].join("\n").toLowerCase();
}

/** A shortest way along edges. */
export function shortest(graph: Graph, from: number, to: number): { states: number[]; edges: number[] } | undefined {
  const out = new Map<number, { id: number; to: number }[]>();
  for (const edge of graph.edges) {
    const list = out.get(edge.from);
    if (list) list.push(edge);
    else out.set(edge.from, [edge]);
  }
  const by = new Map<number, { node: number; edge: number } | null>([[from, null]]);
  const queue = [from];
  for (const node of queue) {
    if (node === to) break;
    for (const edge of out.get(node) ?? []) {
      if (by.has(edge.to)) continue;
      by.set(edge.to, { node, edge: edge.id });
      queue.push(edge.to);
    }
  }
  if (!by.has(to)) return undefined;
  const states = [to];
  const edges: number[] = [];
  for (let back = by.get(to); back; back = by.get(back.node)) {
    states.unshift(back.node);
    edges.unshift(back.edge);
  }
  return { states, edges };
}
