// Runs the program once, with limits, and never through a shell.
import { spawn } from "node:child_process";

export interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
  /** Why it did not end by itself. */
  ended?: "timeout" | "cancelled" | "too much output";
}

export interface Limits {
  timeoutMs: number;
  mostBytes?: number;
  signal?: AbortSignal;
  cwd?: string;
}

/** Rejects only if the program cannot be started. */
export function run(program: string, args: string[], limits: Limits): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: limits.cwd, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const most = limits.mostBytes ?? 32 * 1024 * 1024;
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let ended: Outcome["ended"];
    const end = (reason: Outcome["ended"]): void => {
      ended ??= reason;
      child.kill("SIGKILL");
    };
    const take = (into: Buffer[]) => (chunk: Buffer): void => {
      size += chunk.length;
      if (size > most) end("too much output");
      else into.push(chunk);
    };
    const timer = setTimeout(() => end("timeout"), limits.timeoutMs);
    const cancel = (): void => end("cancelled");
    if (limits.signal?.aborted) cancel();
    limits.signal?.addEventListener("abort", cancel, { once: true });
    const done = (): void => {
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", cancel);
    };
    child.stdout.on("data", take(out));
    child.stderr.on("data", take(err));
    child.on("error", (error) => {
      done();
      reject(error);
    });
    child.on("close", (status) => {
      done();
      resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), ended });
    });
  });
}

/** What to tell somebody whose program cannot be started. */
export function whyNotStarted(program: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT") return `The program \`${program}\` was not found. Set servanda.path to where it is.`;
  if (code === "EACCES") return `\`${program}\` is not a program that may be run.`;
  return `\`${program}\` could not be started: ${error instanceof Error ? error.message : String(error)}`;
}
