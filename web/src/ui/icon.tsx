// The few pictures of the page, drawn with the colour of the text around them. They say nothing alone: a word stands beside each.
const PATHS = {
  yes: "M3.5 8.5l3 3 6-7",
  no: "M4 4l8 8M12 4l-8 8",
  question: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M8 12.6v.1",
  play: "M5 3.5v9l7-4.5z",
  stop: "M4.5 4.5h7v7h-7z",
  save: "M3 3h8l2 2v8H3zM5.5 3v3.5h4V3M5 13V9.5h6V13",
  plus: "M8 3v10M3 8h10",
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  link: "M6.7 9.3a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.3 6.7a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7",
  moon: "M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6z",
  auto: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
  first: "M4 3.5v9M12 4l-5 4 5 4z",
  back: "M10.5 4l-5 4 5 4z",
  next: "M5.5 4l5 4-5 4z",
  last: "M12 3.5v9M4 4l5 4-5 4z",
  folded: "M6 4l4 4-4 4",
  unfolded: "M4 6l4 4 4-4",
  warning: "M8 2.5l6 10.5H2zM8 6.5v3M8 11.3v.1",
  info: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 7.3v3.4M8 5.2v.1",
  download: "M8 2.5v7.5M5 7l3 3 3-3M3 13h10",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  book: "M3 3h4a1.5 1.5 0 0 1 1 .5A1.5 1.5 0 0 1 9 3h4v9.5H9a1.5 1.5 0 0 0-1 .5 1.5 1.5 0 0 0-1-.5H3zM8 3.5V13",
  search: "M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8M10 10l3.5 3.5",
  loop: "M12.5 8a4.5 4.5 0 1 1-1.3-3.2M12.5 2.5v3h-3",
  settings: "M3 5h6M12 5h1M3 11h1M7 11h6M9 3.5v3M4 9.5v3",
  eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6",
  branch: "M5 3v10M5 9c4 0 6-1 6-4M11 5V3",
  dot: "M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
} as const;

export type IconName = keyof typeof PATHS;
const FILLED: ReadonlySet<IconName> = new Set(["play", "stop", "back", "next", "dot"]);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={FILLED.has(name) ? "icon filled" : "icon"} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
