// A graph as it is drawn: sizes, shapes, lines; the same for the screen and for files.
import type { Graph, GraphEdge, GraphNode } from "../../protocol";
import type { Laid, LayoutInput } from "./layout";

export interface SceneNode { id: number; x: number; y: number; width: number; height: number; lines: string[]; badge: string; tone: Tone; outline: number[][] }
export interface SceneEdge { id: number; from: number; to: number; text: string; label: [number, number]; line: number[]; box: Box }
export interface Box { left: number; top: number; right: number; bottom: number }
export interface Scene { nodes: SceneNode[]; edges: SceneEdge[]; box: Box; way: Laid["way"]; positions: Map<number, number>; start: number | undefined }

/** What a node is, for its colour; its shape and its words say the same. */
export type Tone = "plain" | "bad" | "warn" | "good";

const LONGEST = 28;
const CHARACTER = 7.3;
const PADDING = 18;
const LINE = 15;

/** Text that is not longer than a node may be wide. */
export function short(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Small graphs have room for all of a state; in large ones its beginning is enough. */
const mostLines = (graph: Graph): number => (graph.nodes.length <= 150 ? 5 : 1);

/** The text of a node in lines, broken after commas; the last line says when there is more. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const part of text.split(/(?<=[,;]) /)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length < LONGEST) lines[lines.length - 1] = `${last} ${part}`;
    else lines.push(part);
  }
  if (lines.length > most) lines.splice(most - 1, Infinity, lines.slice(most - 1).join(" "));
  return lines.map((line) => short(line));
}

/** What a node is, in words; empty for most. */
export function badgeOf(node: GraphNode): string {
  const words = [];
  if (node.isInitial) words.push("start");
  if (node.isDeadlock) words.push("deadlock");
  if (node.isFinal) words.push("end");
  if (node.unkeepable.length > 0) words.push(`cannot keep ${node.unkeepable.join(", ")}`);
  if (node.states > 1) words.push(`${node.states} states`);
  return words.join(" · ");
}

function toneOf(node: GraphNode): Tone {
  if (node.isDeadlock) return "bad";
  if (node.unkeepable.length > 0) return "warn";
  return node.isFinal ? "good" : "plain";
}

/** What the layout has to know. */
export function layoutInput(graph: Graph): LayoutInput {
  const positions = new Map(graph.nodes.map((node, at) => [node.id, at]));
  const sizes = graph.nodes.map((node) => sizeOf(node, mostLines(graph)));
  const edges = new Int32Array(graph.edges.length * 2);
  graph.edges.forEach((edge, at) => {
    edges[2 * at] = positions.get(edge.from) ?? 0;
    edges[2 * at + 1] = positions.get(edge.to) ?? 0;
  });
  return {
    widths: Float64Array.from(sizes, (size) => size.width),
    heights: Float64Array.from(sizes, (size) => size.height),
    edges,
    initial: graph.nodes.flatMap((node, at) => (node.isInitial ? [at] : [])),
    labels: Float64Array.from(graph.edges, (edge) => widthOf(labelOf(edge))),
  };
}

function sizeOf(node: GraphNode, most: number): { width: number; height: number } {
  const badge = short(badgeOf(node));
  const lines = wrapped(node.text, most);
  const width = Math.max(...lines.map((line) => line.length), badge.length * 0.86, 2) * CHARACTER + PADDING;
  return { width, height: (lines.length + (badge ? 1 : 0)) * LINE + 11 };
}

const LONGEST_LABEL = 40;

/** What an edge carries: all of it, or the first and how many more there are. */
export function labelOf({ labels }: Pick<GraphEdge, "labels">): string {
  const all = labels.join(", ");
  if (labels.length <= 1 || all.length <= LONGEST_LABEL) return short(all, LONGEST_LABEL);
  // The last may say that there are still more than are told.
  const named = labels.filter((label) => label !== "…");
  const rest = named.length < labels.length ? `${named.length}+` : `${named.length}`;
  return `${short(named[0] ?? "", LONGEST_LABEL - 14)} and others (${rest})`;
}

const widthOf = (label: string): number => label.length * 6.1 + 6;

/** Joins a graph with where its nodes are. */
export function sceneOf(graph: Graph, laid: Laid): Scene {
  const positions = new Map(graph.nodes.map((node, at) => [node.id, at]));
  const nodes = graph.nodes.map((node, at): SceneNode => {
    const { width, height } = sizeOf(node, mostLines(graph));
    const place = { x: laid.x[at] ?? 0, y: laid.y[at] ?? 0, width, height };
    return { id: node.id, ...place, lines: wrapped(node.text, mostLines(graph)), badge: short(badgeOf(node)), tone: toneOf(node), outline: outline(node, place) };
  });
  const pairs = new Set(graph.edges.map((edge) => `${edge.from}>${edge.to}`));
  const edges = graph.edges.map((edge, at): SceneEdge => {
    const from = nodes[positions.get(edge.from) ?? 0] as SceneNode;
    const to = nodes[positions.get(edge.to) ?? 0] as SceneNode;
    const line = from === to ? loop(from) : (laid.bends[at] ?? straight(from, to, pairs.has(`${edge.to}>${edge.from}`)));
    return { id: edge.id, from: edge.from, to: edge.to, text: labelOf(edge), label: laid.labels?.[at] ?? (from !== to && pairs.has(`${edge.to}>${edge.from}`) ? early(line) : middle(line)), line, box: boxOf(line) };
  });
  return { nodes, edges, box: around(nodes, edges), way: laid.way, positions, start: graph.nodes.find((node) => node.isInitial)?.id };
}

function around(nodes: SceneNode[], edges: SceneEdge[]): Box {
  if (nodes.length === 0) return { left: 0, top: 0, right: 1, bottom: 1 };
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y, width, height } of nodes) {
    box.left = Math.min(box.left, x - width / 2 - 30);
    box.right = Math.max(box.right, x + width / 2 + 30);
    box.top = Math.min(box.top, y - height / 2 - 20);
    box.bottom = Math.max(box.bottom, y + height / 2 + 20);
  }
  for (const { box: line, label, text } of edges) {
    const half = widthOf(text) / 2;
    box.left = Math.min(box.left, line.left - 4, label[0] - half);
    box.right = Math.max(box.right, line.right + 4, label[0] + half);
    box.top = Math.min(box.top, line.top - 4);
    box.bottom = Math.max(box.bottom, line.bottom + 4);
  }
  return box;
}

function boxOf(line: number[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let at = 0; at < line.length; at += 2) {
    box.left = Math.min(box.left, line[at] ?? 0);
    box.right = Math.max(box.right, line[at] ?? 0);
    box.top = Math.min(box.top, line[at + 1] ?? 0);
    box.bottom = Math.max(box.bottom, line[at + 1] ?? 0);
  }
  return box;
}

interface Rectangle { x: number; y: number; width: number; height: number }

/** Closed lines around a node: a deadlock has eight corners, a promise that cannot be kept makes six, an end two lines; others are boxes. */
function outline(node: GraphNode, { x, y, width, height }: Rectangle): number[][] {
  const [w, h] = [width / 2, height / 2];
  const cut = Math.min(9, h * 0.55);
  let first: number[];
  if (node.isDeadlock) first = [x - w + cut, y - h, x + w - cut, y - h, x + w, y - h + cut, x + w, y + h - cut, x + w - cut, y + h, x - w + cut, y + h, x - w, y + h - cut, x - w, y - h + cut];
  else if (node.unkeepable.length > 0) first = [x - w + cut, y - h, x + w - cut, y - h, x + w + 4, y, x + w - cut, y + h, x - w + cut, y + h, x - w - 4, y];
  else first = [x - w, y - h, x + w, y - h, x + w, y + h, x - w, y + h];
  const lines = [first];
  if (node.isFinal) lines.push([x - w + 3, y - h + 3, x + w - 3, y - h + 3, x + w - 3, y + h - 3, x - w + 3, y + h - 3]);
  return lines;
}

/** From border to border; two nodes with lines both ways have them apart. */
function straight(from: Rectangle, to: Rectangle, isBothWays: boolean): number[] {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const length = Math.hypot(dx, dy) || 1;
  // Lines that lead back or aside are bent, so that they do not run through what lies between.
  const bend = isBothWays ? 14 : dy <= 0 ? Math.min(60, length * 0.12) : 0;
  const middle = { x: from.x + dx / 2 - (dy / length) * bend, y: from.y + dy / 2 + (dx / length) * bend };
  const begin = border(from, middle);
  const end = border(to, middle);
  return bend === 0 ? [...begin, ...end] : [...begin, middle.x, middle.y, ...end];
}

/** Where the line from the centre of a box to a point leaves the box. */
function border(box: Rectangle, to: { x: number; y: number }): [number, number] {
  const dx = to.x - box.x;
  const dy = to.y - box.y;
  if (dx === 0 && dy === 0) return [box.x, box.y];
  const scale = Math.min(box.width / 2 / (Math.abs(dx) || 1e-9), box.height / 2 / (Math.abs(dy) || 1e-9), 1);
  return [box.x + dx * scale, box.y + dy * scale];
}

function loop({ x, y, width, height }: Rectangle): number[] {
  const right = x + width / 2;
  const h = height / 2;
  return [right, y - h * 0.5, right + 20, y - h * 0.9, right + 26, y, right + 20, y + h * 0.9, right, y + h * 0.5];
}

/** The lines of a node with the middle of each: first its text, then what it is. */
export function textsOf(node: SceneNode): { text: string; y: number; isBadge: boolean }[] {
  const all = [...node.lines, ...(node.badge ? [node.badge] : [])];
  return all.map((text, at) => ({ text, y: node.y + (at - (all.length - 1) / 2) * LINE, isBadge: node.badge !== "" && at === all.length - 1 }));
}

/** What draws lines: a canvas, or what writes the path of an SVG file. */
export interface Pen { moveTo(x: number, y: number): void; lineTo(x: number, y: number): void; quadraticCurveTo(cx: number, cy: number, x: number, y: number): void; closePath(): void }

/** A line through its points, smooth. */
export function trace(pen: Pen, line: number[]): void {
  const at = (index: number): number => line[index] ?? 0;
  pen.moveTo(at(0), at(1));
  const last = line.length - 2;
  for (let index = 2; index < last; index += 2) {
    const isLast = index + 2 === last;
    const x = isLast ? at(last) : (at(index) + at(index + 2)) / 2;
    const y = isLast ? at(last + 1) : (at(index + 1) + at(index + 3)) / 2;
    pen.quadraticCurveTo(at(index), at(index + 1), x, y);
  }
  if (line.length === 4) pen.lineTo(at(2), at(3));
}

export function traceClosed(pen: Pen, points: number[]): void {
  pen.moveTo(points[0] ?? 0, points[1] ?? 0);
  for (let at = 2; at < points.length; at += 2) pen.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
  pen.closePath();
}

/** The head of an arrow at the end of a line. */
export function traceHead(pen: Pen, line: number[], size = 7): void {
  const last = line.length - 2;
  const [x, y] = [line[last] ?? 0, line[last + 1] ?? 0];
  const angle = Math.atan2(y - (line[last - 1] ?? 0), x - (line[last - 2] ?? 0));
  const corner = (turn: number): [number, number] => [x - size * Math.cos(angle + turn), y - size * Math.sin(angle + turn)];
  pen.moveTo(x, y);
  pen.lineTo(...corner(0.42));
  pen.lineTo(...corner(-0.42));
  pen.closePath();
}

/** A third of the way: where lines lead both ways, each label is nearer to where its line begins, and none lies on the other. */
function early(line: number[]): [number, number] {
  const [x, y] = middle(line);
  return [((line[0] ?? 0) + 2 * x) / 3, ((line[1] ?? 0) + 2 * y) / 3];
}

/** The middle of a line. */
export function middle(line: number[]): [number, number] {
  const points = line.length / 2;
  if (points % 2 === 1) return [line[points - 1] ?? 0, line[points] ?? 0];
  const at = points - 2;
  return [((line[at] ?? 0) + (line[at + 2] ?? 0)) / 2, ((line[at + 1] ?? 0) + (line[at + 3] ?? 0)) / 2];
}
