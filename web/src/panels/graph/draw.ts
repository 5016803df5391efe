// Draws a graph on a canvas. What is too small to be read is not drawn, what is not seen neither: so it stays fluid with thousands of nodes.
import { textsOf, trace, traceClosed, traceHead, type Pen, type Scene, type SceneEdge, type SceneNode, type Tone } from "./scene";
import { meet, READABLE, seen, type Size, type View } from "./view";

/** What stands out. */
export interface Highlight { selected: number | null; nodes: ReadonlySet<number>; path: ReadonlySet<number>; pathEdges: ReadonlySet<number> }
export const NOTHING: Highlight = { selected: null, nodes: new Set(), path: new Set(), pathEdges: new Set() };

export interface Colours { ground: string; raised: string; ink: string; soft: string; line: string; accent: string; chosen: string; mark: string; bad: string; badGround: string; warn: string; warnGround: string; good: string; goodGround: string }

export const FONT = "12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
export const SMALL_FONT = "10.5px system-ui, sans-serif";
/** More lines than this are drawn without heads, from a path that was made before. */
const MANY = 2500;
const FAR = 0.2;

export function colourOf(tone: Tone, colours: Colours): { stroke: string; fill: string } {
  switch (tone) {
    case "bad": return { stroke: colours.bad, fill: colours.badGround };
    case "warn": return { stroke: colours.warn, fill: colours.warnGround };
    case "good": return { stroke: colours.good, fill: colours.goodGround };
    case "plain": return { stroke: colours.soft, fill: colours.raised };
  }
}

/** Lines of all edges, made once for a scene. */
export function allLines(scene: Scene): Path2D {
  const path = new Path2D();
  for (const edge of scene.edges) trace(path, edge.line);
  return path;
}

export function draw(context: CanvasRenderingContext2D, scene: Scene, lines: Path2D, view: View, size: Size, ratio: number, colours: Colours, highlight: Highlight): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, size.width * ratio, size.height * ratio);
  const scale = view.scale * ratio;
  context.setTransform(scale, 0, 0, scale, (size.width / 2) * ratio - view.x * scale, (size.height / 2) * ratio - view.y * scale);
  context.lineJoin = "round";
  const box = seen(view, size);
  const edges = scene.edges.filter((edge) => meet(edge.box, box));
  drawEdges(context, edges, lines, view, colours, edges.length > MANY);
  const own = edges.filter((edge) => highlight.pathEdges.has(edge.id) || edge.from === highlight.selected || edge.to === highlight.selected);
  drawOwn(context, own, view, colours, highlight);
  const nodes = scene.nodes.filter((node) => meet(box, { left: node.x - node.width, right: node.x + node.width, top: node.y - node.height, bottom: node.y + node.height }));
  for (const node of nodes) drawNode(context, node, view, colours, highlight);
  if (view.scale < FAR) for (const node of nodes) drawMark(context, node, view, colours);
  if (view.scale >= 0.6) {
    const labelled = edges.length <= 250 ? edges : own;
    for (const edge of labelled) drawLabel(context, edge, colours);
  }
}

function drawEdges(context: CanvasRenderingContext2D, edges: SceneEdge[], lines: Path2D, view: View, colours: Colours, areMany: boolean): void {
  context.strokeStyle = colours.line;
  context.lineWidth = areMany ? 0.6 / view.scale : Math.max(1, 0.7 / view.scale);
  if (areMany) {
    // So many lines would be one dark field: they are drawn the fainter the more they are.
    context.globalAlpha = Math.max(0.15, MANY / 2 / edges.length);
    context.stroke(lines);
    context.globalAlpha = 1;
    return;
  }
  context.beginPath();
  for (const edge of edges) trace(context, edge.line);
  context.stroke();
  if (view.scale < 0.25) return;
  context.fillStyle = colours.line;
  context.beginPath();
  for (const edge of edges) traceHead(context, edge.line);
  context.fill();
}

/** Edges of the path and of the selected node. */
function drawOwn(context: CanvasRenderingContext2D, edges: SceneEdge[], view: View, colours: Colours, highlight: Highlight): void {
  for (const edge of edges) {
    const isOnPath = highlight.pathEdges.has(edge.id);
    context.strokeStyle = isOnPath ? colours.accent : colours.ink;
    context.fillStyle = context.strokeStyle;
    context.lineWidth = (isOnPath ? 3 : 1.4) / Math.min(1, view.scale);
    stroke(context, (pen) => trace(pen, edge.line));
    context.beginPath();
    traceHead(context, edge.line, 9 / Math.min(1, view.scale));
    context.fill();
  }
}

/** From afar: what is marked is still seen, each kind by a shape of its own. */
function drawMark(context: CanvasRenderingContext2D, node: SceneNode, view: View, colours: Colours): void {
  const size = 4.5 / view.scale;
  const corners: Record<Exclude<Tone, "plain">, number> = { bad: 8, warn: 3, good: 4 };
  if (node.tone === "plain") return;
  const count = corners[node.tone];
  const points = Array.from({ length: count }, (_, corner) => {
    const angle = ((corner + (count === 8 ? 0.5 : 0)) / count) * 2 * Math.PI - Math.PI / 2;
    return [node.x + size * Math.cos(angle), node.y + size * Math.sin(angle)];
  }).flat();
  context.fillStyle = colourOf(node.tone, colours).stroke;
  context.strokeStyle = colours.ground;
  context.lineWidth = 1 / view.scale;
  context.beginPath();
  traceClosed(context, points);
  context.fill();
  context.stroke();
}

function drawNode(context: CanvasRenderingContext2D, node: SceneNode, view: View, colours: Colours, highlight: Highlight): void {
  const { stroke: line, fill } = colourOf(node.tone, colours);
  const isFound = highlight.nodes.has(node.id);
  const isOnPath = highlight.path.has(node.id);
  const isSelected = highlight.selected === node.id;
  const isThin = !isFound && !isOnPath && !isSelected;
  context.fillStyle = isSelected ? colours.chosen : isFound ? colours.mark : fill;
  context.strokeStyle = isOnPath || isSelected ? colours.accent : isFound ? colours.ink : line;
  context.lineWidth = isThin ? (node.tone === "plain" ? 1 : 1.8) : 2.5 / Math.min(1, view.scale);
  node.outline.forEach((points, at) => {
    context.beginPath();
    traceClosed(context, points);
    if (at === 0) context.fill();
    context.stroke();
  });
  if (view.scale < READABLE) return;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const { text, y, isBadge } of textsOf(node)) {
    context.font = isBadge ? SMALL_FONT : FONT;
    context.fillStyle = isBadge && node.tone !== "plain" ? line : colours.ink;
    context.fillText(text, node.x, y);
  }
}

function drawLabel(context: CanvasRenderingContext2D, edge: SceneEdge, colours: Colours): void {
  const [x, y] = edge.label;
  context.font = SMALL_FONT;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = colours.ground;
  context.strokeText(edge.text, x, y);
  context.fillStyle = colours.ink;
  context.fillText(edge.text, x, y);
}

function stroke(context: CanvasRenderingContext2D, drawing: (pen: Pen) => void): void {
  context.beginPath();
  drawing(context);
  context.stroke();
}
