// Asks the worker for layouts; where there is none the page does it itself, the quick way.
import { byDistance } from "./distance";
import type { Laid, LayoutInput } from "./layout";

const waiting = new Map<number, { input: LayoutInput; done: (laid: Laid) => void }>();
let worker: Worker | null | undefined;
let next = 1;

function start(): Worker | null {
  try {
    const made = new Worker(new URL("layout.js", document.baseURI));
    made.onmessage = ({ data }: MessageEvent<{ id: number; laid: Laid }>) => {
      waiting.get(data.id)?.done(data.laid);
      waiting.delete(data.id);
    };
    made.onerror = () => {
      // It could not be loaded, or died: everything that waits is done here.
      worker = null;
      for (const { input, done } of waiting.values()) done(byDistance(input));
      waiting.clear();
    };
    return made;
  } catch {
    return null;
  }
}

/** Lays a graph out beside the page. */
export function layBeside(input: LayoutInput): Promise<Laid> {
  if (worker === undefined) worker = start();
  const to = worker;
  if (!to) return Promise.resolve(byDistance(input));
  const id = next++;
  return new Promise((resolve) => {
    waiting.set(id, { input, done: resolve });
    to.postMessage({ id, input });
  });
}
