// The chart as a file: drawn by a job as `servanda explain` draws it; the picture in pixels is made of that.
import { useEffect, useRef, useState } from "preact/hooks";
import { describeEnd } from "../jobs";
import type { Request } from "../protocol";
import type { Shown, Store } from "../store";
import { Icon } from "../ui/icon";

type Format = Extract<Request, { kind: "draw" }>["format"];

const KINDS: { name: string; format: Format; ending: string; type: string; asPixels?: boolean }[] = [
  { name: "SVG", format: "svg", ending: "svg", type: "image/svg+xml" },
  { name: "PNG", format: "svg", ending: "png", type: "image/png", asPixels: true },
  { name: "HTML", format: "html", ending: "html", type: "text/html" },
  { name: "ITF trace", format: "itf", ending: "itf.json", type: "application/json" },
  { name: "Mermaid", format: "mermaid", ending: "mmd", type: "text/plain" },
  { name: "Text", format: "text", ending: "txt", type: "text/plain" },
];

export function Export({ shown, store }: { shown: Shown; store: Store }) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event): void => {
      const isOutside = event instanceof KeyboardEvent ? event.key === "Escape" : !element.current?.contains(event.target as Node);
      if (!isOutside) return;
      setOpen(false);
      if (event instanceof KeyboardEvent) element.current?.querySelector("button")?.focus();
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
    };
  }, [isOpen]);
  const make = async (kind: (typeof KINDS)[number]): Promise<void> => {
    setOpen(false);
    setBusy(true);
    try {
      const text = await draw(shown, store, kind.format);
      const blob = kind.asPixels ? await pixels(text) : new Blob([text], { type: `${kind.type};charset=utf-8` });
      download(blob, `${shown.verdict.name.replace(/[^\p{L}\d_.-]+/gu, "_")}.${kind.ending}`);
      store.announce(`${kind.name} is made`);
    } catch (error) {
      store.complain(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <div class="menu" ref={element}>
      <button type="button" class="button quiet small" aria-expanded={isOpen} disabled={isBusy} onClick={() => setOpen(!isOpen)}><Icon name="download" /> {isBusy ? "Drawing" : "Export"}</button>
      {isOpen && (
        <ul>{KINDS.map((kind) => <li key={kind.name}><button type="button" onClick={() => void make(kind)}>{kind.name}</button></li>)}</ul>
      )}
    </div>
  );
}

async function draw({ subject, property, formula, verdict }: Shown, store: Store, format: Format): Promise<string> {
  let drawn: string | null = null;
  let refused: string | null = null;
  const what = formula === undefined ? { property: property ?? verdict.name } : { formula };
  const job = store.jobs.start({ kind: "draw", subject, limits: store.limits.value, format, ...what }, (event) => {
    if (event.event === "drawing") drawn = event.text;
    if (event.event === "refused") refused = event.message;
  });
  const end = await job.ended;
  if (drawn === null) throw new Error(refused ?? describeEnd(end) ?? "The job drew nothing.");
  return drawn;
}

/** A picture of a drawing, twice as fine as it is large. */
async function pixels(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * 2;
    canvas.height = image.naturalHeight * 2;
    const context = canvas.getContext("2d");
    if (!context) throw new Error("The browser cannot draw.");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("The drawing is too large for a picture; take SVG.");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
