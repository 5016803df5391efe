// Files: saving, two who write the same one, what a reload keeps, and links that carry a model.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { visitor, workbench } from "./bench";

const SMALL = "protocol Small\nroles A, B\n\nstart idle\nidle -- A -> B: hello --> done\nfinal done\n\nproperty greeted = EF in done\n";

workbench("unsaved texts survive a reload, and are saved with Ctrl+S", { files: { "small.pact": SMALL } }, async (bench) => {
  const { page } = bench;
  await bench.open("small.pact");
  await bench.says("no problems");
  await bench.typeBehind("protocol Small", " // mine");
  await page.locator(".text-tab .unsaved").waitFor();
  await bench.open("Escrow");
  await bench.typeBehind("protocol Escrow", " // also mine");
  await page.reload();
  await bench.isReady();
  await page.locator(".text-tab[aria-current]", { hasText: "escrow.pact" }).waitFor();
  await (await bench.line("protocol Escrow // also mine")).waitFor();
  await page.locator(".text-tab", { hasText: "small.pact" }).click();
  await (await bench.line("protocol Small // mine")).waitFor();
  assert.equal(readFileSync(join(bench.server.directory, "small.pact"), "utf8"), SMALL);

  // Saved, it is in the directory, and it is checked.
  await bench.editor().focus();
  await page.keyboard.press("Control+s");
  await page.locator(".text-tab[aria-current] .unsaved").waitFor({ state: "detached" });
  assert.match(readFileSync(join(bench.server.directory, "small.pact"), "utf8"), /^protocol Small \/\/ mine\n/);
  await bench.property("greeted").locator(".verdict", { hasText: "true" }).waitFor();

  // An example becomes a file under a name of its own.
  await page.locator(".text-tab", { hasText: "escrow.pact" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Save escrow.pact as a file" });
  await dialog.getByRole("textbox").fill("../escrow.pact");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("without `..`").waitFor();
  bench.expected.push(/answer 40[49]: .*nowhere|answer 409: .*small/, /status of 40[49]/);
  await dialog.getByRole("textbox").fill("nowhere/mine.pact");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("there is no directory nowhere").waitFor();
  await dialog.getByRole("textbox").fill("small.pact");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("There is a file small.pact already.").waitFor();
  await bench.isAccessible("name of a file");
  await dialog.getByRole("textbox").fill("mine.pact");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.locator(".side .entry", { hasText: "mine.pact" }).waitFor();
  assert.match(readFileSync(join(bench.server.directory, "mine.pact"), "utf8"), /also mine/);
});

workbench("a file that was changed outside is not written over unseen", { files: { "small.pact": SMALL } }, async (bench) => {
  const { page } = bench;
  bench.expected.push(/answer 409: .*small\.pact/, /status of 409/);
  const path = join(bench.server.directory, "small.pact");
  await bench.open("small.pact");
  await bench.typeBehind("protocol Small", " // mine");
  writeFileSync(path, SMALL.replace("hello", "theirs"));
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: "small.pact was changed outside the workbench" });
  await dialog.locator(".compare .del", { hasText: "theirs" }).waitFor();
  await dialog.locator(".compare .ins", { hasText: "// mine" }).waitFor();
  await bench.isAccessible("conflict");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.match(readFileSync(path, "utf8"), /theirs/);
  await (await bench.line("// mine")).waitFor();

  await page.keyboard.press("Control+s");
  await dialog.getByRole("button", { name: "Save mine over it" }).click();
  await page.getByText("small.pact is saved over the other text").first().waitFor();
  assert.match(readFileSync(path, "utf8"), /mine\n[\s\S]*hello/);

  // The other way round.
  writeFileSync(path, SMALL.replace("hello", "theirs"));
  await bench.typeBehind("protocol Small", " again");
  await page.keyboard.press("Control+s");
  await dialog.getByRole("button", { name: "Take the file, drop mine" }).click();
  await (await bench.line("theirs")).waitFor();
  await page.locator(".text-tab[aria-current] .unsaved").waitFor({ state: "detached" });
});

workbench("a link carries the model that is open, and runs nothing", {}, async (bench) => {
  const { page, server } = bench;
  await bench.open("Escrow");
  await bench.typeBehind("protocol Escrow", " // in a link");
  await page.getByRole("button", { name: "Link", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "A link that carries this model" });
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  assert.ok(link.startsWith(`${server.origin}/#model=`), link);
  assert.ok(!link.includes("token"));
  await bench.isAccessible("link");
  await dialog.getByRole("button", { name: "Close" }).click();

  // In another window of a browser that has the token.
  const other = await bench.context.newPage();
  bench.watch(other);
  await other.goto(link);
  await bench.isReady(other);
  await other.locator(".text-tab[aria-current]", { hasText: "link" }).waitFor();
  await other.locator(".text-pane:not([hidden]) .cm-line", { hasText: "protocol Escrow // in a link" }).waitFor();
  await other.getByText("Nothing was run; check it when you want to.").first().waitFor();
  assert.ok(!other.url().includes("model="));

  // One that was cut off says so.
  await other.goto(`${link.slice(0, -40)}`);
  await other.getByText("a part of the link is missing, or it was changed").first().waitFor();
});

workbench("without the token nothing is shown; with it pasted everything is", { files: { "small.pact": SMALL } }, async (bench) => {
  bench.expected.push(/answer 401/, /status of 401/);
  const other = await visitor(bench.server, {});
  const page = await other.newPage();
  bench.watch(page);
  await page.goto(bench.server.origin);
  const dialog = page.getByRole("dialog", { name: "Which workbench is this?" });
  await dialog.getByRole("textbox").fill(bench.server.address);
  assert.equal(await page.locator(".side .entry").count(), 0);
  await dialog.getByRole("button", { name: "Open" }).click();
  await bench.isReady(page);
  await page.locator(".side .entry", { hasText: "small.pact" }).waitFor();
  await other.close();
});
