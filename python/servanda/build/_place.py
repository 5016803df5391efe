"""Where in Python parts of a protocol were added."""

from __future__ import annotations

import dataclasses
import linecache
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from .._errors import InputError
from .._evidence import Place
from .._findings import Finding

_OURS = os.path.dirname(os.path.abspath(__file__))


@dataclasses.dataclass(frozen=True)
class Added:
    """A line of a Python file."""

    file: str
    line: int


def here() -> Added:
    """Where this package was called from."""
    frame = sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _OURS:
        frame = frame.f_back
    return Added(frame.f_code.co_filename, frame.f_lineno)


class Relocation:
    """Leads from the lines of a text that was made to the lines of Python that made them."""

    def __init__(self, name: str, text: str, places: Sequence[Added | None]) -> None:
        self.name = name
        self._lines = text.split("\n")
        self._places = places

    def _added(self, line: int | None) -> Added | None:
        return self._places[line - 1] if line is not None and 1 <= line <= len(self._places) else None

    def finding(self, finding: Finding) -> Finding:
        """A finding at the place where what it is about was added."""
        added = self._added(finding.line) if finding.file == self.name else None
        if added is None or finding.line is None:
            return finding
        return dataclasses.replace(
            finding,
            file=added.file,
            line=added.line,
            column=1,
            end_line=added.line,
            end_column=len(_source(added)) + 1,
            rendered=self._rendered(finding, added),
        )

    def _rendered(self, finding: Finding, added: Added) -> str:
        pact = self._lines[(finding.line or 1) - 1]
        start = (finding.column or 1) - 1
        end = (finding.end_column or 0) - 1 if finding.end_line == finding.line else len(pact)
        shown = pact.lstrip()
        cut = len(pact) - len(shown)
        mark = " " * (start - cut) + "^" * max(end - start, 1)
        lines = [
            f"{finding.severity}[{finding.code}]: {finding.message}",
            f"  --> {added.file}:{added.line}",
            f"   |  {_source(added).strip()}",
            f"   =  in Pact: {shown}",
            f"               {mark} {finding.detail or ''}".rstrip(),
        ]
        if finding.help is not None:
            lines.append(f"   =  help: {finding.help}")
        return "\n".join(lines) + "\n"

    def place(self, place: Place) -> Place:
        """A place in Python."""
        added = self._added(place.line) if place.file == self.name else None
        if added is None:
            return place
        return Place(added.file, added.line, 1, added.line, len(_source(added)) + 1, place.what)

    @contextmanager
    def located(self) -> Iterator[None]:
        """What is wrong is told where it was added."""
        try:
            yield
        except InputError as error:
            located = type(error)(map(self.finding, error.findings))
            located._checked, located._relocation = error._checked, self
            raise located from None


def _source(added: Added) -> str:
    return linecache.getline(added.file, added.line).rstrip("\n")
