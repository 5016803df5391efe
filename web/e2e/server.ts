// The program under test, serving a directory of its own.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

const PROGRAM = resolve(process.env.SERVANDA ?? "../target/debug/servanda");

export interface Server {
  /** With the token, as the program prints it. */
  address: string;
  /** Without. */
  origin: string;
  directory: string;
  stop: () => Promise<void>;
}

/** Starts the program on a new directory with these files, at a port that is free. */
export async function serve(files: Record<string, string>): Promise<Server> {
  const parent = mkdtempSync(join(tmpdir(), "servanda-e2e-"));
  // What it is called is seen in the pictures.
  const directory = join(parent, "protocols");
  mkdirSync(directory);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const child = spawn(PROGRAM, ["serve", "protocols", "--listen", "127.0.0.1:0"], { cwd: parent, stdio: ["ignore", "pipe", "pipe"] });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((end) => child.once("exit", end));
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    const address = await firstLine(child);
    return { address, origin: new URL(address).origin, directory, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((found, failed) => {
    let said = "";
    let complained = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const line = /^(http:\S+)\s*\n/m.exec(said)?.[1];
      if (line) found(line);
    });
    child.stderr?.on("data", (chunk: Buffer) => (complained += chunk.toString()));
    child.once("error", (error) => failed(new Error(`${PROGRAM} cannot be started: ${error.message}`)));
    child.once("exit", (status) => failed(new Error(`${PROGRAM} ended with ${status}: ${complained}`)));
  });
}
