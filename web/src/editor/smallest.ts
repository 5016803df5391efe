/** One change that makes one text of another, without what they share at both ends: the cursor stays where it was. */
export function smallest(from: string, to: string): { from: number; to: number; insert: string } {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < from.length - head && tail < to.length - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  return { from: head, to: from.length - tail, insert: to.slice(head, to.length - tail) };
}
