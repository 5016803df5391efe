// What the server, or the program, has to say about a verdict.

export interface SourceStep {
  file: string;
  /** Lines and columns count from 1. */
  line: number;
  column: number;
}

export interface Explanation {
  html: string;
  text?: string;
  /** Where the steps of the first chart come from; null where no place is known. */
  steps: (SourceStep | null)[];
}

/** Reads the answer to `servanda.explain`; `undefined` if it is none. */
export function readExplanation(answer: unknown): Explanation | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { html, text, steps } = answer as Record<string, unknown>;
  if (typeof html !== "string" || !html) return undefined;
  const places = Array.isArray(steps) ? steps.map(readStep) : [];
  return { html, text: typeof text === "string" ? text : undefined, steps: places };
}

function readStep(step: unknown): SourceStep | null {
  const { file, line, column } = (step ?? {}) as Record<string, unknown>;
  const counts = (number: unknown): number is number => Number.isInteger(number) && (number as number) >= 1;
  return typeof file === "string" && file && counts(line) ? { file, line, column: counts(column) ? column : 1 } : null;
}
