// Logs: dropped, judged by a protocol of the library, the broken rule found.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { workbench } from "./bench";

const recording = (name: string): string => readFileSync(`../library/mcp/2025-06-18/recordings/stdio/${name}.jsonl`, "utf8");

workbench("a log is dropped and judged; the finding leads to its line, its slice and its rule", { files: { "logs/good.jsonl": recording("good") } }, async (bench) => {
  const { page } = bench;
  const panel = await bench.panel("Audit");
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "answered-twice.jsonl"));
    return transfer;
  }, recording("answered-twice"));
  await panel.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped });
  await panel.getByText("answered-twice.jsonl, 8 lines").waitFor();
  await panel.getByRole("combobox", { name: "Protocol" }).selectOption("mcp/2025-06-18");
  await panel.getByRole("combobox", { name: "Recorded by" }).selectOption("stdio");
  await panel.getByRole("button", { name: "Judge the log" }).click();

  const finding = panel.getByRole("region", { name: "Findings" }).getByRole("button", { name: /line 6/ });
  await finding.waitFor();
  await finding.click();
  await panel.locator(".log li.is-here", { hasText: "6" }).waitFor();
  await panel.getByRole("region", { name: "Slices" }).getByRole("button", { name: "request s1/client/1" }).click();
  await panel.locator(".audit-slice", { hasText: "request s1/client/1" }).waitFor();
  await finding.click();
  await panel.locator(".audit-slice", { hasText: "request s1/client/2" }).waitFor();
  await page.waitForFunction(() => (document.querySelector<HTMLImageElement>(".audit-slice .picture img")?.naturalWidth ?? 0) > 50);

  // A property that is false names its rule, which is opened in its model.
  await panel.locator("input[type=file]").setInputFiles({ name: "id-used-twice.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(recording("id-used-twice")) });
  await panel.getByRole("button", { name: "Judge the log" }).click();
  await panel.getByRole("region", { name: "Findings" }).getByRole("button", { name: /line 6/ }).click();
  const rule = panel.getByRole("region", { name: "The broken rule" });
  await rule.getByRole("button", { name: "Open the model there" }).click();
  await page.locator(".text-tab[aria-current]", { hasText: "request.pact" }).waitFor();

  // One that keeps all rules, from the directory.
  await panel.getByRole("combobox", { name: "or one of the directory" }).selectOption("logs/good.jsonl");
  await panel.getByText(/^logs\/good.jsonl, /).waitFor();
  await panel.getByRole("button", { name: "Judge the log" }).click();
  await panel.locator(".flag:not(.warn)[role=status]").waitFor();
  assert.equal(await panel.getByRole("region", { name: "Findings" }).count(), 0);
});
