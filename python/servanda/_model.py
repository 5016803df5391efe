"""Models, and what can be asked about them."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _native, _show
from ._compare import (
    Comparison,
    Conformance,
    Converted,
    Duties,
    Equivalence,
    Minimised,
    Relation,
    Target,
    conform,
    conform_to,
    convert,
    equiv,
    minimise,
)
from ._evidence import Relocation, relocated
from ._findings import Finding
from ._native import State
from ._progress import Watching
from ._report import Explanation, Report, Size
from ._settings import (
    Acts,
    Deadlock,
    Engine,
    Language,
    Level,
    Past,
    Reading,
    Settings,
    Uniform,
    Validity,
    limits,
)
from ._walk import Graph, Run, Simulation, Transition

if TYPE_CHECKING:
    import networkx

__all__ = ["Model", "Property"]


@dataclass(frozen=True)
class Property:
    """A property that a text declares."""

    name: str
    formula: str
    expected: bool | None
    """What the author expects, if that was said; otherwise it should be true."""


class Model(_show.Shown):
    """A model of communicating agents, read from a file or a text. It does not change."""

    def __init__(self, native: _native.Model, relocation: Relocation | None = None) -> None:
        self._native = native
        self._relocation = relocation

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        params: Mapping[str, int] | None = None,
        language: Language | None = None,
        process: str | None = None,
        acts: str | os.PathLike[str] | None = None,
    ) -> Model:
        """Reads a file.

        :param params: values of parameters, in place of those of the text
        :param language: the language, whatever the file is called
        :param process: the process of a CCS file that is meant
        :param acts: the file that says which actions of a CCS or ISPL file are which acts; usually the one beside it that ends with ``.acts``
        :raises InputError: all that is wrong with it
        """
        return cls(_native.Model.read(os.fspath(path), None, _reading(params, language, process, acts)))

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "text",
        params: Mapping[str, int] | None = None,
        language: Language = "pact",
        process: str | None = None,
        acts: str | os.PathLike[str] | None = None,
    ) -> Model:
        """Reads a text, which messages call ``name``; what it uses is looked for beside a file of that name."""
        return cls(_native.Model.read(name, text, _reading(params, language, process, acts)))

    @classmethod
    def _built(cls, text: str, name: str, relocation: Relocation) -> Model:
        with relocation.located():
            return cls(_native.Model.read(name, text, _reading(None, "pact", None, None)), relocation)

    def _located(self) -> AbstractContextManager[None]:
        """What is wrong is told where it was written: in Python, where the model was built there."""
        return nullcontext() if self._relocation is None else self._relocation.located()

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._native.name

    @property
    def file(self) -> str:
        """The name of its file or text."""
        return self._native.file

    @property
    def text(self) -> str:
        """Its text."""
        return self._native.text

    @property
    def language(self) -> str:
        """The language of the text."""
        return self._native.language

    @property
    def params(self) -> dict[str, int]:
        """The parameters that were set."""
        return dict(self._native.params)

    @property
    def agents(self) -> list[str]:
        """The agents, in the order of the text."""
        return self._native.agents

    @property
    def properties(self) -> list[Property]:
        """The properties that the text declares."""
        return [Property(*property) for property in self._native.properties]

    @property
    def findings(self) -> list[Finding]:
        """Warnings and notes about the text."""
        return relocated(self._relocation, self._native.findings)

    def check(
        self,
        what: str | Iterable[str] | None = None,
        *,
        engine: Engine = "auto",
        evidence: bool = True,
        count: bool = False,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
        threads: int = 1,
        bound: int | None = None,
        level: Level = "must",
        acts: Acts | None = None,
        past: Past | None = None,
        validity: Validity | None = None,
        deadlock: Deadlock | None = None,
        uniform: bool | Uniform = False,
        recall: int | None = None,
    ) -> Report:
        """Decides properties and formulas; without any, all properties that the text declares.

        What a property is called means that property; everything else is read as a formula: ``model.check("AG (paid -> AF delivered)")``.

        :param engine: who works; ``auto`` chooses, and asks another one where one does not know
        :param evidence: whether runs are looked for that show the verdicts
        :param count: whether states are counted also where no verdict needs it
        :param timeout: seconds; what is not decided by then is unknown
        :param memory: how much more the process may hold than now: bytes, or ``"512M"``, ``"8G"``
        :param progress: called at most ten times a second with a :class:`Progress`; what it raises ends the check. ``True``: a bar, where ``tqdm`` or
            ``rich`` is installed
        :param threads: how many threads look for states
        :param bound: with the engine ``sat``: look for runs of at most so many steps, and do nothing else
        :param level: the least level at which a verdict that is not as wanted counts
        :param acts: how act formulas are read
        :param past: the states that branching past sees
        :param validity: where a property must hold
        :param deadlock: how a state without successor is read; with ``error`` a reachable one is a failure
        :param uniform: whether a coalition's choices depend on what its members know, not on the whole state; with ``subjective`` they must
            also know that these choices work. ``True`` is ``objective``
        :param recall: what agents know rests on all that they saw, on runs of at most so many steps
        :raises InputError: a formula has no meaning, or the model does something that it must not
        """
        asked = [what] if isinstance(what, str) else None if what is None else list(what)
        settings = Settings(
            engine=engine,
            threads=threads,
            bound=bound,
            evidence=evidence,
            count=count,
            statistics=False,
            level=level,
            acts=acts,
            past=past,
            validity=validity,
            deadlock=deadlock,
            uniform=("objective" if uniform else None) if isinstance(uniform, bool) else uniform,
            recall=recall,
        )
        with self._located(), limits(timeout, memory, progress) as limited:
            checked = self._native.check(asked, settings, limited)
        return Report(checked, self._relocation, level)

    def explain(
        self,
        what: str,
        *,
        engine: Engine = "auto",
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Explanation:
        """Decides one property or formula, and draws why the verdict is what it is."""
        report = self.check(what, engine=engine, timeout=timeout, memory=memory, progress=progress)
        return report[0].explanation

    def size(
        self,
        *,
        engine: Engine = "auto",
        threads: int = 1,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Size:
        """Counts states, transitions and deadlocks."""
        settings = _only(engine, threads)
        with self._located(), limits(timeout, memory, progress) as limited:
            checked = self._native.size(settings, limited)
        return Size._of(json.loads(checked.json()))

    def states(
        self,
        formula: str | None = None,
        *,
        limit: int | None = None,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Iterator[State]:
        """Goes through the reachable states, the nearest first; with a formula, or the name of a property, through those where it holds.

        :param limit: at most so many; without a formula no more are looked for
        :raises Undecided: a limit was reached before they were found
        """
        settings = _only("auto", 1)
        with self._located(), limits(timeout, memory, progress) as limited:
            found = self._native.states(formula, limit, settings, limited)
        return itertools.islice(iter(found), limit)

    def graph(
        self,
        *,
        limit: int = 10_000,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Graph:
        """The graph of the reachable states; of the nearest ``limit`` where there are more."""
        with self._located(), limits(timeout, memory, progress) as limited:
            return Graph(self._native.reach(limit, limited))

    def to_networkx(
        self,
        *,
        limit: int = 10_000,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> networkx.MultiDiGraph[int]:
        """The graph of the reachable states for networkx: see :meth:`Graph.to_networkx`. Where there are more than ``limit`` the nearest
        ones, and ``graph.graph["complete"]`` is false.
        """
        return self.graph(limit=limit, timeout=timeout, memory=memory, progress=progress).to_networkx()

    def initial(self) -> list[State]:
        """The initial states."""
        states, complete = _native.Simulation(self._native, 0).starts()
        return states if complete else list(self.graph(limit=0).states)

    def successors(self, state: State) -> list[Transition]:
        """What can happen in a state, and where it leads.

        :raises ValueError: something should be possible and is not: a value would lie outside its variable's range
        """
        return [Transition(label, state, target) for label, target in self._native.successors(state)]

    def simulation(self, *, seed: int = 0) -> Simulation:
        """A walk through the model, step by step; chance begins with ``seed``."""
        return Simulation(_native.Simulation(self._native, seed))

    def simulate(self, steps: int, *, seed: int = 0) -> Run:
        """A walk by chance: so many steps, or until nothing can happen. The same seed gives the same walk."""
        simulation = self.simulation(seed=seed)
        simulation.random(steps)
        return simulation.run

    def equiv(
        self,
        other: Model,
        relation: Relation = "strong",
        *,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Comparison:
        """See :func:`servanda.equiv`."""
        return equiv(self, other, relation, timeout=timeout, memory=memory, progress=progress)

    def conform(
        self,
        *,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Conformance:
        """See :func:`servanda.conform`."""
        return conform(self, timeout=timeout, memory=memory, progress=progress)

    def conform_to(
        self,
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
        """See :func:`servanda.conform_to`."""
        return conform_to(
            self,
            protocol,
            role=role,
            own=own,
            hide=hide,
            rename=rename,
            timeout=timeout,
            memory=memory,
            progress=progress,
        )

    def minimise(
        self,
        relation: Equivalence = "strong",
        *,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Minimised:
        """See :func:`servanda.minimise`."""
        return minimise(self, relation, timeout=timeout, memory=memory, progress=progress)

    def convert(
        self,
        to: Target,
        *,
        timeout: float | None = None,
        memory: int | str | None = None,
        progress: Watching = None,
    ) -> Converted:
        """See :func:`servanda.convert`."""
        return convert(self, to, timeout=timeout, memory=memory, progress=progress)

    def _repr_html_(self) -> str:
        return _show.model(self)

    def __repr__(self) -> str:
        params = "".join(f", {name}={value}" for name, value in self.params.items())
        return f"<Model {self.name} ({self.file}{params})>"


def _only(engine: str, threads: int) -> Settings:
    return Settings(
        engine=engine,
        threads=threads,
        bound=None,
        evidence=False,
        count=True,
        statistics=True,
        level=None,
        acts=None,
        past=None,
        validity=None,
        deadlock=None,
        uniform=None,
        recall=None,
    )


def _reading(
    params: Mapping[str, int] | None,
    language: str | None,
    process: str | None,
    acts: str | os.PathLike[str] | None,
) -> Reading:
    return Reading(
        language=language,
        params=list((params or {}).items()),
        process=process,
        acts=None if acts is None else os.fspath(acts),
    )
