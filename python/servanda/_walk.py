"""Going through a model: transitions, graphs, walks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from . import _native, _show
from ._native import State
from ._networkx import to_networkx

if TYPE_CHECKING:
    import networkx

__all__ = ["Graph", "Run", "Simulation", "Transition"]


@dataclass(frozen=True)
class Transition:
    """A step from one state to another."""

    label: str
    """What happens, in the words of the model."""
    source: State
    target: State


class Graph(_show.Drawn):
    """The reachable states of a model and the transitions between them; the nearest ones where there are too many."""

    def __init__(self, native: _native.Reached) -> None:
        self._native = native

    @cached_property
    def states(self) -> Sequence[State]:
        """The states, the initial ones first, then the nearest first."""
        return list(iter(self._native.states()))

    @property
    def initial(self) -> Sequence[State]:
        """The initial states."""
        return self.states[: self._native.initial]

    @property
    def complete(self) -> bool:
        """Are these all states that can be reached?"""
        return self._native.is_complete

    @cached_property
    def edges(self) -> Sequence[tuple[int, str, int]]:
        """The transitions: the position of the source, the label, the position of the target."""
        labels = self._native.labels
        return [(source, labels[label], target) for source, label, target in self._native.moves()]

    @property
    def transitions(self) -> list[Transition]:
        """The same with states."""
        states = self.states
        return [Transition(label, states[source], states[target]) for source, label, target in self.edges]

    @property
    def deadlocks(self) -> list[State]:
        """The states from which nothing leads away; known where the graph is complete.

        :raises ValueError: it is not
        """
        if not self.complete:
            raise ValueError("the graph is not complete: ask for more states with `limit`")
        left = {source for source, _, _ in self.edges}
        return [state for position, state in enumerate(self.states) if position not in left]

    def to_networkx(self) -> networkx.MultiDiGraph[int]:
        """The graph for networkx: numbers in the order of :attr:`states`.

        Nodes have ``state``, ``label``, ``initial``, ``variables``, ``at`` (the control states), ``in_force`` and, where there are any,
        ``channels``; edges have ``label``. ``graph.graph["complete"]`` says whether these are all states.

        :raises ImportError: networkx is not installed
        """
        return to_networkx(self)

    def svg(self, *, limit: int = _show.MOST_STATES) -> str:
        """The nearest ``limit`` states as an SVG document, which says where that is not all. Dashes around a state: nothing can happen there."""
        if limit < 1:
            raise ValueError(f"limit: {limit} states are no drawing")
        return self._native.svg(limit)

    def _repr_html_(self) -> str:
        return _show.graph(self)

    def _repr_svg_(self) -> str:
        return _show.drawing(self)[1]

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        more = "" if self.complete else ", and more"
        return f"<Graph of {len(self.states)} states and {len(self.edges)} transitions{more}>"


@dataclass(frozen=True)
class Run(_show.Shown):
    """What happened on a walk."""

    states: tuple[State, ...]
    """The states, the first one initial."""
    labels: tuple[str, ...]
    """What happened between them."""
    ended: bool
    """Can nothing happen any more?"""

    def __len__(self) -> int:
        return len(self.labels)

    def _repr_html_(self) -> str:
        return _show.run(self)

    @property
    def steps(self) -> list[Transition]:
        """The steps."""
        triples = zip(self.labels, self.states, self.states[1:], strict=False)
        return [Transition(label, source, target) for label, source, target in triples]


class Simulation:
    """A walk through a model, step by step."""

    def __init__(self, native: _native.Simulation) -> None:
        self._native = native

    @property
    def starts(self) -> list[State]:
        """The initial states that can be chosen; the first thousand of them."""
        return self._native.starts()[0]

    def start(self, index: int) -> None:
        """Begins in an initial state. Where there is one, the walk is there already."""
        self._native.start(index)

    @property
    def state(self) -> State | None:
        """The present state; ``None`` while an initial state is to be chosen."""
        states = self._native.states()
        return states[-1] if states else None

    @property
    def choices(self) -> list[Transition]:
        """What can happen next."""
        here = self.state
        return [] if here is None else [Transition(label, here, target) for label, target in self._native.choices()]

    @property
    def trouble(self) -> str | None:
        """What stands in the way of a transition that should be possible."""
        return self._native.trouble()

    def take(self, choice: int | str | Transition) -> State:
        """Takes a transition: by its number, its label where only one has it, or itself.

        :raises LookupError: there is no such transition, or several have the label
        """
        index = choice if isinstance(choice, int) else self._index(choice)
        if index < 0:
            raise IndexError(f"there is no choice {index}")
        self._native.take(index)
        return self._native.states()[-1]

    def _index(self, choice: str | Transition) -> int:
        choices = self.choices
        label = choice if isinstance(choice, str) else choice.label
        found = [
            index
            for index, one in enumerate(choices)
            if one.label == label and (isinstance(choice, str) or one.target == choice.target)
        ]
        if len(found) != 1:
            what = "several transitions are" if found else "no transition is"
            possible = ", ".join(dict.fromkeys(one.label for one in choices)) or "nothing"
            raise LookupError(f"{what} labelled {label!r} here; possible: {possible}")
        return found[0]

    def random(self, steps: int = 1) -> int:
        """Takes so many steps by chance, or as many as are possible; says how many. An initial state is chosen where none is."""
        if not self._native.states():
            self._native.take_any()
        return next((taken for taken in range(steps) if not self._native.take_any()), max(steps, 0))

    def undo(self) -> bool:
        """Takes the last step back; says whether there was one."""
        return self._native.undo()

    def restart(self) -> None:
        """Begins again."""
        self._native.restart()

    @property
    def run(self) -> Run:
        """The walk so far."""
        states = tuple(self._native.states())
        ended = bool(states) and not self._native.choices() and self._native.trouble() is None
        return Run(states, tuple(self._native.labels()), ended)

    @property
    def at_end(self) -> bool:
        """May control rest for good in the present state?"""
        return self._native.is_at_end()
