// Hovers show words of the text, and a text may come with a link from anywhere: only harmless elements stay.

const KEPT = new Set(["A", "B", "BLOCKQUOTE", "BR", "CODE", "DEL", "EM", "H1", "H2", "H3", "H4", "H5", "H6", "HR", "I", "LI", "OL", "P", "PRE", "SPAN", "STRONG", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL"]);
/** These go with all that is in them; of others the text stays. */
const DROPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "IFRAME", "OBJECT", "EMBED", "SVG", "MATH", "NOSCRIPT", "TITLE"]);

export function sanitize(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  clean(body);
  return body.innerHTML;
}

function clean(element: Element): void {
  for (const child of [...element.children]) {
    if (DROPPED.has(child.tagName.toUpperCase())) {
      child.remove();
      continue;
    }
    clean(child);
    if (!KEPT.has(child.tagName)) {
      child.replaceWith(...child.childNodes);
      continue;
    }
    for (const { name } of [...child.attributes]) {
      const isLink = child.tagName === "A" && name === "href" && /^https?:\/\//.test(child.getAttribute("href") ?? "");
      if (!isLink && name !== "class") child.removeAttribute(name);
    }
    if (child.tagName === "A") {
      child.setAttribute("target", "_blank");
      child.setAttribute("rel", "noopener noreferrer");
    }
  }
}
