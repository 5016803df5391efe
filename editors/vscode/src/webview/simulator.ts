// In the panel: what can happen are buttons; what is pressed is asked of the simulator.
import type { Answer } from "../answer";
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };
const editor = acquireVsCodeApi();
const find = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
const ask = (command: string): void => editor.postMessage({ type: "ask", command });

function list(id: string, texts: string[]): void {
  find(id).replaceChildren(
    ...texts.map((text) => {
      const item = document.createElement("li");
      item.textContent = text;
      return item;
    }),
  );
}

function button(text: string, act: () => void): HTMLLIElement {
  const item = document.createElement("li");
  const element = document.createElement("button");
  element.textContent = text;
  element.addEventListener("click", act);
  item.append(element);
  return item;
}

function show(answer: Answer, trail: string[]): void {
  find("choices").replaceChildren(
    ...answer.choices.map((choice) => button(`${choice.number}  ${choice.label}`, () => ask(String(choice.number)))),
  );
  find("state").textContent = answer.heading ?? "";
  list("changes", answer.changes);
  find("watched").replaceChildren(
    ...answer.watched.map((watch) => button(`${watch.text}   (stop watching)`, () => ask(`x ${watch.number}`))),
  );
  find("trail").replaceChildren(
    ...trail.map((label, index) => button(label, () => editor.postMessage({ type: "step", step: index + 1 }))),
  );
}

for (const [id, command] of [["undo", "u"], ["restart", "r"], ["any", "a"], ["next", "n"], ["properties", "p"]]) {
  document.getElementById(id)?.addEventListener("click", () => ask(command));
}
for (const [id, command] of [["watch", "w"], ["evaluate", "e"]]) {
  find(id).addEventListener("click", () => {
    const formula = (find("formula") as HTMLInputElement).value.trim();
    if (formula) ask(`${command} ${formula}`);
  });
}
window.addEventListener("message", (event) => {
  if (event.data?.type === "state") show(event.data.answer, event.data.trail);
  if (event.data?.type === "message") find("message").textContent = String(event.data.text);
});
editor.postMessage({ type: "ready" });
