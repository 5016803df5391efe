// In the panel: a step of a table or of a drawing is clicked, or chosen with the keyboard, and the editor is told.
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };
const editor = acquireVsCodeApi();

function mark(element: Element, chart: number, step: number): void {
  element.setAttribute("data-step", `${chart}.${step}`);
  element.addEventListener("click", () => choose(chart, step));
}

function choose(chart: number, step: number): void {
  document.querySelectorAll(".current").forEach((element) => element.classList.remove("current"));
  document.querySelectorAll(`[data-step="${chart}.${step}"]`).forEach((element) => element.classList.add("current"));
  editor.postMessage({ type: "step", chart, step });
}

let chart = -1;
for (const element of Array.from(document.body.children)) {
  if (element.matches("h2[id^=chart]")) chart += 1;
  if (chart < 0) continue;
  for (const row of Array.from(element.querySelectorAll("tbody tr"))) {
    const number = Number(row.firstElementChild?.textContent || Number.NaN);
    if (!(number > 0)) continue;
    mark(row, chart, number);
    row.setAttribute("tabindex", "0");
    row.addEventListener("keydown", (event) => {
      const key = (event as KeyboardEvent).key;
      if (key === "Enter" || key === " ") {
        event.preventDefault();
        choose(chartOf(row), number);
      }
    });
  }
  // In a drawing the number of a step stands before its arrow.
  for (const group of Array.from(element.querySelectorAll("g"))) {
    const before = group.previousElementSibling;
    const number = Number(before?.localName === "text" ? before.textContent || Number.NaN : Number.NaN);
    if (group.firstElementChild?.localName === "title" && number > 0) mark(group, chart, number);
  }
}

function chartOf(row: Element): number {
  return Number(row.getAttribute("data-step")?.split(".")[0] ?? 0);
}

window.addEventListener("message", (event) => {
  const status = document.getElementById("message");
  if (status && event.data?.type === "message") status.textContent = String(event.data.text);
});
