// The main job without a mouse.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { workbench } from "./bench";

/** Presses Tab until something is in focus that is called so. */
async function tabTo(page: Page, what: RegExp): Promise<void> {
  for (let presses = 0; presses < 250; presses++) {
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element?.getAttribute("aria-label") ?? element?.textContent ?? "";
      return `${element?.getAttribute("role") ?? element?.tagName.toLowerCase()} ${label.replace(/\s+/g, " ").trim()}`;
    });
    if (what.test(name)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not come to ${what}`);
}

workbench("the main job with the keyboard alone", {}, async (bench) => {
  const { page } = bench;
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to the source");
  await tabTo(page, /^input Find a file/);
  await page.keyboard.type("Escrow");
  await tabTo(page, /^button Escrow/);
  await page.keyboard.press("Enter");
  await bench.says("no problems");
  await tabTo(page, /^textbox/);

  // A name that is wrong is mended with the keyboard: the list of problems is reached by Tab.
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nproperty mine = EF shiped\n");
  await bench.says("1 error");
  await page.locator(".cm-lintRange-error", { hasText: /^shiped$/ }).waitFor();
  // Escape and then Tab leaves the editor.
  await page.keyboard.press("Escape");
  await tabTo(page, /^button 1 error/);
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Problems" }).waitFor();
  await page.locator(".problem-list button", { hasText: "shipped" }).last().focus();
  await page.keyboard.press("Enter");
  await bench.says("no problems");

  await page.keyboard.press("Control+Enter");
  await page.locator(".bar .summary", { hasText: "All 12 as wanted." }).waitFor();
  await page.keyboard.press("Alt+1");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-properties");
  await tabTo(page, /^button Chart of always_shipped/);
  await page.keyboard.press("Enter");
  await page.locator(".chart .steps").waitFor();
  await page.keyboard.press("Alt+2");
  await tabTo(page, /^listbox Steps/);
  await page.keyboard.press("ArrowDown");
  await page.locator(".cm-step-line", { hasText: "Cr(Seller, ship)" }).waitFor();
  // What is chosen is told to screen readers.
  const chosen = await page.locator(".chart .steps").getAttribute("aria-activedescendant");
  assert.match((await page.locator(`#${chosen}`).getAttribute("aria-label")) ?? "", /^1\. .*Cr\(Seller, ship\)/);

  // It is closed with Escape, and the focus is where it was asked for; asked for again, the steps have it at once.
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => /^Chart of always_shipped$/.test(document.activeElement?.textContent?.trim() ?? ""));
  assert.equal(await page.evaluate(() => document.querySelector("[role=tab][aria-selected=true]")?.id), "tab-properties");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("class") === "steps");
  await page.getByRole("button", { name: "Close the chart" }).click();
  await page.waitForFunction(() => /^Chart of always_shipped$/.test(document.activeElement?.textContent?.trim() ?? ""));

  await page.keyboard.press("Alt+3");
  const panel = page.getByRole("tabpanel", { name: "Simulator" });
  await panel.locator(".sim-choice").first().waitFor();
  await tabTo(page, /^button 1Cr\(Seller, ship\)/);
  await page.keyboard.press("1");
  await panel.locator(".sim-row.is-here", { hasText: "Cr(Seller, ship)" }).waitFor();
  await tabTo(page, /^treeitem|^button/);
  await page.keyboard.press("Backspace");
  await panel.locator(".sim-row.is-here", { hasText: "beginning" }).waitFor();

  // The keys are listed; Escape closes that, and the focus is where it was.
  await page.getByRole("button", { name: "Keys" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await bench.isAccessible("keys");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Keys");

  // So does its key, but not where it is typed.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "detached" });
  await page.getByRole("searchbox", { name: "Find a file or an example" }).focus();
  await page.keyboard.press("?");
  assert.equal(await page.getByRole("dialog", { name: "Keys" }).count(), 0);
  await page.keyboard.press("Backspace");

  // Tabs with the arrows.
  await page.keyboard.press("Alt+6");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-audit");
  await page.keyboard.press("Home");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "tab-properties");
});
