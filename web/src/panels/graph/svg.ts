// A graph as an SVG file: the same shapes and words as on the screen.
import { colourOf, type Colours, type Highlight } from "./draw";
import { textsOf, trace, traceClosed, traceHead, type Pen, type Scene } from "./scene";

/** Writes the path of an SVG file. */
class PathPen implements Pen {
  readonly parts: string[] = [];
  private add(letter: string, ...numbers: number[]): void {
    this.parts.push(letter + numbers.map((number) => Math.round(number * 10) / 10).join(" "));
  }
  moveTo(x: number, y: number): void { this.add("M", x, y); }
  lineTo(x: number, y: number): void { this.add("L", x, y); }
  quadraticCurveTo(cx: number, cy: number, x: number, y: number): void { this.add("Q", cx, cy, x, y); }
  closePath(): void { this.parts.push("Z"); }
}

function path(drawing: (pen: Pen) => void): string {
  const pen = new PathPen();
  drawing(pen);
  return pen.parts.join("");
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

export function svg(scene: Scene, colours: Colours, highlight: Highlight, title: string): string {
  const { box } = scene;
  const [width, height] = [Math.ceil(box.right - box.left), Math.ceil(box.bottom - box.top)];
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${Math.floor(box.left)} ${Math.floor(box.top)} ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="${Math.floor(box.left)}" y="${Math.floor(box.top)}" width="${width}" height="${height}" fill="${colours.ground}"/>`,
    `<g fill="none" stroke-linejoin="round">`,
  ];
  for (const edge of scene.edges) {
    const isOnPath = highlight.pathEdges.has(edge.id);
    const colour = isOnPath ? colours.accent : colours.soft;
    out.push(`<path d="${path((pen) => trace(pen, edge.line))}" stroke="${colour}" stroke-width="${isOnPath ? 3 : 1}"/><path d="${path((pen) => traceHead(pen, edge.line))}" fill="${colour}"/>`);
  }
  out.push("</g>", `<g text-anchor="middle" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">`);
  for (const node of scene.nodes) {
    const { stroke, fill } = colourOf(node.tone, colours);
    const stands = highlight.path.has(node.id) || highlight.selected === node.id;
    const ground = highlight.nodes.has(node.id) ? colours.mark : fill;
    node.outline.forEach((points, at) => out.push(`<path d="${path((pen) => traceClosed(pen, points))}" fill="${at === 0 ? ground : "none"}" stroke="${stands ? colours.accent : stroke}" stroke-width="${stands ? 2.5 : 1}"/>`));
    for (const { text, y, isBadge } of textsOf(node)) out.push(`<text x="${node.x.toFixed(1)}" y="${(y + 4).toFixed(1)}" font-size="${isBadge ? 10.5 : 12}" fill="${colours.ink}">${escaped(text)}</text>`);
  }
  for (const edge of scene.edges) {
    const [x, y] = edge.label;
    if (edge.text) out.push(`<text x="${x.toFixed(1)}" y="${(y + 3).toFixed(1)}" font-size="10.5" fill="${colours.ink}" stroke="${colours.ground}" stroke-width="3" paint-order="stroke">${escaped(edge.text)}</text>`);
  }
  out.push("</g>", "</svg>");
  return out.join("\n");
}
