"""Machines: control states and transitions between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ._expr import Choice, Expr, Value, expr
from ._parts import Label, Location, Message, Role, Variable, word
from ._place import Added, here

__all__ = ["Lines", "Machine", "Part", "Steps"]

Assigned: TypeAlias = "Mapping[Variable, Value | Choice] | Mapping[Variable, Value] | Mapping[Variable, Choice]"


@dataclass
class Lines:
    """Lines of a text, each with where it was added."""

    lines: list[tuple[str, Added | None]] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.lines.append((" ".join(text.splitlines()), here()))


class Steps:
    """Control states and transitions: of a machine, or of a protocol that is one."""

    def __init__(self, machine: str | None, lines: Lines) -> None:
        self._machine = machine
        self._body = lines

    def state(self, name: str, *, start: bool = False, final: bool = False) -> Location:
        """A control state, where control begins or may rest for good."""
        location = Location(word(name), self._machine)
        if start:
            self._body.add(f"start {name}")
        if final:
            self._body.add(f"final {name}")
        return location

    def states(self, *names: str) -> tuple[Location, ...]:
        """Several control states; control begins at the first."""
        return tuple(self.state(name, start=number == 0) for number, name in enumerate(names))

    def transition(
        self,
        source: Location | str,
        label: Label | str,
        target: Location | str,
        *,
        when: Value | None = None,
        set: Assigned | None = None,  # noqa: A002
    ) -> None:
        """A transition: possible when control is at ``source`` and ``when`` is true, it makes all assignments of ``set`` together.

        A label is what a role says or does; a text is a message that nobody sends, or a label in the words of Pact.
        """
        guard = "" if when is None else f" when {expr(when)}"
        assigned = ", ".join(_assignment(variable, value) for variable, value in (set or {}).items())
        change = f" set {assigned}" if assigned else ""
        self._body.add(f"{_name(source)} -- {label}{guard}{change} --> {_name(target)}")

    def final(self, *locations: Location | str) -> None:
        """Control may rest at these for good."""
        self._body.add(f"final {', '.join(map(_name, locations))}")

    def wait(self, location: Location | str, condition: Value) -> None:
        """Time does not go on while control is there and the condition is false."""
        self._body.add(f"wait {_name(location)} while {expr(condition)}")


def _name(location: Location | str) -> str:
    return location.name if isinstance(location, Location) else word(location)


def _assignment(variable: Variable, value: Value | Choice) -> str:
    if not isinstance(variable, Expr):
        raise TypeError(f"{variable!r} is no variable")
    if isinstance(value, Choice):
        return f"{variable} in {value.text}"
    return f"{variable} = {expr(value)}"


class Machine(Steps):
    """A machine that runs beside others."""

    def __init__(self, name: str, lines: Lines) -> None:
        super().__init__(name, lines)
        self.name = name

    def __str__(self) -> str:
        return self.name


class Part:
    """A protocol made elsewhere, that runs beside this one: its things are ``part["paid"]``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, thing: str) -> Variable:
        return Variable(f"{self.name}.{word(thing)}")

    def at(self, location: str) -> Expr:
        """Control of the part is there."""
        return Location(word(location), self.name)

    def role(self, name: str) -> Role:
        """A role of the part that was not given one of this protocol."""
        return Role(f"{self.name}.{word(name)}")

    def message(self, name: str) -> Message:
        """A message of the part."""
        return Message(f"{self.name}.{word(name)}")
