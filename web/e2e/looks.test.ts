// Every panel in both themes and on a phone: nothing that a screen reader or weak eyes stumble over, nothing that is cut off. The pictures of
// the documentation are made here, with SERVANDA_PICTURES=1.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { workbench, type Bench, type Theme } from "./bench";

const log = readFileSync("../library/mcp/2025-06-18/recordings/stdio/id-used-twice.jsonl", "utf8");
/** Which panels are shown in which theme in the documentation. */
const PICTURED: Record<Theme, ReadonlySet<string>> = {
  light: new Set(["properties", "chart", "simulator", "knowledge", "formula"]),
  dark: new Set(["chart", "graph", "audit"]),
};

/** Shows something in each panel, and stops after each. */
async function throughPanels(bench: Bench, look: (panel: string) => Promise<void>): Promise<void> {
  const { page } = bench;
  await look("welcome");
  await bench.open("Escrow");
  await bench.says("no problems");
  await bench.checkAll();
  await (await bench.line("property paid_once")).waitFor();
  await look("properties");

  const steps = await bench.chartOf("always_shipped");
  await steps.getByRole("option", { name: /deposit/ }).first().click();
  await page.locator(".cm-step-line", { hasText: "deposit" }).waitFor();
  await look("chart");

  await simulate(await bench.panel("Simulator"));
  await look("simulator");

  const formula = await bench.panel("Formula");
  await formula.getByRole("textbox", { name: "Formula" }).fill("AG (held -> AF shipped)");
  await formula.locator(".verdict", { hasText: "false" }).waitFor();
  await formula.getByRole("img").waitFor();
  await look("formula");

  await bench.open("auction2");
  const graph = await bench.panel("Graph");
  await graph.getByRole("button", { name: "Draw", exact: true }).click();
  await graph.getByRole("button", { name: /^deadlock: \d/ }).click();
  await graph.getByRole("button", { name: "A shortest way here" }).click();
  await graph.getByRole("region", { name: "Highlighted way" }).waitFor();
  await look("graph");

  await bench.open("muddy_children");
  const knowledge = await bench.panel("Knowledge");
  if (await knowledge.getByRole("button", { name: "Explore it again" }).isVisible()) await knowledge.getByRole("button", { name: "Explore it again" }).click();
  await knowledge.getByRole("button", { name: "The beginning" }).click();
  await knowledge.getByRole("heading", { name: /cannot tell this state from/ }).waitFor();
  await look("knowledge");

  const audit = await bench.panel("Audit");
  await audit.locator("input[type=file]").setInputFiles({ name: "id-used-twice.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(log) });
  await audit.getByRole("combobox", { name: "Protocol" }).selectOption("mcp/2025-06-18");
  await audit.getByRole("button", { name: "Judge the log" }).click();
  await audit.getByRole("region", { name: "Findings" }).getByRole("button", { name: /line 6/ }).click();
  await audit.getByRole("region", { name: "The broken rule" }).waitFor();
  await look("audit");
}

async function simulate(panel: Locator): Promise<void> {
  for (const label of ["Cr(Seller, ship)", "Cr(Agent, release)", "Cr(Agent, refund)", "deposit"]) {
    await panel.getByRole("region", { name: "What can happen next" }).getByRole("button", { name: label }).first().click();
    await panel.locator(".sim-row.is-here", { hasText: label }).waitFor();
  }
  await panel.getByRole("textbox", { name: "A formula to watch" }).fill("EF shipped");
  await panel.getByRole("button", { name: "Watch", exact: true }).click();
  await panel.locator("tr.is-here td", { hasText: "true" }).waitFor();
}

/** Nothing sticks out of the page. */
async function fits(bench: Bench, where: string): Promise<void> {
  const [inner, outer] = await bench.page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok((inner ?? 0) <= (outer ?? 0), `${where}: the page is ${inner} wide, the window ${outer}`);
}

for (const theme of ["light", "dark"] as const) {
  workbench(`every panel can be read by all, ${theme}`, { theme }, async (bench) => {
    await throughPanels(bench, async (panel) => {
      await bench.isAccessible(`${panel}, ${theme}`);
      await fits(bench, panel);
      if (PICTURED[theme].has(panel)) await bench.picture(`${panel}-${theme}`);
    });
    // A broken text, with its list of problems.
    await bench.open("Escrow");
    await bench.typeBehind("protocol Escrow", " oops");
    await bench.says(/error/);
    await bench.page.locator("button.problems").click();
    await bench.page.getByRole("region", { name: "Problems" }).waitFor();
    await bench.isAccessible(`problems, ${theme}`);
  });
}

workbench("the theme is changed and kept", { theme: "light" }, async (bench) => {
  const { page } = bench;
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const colours = page.getByRole("button", { name: /^Colours: / });
  await colours.click();
  assert.equal(await ground(), light);
  await colours.click();
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor !== before, light);
  const dark = await ground();
  await page.reload();
  await bench.isReady();
  assert.equal(await ground(), dark);
  // As the system has it, and as the system changes it.
  await colours.click();
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor === before, light);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction((before) => getComputedStyle(document.body).backgroundColor === before, dark);
});

workbench("on a phone one part is seen at a time, and all of it can be read", { size: { width: 390, height: 844 }, isTouched: true }, async (bench) => {
  const { page } = bench;
  const part = (name: string): Promise<void> => page.getByRole("navigation", { name: "Parts of the page" }).getByRole("button", { name }).click();
  await fits(bench, "gallery");
  await bench.isAccessible("gallery on a phone");
  await page.locator(".side .entry", { hasText: "Escrow" }).first().click();
  // The example is in front at once.
  await (await bench.line("protocol Escrow")).waitFor();
  await bench.says("no problems");
  await fits(bench, "source");
  await bench.isAccessible("source on a phone");
  // What is wrong is said, and listed.
  await bench.typeBehind("protocol Escrow", " oops");
  await bench.says(/error/);
  await page.locator("button.problems").click();
  await page.getByRole("region", { name: "Problems" }).getByRole("listitem").first().waitFor();
  await fits(bench, "problems");
  await bench.isAccessible("problems on a phone");
  await page.getByRole("button", { name: "Close the list of problems" }).click();
  await (await bench.line("protocol Escrow")).click();
  await page.keyboard.press("End");
  for (let typed = 0; typed < " oops".length; typed++) await page.keyboard.press("Backspace");
  await bench.says("no problems");
  await part("Panels");
  await bench.checkAll();
  await fits(bench, "properties");
  await bench.isAccessible("properties on a phone");
  const steps = await bench.chartOf("always_shipped");
  await steps.getByRole("option", { name: /deposit/ }).first().click();
  await fits(bench, "chart");
  await bench.isAccessible("chart on a phone");
  await bench.picture("phone-light");
  for (const title of ["Simulator", "Graph", "Knowledge", "Formula", "Audit"]) {
    await bench.panel(title);
    await fits(bench, title);
    await bench.isAccessible(`${title} on a phone`);
  }
  await part("Files");
  await page.getByRole("searchbox", { name: "Find a file or an example" }).waitFor();
});
