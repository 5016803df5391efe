// Keys of panels: they work wherever the focus is in a panel, except where something is typed.

/** Does the key belong to the user's text, or to the browser or the system? */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target as Element | null;
  return target?.closest("input, textarea, select, [contenteditable]") != null;
}
