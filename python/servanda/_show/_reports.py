"""Models, reports and comparisons as pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._charts import chart
from ._theme import Number, code, marked, page, paragraph, table, text

if TYPE_CHECKING:
    from .._findings import Finding
    from .._model import Model
    from .._report import Report, Result, Verdict

MOST_ROWS = 100
"""Longer reports are no use to look at."""


def _mark(one: Result, fails: bool) -> tuple[str, str, str]:
    """The class of a row, that of its words, and its sign: what is not known never looks like what is as wanted."""
    if one.as_wanted is None:
        return "unknown", "open", "?"
    if one.as_wanted:
        return "passed", "good", "✓"
    return ("failed", "bad", "✗") if fails else ("lesser", "mild", "!")


def _words(one: Result) -> str:
    if one.as_wanted is None:
        return f"unknown: {one.reason or 'not decided'}"
    wanted = ""
    if one.expected is not None:
        wanted = ", as expected" if one.as_wanted else ", not as expected"
    return f"{one.verdict}{wanted}"


def _row(one: Result, fails: bool) -> tuple[str, list[str]]:
    kind, words, sign = _mark(one, fails)
    formula = code(one.formula if len(one.formula) <= 200 else one.formula[:199] + "…")
    cite = "" if one.cite is None else paragraph(marked("soft", one.cite))
    level = "" if one.level == "must" else paragraph(marked("soft", one.level))
    return kind, [
        marked(words, sign),
        f"<b>{text(one.name)}</b>{level}",
        marked(words, _words(one)),
        formula + cite,
        marked("soft", one.engine),
        Number(seconds(one.seconds)),
    ]


_HEAD = ("", "property", "verdict", "formula", "engine", "time")


def seconds(time: float) -> str:
    """A time in the unit that fits."""
    if time >= 1:
        return f"{time:.2f} s"
    return f"{time * 1e3:.2f} ms" if time >= 1e-3 else f"{time * 1e6:.0f} µs"


def report(shown: Report) -> str:
    """A report: all that is not as wanted, and of the rest as much as can be looked at."""
    data = shown.to_dict()
    name = (data.get("model") or {}).get("name") or shown.file
    size = shown.size
    parts = [f"<b>{text(name)}</b>", marked("soft", shown.file)]
    parts += [code(f"{param} = {value}") for param, value in shown.params.items()]
    if size is not None:
        counts = ((size.states, "states"), (size.transitions, "transitions"))
        parts += [marked("soft", f"{count:,} {what}") for count, what in counts if count is not None]
    # What is not as wanted is shown even where it comes late.
    order = sorted(range(len(shown)), key=lambda index: (shown[index].passed, index))
    kept = sorted(order[:MOST_ROWS])
    rows = [_row(shown[index], shown.counts(shown[index])) for index in kept]
    left = [shown[index] for index in order[MOST_ROWS:]]
    return page(
        paragraph(" · ".join(parts)),
        table(_HEAD, rows),
        "" if not left else paragraph(marked("soft", _left_out(left))),
        paragraph(_summary(shown)),
        *map(_finding, shown.findings[:20]),
    )


def _left_out(left: list[Result]) -> str:
    wanted = sum(one.passed for one in left)
    rest = "" if wanted == len(left) else f", {len(left) - wanted} that are not"
    return f"{len(left)} properties are left out: {wanted} as wanted{rest}"


def _summary(shown: Report) -> str:
    unknown = sum(one.as_wanted is None for one in shown)
    unwanted = sum(one.as_wanted is False for one in shown)
    words = {"wanted": ("good", "✓"), "undecided": ("open", "?"), "unwanted": ("bad", "✗")}
    kind, sign = words.get(shown.status, ("bad", "✗"))
    told = [f"{unwanted} not as wanted"] if unwanted else []
    told += [f"{unknown} not decided"] if unknown else []
    all_of = f"{len(shown)} propert{'y' if len(shown) == 1 else 'ies'}"
    return marked(kind, f"{sign} {all_of}, {', '.join(told) or 'all as wanted'}")


def _finding(finding: Finding) -> str:
    where = "" if finding.line is None else f"{finding.file}:{finding.line}: "
    return paragraph(marked("soft", f"{where}{finding.severity}[{finding.code}]: {finding.message}"))


def result(shown: Result) -> str:
    """A result with what shows it."""
    return page(table(_HEAD, [_row(shown, True)]), chart(shown) if shown.to_dict().get("trace") else _without(shown))


def _without(shown: Result) -> str:
    return "" if shown.no_evidence is None else paragraph(marked("soft", shown.no_evidence))


def model(shown: Model) -> str:
    """What a model says of itself."""
    params = [code(f"{name} = {value}") for name, value in shown.params.items()]
    head = [f"<b>{text(shown.name)}</b>", marked("soft", shown.file), text(", ".join(shown.agents[:12])), *params]
    if len(shown.agents) > 12:
        head.insert(3, marked("soft", f"and {len(shown.agents) - 12} more agents"))
    properties = shown.properties
    rows = [
        (
            "",
            [
                f"<b>{text(one.name)}</b>",
                code(one.formula),
                text({None: "", True: "true", False: "false"}[one.expected]),
            ],
        )
        for one in properties[:MOST_ROWS]
    ]
    more = len(properties) - len(rows)
    return page(
        paragraph(" · ".join(head)),
        table(("property", "formula", "expected"), rows) if rows else "",
        paragraph(marked("soft", f"{more} more properties are left out")) if more else "",
    )


def compared(verdict: Verdict, words: str) -> str:
    """The report of a comparison."""
    kind, sign = {"true": ("good", "✓"), "false": ("bad", "✗"), "unknown": ("open", "?")}[verdict.value]
    return page(paragraph(marked(kind, f"{sign} {verdict}")), f"<pre>{text(words)}</pre>")
