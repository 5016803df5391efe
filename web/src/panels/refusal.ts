// What a job refused, for the page.
import type { Finding } from "../protocol";

/** Findings about the model are listed with their places; those about a formula that was typed are words only, since its text is not in the editor. */
export function refusal(message: string, findings: Finding[], isAboutModel: boolean): { text: string; aboutModel: Finding[] } {
  if (isAboutModel || findings.length === 0) return { text: message, aboutModel: findings };
  const words = findings.map((finding) => [finding.message, ...finding.help].join("; "));
  return { text: `${message}: ${words.join(". ")}`, aboutModel: [] };
}
