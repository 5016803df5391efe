// Which run of the evidence is looked at: one of those at the top, then branch after branch.
import type { Evidence, Run } from "../protocol";

export type Path = readonly number[];
export interface Branch { index: number; at: number; why: string; run: Run; /** Which of several at the same moment it is. */ slot: number }

/** The runs along a path; empty where the path leads nowhere. */
export function runsAlong(evidence: Evidence, path: Path): Run[] {
  const found: Run[] = [];
  path.forEach((index, depth) => {
    const run = depth === 0 ? evidence.runs[index] : found[depth - 1]?.branches[index]?.run;
    if (run && found.length === depth) found.push(run);
  });
  return found.length === path.length ? found : [];
}

export function branchesOf(run: Run): Branch[] {
  const count = new Map<number, number>();
  return run.branches.map(({ at, why, run: other }, index) => {
    const slot = count.get(at) ?? 0;
    count.set(at, slot + 1);
    return { index, at, why, run: other, slot };
  });
}
