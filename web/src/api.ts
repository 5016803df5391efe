// Talking to the server: requests with the token, and sockets that come back.
import type { FileEntry, FileText, GalleryEntry, Info, Language, LibraryEntry } from "./protocol";

const KEPT = "servanda.token";

/** The token from the address; it is kept, and taken out of the address so that no copied link gives it away. */
export function takeToken(location: Location, history: History, storage: Storage): string {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  if (given) {
    storage.setItem(KEPT, given);
    address.searchParams.delete("token");
    history.replaceState(history.state, "", address);
  }
  return given ?? storage.getItem(KEPT) ?? "";
}

/** Keeps a token that was typed. */
export function keepToken(token: string, storage: Storage): void {
  storage.setItem(KEPT, token);
}

/** The server said no, or was not there (`status` 0). */
export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** A file is another one than the one that was read. */
export class Conflict extends Error {
  constructor(readonly theirs: FileText) {
    super(`${theirs.path} was changed outside the workbench`);
  }
}

export interface GalleryText { text: string; language: Language; beside: Record<string, string> }

export class Api {
  /** Has the server taken the token? Sockets would be refused without saying why. */
  private isLetIn = false;
  private waiting: (() => void)[] = [];

  constructor(private token: string, private readonly base = location.origin) {}

  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("x-servanda-token", this.token);
    let response: Response;
    try {
      response = await fetch(this.base + path, { ...init, headers, cache: "no-store" });
    } catch {
      throw new ApiError(0, "the server does not answer; is `servanda serve` still running?");
    }
    if (response.ok || response.status === 401) this.isLetIn = response.ok;
    if (this.isLetIn) this.waiting.splice(0).forEach((go) => go());
    if (!response.ok && response.status !== 409) {
      const said = (await response.text().catch(() => "")).trim();
      throw new ApiError(response.status, said || `the server answered ${response.status} ${response.statusText}`.trim());
    }
    return response;
  }

  private async get<T>(path: string): Promise<T> {
    return (await this.ask(path)).json() as Promise<T>;
  }

  info = () => this.get<Info>("/api/info");
  files = () => this.get<FileEntry[]>("/api/files");
  file = (path: string) => this.get<FileText>(`/api/file?path=${encodeURIComponent(path)}`);
  gallery = () => this.get<GalleryEntry[]>("/api/gallery");
  example = (name: string) => this.get<GalleryText>(`/api/gallery/${encodeURIComponent(name)}`);
  library = () => this.get<LibraryEntry[]>("/api/library");
  errorPage = (code: string) => this.get<{ markdown: string }>(`/api/errors/${encodeURIComponent(code)}`);

  /** Writes a file, if it is still the version that was read; `new` makes one that must not be there. */
  async save(path: string, text: string, version: string): Promise<string> {
    const response = await this.ask(`/api/file?path=${encodeURIComponent(path)}`, {
      method: "PUT",
      body: text,
      headers: { "x-servanda-version": version, "content-type": "text/plain; charset=utf-8" },
    });
    if (response.status === 409) throw new Conflict((await response.json()) as FileText);
    return ((await response.json()) as { version: string }).version;
  }

  /** The address of a socket, as soon as the server takes the token. */
  socketAddress(path: string): string | Promise<string> {
    const address = `${this.base.replace(/^http/, "ws")}${path}?token=${encodeURIComponent(this.token)}`;
    return this.isLetIn ? address : new Promise((found) => this.waiting.push(() => found(address)));
  }
}

/** What a socket must do; a `WebSocket` does. */
export interface SocketLike {
  readyState: number;
  send(text: string): void;
  close(): void;
  onopen: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: never) => void) | null;
}

export interface Listener {
  opened?(): void;
  closed?(): void;
  message(text: string): void;
}

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8000;

/** A socket that is opened again when it was lost, after pauses that grow. What is said while it is away is not sent: `send` tells. */
export class Socket {
  private socket: SocketLike | null = null;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;
  /** The address is not known yet. */
  private isWaiting = false;

  constructor(
    private readonly address: () => string | Promise<string>,
    private readonly listener: Listener,
    private readonly make: (address: string) => SocketLike = (address) => new WebSocket(address) as unknown as SocketLike,
  ) {
    this.open();
  }

  get isOpen(): boolean {
    return this.socket?.readyState === 1;
  }

  private open(): void {
    const address = this.address();
    if (typeof address === "string") return this.connect(address);
    this.isWaiting = true;
    void address.then((found) => {
      this.isWaiting = false;
      if (!this.isOver) this.connect(found);
    });
  }

  private connect(address: string): void {
    const socket = this.make(address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.listener.opened?.();
    };
    socket.onmessage = (event) => this.listener.message(String(event.data));
    socket.onerror = () => {};
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.listener.closed?.();
      if (this.isOver) return;
      this.timer = setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    };
  }

  /** Sends now, or says that there is nobody. */
  send(text: string): boolean {
    if (!this.socket || this.socket.readyState !== 1) return false;
    this.socket.send(text);
    return true;
  }

  /** Tries again at once, where it waits to. */
  retry(): void {
    if (this.socket || this.isOver || this.isWaiting) return;
    clearTimeout(this.timer);
    this.open();
  }

  close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
