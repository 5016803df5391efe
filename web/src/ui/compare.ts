// The lines in which two texts differ, with a little of what is the same around them.

export interface Line { kind: "same" | "ins" | "del" | "gap"; text: string }

const AROUND = 3;
/** Beyond so many lines that differ nobody reads on, and the table would be large. */
const MOST = 2000;

/** From the first text to the second. */
export function compareLines(from: string, to: string): Line[] {
  const a = from.split("\n");
  const b = to.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = between(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const same = (lines: string[]): Line[] => lines.map((text) => ({ kind: "same", text }));
  return shortened([...same(a.slice(0, head)), ...middle, ...same(a.slice(a.length - tail))]);
}

/** The longest common subsequence, by the table; all removed and all added where that would be too large. */
function between(a: string[], b: string[]): Line[] {
  const removed: Line[] = a.map((text) => ({ kind: "del", text }));
  const added: Line[] = b.map((text) => ({ kind: "ins", text }));
  if (a.length > MOST || b.length > MOST) return [...removed, ...added];
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j] ? at(length, (i + 1) * width + j + 1) + 1 : Math.max(at(length, (i + 1) * width + j), at(length, i * width + j + 1));
    }
  }
  const found: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      found.push({ kind: "same", text: b[j] ?? "" });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(length, (i + 1) * width + j) >= at(length, i * width + j + 1))) found.push(removed[i++] as Line);
    else found.push(added[j++] as Line);
  }
  return found;
}

function at(table: Uint16Array, index: number): number {
  return table[index] ?? 0;
}

function shortened(lines: Line[]): Line[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => line.kind !== "same"));
  const found: Line[] = [];
  lines.forEach((line, at) => {
    if (isNear[at]) found.push(line);
    else if (found.at(-1)?.kind !== "gap") found.push({ kind: "gap", text: "…" });
  });
  return found;
}
