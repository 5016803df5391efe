"""Verdicts, and what shows them."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

from . import _native, _show
from ._errors import Undecided
from ._evidence import Evidence, Place, Relocation, relocated
from ._findings import Finding
from ._settings import Level

__all__ = ["Drawing", "Explanation", "Report", "Result", "Scenario", "Size", "Verdict"]

Drawing: TypeAlias = Literal["text", "svg", "mermaid", "html", "dot", "itf"]


_LEVELS = ("must", "should", "may")


class Verdict(enum.Enum):
    """What is known of a property.

    A verdict that is known can be asked like a truth value; one that is not raises :class:`Undecided` instead of counting as either.
    """

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        if self is Verdict.UNKNOWN:
            raise Undecided("an unknown verdict is neither true nor false; compare it, or ask `passed`")
        return self is Verdict.TRUE

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Scenario:
    """What a scenario consists of, and how far it is possible."""

    steps: tuple[str, ...]
    reached: int | None
    """So many of its steps are possible one after the other, where not all are."""
    instead: tuple[str, ...]
    """What can happen where it is not possible any more."""


class Result(_show.Drawn):
    """One property and its verdict."""

    def __init__(
        self, checked: _native.Checked, index: int, data: Mapping[str, Any], relocation: Relocation | None = None
    ) -> None:
        self._checked = checked
        self._relocation = relocation
        self._index = index
        self._data = data
        self.name: str = data["name"]
        self.formula: str = data["formula"]
        self.verdict: Verdict = Verdict(data["verdict"])
        expected = data["expected"]
        self.expected: bool | None = None if expected is None else expected == "true"
        """What the author expects, if that was said; otherwise it should be true."""
        self.reason: str | None = data.get("reason")
        """Why it was not decided."""
        self.level: str = data.get("level", "must")
        """``must``, ``should`` or ``may``."""
        self.cite: str | None = data.get("cite")
        """Where it comes from, in its author's words."""
        self.engine: str = data["engine"]
        """Who decided it."""
        self.seconds: float = data["seconds"]
        """In what time."""
        self.no_evidence: str | None = data.get("no_trace")
        """Why there is no evidence although it was asked for."""

    @property
    def as_wanted(self) -> bool | None:
        """Is the verdict the expected one? ``None`` where there is no verdict."""
        if self.verdict is Verdict.UNKNOWN:
            return None
        return bool(self.verdict) == (self.expected is not False)

    @property
    def passed(self) -> bool:
        """Was it decided, and as wanted?"""
        return self.as_wanted is True

    @property
    def place(self) -> Place | None:
        """Where it is written."""
        place = self._checked.place(self._index)
        return None if place is None else self._place(place)

    def _place(self, place: tuple[str, int, int, int, int, str]) -> Place:
        found = Place(*place)
        return found if self._relocation is None else self._relocation.place(found)

    @property
    def scenario(self) -> Scenario | None:
        """Where the property is a scenario: then true means possible."""
        data = self._data.get("scenario")
        if data is None:
            return None
        reached = data.get("reached")
        return Scenario(
            tuple(data["steps"]),
            None if reached is None else reached["steps"],
            () if reached is None else tuple(reached["instead"]),
        )

    @property
    def evidence(self) -> Evidence | None:
        """What shows the verdict: ``None`` where nothing can (see :attr:`no_evidence`) or nobody asked."""
        data = self._data.get("trace")
        if data is None:
            return None
        places = [[self._place(place) for place in step] for step in self._checked.origins(self._index)]
        return Evidence(data, self._checked.states(self._index), places, lambda: self.draw("svg"))

    def draw(self, form: Drawing = "text", *, width: int = 100, full: bool = False) -> str:
        """Draws why the verdict is what it is, as ``servanda explain`` does.

        ``form`` is ``text``, ``svg``, ``mermaid``, ``html``, ``dot`` (the state graph with the run highlighted) or ``itf`` (the run alone, in
        the Informal Trace Format). ``width`` is the most characters in a line of text; ``full`` shows long runs without leaving out anything.
        The text is empty where the property was not decided.
        """
        return self._checked.draw(self._index, form, width, full)

    @property
    def explanation(self) -> Explanation:
        """Why the verdict is what it is, in drawings."""
        return Explanation(self)

    def _repr_html_(self) -> str:
        return _show.result(self)

    def _repr_svg_(self) -> str:
        return _show.fitting(self.draw("svg"))

    def to_dict(self) -> dict[str, Any]:
        """The result as the JSON of ``servanda check`` has it."""
        return dict(self._data)

    def __bool__(self) -> bool:
        raise TypeError("a result is no truth value; ask `passed`, or compare `verdict`")

    def __repr__(self) -> str:
        expected = "" if self.expected is None else f", expected={self.expected}"
        reason = "" if self.reason is None else f", reason={self.reason!r}"
        return f"Result({self.name!r}, {self.verdict}{expected}{reason})"


class Explanation(_show.Drawn):
    """Why a verdict is what it is, as ``servanda explain`` draws it."""

    def __init__(self, result: Result) -> None:
        self.result = result

    def text(self, *, width: int = 100, full: bool = False) -> str:
        """Characters: words, then message charts."""
        return self.result.draw("text", width=width, full=full)

    def svg(self, *, full: bool = False) -> str:
        """An SVG document."""
        return self.result.draw("svg", full=full)

    def mermaid(self, *, full: bool = False) -> str:
        """A Mermaid sequence diagram."""
        return self.result.draw("mermaid", full=full)

    def html(self, *, full: bool = False) -> str:
        """A page of its own."""
        return self.result.draw("html", full=full)

    def dot(self) -> str:
        """The state graph for Graphviz, the run highlighted."""
        return self.result.draw("dot")

    def itf(self) -> str:
        """The run alone, in the Informal Trace Format."""
        return self.result.draw("itf")

    def _repr_html_(self) -> str:
        return _show.explanation(self)

    def _repr_svg_(self) -> str:
        return _show.fitting(self.svg())

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Explanation of {self.result!r}>"


@dataclass(frozen=True)
class Size:
    """The state space in numbers; what was not counted is ``None``."""

    states: int | None
    transitions: int | None
    deadlocks: int | None
    initial: int | None
    diameter: int | None
    engine: str
    seconds: float
    reason: str | None
    """Why it was not seen to the end."""
    seen: int | None
    """States found until then."""

    @property
    def complete(self) -> bool:
        """Was all of it seen?"""
        return self.states is not None

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Size:
        model: Mapping[str, Any] = data["model"]
        stats: Mapping[str, Any] = data.get("stats", {})
        reached: Mapping[str, Any] = model.get("reached", {})
        return cls(
            states=_number(model["states"]),
            transitions=_number(model["transitions"]),
            deadlocks=_number(model["deadlocks"]),
            initial=_number(stats.get("initial")),
            diameter=_number(stats.get("diameter")),
            engine=data["engine"],
            seconds=data["seconds"],
            reason=reached.get("reason"),
            seen=_number(reached.get("states")),
        )


def _number(digits: str | None) -> int | None:
    """Counts are texts of digits, since they may pass what other readers' numbers can hold."""
    return None if digits is None else int(digits)


class Report(_show.Shown, Sequence[Result]):
    """What a check has found: its results in the order asked, by position or by name."""

    def __init__(self, checked: _native.Checked, relocation: Relocation | None = None, level: Level = "must") -> None:
        self._checked = checked
        self._relocation = relocation
        self._data: dict[str, Any] = json.loads(checked.json())
        self._results = [
            Result(checked, index, data, relocation) for index, data in enumerate(self._data["properties"])
        ]
        self.level: Level = level
        """The least level at which a verdict that is not as wanted counts."""
        self.file: str = self._data["file"]
        self.params: dict[str, int] = self._data.get("params", {})
        self.engine: str = self._data["engine"]
        """The engine that decided most."""
        self.choice: str | None = self._data.get("stats", {}).get("choice")
        """Which engine led and why, where nobody chose one."""
        self.seconds: float = self._data["seconds"]

    @overload
    def __getitem__(self, key: int | str, /) -> Result: ...
    @overload
    def __getitem__(self, key: slice, /) -> Sequence[Result]: ...
    def __getitem__(self, key: int | str | slice, /) -> Result | Sequence[Result]:
        if isinstance(key, str):
            for result in self._results:
                if result.name == key:
                    return result
            raise KeyError(f"{key!r}; there are {', '.join(result.name for result in self._results)}")
        return self._results[key]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    @property
    def status(self) -> Literal["wanted", "undecided", "unwanted", "invalid"]:
        """How it ended, as the exit status of the command line says: what is unwanted goes before what is undecided.

        ``invalid`` is a report that comes with an :class:`InputError`: the model does something that it must not.
        """
        return self._checked.status  # type: ignore[return-value]

    @property
    def passed(self) -> bool:
        """Is everything that matters decided and as wanted? Where nothing was asked nothing is."""
        return self.status == "wanted" and not any(finding.code == "no-property" for finding in self.findings)

    @property
    def failures(self) -> list[Result]:
        """The results that are not as wanted, or not decided."""
        return [result for result in self._results if not result.passed]

    def counts(self, result: Result) -> bool:
        """Does a result make the report fail, or leave it undecided? Of what is not as wanted only the levels do that were asked for."""
        return not result.passed and _LEVELS.index(result.level) <= _LEVELS.index(self.level)

    @property
    def findings(self) -> list[Finding]:
        """Warnings and notes about the model and the questions."""
        return relocated(self._relocation, self._checked.findings())

    @property
    def size(self) -> Size | None:
        """The state space, as far as the verdicts needed it."""
        return None if self._data["model"] is None else Size._of(self._data)

    def _repr_html_(self) -> str:
        return _show.report(self)

    def to_dict(self) -> dict[str, Any]:
        """The report as ``servanda check --format json`` has it."""
        return self._data

    def __bool__(self) -> bool:
        raise TypeError("a report is no truth value; ask `passed`, or `len`")

    def __str__(self) -> str:
        return self._checked.text()

    def __repr__(self) -> str:
        return f"Report({self.status}, {self._results!r})"
