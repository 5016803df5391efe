"""Assertions about logs and models, with messages that say what is wrong and where that stands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from .. import Audit, AuditFinding, Auditor, Model, Report, audit
from .._audit import Line
from .._settings import Level

__all__ = ["Recording", "assert_conforms", "assert_holds"]

_MOST_FINDINGS = 20
_MOST_CHARACTERS = 240
_MOST_LINES = 60


def assert_conforms(
    log: str | os.PathLike[str] | Iterable[Line],
    library: str | None = None,
    *,
    mapping: str | os.PathLike[str] | None = None,
    level: Level = "should",
    complete: bool = False,
    source: str | None = None,
    params: Mapping[str, int] | None = None,
    after: Literal["stop", "skip", "resync"] = "resync",
    seen_by: str | None = None,
    view: str | None = None,
    skip_bad_lines: bool = False,
) -> Audit:
    """Fails unless a log is known to conform: to an entry of the library, or to what a mapping says.

    :param log: a file, a text of several lines, or lines; a line is a text, bytes or a record
    :param library: the entry of the library: ``"mcp/2025-11-25"``
    :param level: the least level at which a finding counts

    The other arguments are those of :func:`servanda.audit`.

    :raises AssertionError: with each finding: its line, the rule, where that stands, and what the line says. A log that was not judged does not
        conform either.
    """
    __tracebackhide__ = True
    if isinstance(log, str) and "\n" in log:
        log = log.splitlines()
    lines: str | os.PathLike[str] | list[Line] = log if isinstance(log, (str, os.PathLike)) else list(log)
    judged = audit(
        lines,
        library,
        mapping=mapping,
        level=level,
        complete=complete,
        source=source,
        params=params,
        after=after,
        seen_by=seen_by,
        view=view,
        skip_bad_lines=skip_bad_lines,
    )
    if not judged.passed:
        name = os.fspath(log) if isinstance(log, (str, os.PathLike)) else "the log"
        against = library or ("the mapping" if mapping is None or "\n" in str(mapping) else os.fspath(mapping))
        excerpts = _of_file(lines) if isinstance(lines, (str, os.PathLike)) else _of_lines(lines)
        raise AssertionError(_message(name, against, judged, excerpts))
    return judged


def _of_file(path: str | os.PathLike[str]) -> dict[int, str]:
    with open(path, encoding="utf-8", errors="replace") as file:
        return {number: line.rstrip("\n") for number, line in enumerate(file, 1)}


def _of_lines(lines: Iterable[Line]) -> dict[int, str]:
    texts = []
    for line in lines:
        if isinstance(line, bytes):
            texts.append(line.decode(errors="replace"))
        else:
            texts.append(line if isinstance(line, str) else json.dumps(line))
    return dict(enumerate((text.rstrip("\n") for text in texts), 1))


def _message(name: str, against: str, judged: Audit, excerpts: Mapping[int, str]) -> str:
    counting = [one for one in judged.findings if one.counts]
    if judged.ok is None:
        why = judged.ended or "a line cannot be read"
        begin = f"it is not known whether {name} conforms to {against}: {why}"
        counting = counting or [one for one in judged.findings if one.kind == "bad-line"]
    else:
        begin = f"{name} does not conform to {against}: {len(counting)} finding{'' if len(counting) == 1 else 's'} in {judged.lines} lines"
    parts = [begin, *(_finding(one, excerpts) for one in counting[:_MOST_FINDINGS])]
    if len(counting) > _MOST_FINDINGS:
        parts.append(f"... and {len(counting) - _MOST_FINDINGS} more findings")
    chart = next((drawn for drawn in (one.draw("text") for one in counting) if drawn), "")
    if chart:
        parts.append(short(chart))
    return "\n\n".join(parts)


def _finding(one: AuditFinding, excerpts: Mapping[int, str]) -> str:
    told = [f"✗ {one}"]
    if one.key:
        told.append(f"slice: {one.view} {'/'.join(one.key)}")
    for role, labels in one.possible.items():
        told.append(f"possible{'' if role is None else f' for {role}'}: {', '.join(labels)}")
    if one.explanation:
        told.append(one.explanation)
    stands = [str(part) for part in (one.citation, one.rule) if part]
    if stands:
        told.append(f"rule: {' · '.join(stands)}")
    if one.at is not None and one.at.line in excerpts:
        line = excerpts[one.at.line]
        told.append("line: " + (line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1] + "…"))
    return "\n    ".join(told)


class Recording:
    """A log that is judged as it comes."""

    def __init__(self, library: str | None = None, *, complete: bool = False, **settings: Any) -> None:
        self._auditor = Auditor(library, **settings)
        self._against = library or "the mapping"
        self._complete = complete
        self._lines: list[Line] = []
        self._judged: Audit | None = None

    def feed(self, line: str | Mapping[str, Any]) -> list[AuditFinding]:
        """Judges a line, or a record, and gives what is found."""
        self._lines.append(line)
        return self._auditor.feed(line)

    def assert_conforms(self) -> Audit:
        """Fails unless what came so far, and is all that comes, is known to conform. It is called at the end of the test."""
        __tracebackhide__ = True
        if self._judged is None:
            self._judged = self._auditor.finish(complete=self._complete)
        if not self._judged.passed:
            raise AssertionError(_message("the recording", self._against, self._judged, _of_lines(self._lines)))
        return self._judged


def assert_holds(model: Model, what: str | Iterable[str] | None = None, **settings: Any) -> Report:
    """Fails unless properties and formulas are decided and as wanted; the arguments are those of :meth:`servanda.Model.check`.

    :raises AssertionError: with what shows each verdict that is not as wanted, and the reason of each that is not known
    """
    __tracebackhide__ = True
    report = model.check(what, **settings)
    wrong = [one for one in report if report.counts(one)]
    if wrong or not report.passed:
        shown = [str(report).rstrip(), *(drawn for one in wrong[:3] if (drawn := short(one.draw("text"))))]
        raise AssertionError("\n\n".join(shown))
    return report


def short(drawn: str) -> str:
    """A chart of as many lines as can be read in a terminal."""
    lines = drawn.rstrip().splitlines()
    left = len(lines) - _MOST_LINES
    return "\n".join(lines if left <= 1 else [*lines[:_MOST_LINES], f"... and {left} more lines"])
