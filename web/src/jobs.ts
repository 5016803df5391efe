// Jobs: what the server works on for the page, over one socket.
import { Socket, type SocketLike } from "./api";
import type { End, Event, FromPage, FromServer, Request, Say } from "./protocol";

/** A job under way. */
export interface Job {
  readonly id: number;
  /** Says something to a job that converses. False where it is over. */
  say(say: Say): boolean;
  /** Asks it to end. `ended` tells when it has. */
  stop(): void;
  /** Never rejects: every way a job ends is a value. */
  readonly ended: Promise<End>;
  readonly isOver: boolean;
}

interface Running { onEvent: (event: Event) => void; finish: (end: End) => void; request: Request; isSent: boolean; isOver: boolean }

const LOST: End = { reason: "crashed", message: "the connection to the server was lost" };
/** So long a job waits for a connection before it is given up. */
const PATIENCE = 10_000;

export class Jobs {
  private readonly running = new Map<number, Running>();
  private next = 1;
  private readonly socket: Socket;

  constructor(
    address: () => string | Promise<string>,
    private readonly connected: (isConnected: boolean) => void = () => {},
    make?: (address: string) => SocketLike,
  ) {
    this.socket = new Socket(address, {
      opened: () => this.opened(),
      closed: () => this.closed(),
      message: (text) => this.message(text),
    }, make);
  }

  /** Starts a job. Events come in the order in which they were told. */
  start(request: Request, onEvent: (event: Event) => void): Job {
    const id = this.next++;
    let finish!: (end: End) => void;
    const ended = new Promise<End>((resolve) => (finish = resolve));
    const running: Running = { onEvent, finish, request, isSent: false, isOver: false };
    this.running.set(id, running);
    running.isSent = this.send({ id, start: request });
    if (!running.isSent) {
      this.socket.retry();
      const end: End = { reason: "refused", message: "the server does not answer; is `servanda serve` still running?" };
      const timer = setTimeout(() => !running.isSent && this.end(id, end), PATIENCE);
      void ended.then(() => clearTimeout(timer));
    }
    return {
      id,
      ended,
      get isOver() {
        return running.isOver;
      },
      say: (say) => !running.isOver && running.isSent && this.send({ id, say }),
      stop: () => {
        if (running.isOver) return;
        if (!running.isSent || !this.send({ id, stop: true })) this.end(id, { reason: "stopped" });
      },
    };
  }

  private send(message: FromPage): boolean {
    return this.socket.send(JSON.stringify(message));
  }

  private opened(): void {
    this.connected(true);
    for (const [id, running] of this.running) {
      if (!running.isSent) running.isSent = this.send({ id, start: running.request });
    }
  }

  /** The server ends what it did for a socket that is gone. What was never sent waits for the next one. */
  private closed(): void {
    this.connected(false);
    for (const [id, running] of [...this.running]) if (running.isSent) this.end(id, LOST);
  }

  private message(text: string): void {
    let message: FromServer;
    try {
      message = JSON.parse(text) as FromServer;
    } catch {
      return; // Not of this protocol: whatever it was, no job can use it.
    }
    const running = this.running.get(message.id);
    if (!running) return;
    if ("event" in message) running.onEvent(message.event);
    else if ("end" in message) this.end(message.id, message.end);
  }

  private end(id: number, end: End): void {
    const running = this.running.get(id);
    if (!running) return;
    this.running.delete(id);
    running.isOver = true;
    running.finish(end);
  }
}

/** How a job ended, as a sentence; nothing for one that finished. */
export function describeEnd(end: End): string | null {
  const said = end.message ? `: ${end.message}` : "";
  switch (end.reason) {
    case "finished": return null;
    case "stopped": return "Stopped.";
    case "time": return `Ended by the limit of time${said}. What was decided before stays true.`;
    case "memory": return `Ended by the limit of memory${said}. What was decided before stays true.`;
    case "crashed": return `The job crashed${said}.`;
    case "refused": return `The server refused${said}.`;
  }
}
