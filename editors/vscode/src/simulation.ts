// A conversation with `servanda sim`: one question at a time, each with its answer.
import { type ChildProcess, spawn } from "node:child_process";
import { whyNotStarted } from "./run";

/** `h` says the same at any time and nothing else says it: its answer marks the end of the one before. */
const END = "h";
const FIRST_OF_END = "  NUMBER   take the transition of this number\n";
const LAST_OF_END = "  q        quit\n";
const MOST_OUTPUT = 8 * 1024 * 1024;

interface Waiting {
  resolve: (text: string) => void;
  reject: (error: Error) => void;
}

export class Simulation {
  private readonly child: ChildProcess;
  private readonly waiting: Waiting[] = [];
  private output = "";
  private errors = "";
  private over: Error | undefined;

  /** Starts the program; the first answer, that to nothing, is where the walk begins. */
  constructor(program: string, args: string[], cwd?: string) {
    this.child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    this.child.stdout?.setEncoding("utf8").on("data", (text: string) => this.hear(text));
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.errors = (this.errors + text).slice(-10000);
    });
    // A program that has ended cannot be written to; that it has ended is said by "close".
    this.child.stdin?.on("error", () => undefined);
    this.child.on("error", (error) => this.end(new Error(whyNotStarted(program, error))));
    this.child.on("close", () => this.end(new Error(this.errors.trim() || "The simulator has ended.")));
  }

  /** Asks, and gives the answer. Lines have no end within: a command is one line. */
  ask(command: string): Promise<string> {
    if (this.over) return Promise.reject(this.over);
    const line = command.replace(/[\r\n]+/g, " ").trim();
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.child.stdin?.write(line ? `${line}\n${END}\n` : `${END}\n`);
    });
  }

  /** Ends the program. */
  dispose(): void {
    this.end(new Error("The simulator was closed."));
    this.child.kill("SIGKILL");
  }

  private hear(text: string): void {
    this.output += text;
    if (this.output.length > MOST_OUTPUT) {
      this.dispose();
      return;
    }
    for (;;) {
      const first = this.output.indexOf(FIRST_OF_END);
      const last = this.output.indexOf(LAST_OF_END, Math.max(first, 0));
      if (first < 0 || last < 0) return;
      const answer = this.output.slice(0, first);
      this.output = this.output.slice(last + LAST_OF_END.length);
      this.waiting.shift()?.resolve(answer);
    }
  }

  private end(error: Error): void {
    this.over ??= error;
    this.waiting.splice(0).forEach((waiting) => waiting.reject(error));
  }
}
