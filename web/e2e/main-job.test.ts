// The main job, from the gallery to the line of the source that a counterexample refers to.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { workbench } from "./bench";

workbench("an example is opened from the gallery, broken, mended and checked", {}, async (bench) => {
  const { page } = bench;
  for (const group of ["Protocols", "Language", "From papers"]) await page.getByRole("button", { name: new RegExp(`^${group} \\d+$`) }).waitFor();
  await page.getByRole("button", { name: "Open NetBill" }).waitFor();
  await page.locator(".side .entry", { hasText: "Escrow" }).first().click();
  await (await bench.line("protocol Escrow")).waitFor();
  await page.locator(".text-tab[aria-current] .tag", { hasText: "example" }).waitFor();
  await bench.says("no problems");
  // Before anything is checked the properties are listed as they are read.
  await bench.property("paid_once").getByText("not checked").waitFor();

  await bench.typeBehind("property paid_once", " & shiped");
  await bench.says("1 error");
  const underline = page.locator(".cm-lintRange-error");
  await underline.filter({ hasText: /^shiped$/ }).hover();
  const message = page.locator(".cm-tooltip .cm-diagnostic");
  await message.waitFor();
  assert.match((await message.first().textContent()) ?? "", /shiped/);
  await page.mouse.move(5, 5);

  // A check of a broken text says what is wrong with it and decides nothing.
  await page.getByRole("button", { name: "Check all" }).click();
  await page.locator(".findings .finding", { hasText: "shiped" }).waitFor();

  await bench.isAccessible("findings");

  // The list of problems proposes what was meant.
  await page.locator("button.problems").click();
  const list = page.getByRole("region", { name: "Problems" });
  await list.getByRole("button", { name: /shipped/ }).last().click();
  await bench.says("no problems");
  await (await bench.line("& shipped")).waitFor();
  assert.equal(await underline.count(), 0);
  for (let count = " & shipped".length; count > 0; count--) await page.keyboard.press("Backspace");
});

workbench("verdicts come in, the chart is stepped through, and source and chart lead to each other", {}, async (bench) => {
  const { page } = bench;
  await bench.open("Escrow");
  await bench.says("no problems");
  await page.getByRole("button", { name: "Check all" }).click();
  await page.locator(".bar .summary", { hasText: "All 11 as wanted." }).waitFor();
  assert.match((await bench.property("paid_once").textContent()) ?? "", /true.*as expected/);
  assert.match((await bench.property("always_shipped").textContent()) ?? "", /false.*as expected/);
  assert.match((await bench.property("by_carrier").textContent()) ?? "", /possible.*scenario/);
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByRole("spinbutton", { name: "Days" }).waitFor();
  await bench.isAccessible("settings");
  await page.getByRole("button", { name: "Settings", exact: true }).click();
  await page.getByText("53 states, 93 transitions, no deadlocks").waitFor();
  // The verdicts stand in the source, too.
  await (await bench.line("property paid_once")).locator(".cm-verdict", { hasText: "true" }).waitFor();

  const steps = await bench.chartOf("always_shipped");
  assert.ok((await steps.getByRole("option").count()) > 4);
  await page.getByText("counterexample", { exact: true }).waitFor();

  // Steps: with the buttons, with the keys, by a click. Each marks its line.
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await page.locator(".steps-bar .count", { hasText: /^1 of / }).waitFor();
  await page.locator(".cm-step-line", { hasText: "Cr(Seller, ship)" }).waitFor();
  await steps.focus();
  for (let at = 0; at < 3; at++) await page.keyboard.press("ArrowDown");
  await page.locator(".steps-bar .count", { hasText: /^4 of / }).waitFor();
  await page.locator(".cm-step-line", { hasText: "deposit" }).waitFor();
  const moment = page.getByRole("region", { name: "The state at this step" });
  await moment.locator("tr.changed", { hasText: "held" }).waitFor();
  await moment.locator(".in-force").getByText("ship", { exact: true }).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("button", { name: "Last", exact: true }).and(page.locator(":disabled")).waitFor();
  await page.keyboard.press("Home");
  await page.locator(".steps-bar .count", { hasText: /^0 of / }).waitFor();

  // From the source to the step.
  await (await bench.line("Cr(Agent, refund)")).click();
  const marked = page.locator(".chart .row.marked");
  await marked.first().waitFor();
  assert.match((await marked.first().textContent()) ?? "", /Cr\(Agent, refund\)/);
  // And a click on a step goes to its line, whatever was there before.
  await steps.getByRole("option", { name: /deposit/ }).first().click();
  await page.locator(".cm-step-line", { hasText: "deposit" }).waitFor();

  // As files.
  for (const [name, file, content] of [["SVG", "always_shipped.svg", /<svg[\s\S]*deposit/], ["ITF trace", "always_shipped.itf.json", /"states"/], ["Text", "always_shipped.txt", /deposit/]] as const) {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
    assert.equal(download.suggestedFilename(), file);
    assert.match(readFileSync(await download.path(), "utf8"), content);
  }
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [png] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "PNG" }).click()]);
  assert.deepEqual([...readFileSync(await png.path()).subarray(1, 4)], [..."PNG"].map((letter) => letter.charCodeAt(0)));
});
