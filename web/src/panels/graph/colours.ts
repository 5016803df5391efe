// The colours of the page, as a canvas wants them.
import type { Colours } from "./draw";

const NAMES: Record<keyof Colours, string> = {
  ground: "ground", raised: "ground-raised", ink: "ink", soft: "ink-soft", line: "line-strong", accent: "accent", chosen: "ground-chosen", mark: "mark-ground",
  bad: "bad", badGround: "bad-ground", warn: "warn", warnGround: "warn-ground", good: "good", goodGround: "good-ground",
};

/** What the names of colours stand for at an element; the theme is decided by the browser, so only it can say. */
export function coloursOf(element: Element): Colours {
  const probe = document.createElement("span");
  (element.parentElement ?? document.body).append(probe);
  const entries = Object.entries(NAMES).map(([key, name]) => {
    probe.style.color = `var(--${name})`;
    return [key, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries) as unknown as Colours;
}
