"""Evidence and graphs as drawings, as large as can be looked at."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._theme import Number, code, inlined, marked, page, paragraph, table, text

if TYPE_CHECKING:
    from .._evidence import Evidence
    from .._native import State
    from .._report import Explanation, Result
    from .._walk import Graph, Run

MOST_CHARACTERS = 400_000
"""Of a drawing; larger ones make notebooks slow."""
MOST_STATES = 60
"""Of a graph that is drawn unasked."""
_DRAWN = (MOST_STATES, 40, 25, 15, 8)
_WIDEST = 1400
"""In pixels: more would have to be looked for by scrolling."""
_WIDTH = re.compile(r'<svg [^>]*width="(\d+)"')
_FIRST, _LAST = 40, 10


def fitting(svg: str) -> str:
    """The drawing, if it is not too large."""
    return svg if len(svg) <= MOST_CHARACTERS else ""


def chart(result: Result) -> str:
    """The message charts of a result, or the steps in short."""
    svg = fitting(result.draw("svg"))
    if svg:
        return inlined(svg)
    found = result.evidence
    return "" if found is None else steps(found)


def explanation(shown: Explanation) -> str:
    """Why a verdict is what it is."""
    return page(chart(shown.result) or paragraph(marked("open", f"? unknown: {shown.result.reason}")))


def evidence(shown: Evidence) -> str:
    """What shows a verdict."""
    svg = fitting(shown.svg())
    return page(inlined(svg) if svg else steps(shown))


def steps(shown: Evidence) -> str:
    """The steps of evidence that is too long to be drawn."""
    rows = _rows(list(shown.labels), list(shown.states))
    words = f"A {shown.kind} of {len(shown.labels)} steps is too large to be drawn here"
    loop = "" if shown.loop is None else f"; after the last step it goes on from moment {shown.loop}, for ever"
    return paragraph(marked("soft", f"{words}{loop}.")) + rows


def run(shown: Run) -> str:
    """What happened on a walk."""
    how = "nothing can happen any more" if shown.ended else "it could go on"
    count = f"{len(shown.labels)} step{'' if len(shown.labels) == 1 else 's'}; {how}"
    return page(paragraph(marked("soft", count)), _rows(list(shown.labels), list(shown.states)))


def _rows(labels: list[str], states: list[State]) -> str:
    rows = []
    if states:
        rows.append(("", [Number("0"), "", code(states[0])]))
    moments = range(1, len(labels) + 1)
    cut = len(labels) - _FIRST - _LAST
    for moment in moments:
        if cut > 1 and _FIRST < moment <= len(labels) - _LAST:
            if moment == _FIRST + 1:
                rows.append(("", [Number("⋮"), marked("soft", f"{cut} steps are left out"), ""]))
            continue
        changes = changed(states[moment - 1], states[moment]) if moment < len(states) else ""
        rows.append(("", [Number(str(moment)), code(labels[moment - 1]), code(changes)]))
    return table(("", "what happens", "what changes"), rows)


def changed(before: State, after: State) -> str:
    """What is different in one state than in the other."""
    told = []
    for machine, place in after.at.items():
        if before.at.get(machine) != place:
            told.append(f"{machine}: {place}" if machine else f"in {place}")
    values = before.variables
    told += [f"{name} = {shown_value(value)}" for name, value in after.variables.items() if values.get(name) != value]
    under_way = before.channels
    told += [f"{name}: [{'; '.join(held)}]" for name, held in after.channels.items() if under_way.get(name) != held]
    had, has = before.in_force, after.in_force
    told += [f"+ {one}" for one in has if one not in had] + [f"− {one}" for one in had if one not in has]
    return ", ".join(told)


def shown_value(value: bool | int | str) -> str:
    """A value as models write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def drawing(shown: Graph) -> tuple[int, str]:
    """As many of the nearest states as can be looked at, drawn; and how many these are."""
    for limit in _DRAWN:
        svg = shown.svg(limit=limit)
        found = _WIDTH.search(svg)
        if found is not None and int(found[1]) <= _WIDEST and fitting(svg):
            break
    return min(limit, len(shown)), svg


def graph(shown: Graph) -> str:
    """The nearest states of a graph, drawn."""
    more = "" if shown.complete else ", and more that were not looked for"
    words = [text(f"{len(shown):,} states, {len(shown.edges):,} transitions{more}")]
    count, svg = drawing(shown)
    if count < len(shown):
        words.append(marked("open", f"the nearest {count} are drawn; `graph.svg(limit=...)` draws more"))
    return page(paragraph(" · ".join(words)), inlined(svg))
