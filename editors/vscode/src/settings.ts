// What the user has set, ready for use.
import { homedir } from "node:os";
import { join } from "node:path";

export interface Settings {
  path: string;
  serverArguments: string[];
  checkArguments: string[];
  timeoutSeconds: number;
  languageServer: boolean;
}

/** Reads settings; what is not of the right kind is as if it were not set. */
export function readSettings(get: (name: string) => unknown, folder: string | undefined): Settings {
  const words = (value: unknown, otherwise: string[]): string[] =>
    Array.isArray(value) && value.every((each) => typeof each === "string") ? value.map((each) => expand(each, folder)) : otherwise;
  const path = get("path");
  const timeout = get("timeout");
  return {
    path: typeof path === "string" && path.trim() ? expand(path.trim(), folder) : "servanda",
    serverArguments: words(get("arguments"), ["lsp"]),
    checkArguments: words(get("checkArguments"), []),
    timeoutSeconds: typeof timeout === "number" && timeout >= 1 ? Math.min(timeout, 86400) : 60,
    languageServer: get("languageServer") !== false,
  };
}

/** Puts directories in the place of `~` and `${workspaceFolder}`. */
export function expand(text: string, folder: string | undefined): string {
  const home = text === "~" || text.startsWith("~/") ? join(homedir(), text.slice(1)) : text;
  return folder === undefined ? home : home.replaceAll("${workspaceFolder}", folder);
}
