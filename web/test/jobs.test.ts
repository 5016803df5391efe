import assert from "node:assert/strict";
import { test } from "node:test";
import type { SocketLike } from "../src/api";
import { Jobs, describeEnd } from "../src/jobs";
import type { Event, FromPage, FromServer, Request } from "../src/protocol";

const REQUEST: Request = { kind: "simulate", subject: { language: "pact", path: "a.pact", text: "" } };

class FakeSocket implements SocketLike {
  readyState = 0;
  sent: FromPage[] = [];
  onopen: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  send(text: string): void { this.sent.push(JSON.parse(text) as FromPage); }
  close(): void { this.drop(); }
  open(): void { this.readyState = 1; this.onopen?.(undefined as never); }
  drop(): void { this.readyState = 3; this.onclose?.(undefined as never); }
  says(message: FromServer | string): void { this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) }); }
}

function connected() {
  const sockets: FakeSocket[] = [];
  const jobs = new Jobs(() => "ws://x", () => {}, () => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  });
  return { jobs, sockets, socket: sockets[0] as FakeSocket };
}

test("events go to their job in order, and the end is a value", async () => {
  const { jobs, socket } = connected();
  socket.open();
  const [one, two]: Event[][] = [[], []];
  const first = jobs.start(REQUEST, (event) => one?.push(event));
  const second = jobs.start(REQUEST, (event) => two?.push(event));
  assert.notEqual(first.id, second.id);
  socket.says({ id: second.id, event: { event: "drawing", text: "b" } });
  socket.says({ id: first.id, event: { event: "drawing", text: "a" } });
  socket.says({ id: first.id, event: { event: "drawing", text: "c" } });
  socket.says({ id: first.id, end: { reason: "finished" } });
  assert.deepEqual(one, [{ event: "drawing", text: "a" }, { event: "drawing", text: "c" }]);
  assert.deepEqual(two, [{ event: "drawing", text: "b" }]);
  assert.deepEqual(await first.ended, { reason: "finished" });
  assert.equal(first.isOver, true);
  assert.equal(second.isOver, false);
});

test("a job that is over hears nothing and says nothing", async () => {
  const { jobs, socket } = connected();
  socket.open();
  let heard = 0;
  const job = jobs.start(REQUEST, () => heard++);
  socket.says({ id: job.id, end: { reason: "time" } });
  await job.ended;
  const before = socket.sent.length;
  socket.says({ id: job.id, event: { event: "drawing", text: "" } });
  assert.equal(job.say({ look: 0 }), false);
  job.stop();
  assert.equal(heard, 0);
  assert.equal(socket.sent.length, before);
});

test("what is started before the socket is open is sent once it is", () => {
  const { jobs, socket } = connected();
  const job = jobs.start(REQUEST, () => {});
  assert.deepEqual(socket.sent, []);
  socket.open();
  assert.deepEqual(socket.sent, [{ id: job.id, start: REQUEST }]);
  job.stop();
});

test("a job that was never sent is stopped without the server", async () => {
  const { jobs } = connected();
  const job = jobs.start(REQUEST, () => {});
  job.stop();
  assert.deepEqual(await job.ended, { reason: "stopped" });
});

test("a lost connection ends what was under way, and the socket comes back", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { jobs, sockets, socket } = connected();
  socket.open();
  const job = jobs.start(REQUEST, () => {});
  socket.drop();
  assert.equal((await job.ended).reason, "crashed");
  assert.equal(sockets.length, 1);
  context.mock.timers.tick(10_000);
  assert.equal(sockets.length, 2);
  sockets[1]?.open();
  const next = jobs.start(REQUEST, () => {});
  assert.deepEqual(sockets[1]?.sent, [{ id: next.id, start: REQUEST }]);
});

test("what is not of the protocol hurts nobody", () => {
  const { jobs, socket } = connected();
  socket.open();
  const job = jobs.start(REQUEST, () => assert.fail());
  socket.says("no JSON");
  socket.says({ id: 77, end: { reason: "finished" } });
  assert.equal(job.isOver, false);
});

test("every way to end has its words", () => {
  assert.equal(describeEnd({ reason: "finished" }), null);
  for (const reason of ["stopped", "time", "memory", "crashed", "refused"] as const) assert.ok(describeEnd({ reason })?.endsWith("."));
  assert.match(describeEnd({ reason: "crashed", message: "out of luck" }) ?? "", /out of luck/);
});
