// Steps that repeat, found so that they can be drawn once.

/** `count` times the same `period` steps, the first of them at `from`. */
export interface Fold { from: number; period: number; count: number }

const LONGEST = 12;

/**
 * The repetitions in a list of labels, from left to right, none within another. None reaches over a `barrier`: what a run goes back to must
 * stay where it can be seen.
 */
export function findFolds(labels: readonly string[], barrier?: number): Fold[] {
  const found: Fold[] = [];
  let at = 0;
  while (at < labels.length) {
    const limit = barrier !== undefined && at < barrier ? barrier : labels.length;
    let best: Fold | null = null;
    for (let period = 1; period <= LONGEST && at + 2 * period <= limit; period++) {
      let same = 0;
      while (at + same + period < limit && labels[at + same] === labels[at + same + period]) same++;
      const count = Math.floor(same / period) + 1;
      const saved = (count - 1) * period;
      if (count >= 2 && saved >= 2 && (!best || saved > (best.count - 1) * best.period)) best = { from: at, period, count };
    }
    if (best) found.push(best);
    at += best ? best.period * best.count : 1;
  }
  return found;
}
