"""Runs that show verdicts, step by step, with their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import _show
from ._findings import Finding
from ._native import State

__all__ = ["Act", "Claim", "Event", "Evidence", "Place", "Relocation", "Step", "relocated"]


@dataclass(frozen=True)
class Place:
    """Where something is written. Lines and columns count from 1; the end is the place just after the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    what: str = ""
    """What happens there, where one place of several is meant."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Relocation(Protocol):
    """Leads from places of a text that was made to places of what made it."""

    def finding(self, finding: Finding, /) -> Finding:
        """A finding at the place where what it is about was added."""

    def place(self, place: Place, /) -> Place:
        """The place where what stands there was added."""

    def located(self) -> AbstractContextManager[None]:
        """What is wrong is told where it was added."""


def relocated(relocation: Relocation | None, findings: list[Finding]) -> list[Finding]:
    """Findings where what they are about was written."""
    return findings if relocation is None else [relocation.finding(finding) for finding in findings]


@dataclass(frozen=True)
class Act:
    """An act on a commitment."""

    act: str
    """The act in short: ``Cr``, ``Fu``, ..."""
    actor: str
    partner: str
    commitment: str
    name: str | None = None
    """The name of the commitment, where it has one."""
    support: str | None = None
    third: str | None = None


@dataclass(frozen=True)
class Event:
    """What happens in a step, taken apart."""

    kind: str
    """``message``, ``act``, ``action``, ``round`` or ``deadlock``."""
    name: str | None = None
    """The message or the action."""
    sender: str | None = None
    """Who sends, acts or receives."""
    to: tuple[str, ...] = ()
    received: bool = False
    actions: Mapping[str, str] = field(default_factory=dict)
    """Of a round: what every agent does."""
    acts: tuple[Act, ...] = ()
    """The acts that are performed, the event itself included."""

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Event:
        keys = ("act", "actor", "partner", "commitment", "name", "support", "third")
        acts = [Act(**{key: act[key] for key in keys if key in act}) for act in data.get("acts", ())]
        if data["kind"] == "act":
            acts.insert(0, Act(**{key: data[key] for key in keys if key in data}))
        return cls(
            kind=data["kind"],
            name=data.get("name") if data["kind"] != "act" else None,
            sender=data.get("sender", data.get("by", data.get("actor"))),
            to=tuple(data.get("to", ())),
            received=data.get("received", False),
            actions={one["agent"]: one["action"] for one in data.get("actions", ())},
            acts=tuple(acts),
        )


@dataclass(frozen=True)
class Step:
    """One step of a run."""

    label: str
    """What happens, in the words of the model; empty where nothing can happen any more."""
    source: State
    """The state before."""
    target: State
    """The state after."""
    event: Event
    places: tuple[Place, ...] = ()
    """Where it is written."""


@dataclass(frozen=True)
class Claim:
    """A formula that holds, or fails, at a position of a run, and why."""

    formula: str
    holds: bool
    because: str
    """``state``, ``parts``, ``path``, ``accessible_path``, ``cannot_tell``, ``before``, ``strategy``, ``everywhere``, ``not_shown``."""
    position: int | None
    parts: tuple[Claim, ...]
    """The claims that it rests on."""
    data: Mapping[str, Any]
    """All of it, as the JSON of ``servanda check --trace`` has it."""

    @classmethod
    def _of(cls, data: Mapping[str, Any]) -> Claim:
        parts = [*data.get("parts", ()), *data.get("claims", ())]
        parts += [data["there"]] if "there" in data else []
        return cls(
            data["formula"],
            data["holds"],
            data["because"],
            data.get("position"),
            tuple(cls._of(part) for part in parts),
            data,
        )


class Evidence(_show.Drawn):
    """What shows a verdict: a counterexample or a witness. It was replayed on the model and decided again before it came here."""

    def __init__(
        self,
        data: Mapping[str, Any],
        states: Sequence[State],
        places: Sequence[Sequence[Place]],
        draw: Callable[[], str],
    ) -> None:
        self._data = data
        self.kind: str = data["kind"]
        """``counterexample`` or ``witness``."""
        self.states: list[State] = list(states)
        """The states of the run, the first one initial."""
        self.labels: list[str] = list(data["labels"])
        """What happens between them."""
        self.loop: int | None = data["loop"]
        """The position at which the run goes on after its last step, for ever; ``None`` where it is finite and may go on in any way."""
        self.checked: str = data["checked"]
        """Who decided the claims a second time: ``paths``, ``reference``, ``engine``."""
        self.commitments: dict[str, str] = dict(data.get("commitments", {}))
        """What the names of commitments stand for."""
        self.why: Claim = Claim._of(data["why"])
        """Why the run shows what it shows."""
        self._places = places
        self._draw = draw

    @property
    def steps(self) -> list[Step]:
        """The steps of the run; the last one leads back where there is a loop."""
        targets = self.states[1:] + ([self.states[self.loop]] if self.loop is not None else [])
        places = [*map(tuple, self._places), *([()] * len(self.labels))]
        return [
            Step(label, source, target, Event._of(event), tuple(place))
            for label, source, target, event, place in zip(
                self.labels, self.states, targets, self._data["events"], places, strict=False
            )
        ]

    def svg(self) -> str:
        """The message charts as an SVG document, as ``servanda explain`` draws them."""
        return self._draw()

    def _repr_html_(self) -> str:
        return _show.evidence(self)

    def _repr_svg_(self) -> str:
        return _show.fitting(self.svg())

    def to_dict(self) -> dict[str, Any]:
        """The evidence as the JSON of ``servanda check --trace`` has it."""
        return dict(self._data)

    def __len__(self) -> int:
        return len(self.labels)

    def __repr__(self) -> str:
        loop = "" if self.loop is None else f", loop={self.loop}"
        return f"Evidence(kind={self.kind!r}, labels={self.labels!r}{loop})"
