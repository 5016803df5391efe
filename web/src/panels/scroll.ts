// Scrolling a list, and nothing around it.

/** Brings an element into what is seen of its list. */
export function scrollWithin(list: HTMLElement | null, element: HTMLElement | null): void {
  if (!list || !element) return;
  const outer = list.getBoundingClientRect();
  const inner = element.getBoundingClientRect();
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += Math.min(inner.bottom - outer.bottom, inner.top - outer.top);
}
