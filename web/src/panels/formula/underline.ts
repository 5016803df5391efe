// Findings as parts of the formula that they are about.
import type { Finding } from "../../protocol";

export interface Part { text: string; severity: Finding["severity"] | null }

const RANK: Record<Finding["severity"], number> = { error: 3, warning: 2, note: 1 };

/** The formula in parts, each underlined by the worst finding there. A finding about a point underlines one character. */
export function parts(text: string, findings: Finding[]): Part[] {
  const starts = lineStarts(text);
  const offset = (line: number, column: number): number => Math.min(text.length, (starts[Math.min(line, starts.length) - 1] ?? 0) + column - 1);
  const worst: (Finding["severity"] | null)[] = Array.from({ length: text.length + 1 }, () => null);
  for (const { place, severity } of findings) {
    if (!place) continue;
    const from = offset(place.line, place.column);
    const to = Math.max(from + 1, offset(place.endLine, place.endColumn));
    for (let at = from; at < to && at <= text.length; at++) {
      const known = worst[at];
      if (!known || RANK[severity] > RANK[known]) worst[at] = severity;
    }
  }
  // Something missing at the end is underlined on a space of its own.
  const whole = worst[text.length] ? `${text} ` : text;
  const out: Part[] = [];
  for (let at = 0; at < whole.length; at++) {
    const last = out.at(-1);
    const severity = worst[at] ?? null;
    if (last && last.severity === severity) last.text += whole[at];
    else out.push({ text: whole[at] ?? "", severity });
  }
  return out;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) if (text[at] === "\n") starts.push(at + 1);
  return starts;
}
