// Where in a source text a step of a run comes from, judged by its label and by where control goes. The language server knows this;
// without one the transition that fits best is taken, and none rather than one that does not fit.
import { withoutComments } from "./properties";

export interface Step {
  label: string;
  /** Where control is before and after, by machine; the only machine is called "". */
  before: Record<string, string>;
  after: Record<string, string>;
}

interface Transition {
  line: number;
  machine: string;
  source: string;
  target: string;
  actor: string;
  name: string;
  receives: boolean;
  arguments: string[];
}

const NAME = "\\p{L}[\\p{L}0-9_]*";
const INDICES = "(?:\\s*\\[[^\\]]*\\])*";

/** The line of the transition, from 0. */
export function locate(language: string, text: string, step: Step): number | undefined {
  if (language === "pact") return inPact(text, step);
  if (language === "ccs") return inCcs(text, step.label);
  return undefined;
}

function inPact(text: string, step: Step): number | undefined {
  const wanted = readLabel(step.label);
  let best: { line: number; score: number } | undefined;
  for (const transition of transitions(text)) {
    const score = fit(transition, wanted, step);
    if (score > (best?.score ?? 0)) best = { line: transition.line, score };
  }
  return best?.line;
}

/** How well a transition fits a step; 0 if it cannot be the one. */
function fit(transition: Transition, wanted: ReturnType<typeof readLabel>, step: Step): number {
  if (transition.name !== wanted.name || transition.receives !== wanted.receives) return 0;
  if (wanted.actor && transition.actor && transition.actor !== wanted.actor) return 0;
  const machine = Object.keys(step.before).find((name) => bare(name) === transition.machine) ?? "";
  const [from, to] = [step.before[machine], step.after[machine]];
  if (from !== undefined && from !== transition.source) return 0;
  if (to !== undefined && to !== transition.target) return 0;
  const differs = transition.arguments.some((given, index) => {
    const said = wanted.arguments[index];
    return said !== undefined && given !== said;
  });
  return 1 + (from === undefined ? 0 : 2) + (differs ? 0 : 1);
}

const bare = (name: string): string => name.replace(/\[[^\]]*\]/g, "").trim();

/** `Ann -> Bob: pay(3)`, `Bob: pay?(3)`, `Cr(Cus, offer)`, `restart`. */
export function readLabel(label: string): { actor: string; name: string; receives: boolean; arguments: string[] } {
  const colon = new RegExp(`^\\s*([\\p{L}][\\p{L}0-9_.]*)${INDICES}\\s*(?:(?:->|→)[^:]*)?:\\s*(.*)$`, "u").exec(label);
  const rest = (colon ? colon[2] : label).trim();
  const head = new RegExp(`^([\\p{L}][\\p{L}0-9_.]*)${INDICES}\\s*([!?])?\\s*(?:\\((.*)\\))?`, "u").exec(rest);
  const args = (head?.[3] ?? "").split(",").map((each) => bare(each)).filter(Boolean);
  return { actor: colon ? bare(colon[1]) : "", name: head?.[1] ?? rest, receives: head?.[2] === "?", arguments: args };
}

function transitions(text: string): Transition[] {
  const clean = withoutComments(text);
  const found: Transition[] = [];
  const pattern = new RegExp(`(?<![\\p{L}0-9_.])(${NAME})${INDICES}\\s*--(?![>\\[])([^]*?)-->\\s*(${NAME})`, "gu");
  for (const match of clean.matchAll(pattern)) {
    const label = match[2].split(/\b(?:when|set)\b/)[0].trim();
    found.push({
      line: clean.slice(0, match.index).split("\n").length - 1,
      machine: machineAt(clean, match.index),
      source: match[1],
      target: match[3],
      ...readLabel(label),
    });
  }
  return found;
}

/** The machine whose block a place stands in. */
function machineAt(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const heads = [...before.matchAll(new RegExp(`^[^\\S\\n]*machine\\s+(${NAME})[^{\\n]*\\{`, "gmu"))];
  const last = heads.at(-1);
  if (!last) return "";
  const block = before.slice(last.index + last[0].length);
  let open = 1;
  for (const sign of block) {
    if (sign === "{") open += 1;
    if (sign === "}") open -= 1;
    if (open === 0) return "";
  }
  return last[1];
}

/** The only line that has the output of a synchronisation, or the action. */
function inCcs(text: string, label: string): number | undefined {
  const name = /(?:tau<)?'?(\p{L}[\p{L}0-9_]*)/u.exec(label.replace(/^[^:]*:\s*/, ""))?.[1];
  if (!name || name === "tau") return undefined;
  const lines = text.split("\n").map((line) => line.replace(/\*.*/, ""));
  const having = (pattern: RegExp): number[] => lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
  const outputs = having(new RegExp(`'\\s*${name}\\b(?:\\([^)]*\\))?\\s*\\.`, "u"));
  const all = outputs.length > 0 ? outputs : having(new RegExp(`\\b${name}\\b(?:\\([^)]*\\))?\\s*\\.`, "u"));
  return all.length === 1 ? all[0] : undefined;
}
