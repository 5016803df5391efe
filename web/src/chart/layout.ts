// Where everything of a message chart is. Nothing here draws: it can be tested without a browser.
import type { Moment, Run, StepData } from "../protocol";
import { findFolds, type Fold } from "./folds";

export const CHAR = 7.25;
export const NOTE_CHAR = 6.65;
export const HEAD = 40;
export const LINE = 15;
const ROW = 34;
const LEFT = 34;
const LEAST_GAP = 92;
const LONGEST_LABEL = 52;
const LONGEST_NOTE = 34;
const MOST_NOTES = 3;
const BAR = 7;

/** A row of the chart: the first moment, a step, or steps that are folded away. */
export interface Row {
  kind: "start" | "step" | "fold" | "back";
  /** The moment that it leads to; of a fold the last. Of the step that closes a loop the one that is gone back to. */
  moment: number;
  /** The first moment of a fold. */
  first: number;
  y: number;
  height: number;
  step?: StepData;
  lines: string[];
  notes: Note[];
  fold?: { id: number; text: string };
  /** The repetition that begins with this row, shown whole. */
  unfolded?: { id: number; text: string };
}
export interface Note { text: string; full: string; tone: "plain" | "good" | "bad" }
export interface Head { role: string; x: number; width: number }
/** A commitment in force, along the line of its debtor. */
export interface Bar { x: number; top: number; bottom: number; text: string; isKeepable: boolean }
export interface Layout {
  heads: Head[];
  rows: Row[];
  bars: Bar[];
  loop: { top: number; bottom: number; isEnd: boolean } | null;
  left: number;
  right: number;
  notesAt: number;
  width: number;
  height: number;
}

export interface Folding { folded: ReadonlySet<number>; isLoopFolded: boolean }
/** The number of the fold that a loop makes; repetitions are numbered from 0. */
export const LOOP_FOLD = -1;

/** The repetitions in a run. Steps are numbered by the moments that they lead to. */
export function foldsOf(run: Run): Fold[] {
  const labels = run.moments.slice(1).map((moment) => describe(moment.step));
  const barrier = run.loopTo === undefined ? undefined : run.loopTo;
  return findFolds(labels, barrier).map((fold) => ({ ...fold, from: fold.from + 1 }));
}

/** What happens, without the roles that the label may begin with: the chart shows those. */
export function saying({ label, from, to }: StepData): string {
  const heads = from === undefined ? [] : [`${from} -> ${to.join(", ")}: `, `${from}: `];
  const head = heads.find((each) => label.startsWith(each));
  return head === undefined ? label : label.slice(head.length);
}

/** A step that names who acts in its label only, as receptions do. */
function withActor(step: StepData, roles: readonly string[]): StepData {
  if (step.from !== undefined) return step;
  const from = roles.find((role) => step.label.startsWith(`${role}: `));
  return from === undefined ? step : { ...step, from };
}

/** A step in one line: who says what to whom. */
export function describe(step: StepData | undefined): string {
  if (!step) return "the beginning";
  const to = step.to.length > 0 ? ` to ${step.to.join(", ")}` : "";
  const lost = step.kind === "lost" ? " (lost)" : "";
  return step.from ? `${step.from}${to}: ${saying(step)}${lost}` : `${step.label}${lost}`;
}

export function lay(roles: readonly string[], run: Run, folding: Folding): Layout {
  const rows = rowsOf(run, folding);
  for (const row of rows) {
    if (!row.step) continue;
    row.step = withActor(row.step, roles);
    row.lines = labelOf(row.step);
  }
  const { heads, left, right } = columns(roles, rows);
  let y = HEAD;
  for (const row of rows) {
    const isOwn = row.step !== undefined && !isBetween(row.step);
    const body = row.kind === "step" || row.kind === "back" ? (isOwn ? row.lines.length * LINE + 16 : row.lines.length * LINE + 18) : 26;
    row.height = Math.max(body, row.kind === "start" ? 26 : ROW, row.notes.length * LINE + 8);
    row.y = y;
    y += row.height;
  }
  const hasNotes = rows.some((row) => row.notes.length > 0);
  const notesAt = right + 18;
  const longest = Math.max(0, ...rows.flatMap((row) => row.notes.map((note) => note.text.length)));
  return {
    heads, rows, left, right, notesAt,
    bars: barsOf(run.moments, rows, heads),
    loop: loopOf(run, rows),
    width: (hasNotes ? notesAt + longest * NOTE_CHAR : right) + 12,
    height: y + 14,
  };
}

function rowsOf(run: Run, { folded, isLoopFolded }: Folding): Row[] {
  const folds = foldsOf(run);
  const blank = { y: 0, height: 0, lines: [] as string[] };
  const rows: Row[] = [{ ...blank, kind: "start", moment: 0, first: 0, notes: judgedAt(run, 0) }];
  const hidesLoop = isLoopFolded && run.loopTo !== undefined;
  for (let at = 1; at < run.moments.length; at++) {
    if (hidesLoop && at > (run.loopTo ?? 0)) {
      const count = run.moments.length - at + (run.loopStep ? 1 : 0);
      rows.push({ ...blank, kind: "fold", moment: run.moments.length - 1, first: at, notes: [], fold: { id: LOOP_FOLD, text: `a loop of ${steps(count)}` } });
      break;
    }
    const id = folds.findIndex((fold) => fold.from === at);
    const fold = folds[id];
    const row = stepRow(run, at);
    rows.push(row);
    if (!fold) continue;
    const last = fold.from + fold.period * fold.count - 1;
    const times = `${fold.count - 1} more ${fold.count === 2 ? "time" : "times"}`;
    const text = fold.period === 1 ? times : `these ${fold.period} steps ${times}`;
    if (!folded.has(id)) {
      row.unfolded = { id, text };
      continue;
    }
    for (let more = at + 1; more < at + fold.period; more++) rows.push(stepRow(run, more));
    rows.push({ ...blank, kind: "fold", moment: last, first: at + fold.period, notes: [], fold: { id, text } });
    at = last;
  }
  if (run.loopStep && run.loopTo !== undefined && !hidesLoop) {
    rows.push({ ...blank, kind: "back", moment: run.loopTo, first: run.loopTo, step: run.loopStep, notes: [] });
  }
  return rows;
}

const steps = (count: number): string => `${count} ${count === 1 ? "step" : "steps"}`;

function stepRow(run: Run, at: number): Row {
  const moment = run.moments[at] as Moment;
  const step = moment.step;
  return { kind: "step", moment: at, first: at, y: 0, height: 0, step, lines: [], notes: [...changes(moment), ...judgedAt(run, at)] };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A label in lines that fit; what is not between two roles may take several. */
function labelOf(step: StepData): string[] {
  if (isBetween(step)) return [cut(saying(step), LONGEST_LABEL)];
  const lines: string[] = [];
  for (const word of saying(step).split(/(?<=[,;]) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= LONGEST_LABEL) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => cut(line, LONGEST_LABEL));
}

/** Is it drawn as an arrow? */
export function isBetween(step: StepData): boolean {
  return step.from !== undefined && step.to.some((role) => role !== step.from);
}

function changes(moment: Moment): Note[] {
  const isChanged = new Set(moment.changed);
  const texts = moment.state.values.filter((value) => isChanged.has(value.name)).map((value) => {
    if (value.kind === "control") return value.owner ? `${value.owner} in ${value.value}` : `in ${value.value}`;
    return `${value.name} = ${value.value}`;
  });
  return shorten(texts.map((text) => ({ text, full: text, tone: "plain" })));
}

function judgedAt(run: Run, at: number): Note[] {
  return run.judged.filter((each) => each.at === at).map(({ text, value }) => {
    const full = `${value ? "✓" : "✗"} ${text}`;
    return { text: cut(full, LONGEST_NOTE), full: `${text} is ${value}`, tone: value ? "good" : "bad" };
  });
}

function shorten(notes: Note[]): Note[] {
  const short = notes.map((note): Note => ({ ...note, text: cut(note.text, LONGEST_NOTE) }));
  if (short.length <= MOST_NOTES) return short;
  const rest = short.slice(MOST_NOTES - 1);
  return [...short.slice(0, MOST_NOTES - 1), { text: `and ${rest.length} more`, full: rest.map((note) => note.full).join("\n"), tone: "plain" }];
}

/** Lifelines so far apart that what is said between them fits. */
function columns(roles: readonly string[], rows: Row[]): { heads: Head[]; left: number; right: number } {
  const widths = roles.map((role) => role.length * CHAR + 22);
  const gaps = roles.slice(1).map((_, at) => Math.max(LEAST_GAP, ((widths[at] ?? 0) + (widths[at + 1] ?? 0)) / 2 + 14));
  let before = (widths[0] ?? 0) / 2;
  let after = (widths.at(-1) ?? 0) / 2;
  let across = 0;
  for (const { step, lines } of rows) {
    if (!step) continue;
    const width = Math.max(...lines.map((line) => line.length)) * CHAR;
    const from = step.from === undefined ? -1 : roles.indexOf(step.from);
    if (from >= 0 && isBetween(step)) {
      for (const role of step.to) widen(gaps, from, roles.indexOf(role), width + 34);
    } else if (from >= 0) {
      const half = width / 2 + 12;
      if (from === 0) before = Math.max(before, half);
      if (from === roles.length - 1) after = Math.max(after, half);
    } else across = Math.max(across, width + 24);
  }
  let x = LEFT + before;
  const heads = roles.map((role, at): Head => {
    if (at > 0) x += gaps[at - 1] ?? LEAST_GAP;
    return { role, x, width: widths[at] ?? 0 };
  });
  const right = Math.max((heads.at(-1)?.x ?? LEFT) + after, LEFT + across);
  return { heads, left: LEFT, right };
}

function widen(gaps: number[], from: number, to: number, width: number): void {
  if (to < 0 || to === from) return;
  const [low, high] = from < to ? [from, to] : [to, from];
  const has = gaps.slice(low, high).reduce((sum, gap) => sum + gap, 0);
  const missing = (width - has) / (high - low);
  if (missing <= 0) return;
  for (let at = low; at < high; at++) gaps[at] = (gaps[at] ?? 0) + missing;
}

/** Where a moment is: the middle of the row that leads to it, or of the fold that hides it. */
export function yOf(rows: readonly Row[], moment: number): number {
  const row = rows.find((each) => each.kind !== "back" && each.first <= moment && moment <= each.moment);
  return row ? row.y + row.height / 2 : HEAD;
}

function barsOf(moments: Moment[], rows: Row[], heads: Head[]): Bar[] {
  const bars: Bar[] = [];
  const slots = new Map<string, number[]>();
  const seen = new Map<string, { from: number; isKeepable: boolean; debtor: string; text: string }>();
  const close = (key: string, until: number): void => {
    const open = seen.get(key);
    seen.delete(key);
    const head = open && heads.find((each) => each.role === open.debtor);
    if (!open || !head) return;
    const [top, bottom] = [yOf(rows, open.from), yOf(rows, until)];
    const taken = slots.get(open.debtor) ?? [];
    let slot = taken.findIndex((free) => free <= top);
    if (slot < 0) slot = taken.length;
    taken[slot] = bottom;
    slots.set(open.debtor, taken);
    if (bottom > top) bars.push({ x: head.x - 3 + slot * BAR, top, bottom, text: open.text, isKeepable: open.isKeepable });
  };
  moments.forEach((moment, at) => {
    const now = new Map(moment.state.inForce.map((each) => [each.text, each]));
    for (const key of [...seen.keys()]) if (!now.has(key)) close(key, at);
    for (const [key, each] of now) {
      const open = seen.get(key);
      if (open) open.isKeepable &&= each.keepable !== false;
      else seen.set(key, { from: at, isKeepable: each.keepable !== false, debtor: each.debtor, text: `${each.name}: ${each.text}` });
    }
  });
  for (const key of [...seen.keys()]) close(key, moments.length - 1);
  return bars;
}

function loopOf(run: Run, rows: Row[]): Layout["loop"] {
  if (run.loopTo === undefined) return null;
  const last = rows.at(-1);
  const top = yOf(rows, run.loopTo);
  return { top, bottom: last ? last.y + last.height / 2 : top, isEnd: run.loopStep === undefined && run.loopTo === run.moments.length - 1 };
}
