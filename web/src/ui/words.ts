// Verdicts, times and counts as words.
import type { Verdict } from "../protocol";

/** Good where it is what was wanted. */
export function tone(verdict: Verdict): "good" | "bad" | "warn" {
  if (verdict.verdict === "unknown") return "warn";
  return verdict.asWanted ? "good" : "bad";
}

/** How the verdict stands to what was expected, in words. */
export function expectation(verdict: Verdict): string {
  if (verdict.verdict === "unknown") return verdict.reason ?? "not decided";
  if (verdict.expected !== undefined) return verdict.asWanted ? "as expected" : "not as expected";
  return verdict.asWanted ? "" : "not wanted";
}

/** A verdict as a screen reader should say it. */
export function spoken(verdict: Verdict): string {
  const more = expectation(verdict);
  return `${verdict.name}: ${verdict.verdict}${more ? `, ${more}` : ""}`;
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  if (seconds < 0.001) return "under 1 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** A large number with thin spaces between its thousands. */
export function grouped(count: number | string): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
