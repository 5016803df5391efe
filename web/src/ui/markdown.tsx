// Markdown from the server's own pages, as elements: nothing in it is ever taken for HTML.
import { marked, type Token, type Tokens } from "marked";
import { h, type ComponentChild } from "preact";

export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{marked.lexer(text).map(block)}</div>;
}

function block(token: Token, key: number): ComponentChild {
  switch (token.type) {
    // Pages stand below a heading of the workbench.
    case "heading": return h(`h${Math.min(6, (token as Tokens.Heading).depth + 3)}`, { key }, inlines(token));
    case "paragraph": return <p key={key}>{inlines(token)}</p>;
    case "code": return <pre key={key} tabIndex={0}><code>{(token as Tokens.Code).text}</code></pre>;
    case "blockquote": return <blockquote key={key}>{(token as Tokens.Blockquote).tokens.map(block)}</blockquote>;
    case "list": {
      const list = token as Tokens.List;
      return h(list.ordered ? "ol" : "ul", { key }, list.items.map((item, at) => <li key={at}>{item.tokens.map(block)}</li>));
    }
    case "table": {
      const table = token as Tokens.Table;
      return (
        <table key={key}>
          <thead><tr>{table.header.map((cell, at) => <th key={at} scope="col">{cell.tokens.map(inline)}</th>)}</tr></thead>
          <tbody>{table.rows.map((row, at) => <tr key={at}>{row.map((cell, n) => <td key={n}>{cell.tokens.map(inline)}</td>)}</tr>)}</tbody>
        </table>
      );
    }
    case "hr": return <hr key={key} />;
    case "space": case "def": case "html": return null;
    default: return inline(token, key);
  }
}

function inlines(token: Token): ComponentChild[] {
  return ((token as { tokens?: Token[] }).tokens ?? []).map(inline);
}

function inline(token: Token, key: number): ComponentChild {
  switch (token.type) {
    case "strong": return <strong key={key}>{inlines(token)}</strong>;
    case "em": return <em key={key}>{inlines(token)}</em>;
    case "codespan": return <code key={key}>{(token as Tokens.Codespan).text}</code>;
    case "br": return <br key={key} />;
    case "escape": return (token as Tokens.Escape).text;
    case "link": {
      const { href } = token as Tokens.Link;
      if (!/^https?:/.test(href)) return <span key={key}>{inlines(token)}</span>;
      return <a key={key} href={href} rel="noreferrer noopener" target="_blank">{inlines(token)}</a>;
    }
    case "text": return "tokens" in token && token.tokens ? inlines(token) : (token as Tokens.Text).text;
    default: return "raw" in token ? token.raw : null;
  }
}
