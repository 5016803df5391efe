"""What was found in logs, as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._charts import fitting
from ._theme import Number, code, inlined, marked, page, paragraph, table, text

if TYPE_CHECKING:
    from .._audit import Audit, AuditFinding

MOST_ROWS = 100
MOST_CHARTS = 8
_LEVELS = {"must": "bad", "should": "open", "may": "soft"}


def _row(one: AuditFinding) -> tuple[str, list[str]]:
    kind = _LEVELS.get(one.level, "soft")
    notes = []
    if not one.certain:
        notes.append("not certain: another order of the lines would be all right")
    if not one.counts:
        notes.append("does not count at the level asked for")
    for role, labels in one.possible.items():
        notes.append(
            f"possible{'' if role is None else f' for {role}'}: {', '.join(labels[:8])}{', …' if len(labels) > 8 else ''}"
        )
    if one.explanation:
        notes.append(one.explanation)
    where = "the end" if one.at is None else str(one.at.line)
    return "failed" if one.counts else "lesser", [
        Number(text(where)),
        marked(kind, one.level),
        f"<b>{text(one.code)}</b>",
        text(one.message) + "".join(paragraph(marked("soft", note)) for note in notes),
        text(one.citation or ""),
        code("/".join(one.key)),
    ]


_HEAD = ("line", "level", "rule", "what is wrong", "where it stands", "slice")


def audit_finding(shown: AuditFinding) -> str:
    """One finding with its chart."""
    svg = fitting(shown.draw("svg"))
    return page(table(_HEAD, [_row(shown)]), inlined(svg) if svg else "")


def audit(shown: Audit) -> str:
    """What an audit has found."""
    counting = sum(one.counts for one in shown.findings)
    kind, words = {
        True: ("good", "✓ in order"),
        False: ("bad", f"✗ {counting} finding{'' if counting == 1 else 's'} that count{'s' if counting == 1 else ''}"),
        None: ("open", f"? not decided: {shown.ended or 'a line cannot be read'}"),
    }[shown.ok]
    head = [marked(kind, words), marked("soft", f"{shown.lines:,} lines, {shown.slices:,} slices")]
    if shown.open:
        head.append(marked("open", f"{shown.open} verdicts stayed open"))
    if shown.owed:
        owed = ", ".join(f"{debtor}: {count}" for debtor, count in shown.owed.items())
        head.append(marked("soft", f"still owed: {owed}"))
    # What counts is shown even where it comes late.
    order = sorted(shown.findings, key=lambda one: not one.counts)
    kept = order[:MOST_ROWS]
    left = len(order) - len(kept)
    return page(
        paragraph(" · ".join(head)),
        table(_HEAD, map(_row, kept)) if kept else "",
        paragraph(marked("open", f"{left} more findings are left out")) if left else "",
        *map(_chart, kept[:MOST_CHARTS]),
    )


def _chart(one: AuditFinding) -> str:
    svg = fitting(one.draw("svg"))
    return "" if not svg else f"<details><summary>{text(one)}</summary>{inlined(svg)}</details>"
