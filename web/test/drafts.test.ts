import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Api } from "../src/api";
import { Drafts } from "../src/drafts";
import { Store } from "../src/store";

class FakeStorage {
  private readonly kept = new Map<string, string>();
  constructor(private readonly most = Infinity) {}
  get length(): number { return this.kept.size; }
  key(at: number): string | null { return [...this.kept.keys()][at] ?? null; }
  getItem(name: string): string | null { return this.kept.get(name) ?? null; }
  removeItem(name: string): void { this.kept.delete(name); }
  setItem(name: string, value: string): void {
    if (value.length > this.most) throw new Error("full");
    this.kept.set(name, value);
  }
}

globalThis.WebSocket = class { readyState = 0; close(): void {} } as unknown as typeof WebSocket;

const storage = (most?: number): Storage => new FakeStorage(most) as unknown as Storage;

/** A window on a directory, with what was kept put back. */
function open(lasting: Storage, ofWindow: Storage, directory = "/models"): Store {
  const store = new Store(new Api("token", "http://127.0.0.1:1"));
  new Drafts(lasting, ofWindow, directory).restore(store);
  return store;
}

const file = (path: string, text = "protocol A\n") => ({ key: `file:${path}`, path, origin: "file" as const, language: "pact" as const, text, version: "1" });
const later = (): Promise<void> => pause(400);

test("a reload loses nothing: texts, what was saved, what is in front, parameters", async () => {
  const [lasting, ofWindow] = [storage(), storage()];
  const store = open(lasting, ofWindow);
  const document = store.add(file("a.pact"));
  document.text.value = "protocol Changed\n";
  document.parameters.value = { N: 4 };
  store.add(file("b.pact"));
  store.activeKey.value = document.key;
  await later();

  const again = open(lasting, ofWindow);
  assert.deepEqual(again.documents.value.map((each) => each.key), ["file:a.pact", "file:b.pact"]);
  const [first, second] = again.documents.value;
  assert.deepEqual([first?.text.value, first?.saved.value, first?.version, first?.isChanged.value], ["protocol Changed\n", "protocol A\n", "1", true]);
  assert.deepEqual(first?.parameters.value, { N: 4 });
  assert.equal(second?.isChanged.value, false);
  assert.equal(again.activeKey.value, "file:a.pact");
});

test("two windows keep each other's drafts", async () => {
  const lasting = storage();
  const [left, right] = [storage(), storage()];
  const one = open(lasting, left);
  const two = open(lasting, right);
  one.add(file("a.pact")).text.value = "draft of one";
  two.add(file("b.pact")).text.value = "draft of two";
  await later();
  const texts = (store: Store): (string | undefined)[] => ["a", "b"].map((name) => store.documents.value.find((each) => each.path === `${name}.pact`)?.text.value);
  assert.deepEqual(texts(open(lasting, left)), ["draft of one", "draft of two"]);
  assert.deepEqual(texts(open(lasting, storage())), ["draft of one", "draft of two"]);
});

test("what was closed stays closed, and another directory has drafts of its own", async () => {
  const [lasting, ofWindow] = [storage(), storage()];
  const store = open(lasting, ofWindow);
  const document = store.add(file("a.pact"));
  document.text.value = "thrown away";
  await later();
  store.close(document);
  store.add(file("b.pact")).text.value = "kept";
  await later();
  assert.deepEqual(open(lasting, ofWindow).documents.value.map((each) => each.path), ["b.pact"]);
  assert.deepEqual(open(lasting, ofWindow, "/others").documents.value, []);
});

test("a browser without room is told of once", async () => {
  const store = open(storage(100), storage());
  store.add(file("a.pact", "x".repeat(200)));
  await later();
  assert.equal(store.losesDrafts.value, true);
  assert.equal(store.notice.value?.isError, true);
});

test("what something else has written into the browser does no harm", () => {
  const lasting = storage();
  lasting.setItem("servanda:/models:session", "{");
  lasting.setItem("servanda:/models:text:file:a.pact", "[1]");
  assert.deepEqual(open(lasting, storage()).documents.value, []);
});
