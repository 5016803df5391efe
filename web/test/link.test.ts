import assert from "node:assert/strict";
import { test } from "node:test";
import { LinkError, LONGEST_LINK, fromFragment, toFragment, type Carried } from "../src/link";

const MODEL: Carried = { path: "netbill.pact", language: "pact", text: "protocol Größe\nroles A, B // “quoted” 🤝\n", beside: { "b.pact": "protocol B" }, parameters: { Days: 3 } };

test("what a link carries comes out as it went in", async () => {
  const fragment = await toFragment(MODEL);
  assert.match(fragment, /^model=[\w-]+$/, "every character survives in an address");
  assert.deepEqual(await fromFragment(`#${fragment}`), MODEL);
});

test("an address without a model carries none", async () => {
  assert.equal(await fromFragment(""), null);
  assert.equal(await fromFragment("#editor"), null);
});

test("a model that is too large for a link is refused with both numbers", async () => {
  let text = "";
  for (let at = 0, seed = 1; at < 40_000; at++) {
    seed = (seed * 48271) % 2147483647;
    text += String.fromCharCode(33 + (seed % 90));
  }
  await assert.rejects(toFragment({ ...MODEL, text }), (error: Error) => error instanceof LinkError && error.message.includes(String(LONGEST_LINK)));
});

test("a link that was cut or changed is told, not opened", async () => {
  const fragment = await toFragment(MODEL);
  for (const bad of [fragment.slice(0, -9), "model=", "model=%%%", `model=${"A".repeat(50)}`]) {
    await assert.rejects(fromFragment(bad), LinkError, bad);
  }
});

test("what is no model is refused", async () => {
  for (const value of [{ path: "x", text: "y" }, { ...MODEL, language: "js" }, { ...MODEL, beside: { a: 1 } }, { ...MODEL, parameters: { N: "1" } }, [], null, 3]) {
    const fragment = await toFragment(value as Carried);
    await assert.rejects(fromFragment(fragment), LinkError, JSON.stringify(value));
  }
});

test("a link that unpacks to gigabytes is given up", async () => {
  const fragment = await toFragment({ ...MODEL, text: "a".repeat(5_000_000) });
  assert.ok(fragment.length < LONGEST_LINK);
  await assert.rejects(fromFragment(fragment), /larger than/);
});
