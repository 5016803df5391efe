// The page that `servanda explain --format html` writes, made fit for a panel: its steps, its style in the editor's colours, its body.
import type { Step } from "./locate";

export interface Chart {
  title: string;
  steps: Step[];
}

/** The charts of a page, each with the steps of its table. */
export function charts(html: string): Chart[] {
  const parts = html.split(/<h2 id="chart\d+">/).slice(1);
  return parts.map((part) => {
    const rows = part.matchAll(/<tr[^>]*><td>(\d+)<\/td><td class="code">([^]*?)<\/td><td class="code">([^]*?)<\/td>/g);
    const steps: Step[] = [];
    let control: Record<string, string> = {};
    for (const [, number, label, changes] of rows) {
      const after = { ...control, ...controlIn(plain(changes)) };
      if (Number(number) > 0) steps.push({ label: plain(label), before: control, after });
      control = after;
    }
    return { title: plain(part.slice(0, part.indexOf("</h2>"))), steps };
  });
}

/** `in idle, paid = false` and `Out in idle, In in ready`: where control is, by machine. */
function controlIn(text: string): Record<string, string> {
  const found = text.matchAll(/(?:^|, )(?:([\p{L}][\p{L}0-9_.[\]]*) )?in ([\p{L}][\p{L}0-9_]*)/gu);
  return Object.fromEntries([...found].map(([, machine, state]) => [machine ?? "", state]));
}

/** Text without tags and with its characters as they are. */
export function plain(html: string): string {
  const names: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return html.replace(/<br\s*\/?>/g, "\n").replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => names[name]);
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** The dark colours of a page go by the reader's system; in a panel they go by the editor's theme. */
export function themed(style: string): string {
  const media = /@media\s*\(prefers-color-scheme:\s*dark\)\s*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/g;
  const dark = [...style.matchAll(media)].map(([, rules]) => rules).join("\n");
  const prefixed = dark.replace(/([^{}]+)\{([^{}]*)\}/g, (_, selectors: string, body: string) => {
    const each = selectors.split(",").flatMap((selector) => THEMES.map((theme) => inTheme(theme, selector.trim())));
    return `${each.join(",")}{${body}}\n`;
  });
  return `${style.replace(media, "")}\n${prefixed}`;
}

const THEMES = ["body.vscode-dark", "body.vscode-high-contrast:not(.vscode-high-contrast-light)"];

function inTheme(theme: string, selector: string): string {
  return selector === "body" || selector === ":root" ? theme : `${theme} ${selector}`;
}

const OWN_STYLE = `
tr[data-step]{cursor:pointer}tr[data-step]:hover,tr[data-step].current{outline:2px solid var(--vscode-focusBorder)}
g[data-step]{cursor:pointer}g[data-step]:hover text,g[data-step].current text{text-decoration:underline;font-weight:bold}
tr[data-step]:focus-visible,button:focus-visible,input:focus-visible{outline:2px solid var(--vscode-focusBorder)}
#message{min-height:1.5em}`;

/** A page of the panel. Only the script and the style with this nonce are obeyed, and nothing is loaded from elsewhere. */
export function document(parts: { title: string; style: string; body: string; script: string; nonce: string }): string {
  const policy = `default-src 'none'; style-src 'nonce-${parts.nonce}'; script-src 'nonce-${parts.nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(parts.title)}</title>
<style nonce="${parts.nonce}">${parts.style.replaceAll("</", "<\\/")}${OWN_STYLE}</style>
</head>
<body>
${parts.body}
<script nonce="${parts.nonce}" src="${escape(parts.script)}"></script>
</body>
</html>
`;
}

/** The panel that shows an explanation. */
export function chartPage(html: string, parts: { title: string; script: string; nonce: string }): string {
  const style = [...html.matchAll(/<style>([^]*?)<\/style>/g)].map(([, text]) => text).join("\n");
  const body = /<body[^>]*>([^]*)<\/body>/.exec(html)?.[1] ?? "<p>There is nothing to show.</p>";
  const status = '<p id="message" role="status"></p>';
  return document({ ...parts, style: themed(style), body: withoutScripts(body) + status });
}

/** The policy refuses scripts anyway; what never arrives needs no refusing. */
export function withoutScripts(html: string): string {
  return html
    .replace(/<script\b[^]*?(?:<\/script\s*>|$)/gi, "")
    .replace(/<(?:iframe|object|embed|link|meta|base|form)\b[^>]*>/gi, "")
    .replace(/\s(?:on\w+|srcdoc)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, "");
}
