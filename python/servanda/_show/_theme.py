"""Colours that follow the notebook: Jupyter, VS Code and Colab say on their pages whether they are dark; elsewhere the reader's system does."""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable

Bundle = dict[str, str]
"""What one thing looks like, by the kinds of media."""

_DARK = (
    'body[data-jp-theme-light="false"]',
    "body.vscode-dark",
    'body[data-vscode-theme-kind="vscode-dark"]',
    'html[theme="dark"]',
    'html[data-theme="dark"]',
)
_LIGHT = (
    'body[data-jp-theme-light="true"]',
    "body.vscode-light",
    'body[data-vscode-theme-kind="vscode-light"]',
    'html[theme="light"]',
    'html[data-theme="light"]',
)
_MEDIA = "@media (prefers-color-scheme:dark){"
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def themed(light: str, dark: str, scope: str) -> str:
    """Rules that hold below ``scope``; those of ``dark`` besides, where it is dark."""
    return "\n".join(
        [
            _scoped(light, [scope]),
            f"{_MEDIA}{_scoped(dark, [scope])}}}",
            # What a page says goes before what the system says.
            _scoped(light, [f"{page} {scope}" for page in _LIGHT]),
            _scoped(dark, [f"{page} {scope}" for page in _DARK]),
        ]
    )


def _scoped(rules: str, scopes: Iterable[str]) -> str:
    known = list(scopes)

    def rule(found: re.Match[str]) -> str:
        parts = [part.strip() for part in found[1].split(",")]
        selectors = ",".join(f"{scope} {part}".replace(" &", "") for scope in known for part in parts)
        return f"{selectors}{{{found[2]}}}"

    return "".join(rule(found) for found in _RULE.finditer(rules))


def inlined(svg: str) -> str:
    """A drawing that can stand in a page: what it says of colours and names concerns nothing else there, and follows the page's theme."""
    name = "sv" + hashlib.sha256(svg.encode()).hexdigest()[:10]
    found = _STYLE.search(svg)
    if found is not None:
        light, _, dark = found[1].partition(_MEDIA)
        style = themed(light, dark.rstrip().removesuffix("}"), f"svg.{name}")
        svg = svg[: found.start()] + f"<style>{style}</style>" + svg[found.end() :]
    svg = svg.replace('aria-labelledby="title desc"', f'aria-labelledby="{name}-title {name}-desc"', 1)
    svg = svg.replace('<title id="title">', f'<title id="{name}-title">', 1)
    svg = svg.replace('<desc id="desc">', f'<desc id="{name}-desc">', 1)
    return svg.replace("<svg ", f'<svg class="{name}" ', 1)


_LIGHT_RULES = """
&{--ink:#1f2328;--soft:#59636e;--rule:#d1d9e0;--paper:#ffffff;--band:#f6f8fa;--good:#1a7f37;--bad:#c01c28;--open:#8a5a00;--mild:#8250df;--openpaper:#fff4d6;--badpaper:#ffebe9}
"""
_DARK_RULES = """
&{--ink:#e6edf3;--soft:#9198a1;--rule:#3d444d;--paper:#0d1117;--band:#161b22;--good:#3fb950;--bad:#ff7b72;--open:#e3b341;--mild:#b392f0;--openpaper:#3a2f0b;--badpaper:#3c1618}
"""
_SHAPES = """
&{color:var(--ink);background:var(--paper);padding:.6em .8em;font-family:var(--jp-content-font-family,system-ui,-apple-system,"Segoe UI",sans-serif);font-size:13px;line-height:1.45;overflow:auto;max-height:64em;max-width:100%}
table.rows{border-collapse:collapse;margin:.3em 0;border:none;font-size:13px;background:transparent;color:var(--ink)}
table.rows tr,table.rows thead,table.rows tbody tr:nth-child(odd),table.rows tbody tr:hover{background:transparent}
table.rows th{text-align:left;font-weight:600;color:var(--soft);border:none;border-bottom:1px solid var(--rule);padding:.25em .9em .25em 0;background:transparent}
table.rows td{text-align:left;vertical-align:top;border:none;border-bottom:1px solid var(--rule);padding:.25em .9em .25em 0;max-width:46em;white-space:normal;color:var(--ink)}
table.rows td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
table.rows tr.unknown td{background:var(--openpaper)}
table.rows tr.failed td{background:var(--badpaper)}
.good{color:var(--good);font-weight:600}
.bad{color:var(--bad);font-weight:600}
.open{color:var(--open);font-weight:600}
.mild{color:var(--mild);font-weight:600}
.soft{color:var(--soft)}
code,pre{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px;color:inherit;background:transparent;padding:0}
pre{white-space:pre;margin:.3em 0;line-height:1.25}
svg{display:block;max-width:none;height:auto}
summary{cursor:pointer;color:var(--soft)}
"""
_SCOPE = "div.servanda"


def page(*parts: str) -> str:
    """Parts of a page, in a frame that has its own colours."""
    style = themed(_LIGHT_RULES, _DARK_RULES, _SCOPE) + _scoped(_SHAPES, [_SCOPE])
    return f'<div class="servanda"><style>{style}</style>{"".join(parts)}</div>'


def text(words: object) -> str:
    """Words in a page."""
    return html.escape(str(words), quote=True)


def marked(kind: str, words: object) -> str:
    """Words in a colour: ``good``, ``bad``, ``open``, ``mild``, ``soft``."""
    return f'<span class="{kind}">{text(words)}</span>'


def code(words: object) -> str:
    """Words as they stand in a model."""
    return f"<code>{text(words)}</code>"


def paragraph(content: str) -> str:
    """A line of its own."""
    return f'<div style="margin:.2em 0">{content}</div>'


class Number(str):
    """A cell that stands at the right."""


def table(head: Iterable[str], rows: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Rows, each with its class and its cells."""

    def cell(content: str) -> str:
        return f'<td class="number">{content}</td>' if isinstance(content, Number) else f"<td>{content}</td>"

    titles = "".join(f"<th>{text(title)}</th>" for title in head)
    body = "".join(f'<tr class="{kind}">{"".join(map(cell, cells))}</tr>' for kind, cells in rows)
    return f'<table class="rows"><thead><tr>{titles}</tr></thead><tbody>{body}</tbody></table>'
