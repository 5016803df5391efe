// Mappings: written with the help of the language service, chosen for the log that lies beside them, and what became of commitments.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { workbench } from "./bench";

/** A file of the guide to audits. */
const guide = readFileSync("../docs/audit.md", "utf8");
function file(name: string): string {
  const text = new RegExp(`<!-- file: ${name.replaceAll(".", "\\.")} -->\\n\`\`\`\\w+\\n([^]*?)\`\`\``).exec(guide)?.[1];
  assert.ok(text, name);
  return text;
}

const files = { "shop/purchase.audit.toml": file("purchase.audit.toml"), "shop/purchase.pact": file("purchase.pact"), "shop/orders.jsonl": file("orders.jsonl"), "shop/other.jsonl": "{}\n" };

workbench("a mapping is written with what is wrong underlined, and leads into its model", { files }, async (bench) => {
  const { page } = bench;
  await bench.open("purchase.audit.toml");
  await bench.says("no problems");
  await page.locator(".tok-keyword", { hasText: "format" }).first().waitFor();
  // A label that is not quite one: said, listed, and mended.
  await bench.typeBehind('end   = ["Agent: pays"', "\nsilent = [\"Agent: remindd\"]");
  await bench.says("1 error");
  await page.locator("button.problems").click();
  await page.getByRole("region", { name: "Problems" }).getByRole("button", { name: "Change to `reminded`" }).click();
  await bench.says("no problems");
  // Labels of the model are proposed.
  await bench.typeBehind('silent = ["Agent: reminded"', "");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(', "Agent: as');
  await page.keyboard.press("Control+Space");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "Agent: asks" }).waitFor();
  await bench.isAccessible("a mapping");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "Agent: asks" }).click();
  await (await bench.line('silent = ["Agent: reminded", "Agent: asks"]')).waitFor();
  await bench.says("no problems");
  // And they lead there.
  await page.keyboard.press("F12");
  await page.locator(".text-tab[aria-current]", { hasText: "purchase.pact" }).waitFor();
});

workbench("a log beside a mapping is judged by it; its slice says what is owed", { files }, async (bench) => {
  const { page } = bench;
  const panel = await bench.panel("Audit");
  await panel.getByRole("combobox", { name: "or one of the directory" }).selectOption("shop/orders.jsonl");
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>(".audit input[type=radio]:checked")?.parentElement?.textContent?.includes("mapping"));
  await panel.getByRole("combobox", { name: "Mapping" }).waitFor();
  assert.equal(await panel.getByRole("combobox", { name: "Mapping" }).inputValue(), "shop/purchase.audit.toml");
  // What was approved is ordered, and not paid.
  await panel.locator("input[type=file]").setInputFiles({ name: "orders.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(file("orders.jsonl").replace('"amount": 55', '"amount": 40')) });
  await panel.getByText("orders.jsonl, 3 lines").waitFor();
  await panel.getByLabel("a mapping of your own").check();
  await panel.getByLabel(/the log is complete/).check();
  await panel.getByRole("button", { name: "Judge the log" }).click();
  const slices = panel.getByRole("region", { name: "Slices" });
  await slices.getByRole("button", { name: "order o1" }).click();
  await slices.getByRole("row", { name: /payment.*Agent owes Shop/ }).waitFor();
  assert.match((await slices.getByRole("row", { name: /payment.*Agent owes Shop/ }).textContent()) ?? "", /broken|owed/);
  for (const lines of await slices.locator("tbody tr td:nth-child(2)").allTextContents()) assert.notEqual(lines, "0");
  await bench.isAccessible("commitments");
});
