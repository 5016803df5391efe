// What part of a drawing is seen, and how large.
import type { Box, Scene, SceneNode } from "./scene";

/** The point of the drawing in the middle, and how many pixels one unit is. */
export interface View { x: number; y: number; scale: number }
export interface Size { width: number; height: number }

/** Text smaller than this is not drawn. */
export const READABLE = 0.42;
/** So many nodes one reads; of more one wants to see the shape first. */
const MOST_READ = 150;
const SMALLEST = 0.01;
const LARGEST = 4;
const limited = (scale: number): number => Math.min(LARGEST, Math.max(SMALLEST, scale));

/** All of a box; a small one is not blown up. */
export function fit(box: Box, size: Size): View {
  const scale = limited(Math.min(size.width / (box.right - box.left || 1), size.height / (box.bottom - box.top || 1), 1.2));
  return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, scale };
}

/** What is seen first: all of it, or, where that could not be read and one would want to read it, its beginning. */
export function first(scene: Scene, size: Size, start: { x: number; y: number } | undefined): View {
  const all = fit(scene.box, size);
  if (all.scale >= READABLE || scene.nodes.length > MOST_READ || !start) return all;
  const scale = READABLE * 1.8;
  return { scale, x: start.x, y: Math.max(start.y, scene.box.top + size.height / 2 / scale) };
}

export function toDrawing(view: View, size: Size, px: number, py: number): [number, number] {
  return [view.x + (px - size.width / 2) / view.scale, view.y + (py - size.height / 2) / view.scale];
}

/** By pixels. */
export function pan(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
}

/** Larger or smaller, with the point under a pixel staying where it is. */
export function zoom(view: View, size: Size, factor: number, px = size.width / 2, py = size.height / 2): View {
  const scale = limited(view.scale * factor);
  const [x, y] = toDrawing(view, size, px, py);
  return { scale, x: x - (px - size.width / 2) / scale, y: y - (py - size.height / 2) / scale };
}

/** Brings a node into the middle, large enough to be read. */
export function centreOn(view: View, node: { x: number; y: number }): View {
  return { x: node.x, y: node.y, scale: Math.max(view.scale, 0.7) };
}

/** What is seen of the drawing. */
export function seen(view: View, size: Size): Box {
  const [left, top] = toDrawing(view, size, 0, 0);
  const [right, bottom] = toDrawing(view, size, size.width, size.height);
  return { left, top, right, bottom };
}

export function meet(one: Box, two: Box): boolean {
  return one.left <= two.right && two.left <= one.right && one.top <= two.bottom && two.top <= one.bottom;
}

/** The node at a point of the drawing; what is drawn last is on top. `reach` makes small ones easier to hit. */
export function nodeAt(scene: Scene, x: number, y: number, reach = 0): SceneNode | undefined {
  return scene.nodes.findLast((node) => Math.abs(x - node.x) <= node.width / 2 + reach && Math.abs(y - node.y) <= node.height / 2 + reach);
}
