// The graph of the states, and who can tell which of them apart.
import assert from "node:assert/strict";
import { workbench } from "./bench";

workbench("the graph is drawn, searched, walked through and marked", {}, async (bench) => {
  const { page } = bench;
  await bench.open("auction2");
  const panel = await bench.panel("Graph");
  await panel.getByRole("button", { name: "Draw", exact: true }).click();
  await panel.getByText("20 nodes, 24 edges").waitFor();
  const canvas = panel.locator(".graph-canvas canvas");
  await canvas.waitFor();
  // Something is drawn: the picture has more than one colour.
  await page.waitForFunction(() => {
    const drawn = document.querySelector<HTMLCanvasElement>(".graph-canvas canvas");
    const pixels = drawn?.getContext("2d")?.getImageData(0, 0, drawn.width, drawn.height).data;
    return pixels !== undefined && new Set(new Uint32Array(pixels.buffer)).size > 5;
  });
  await panel.getByText("Eight corners: deadlock.").waitFor();

  await panel.getByRole("button", { name: "deadlock: 4" }).click();
  const details = panel.locator(".graph-details");
  await details.getByText("deadlock", { exact: true }).first().waitFor();
  await panel.getByText("4 states: deadlock; this is 1").waitFor();
  await panel.getByRole("button", { name: "A shortest way here" }).click();
  const way = panel.getByRole("region", { name: "Highlighted way" });
  await way.getByRole("heading", { name: /^A way of \d+ steps$/ }).waitFor();
  assert.ok((await way.getByRole("listitem").count()) > 2);
  // The lines of the way are marked in the source.
  await page.locator(".cm-step-line").first().waitFor();

  const search = panel.getByRole("search", { name: "States of the graph" });
  await search.getByRole("searchbox").fill("sold = true");
  await search.getByRole("button", { name: "Find" }).click();
  await panel.getByText(/^\d+ states: sold = true/).waitFor();
  await panel.getByRole("button", { name: "Next", exact: true }).click();
  await panel.getByText(/sold = true; this is 1/).waitFor();
  await search.getByRole("combobox").selectOption("formula");
  await search.getByRole("searchbox").fill("delivered");
  await search.getByRole("button", { name: "Find" }).click();
  await panel.getByText(/^\d+ states?: delivered/).waitFor();

  // The table says the same; what is clicked there is selected.
  await panel.getByRole("button", { name: "Clear" }).first().click();
  await panel.getByRole("button", { name: "Table" }).click();
  const states = panel.getByRole("region", { name: "States", exact: true });
  await states.getByText("States (20)").waitFor();
  await states.locator("tbody button").first().click();
  await panel.getByRole("region", { name: /^Edges of state / }).waitFor();

  await bench.isAccessible("table");

  // From an edge to its line.
  await panel.getByRole("button", { name: /^Source of / }).first().click();
  await page.locator(".cm-content:focus").waitFor();
  assert.match((await page.locator(".cm-activeLine").first().textContent()) ?? "", /--/);

  // By control states there are fewer nodes.
  await panel.getByRole("combobox", { name: "Nodes are" }).selectOption("control");
  await panel.getByRole("button", { name: "Draw", exact: true }).click();
  await panel.getByText(/of 20 states/).waitFor();
});

workbench("who knows what: states that a role cannot tell apart, and why", {}, async (bench) => {
  const { page } = bench;
  await bench.open("muddy_children");
  const panel = await bench.panel("Knowledge");
  await panel.getByRole("button", { name: "The beginning" }).click();
  await panel.getByRole("radio", { name: "Bob" }).check();
  const answer = panel.getByRole("region", { name: "What Bob knows" });
  await answer.getByRole("heading", { name: "Bob cannot tell this state from 1 other." }).waitFor();
  await answer.locator("tr", { hasText: "ann" }).first().waitFor();
  await answer.locator("th", { hasText: /^bob$/ }).waitFor();

  // A state that comes from the simulator.
  const simulator = await bench.panel("Simulator");
  await simulator.getByRole("button", { name: /ann = true/ }).last().click();
  await simulator.getByRole("button", { name: /one_at_least/ }).click();
  await simulator.locator(".sim-row.is-here", { hasText: "one_at_least" }).waitFor();
  await simulator.getByRole("button", { name: "Who knows what here" }).click();
  await panel.getByText(/Who looks at state/).waitFor();
  await panel.getByText(/asked/).first().waitFor();
  assert.equal(await page.getByRole("tab", { name: "Knowledge" }).getAttribute("aria-selected"), "true");
});
