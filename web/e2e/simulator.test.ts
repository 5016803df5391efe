// The simulator: choices, taking back, branches, watched formulas, two branches side by side, replays.
import assert from "node:assert/strict";
import { workbench } from "./bench";

workbench("the simulator steps, takes back, branches, watches and compares", {}, async (bench) => {
  const { page } = bench;
  await bench.open("Escrow");
  const panel = await bench.panel("Simulator");
  const next = panel.getByRole("region", { name: "What can happen next" });
  const take = (label: string | RegExp) => next.getByRole("button", { name: label }).first().click();
  const here = (label: string | RegExp) => panel.locator(".sim-row.is-here", { hasText: label }).waitFor();

  await take("Cr(Seller, ship)");
  await here("Cr(Seller, ship)");
  await page.locator(".cm-step-line", { hasText: "Cr(Seller, ship)" }).waitFor();
  await panel.locator(".in-force").getByText("ship", { exact: true }).first().waitFor();
  await take("Cr(Agent, release)");
  await take("Cr(Agent, refund)");
  await here("Cr(Agent, refund)");

  // A formula is followed along the way, also where it was not watched yet.
  await panel.getByRole("textbox", { name: "A formula to watch" }).fill("EF shipped");
  await panel.getByRole("button", { name: "Watch", exact: true }).click();
  const watched = panel.getByRole("group", { name: "Values of the watched formulas" });
  await watched.locator("tr.is-here td", { hasText: "true" }).waitFor();
  await watched.locator("tbody tr").first().locator("td", { hasText: "true" }).waitFor();

  // What is no formula is refused with the reason, and the simulation goes on.
  await panel.getByRole("textbox", { name: "A formula to watch" }).fill("EF shiped");
  await panel.getByRole("button", { name: "Watch", exact: true }).click();
  await panel.locator(".flag", { hasText: "shiped" }).waitFor();

  // With the keyboard, and back again.
  await next.getByRole("button", { name: "deposit" }).focus();
  await page.keyboard.press("Enter");
  await here("deposit");
  await panel.getByRole("button", { name: "Take back" }).click();
  await here("Cr(Agent, refund)");
  await next.locator(".sim-choice", { hasText: "deposit" }).getByText("visited").waitFor();
  await panel.getByRole("button", { name: "Forward" }).click();
  await here("deposit");

  // Another branch, compared with the first.
  await panel.getByRole("button", { name: "Pin to compare" }).click();
  await panel.getByRole("button", { name: "Take back" }).click();
  await take("walk_off");
  await here("walk_off");
  await panel.locator(".sim-row", { hasText: "2 branches" }).waitFor();
  await watched.locator("tr.is-here td", { hasText: "false" }).waitFor();
  const comparison = panel.getByRole("region", { name: "Comparison of two branches" });
  await comparison.getByText("The first 4 moments are common.").waitFor();
  await comparison.locator("tr", { hasText: "held" }).waitFor();
  await bench.isAccessible("comparison");
  await comparison.getByRole("button", { name: "End the comparison" }).click();
  assert.equal(await comparison.count(), 0);

  // By chance, and to the beginning.
  await panel.getByRole("button", { name: "Beginning", exact: true }).click();
  await here("beginning");
  await panel.getByRole("spinbutton", { name: "how many steps" }).fill("3");
  await panel.getByRole("button", { name: "By chance" }).click();
  await panel.getByRole("tree", { name: "Visited moments, 9" }).waitFor();
});

workbench("a counterexample and a scenario are replayed in the simulator, and a changed text is simulated again", {}, async (bench) => {
  const { page } = bench;
  await bench.open("Escrow");
  await bench.says("no problems");
  await bench.checkAll();
  await bench.chartOf("always_shipped");
  await page.getByRole("tabpanel", { name: "Chart" }).getByRole("button", { name: "Simulate" }).click();
  const panel = page.getByRole("tabpanel", { name: "Simulator" });
  await panel.locator(".sim-row", { hasText: "pay_back" }).first().waitFor();

  await panel.getByRole("combobox", { name: "Replay" }).selectOption("by_carrier");
  await panel.getByRole("button", { name: "Replay", exact: true }).click();
  await panel.locator(".sim-row", { hasText: "pay_out" }).first().waitFor();

  await panel.getByRole("button", { name: "Start again" }).click();
  await panel.getByRole("button", { name: /Cr\(Seller, ship\)/ }).click();
  await panel.locator(".sim-row.is-here", { hasText: "Cr(Seller, ship)" }).waitFor();
  await bench.typeBehind("protocol Escrow", " // the same");
  await panel.getByRole("button", { name: "Simulate the new text, and repeat the steps" }).click();
  await panel.getByText("The text has changed since.").waitFor({ state: "detached" });
  await panel.locator(".sim-row.is-here", { hasText: "Cr(Seller, ship)" }).waitFor();
});
