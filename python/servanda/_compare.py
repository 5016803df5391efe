"""Models beside each other, and in other forms."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from . import _native, _show
from ._progress import Watching
from ._report import Verdict
from ._settings import Terms, limits

if TYPE_CHECKING:
    from ._model import Model

__all__ = [
    "ActConformance",
    "Comparison",
    "Conformance",
    "Converted",
    "Difference",
    "Duties",
    "Duty",
    "Equivalence",
    "Minimised",
    "Relation",
    "Target",
    "conform",
    "conform_to",
    "convert",
    "equiv",
    "format",
    "minimise",
    "targets",
]

Equivalence: TypeAlias = Literal["strong", "branching", "weak", "trace", "simulation"]
Relation: TypeAlias = Literal[
    "strong",
    "branching",
    "weak",
    "trace",
    "simulation",
    "simulates",
    "ready-simulates",
    "traces-within",
    "failures-within",
    "weak-simulates",
    "weak-ready-simulates",
    "weak-traces-within",
    "weak-failures-within",
]
Target: TypeAlias = Literal["ispl", "ccs", "aut", "aiger", "smv", "dot", "svg", "json"]


@dataclass(frozen=True)
class Difference:
    """What one system has and the other one lacks. Either a formula or a trace is given."""

    holds_in: Literal["left", "right"]
    formula: str | None
    trace: tuple[str, ...] | None
    """Labels that can be done one after the other."""
    refused: tuple[str, ...] | None
    """What can be refused then, all of it."""
    property: str | None
    """The same as a formula for :meth:`Model.check`, true for the one and false for the other."""

    @classmethod
    def _of(cls, data: Mapping[str, Any] | None) -> Difference | None:
        if data is None:
            return None
        trace, refused = (None if data[key] is None else tuple(data[key]) for key in ("trace", "refused"))
        return cls(data["holds_in"], data["formula"], trace, refused, data["property"])


def _verdict(holds: bool | None) -> Verdict:
    return Verdict.UNKNOWN if holds is None else Verdict(str(holds).lower())


class _Reported(_show.Shown):
    """What has a report in JSON and in words."""

    def __init__(self, shown: tuple[str, str]) -> None:
        self._data: dict[str, Any] = json.loads(shown[0])
        self._text = shown[1]
        self.verdict: Verdict
        self.seconds: float = self._data["seconds"]

    def _repr_html_(self) -> str:
        return _show.compared(self.verdict, self._text)

    def to_dict(self) -> dict[str, Any]:
        """The report as the JSON of the command line has it."""
        return self._data

    def __bool__(self) -> bool:
        raise TypeError("a report is no truth value; ask `passed`, or compare `verdict`")

    def __str__(self) -> str:
        return self._text


class Comparison(_Reported):
    """Whether two models are related."""

    def __init__(self, shown: tuple[str, str]) -> None:
        super().__init__(shown)
        self.relation: str = self._data["relation"]
        self.verdict: Verdict = _verdict(self._data["holds"])
        self.reason: str | None = self._data.get("reason")
        """Why it was not decided."""
        self.difference: Difference | None = Difference._of(self._data["difference"])
        """What tells the two apart."""

    @property
    def passed(self) -> bool:
        """Was it decided that the relation holds?"""
        return self.verdict is Verdict.TRUE

    def __repr__(self) -> str:
        return f"Comparison({self.relation!r}, {self.verdict}, difference={self.difference!r})"


@dataclass(frozen=True)
class Duty:
    """One of the two questions about an agent and its protocol."""

    question: str
    """``allowed``: does it do only what is allowed? ``required``: does it do all that it must?"""
    verdict: Verdict
    reason: str | None
    difference: Difference | None


class Duties(_Reported):
    """Whether an agent keeps to a protocol."""

    def __init__(self, shown: tuple[str, str]) -> None:
        super().__init__(shown)
        self.role: str | None = self._data["role"]
        self.own: list[str] | None = self._data["own"]
        """The labels that are the agent's own, if labels have owners."""
        self.duties: list[Duty] = [
            Duty(duty["question"], _verdict(duty["holds"]), duty.get("reason"), Difference._of(duty["difference"]))
            for duty in self._data["questions"]
        ]
        self.verdict: Verdict = _verdict(self._data["conforms"])

    @property
    def passed(self) -> bool:
        """Was it decided that the agent does only what is allowed and all that it must?"""
        return self.verdict is Verdict.TRUE

    def __repr__(self) -> str:
        return f"Duties({self.verdict}, {self.duties!r})"


@dataclass(frozen=True)
class ActConformance:
    """Is an act what it says?"""

    label: str
    certainty: str
    """On which runs through its transitions its formula holds: ``certain``, ``possible``, ``never``; ``unperformed``, ``unknown``."""
    transitions: int
    why: str | None
    line: int | None
    column: int | None


class Conformance(_Reported):
    """Whether the acts of a model do what they say, and claimed decompositions are those of the rules."""

    def __init__(self, shown: tuple[str, str]) -> None:
        super().__init__(shown)
        self.acts: list[ActConformance] = [
            ActConformance(
                act["label"], act["certainty"], int(act["transitions"]), act["why"], act["line"], act["column"]
            )
            for act in self._data["acts"]
        ]
        self.claims: list[dict[str, Any]] = self._data["claims"]
        self.reason: str | None = self._data.get("reason")
        turns = self._data["turns"]
        self.take_turns: bool | None = None if turns is None else turns["alternate"]
        """Do the parties take turns?"""
        self.verdict: Verdict = _verdict(self._data["conforms"])

    @property
    def passed(self) -> bool:
        """Is every act certain and every claim right?"""
        return self.verdict is Verdict.TRUE

    def __repr__(self) -> str:
        return f"Conformance({self.verdict}, {self.acts!r})"


@dataclass(frozen=True)
class Minimised:
    """The smallest model that is equivalent to another."""

    text: str
    """It, as ``.aut``."""
    states: tuple[int, int]
    """How many states there were, and how many there are."""
    transitions: tuple[int, int]
    """How many transitions there were, and how many there are."""

    @property
    def model(self) -> Model:
        """It, as a model."""
        from ._model import Model

        return Model.from_text(self.text, name="<minimised>.aut", language="aut")


class Converted(str):
    """A model in another language: the text itself."""

    acts: str | None
    """The acts file that belongs to it, where the language has no words for acts."""

    def __new__(cls, text: str, acts: str | None) -> Converted:
        made = super().__new__(cls, text)
        made.acts = acts
        return made


def equiv(
    left: Model,
    right: Model,
    relation: Relation = "strong",
    *,
    timeout: float | None = None,
    memory: int | str | None = None,
    progress: Watching = None,
) -> Comparison:
    """Are the transition systems of two models related, and if not, why?

    Equivalences are ``strong``, ``branching``, ``weak``, ``trace`` and ``simulation``; one way, from left to right, are ``simulates``,
    ``ready-simulates``, ``traces-within`` and ``failures-within``, with ``weak-`` before them where internal steps do not count.
    """
    with limits(timeout, memory, progress) as limited:
        return Comparison(_native.equiv(left._native, right._native, relation, limited))


def conform_to(
    agent: Model,
    protocol: Model,
    *,
    role: str | None = None,
    own: Iterable[str] = (),
    hide: Iterable[str] = (),
    rename: Mapping[str, str] | None = None,
    timeout: float | None = None,
    memory: int | str | None = None,
    progress: Watching = None,
) -> Duties:
    """Does an agent do only what a protocol allows, and all that it must?

    :param role: the role of the protocol that the agent plays: what it does there is the agent's own
    :param own: further labels that are the agent's own; ``*`` at the end stands for anything
    :param hide: labels that become internal in both
    :param rename: what the agent calls so, and what the protocol calls it
    """
    renamed = [f"{one}={other}" for one, other in (rename or {}).items()]
    terms = Terms(role=role, own=list(own), hide=list(hide), rename=renamed)
    with limits(timeout, memory, progress) as limited:
        return Duties(_native.conform_to(agent._native, protocol._native, terms, limited))


def conform(
    model: Model,
    *,
    timeout: float | None = None,
    memory: int | str | None = None,
    progress: Watching = None,
) -> Conformance:
    """Judges for every act whether its formula holds on the runs through its transitions, and compares claimed decompositions."""
    with limits(timeout, memory, progress) as limited:
        return Conformance(_native.conform(model._native, limited))


def minimise(
    model: Model,
    relation: Equivalence = "strong",
    *,
    timeout: float | None = None,
    memory: int | str | None = None,
    progress: Watching = None,
) -> Minimised:
    """The smallest model with equivalent behaviour; for ``trace`` the smallest deterministic one.

    :raises Undecided: a limit was reached
    """
    with limits(timeout, memory, progress) as limited:
        text, before, after = _native.minimise(model._native, relation, limited)
    return Minimised(text, (before[0], after[0]), (before[1], after[1]))


def convert(
    model: Model,
    to: Target,
    *,
    timeout: float | None = None,
    memory: int | str | None = None,
    progress: Watching = None,
) -> Converted:
    """A model and its properties in another language: see :func:`targets`.

    :raises InputError: the model does not fit the language
    :raises Undecided: a limit was reached
    """
    with limits(timeout, memory, progress) as limited:
        return Converted(*_native.convert(model._native, to, limited))


def targets() -> dict[str, str]:
    """What models can be converted to, and what each is."""
    return dict(_native.targets())


def format(text: str | os.PathLike[str], *, name: str = "<text>") -> str:
    """A Pact text, or a file, in standard form.

    :raises InputError: it cannot be read
    """
    if isinstance(text, os.PathLike):
        name = os.fspath(text)
        with open(name, encoding="utf-8") as file:
            text = file.read()
    return _native.format(text, name)
