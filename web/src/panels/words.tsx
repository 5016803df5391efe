// Sentences with names in them, as `x`.
import type { ComponentChild } from "preact";

/** What stands between backticks is set as code. */
export function Words({ text }: { text: string }): ComponentChild {
  const parts = text.split("`");
  // An odd one out is a backtick that was meant.
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}
