// What the other tests rely on: that errors in the page, what the policy forbids, failed requests and obstacles for screen readers are noticed.
import assert from "node:assert/strict";
import { workbench } from "./bench";

workbench("errors, forbidden scripts, failed requests and obstacles are noticed", {}, async (bench) => {
  const { page } = bench;
  assert.deepEqual(bench.unexpected(), []);
  await page.evaluate(() => {
    console.error("a complaint");
    setTimeout(() => { throw new Error("a mistake"); });
    const script = document.createElement("script");
    script.textContent = "document.title = 'taken over'";
    document.body.append(script);
    const image = document.createElement("img");
    image.alt = "";
    image.src = "/nothing.png";
    document.body.append(image);
  });
  const wanted = [/console: a complaint/, /a mistake/, /forbidden by the policy: script-src/, /answer 404: .*nothing\.png/];
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>("img[src='/nothing.png']")?.complete);
  for (const pattern of wanted) assert.ok(bench.unexpected().some((trouble) => pattern.test(trouble)), `${pattern} is not in ${bench.unexpected().join("\n")}`);
  assert.equal(await page.title(), "Servanda");
  await page.evaluate(() => {
    const button = document.createElement("button");
    document.querySelector("main")?.append(button);
  });
  await assert.rejects(bench.isAccessible("a button without a name"), /button-name/);
  bench.expected.push(/./);
});
