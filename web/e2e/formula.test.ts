// Formulas as they are typed.
import assert from "node:assert/strict";
import { workbench } from "./bench";

workbench("a formula is read in words, drawn, decided and put into the text", {}, async (bench) => {
  const { page } = bench;
  await bench.open("Escrow");
  const panel = await bench.panel("Formula");
  const input = panel.getByRole("textbox", { name: "Formula" });
  await input.fill("AG (held -> AF shiped)");
  await panel.locator(".underlined mark.error", { hasText: "shiped" }).waitFor();
  await panel.locator(".findings", { hasText: "shipped" }).waitFor();

  await input.fill("AG (held -> AF shipped)");
  await panel.locator(".verdict", { hasText: "false" }).waitFor();
  assert.ok(((await panel.getByRole("region", { name: "In words" }).textContent()) ?? "").length > 30);
  const drawing = panel.getByRole("img", { name: /^Automaton of / });
  await drawing.waitFor();
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>(".picture img")?.naturalWidth ?? 0) > 50);

  await input.fill("EF (shipped & refunded)");
  await panel.locator(".verdict", { hasText: "true" }).waitFor();
  await input.press("Enter");
  await panel.getByRole("region", { name: "Asked before" }).getByText("EF (shipped & refunded)").waitFor();
  const form = panel.getByRole("form", { name: "Insert as a property" });
  await form.getByRole("textbox", { name: "Name" }).fill("gift");
  await form.getByRole("button", { name: "Insert into the text" }).click();
  await (await bench.line("property gift")).waitFor();
  await bench.says("no problems");
  await bench.panel("Properties");
  await bench.property("gift").waitFor();
});
