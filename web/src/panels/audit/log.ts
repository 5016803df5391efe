// A log as text: its lines, and what it seems to be a log of.
import type { FileEntry, LibraryEntry } from "../../protocol";

/** A log; where it is a file of the directory with its path. */
export interface Log { name: string; text: string; lines: string[]; path?: string }

export function logOf(name: string, text: string, path?: string): Log {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return { name, text, lines, ...(path === undefined ? {} : { path }) };
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

/** The mapping that lies beside a log, or in the nearest folder above it: the one that is called as it, or as a folder on the way. */
export function mappingBeside(path: string, files: readonly FileEntry[]): string | undefined {
  const folders = path.split("/").slice(0, -1);
  const words = [stem(path), ...folders.slice().reverse()];
  for (let depth = folders.length; depth >= 0; depth--) {
    const folder = folders.slice(0, depth).map((each) => `${each}/`).join("");
    const here = files.filter((file) => file.language === "mapping" && file.path.startsWith(folder) && !file.path.slice(folder.length).includes("/"));
    const called = words.map((word) => here.find((file) => stem(file.path) === word)).find((file) => file !== undefined);
    const found = called ?? here.find((file) => words[0]?.startsWith(stem(file.path))) ?? (here.length === 1 ? here[0] : undefined);
    if (found) return found.path;
    // Several, and none that is meant rather than another: those further away are no better.
    if (here.length > 0) return undefined;
  }
  return undefined;
}

const stem = (path: string): string => (path.split("/").at(-1) ?? "").replace(/(\.audit\.toml|\.[^.]*)$/, "");

/** The protocol of the library that the path of a log names, or whose version its beginning does; the first where several do. */
export function suggested(log: Log, library: LibraryEntry[]): { library: string; source: string } | undefined {
  const named = library.find((entry) => `/${log.name}`.includes(`/${entry.name}/`));
  if (named) return { library: named.name, source: named.sources.find((source) => log.name.split("/").includes(source)) ?? sourceOf(named, log.lines.slice(0, LOOKED_AT).join("\n")) };
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
