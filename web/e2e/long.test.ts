// A check that takes long: what is decided is told meanwhile, and it can be stopped.
import assert from "node:assert/strict";
import { workbench } from "./bench";

// Nearly a thousand million states without any order that an engine could use.
const LONG = `protocol Long
roles A, B
var a : 0..996 = 1
var b : 0..990 = 2
var c : 0..982 = 3

start on
on -- A: left set a = (a * 3 + b) % 997 --> on
on -- B: right set b = (b * 5 + c) % 991 --> on
on -- A -> B: both set c = (c * 7 + a) % 983 --> on

property quick = EF in on
property slow = AG EF (a = 0 & b = 990 & c = 17)
`;

workbench("verdicts stream in while a long check goes on, which is stopped", { files: { "long.pact": LONG } }, async (bench) => {
  const { page } = bench;
  await bench.open("long.pact");
  await bench.says("no problems");
  await page.getByRole("button", { name: "Check all" }).click();
  await bench.property("quick").locator(".verdict", { hasText: "true" }).waitFor();
  await bench.property("slow").getByText("checking").waitFor();
  const progress = page.locator(".progress .words");
  await progress.getByText(/1 of 2 decided/).waitFor();
  // It moves, and says how fast.
  await progress.getByText(/[\d\s.,]+ (states|nodes).*per second/).waitFor();
  const before = await progress.textContent();
  await page.waitForFunction((earlier) => document.querySelector(".progress .words")?.textContent !== earlier, before);
  await bench.isAccessible("progress");

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.locator(".trouble", { hasText: "Stopped." }).waitFor();
  assert.equal(await page.locator(".progress").count(), 0);
  // What was decided stays, and the workbench goes on: another check runs.
  await bench.property("quick").locator(".verdict", { hasText: "true" }).waitFor();
  await bench.property("quick").getByRole("button", { name: "Check quick" }).click();
  await page.locator(".trouble").waitFor({ state: "detached" });
  await bench.property("quick").locator(".verdict", { hasText: "true" }).waitFor();

  // The limit of time ends it, too, and says so.
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("spinbutton", { name: "Seconds" }).fill("1");
  await bench.property("slow").getByRole("button", { name: "Check slow" }).click();
  await bench.property("slow").locator(".verdict", { hasText: "unknown" }).waitFor();
});
