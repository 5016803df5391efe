// The drawing of a graph: mouse, touch and keys move it.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isTyping } from "../keys";
import { coloursOf } from "./colours";
import { allLines, draw, type Highlight } from "./draw";
import type { Scene } from "./scene";
import { centreOn, first, fit, nodeAt, pan, toDrawing, zoom, type Size, type View } from "./view";

export interface CanvasProps {
  scene: Scene;
  highlight: Highlight;
  label: string;
  /** A new number when the view is to change: `fit` to all of it, or a node to go to. */
  wanted: { number: number; to: "fit" | "larger" | "smaller" | { node: number } };
  /** The theme: another one has other colours. */
  theme: string;
  select: (node: number | null) => void;
}

/** A drawing that takes longer than this is shown as a picture while it is moved, and drawn anew when it rests. */
const SLOW = 14;
const REST = 120;
/** Pixels that a pointer may move and still be a click. */
const CLICK = 5;

export function GraphCanvas({ scene, highlight, label, wanted, theme, select }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<Frame | null>(null);
  useLayoutEffect(() => {
    if (!canvas.current) return undefined;
    const made = new Frame(canvas.current);
    frame.current = made;
    return () => made.end();
  }, []);
  useLayoutEffect(() => frame.current?.show(scene), [scene]);
  useLayoutEffect(() => frame.current?.light(highlight), [highlight]);
  useEffect(() => frame.current?.recolour(), [theme]);
  useEffect(() => {
    if (wanted.number > 0) frame.current?.go(wanted.to);
  }, [wanted.number]);
  useEffect(() => {
    if (frame.current) frame.current.onSelect = select;
  }, [select]);
  return (
    <div class="graph-canvas" role="group" aria-label={`${label}. Arrow keys move it, plus and minus zoom, 0 shows all of it.`} tabIndex={0} onKeyDown={(event) => frame.current?.key(event)}>
      <canvas ref={canvas} role="img" aria-label={`${label}. The table says the same in words.`} />
    </div>
  );
}

class Frame {
  onSelect: (node: number | null) => void = () => {};
  private scene: Scene | null = null;
  private lines: Path2D | null = null;
  private view: View = { x: 0, y: 0, scale: 1 };
  private size: Size = { width: 0, height: 0 };
  private ratio = 1;
  private highlight: Highlight | null = null;
  private colours;
  private request = 0;
  private took = 0;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private picture: { canvas: HTMLCanvasElement; view: View } | null = null;
  private isMoving = false;
  private isUntouched = false;
  private readonly pointers = new Map<number, { x: number; y: number; moved: number }>();
  private readonly observer: ResizeObserver;
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly recolouring = (): void => this.recolour();

  constructor(private readonly canvas: HTMLCanvasElement) {
    this.colours = coloursOf(canvas);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas.parentElement ?? canvas);
    canvas.addEventListener("pointerdown", this.down);
    canvas.addEventListener("pointermove", this.move);
    canvas.addEventListener("pointerup", this.up);
    canvas.addEventListener("pointercancel", this.up);
    canvas.addEventListener("wheel", this.wheel, { passive: false });
    this.dark.addEventListener("change", this.recolouring);
    this.resize();
  }

  end(): void {
    this.observer.disconnect();
    this.dark.removeEventListener("change", this.recolouring);
    cancelAnimationFrame(this.request);
    clearTimeout(this.rest);
  }

  show(scene: Scene): void {
    this.scene = scene;
    this.lines = allLines(scene);
    this.picture = null;
    this.begin();
    this.later();
  }

  private begin(): void {
    if (!this.scene) return;
    const start = this.scene.start === undefined ? undefined : this.scene.nodes[this.scene.positions.get(this.scene.start) ?? -1];
    this.view = first(this.scene, this.size, start);
    this.isUntouched = true;
  }

  light(highlight: Highlight): void {
    this.highlight = highlight;
    this.later();
  }

  recolour(): void {
    this.colours = coloursOf(this.canvas);
    this.later();
  }

  go(to: CanvasProps["wanted"]["to"]): void {
    if (!this.scene) return;
    if (to === "fit") {
      this.view = fit(this.scene.box, this.size);
      this.isUntouched = false;
    } else if (to === "larger" || to === "smaller") this.view = zoom(this.view, this.size, to === "larger" ? 1.3 : 1 / 1.3);
    else {
      const node = this.scene.nodes[this.scene.positions.get(to.node) ?? -1];
      if (node) this.view = centreOn(this.view, node);
      this.isUntouched = false;
    }
    this.later();
  }

  key(event: KeyboardEvent): void {
    if (isTyping(event)) return;
    const step = event.shiftKey ? 240 : 60;
    const moves: Record<string, [number, number]> = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const move = moves[event.key];
    if (move) this.moveTo(pan(this.view, ...move));
    else if (event.key === "+" || event.key === "=") this.moveTo(zoom(this.view, this.size, 1.3));
    else if (event.key === "-") this.moveTo(zoom(this.view, this.size, 1 / 1.3));
    else if (event.key === "0" || event.key === "Home") this.go("fit");
    else if (event.key === "Escape") this.onSelect(null);
    else return;
    event.preventDefault();
  }

  private resize(): void {
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    this.ratio = Math.min(2, devicePixelRatio || 1);
    this.size = { width: Math.max(1, box.width), height: Math.max(1, box.height) };
    this.canvas.width = Math.round(this.size.width * this.ratio);
    this.canvas.height = Math.round(this.size.height * this.ratio);
    this.picture = null;
    if (this.isUntouched) this.begin();
    this.draw();
  }

  private readonly down = (event: PointerEvent): void => {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, moved: 0 });
  };

  private readonly move = (event: PointerEvent): void => {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, other]) => other);
    const [dx, dy] = [event.offsetX - pointer.x, event.offsetY - pointer.y];
    pointer.moved += Math.abs(dx) + Math.abs(dy);
    const other = others[0];
    if (other) {
      // Two fingers: what is between them stays between them.
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y) || 1;
      const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y) || 1;
      const middle = { x: (event.offsetX + other.x) / 2, y: (event.offsetY + other.y) / 2 };
      this.moveTo(pan(zoom(this.view, this.size, after / before, middle.x, middle.y), dx / 2, dy / 2));
    } else if (pointer.moved > CLICK) this.moveTo(pan(this.view, dx, dy));
    pointer.x = event.offsetX;
    pointer.y = event.offsetY;
  };

  private readonly up = (event: PointerEvent): void => {
    const pointer = this.pointers.get(event.pointerId);
    const wasAlone = this.pointers.size === 1;
    this.pointers.delete(event.pointerId);
    if (event.type !== "pointerup" || !pointer || !wasAlone || pointer.moved > CLICK || !this.scene) return;
    const [x, y] = toDrawing(this.view, this.size, event.offsetX, event.offsetY);
    this.onSelect(nodeAt(this.scene, x, y, 4 / this.view.scale)?.id ?? null);
  };

  private readonly wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    // A touchpad's pinch arrives as a wheel with Ctrl and small steps.
    const factor = Math.exp((-event.deltaY * lines * (event.ctrlKey ? 4 : 1)) / 500);
    this.moveTo(zoom(this.view, this.size, factor, event.offsetX, event.offsetY));
  };

  private moveTo(view: View): void {
    this.view = view;
    this.isUntouched = false;
    this.isMoving = this.took > SLOW;
    this.later();
    if (!this.isMoving) return;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.isMoving = false;
      this.later();
    }, REST);
  }

  private later(): void {
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    const context = this.canvas.getContext("2d");
    if (!context || !this.scene || !this.lines || !this.highlight) return;
    if (this.isMoving && this.picture) return this.drawPicture(context, this.picture);
    const begun = performance.now();
    draw(context, this.scene, this.lines, this.view, this.size, this.ratio, this.colours, this.highlight);
    this.took = performance.now() - begun;
    // How long the last drawing took, for the tests.
    this.canvas.dataset["took"] = this.took.toFixed(1);
    if (this.took > SLOW) this.keepPicture();
  }

  /** Keeps what is on the canvas, to be moved around cheaply. */
  private keepPicture(): void {
    const kept = this.picture?.canvas ?? document.createElement("canvas");
    kept.width = this.canvas.width;
    kept.height = this.canvas.height;
    kept.getContext("2d")?.drawImage(this.canvas, 0, 0);
    this.picture = { canvas: kept, view: this.view };
  }

  private drawPicture(context: CanvasRenderingContext2D, { canvas, view }: { canvas: HTMLCanvasElement; view: View }): void {
    const scale = this.view.scale / view.scale;
    const { width, height } = this.canvas;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, width, height);
    const left = width / 2 + (view.x - this.view.x) * this.view.scale * this.ratio - (width / 2) * scale;
    const top = height / 2 + (view.y - this.view.y) * this.view.scale * this.ratio - (height / 2) * scale;
    context.drawImage(canvas, left, top, width * scale, height * scale);
  }
}
