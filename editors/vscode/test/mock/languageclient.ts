// A language server that answers what a test wants.
export enum State { Stopped = 1, Running = 2 }
export const servers: LanguageClient[] = [];
export const wanted = { capabilities: {} as any, answer: undefined as unknown };

export class LanguageClient {
  state = State.Stopped;
  initializeResult: any;
  asked: any[] = [];
  private listener: (change: any) => void = () => undefined;
  constructor(_: string, __: string, readonly program: any, readonly options: any) {
    servers.push(this);
  }
  onDidChangeState(listener: (change: any) => void): void { this.listener = listener; }
  async start(): Promise<void> {
    this.initializeResult = { capabilities: wanted.capabilities };
    this.state = State.Running;
    this.listener({ newState: State.Running });
  }
  async sendRequest(method: string, params: unknown): Promise<unknown> {
    this.asked.push([method, params]);
    return wanted.answer;
  }
  needsStop(): boolean { return this.state === State.Running; }
  async stop(): Promise<void> { this.state = State.Stopped; }
  async dispose(): Promise<void> { this.state = State.Stopped; }
}
