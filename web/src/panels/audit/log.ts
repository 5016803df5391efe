// A log as text: its lines, and what it seems to be a log of.
import type { LibraryEntry } from "../../protocol";

export interface Log { name: string; text: string; lines: string[] }

export function logOf(name: string, text: string): Log {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return { name, text, lines };
}

/** A line with its fields below each other, where it is JSON. */
export function pretty(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    return line;
  }
}

/** The lines around one, as numbers from 1; the whole log if it is not longer. */
export function around(count: number, line: number, most: number): { from: number; to: number } {
  const from = Math.max(1, Math.min(line - Math.floor(most / 2), count - most + 1));
  return { from, to: Math.min(count, from + most - 1) };
}

const LOOKED_AT = 200;

/** The protocol of the library whose version the beginning of a log names; the first where several do. */
export function suggested(log: Log, library: LibraryEntry[]): { library: string; source: string } | undefined {
  const head = log.lines.slice(0, LOOKED_AT).join("\n");
  const isOf = (entry: LibraryEntry): boolean => {
    const version = entry.name.split("/").at(-1) ?? "";
    return /^\d{4}-\d\d-\d\d$/.test(version) ? head.includes(`"${version}"`) : false;
  };
  const entry = library.find(isOf) ?? library.find((each) => each.name.startsWith("a2a/") && /"(SendMessage|SendStreamingMessage|TASK_STATE_\w+)"/.test(head));
  return entry && { library: entry.name, source: sourceOf(entry, head) };
}

function sourceOf(entry: LibraryEntry, head: string): string {
  const isTelemetry = head.includes('"resourceSpans"');
  return entry.sources.find((source) => /otlp|otel/i.test(source) === isTelemetry) ?? entry.sources[0] ?? "";
}
