"""What protocols are made of."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from ._expr import Expr, Value, call, constants, expr

__all__ = ["Act", "Array", "Channel", "Commitment", "Group", "Label", "Location", "Message", "Role", "Type", "Variable"]


def word(name: str) -> str:
    """A name, which stands on one line."""
    if not isinstance(name, str) or not name or any(letter.isspace() for letter in name):
        raise ValueError(f"{name!r} is no name")
    return name


def names(one: object | Iterable[object]) -> str:
    """One or several names."""
    if isinstance(one, (str, Role, Group)) or not isinstance(one, Iterable):
        return str(one)
    return ", ".join(map(str, one))


class Type:
    """A named type."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


Kind: TypeAlias = "type[bool] | range | Type | str | type[enum.Enum] | Sequence[str]"
"""What variables hold: ``bool``, a ``range``, names of values, an enumeration, a named type, or a type in the words of Pact."""


def kind(of: Kind) -> str:
    """A type in the words of Pact."""
    if of is bool:
        return "bool"
    if isinstance(of, range):
        if of.step != 1 or len(of) == 0:
            raise ValueError(f"{of!r} is no type: a range goes up by 1 and is not empty")
        return f"{of.start}..{of.stop - 1}"
    if isinstance(of, (Type, str)):
        return str(of)
    if isinstance(of, type) and issubclass(of, enum.Enum):
        return "{" + ", ".join(member.name for member in of) + "}"
    if isinstance(of, Sequence) and all(isinstance(name, str) for name in of):
        return "{" + ", ".join(word(str(name)) for name in of) + "}"
    raise TypeError(f"{of!r} is no type: bool, a range, names of values, an enumeration or a named type is needed")


class Variable(Expr):
    """A variable, a clock or an element of an array."""

    __slots__ = ()


class Array:
    """An array of variables: ``x[2]``, ``x[i + 1]``, ``board[1, 2]``."""

    def __init__(self, name: str, ranges: Sequence[range]) -> None:
        self.name = name
        self.ranges = tuple(ranges)

    def __getitem__(self, index: Value | tuple[Value, ...]) -> Variable:
        indices = index if isinstance(index, tuple) else (index,)
        if len(indices) != len(self.ranges):
            raise IndexError(f"{self.name} has {len(self.ranges)} indices, not {len(indices)}")
        return Variable(self.name + "".join(f"[{expr(one)}]" for one in indices))

    def __iter__(self) -> Iterator[Variable]:
        return iter([self[index] for index in _indices(self.ranges)])

    def __str__(self) -> str:
        return self.name


def _indices(ranges: Sequence[range]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for one in ranges:
        found = [(*before, index) for before in found for index in one]
    return found


class Location(Expr):
    """A control state. In formulas it says that control is there."""

    __slots__ = ("name",)

    def __init__(self, name: str, machine: str | None = None) -> None:
        super().__init__(f"in {name}" if machine is None else f"{machine} in {name}")
        self.name = name


class Commitment(Expr):
    """A commitment. In formulas it says that it holds."""

    __slots__ = ()


class Label:
    """What labels a transition."""

    def __init__(self, text: str, pattern: str | None = None) -> None:
        self._label = text
        self.pattern = text if pattern is None else pattern
        """What matches it in formulas and scenarios: sending is what was sent, whichever way it goes."""

    def __str__(self) -> str:
        return self._label

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class Act(Expr, Label):
    """An act on a commitment. In formulas it says that the next step is this act and does what it says."""

    def __init__(self, text: str) -> None:
        Expr.__init__(self, text)
        Label.__init__(self, text)

    __str__ = Expr.__str__
    __hash__ = object.__hash__


class Message:
    """A message that carries something."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getitem__(self, index: Value) -> Message:
        return Message(f"{self.name}[{expr(index)}]")

    def __call__(self, *values: Value) -> Label:
        """The message with values, as a pattern or as a step of nobody."""
        return Label(message(self, values))

    def __str__(self) -> str:
        return self.name


def message(name: Message | str, values: Sequence[Value], sign: str = "") -> str:
    """``name!(value, ..)``."""
    carried = f"({', '.join(str(expr(value)) for value in values)})" if values else ""
    return f"{word(str(name))}{sign}{carried}"


class Group:
    """A group of roles."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name


class Role:
    """Who says and does things."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<Role {self.name}>"

    def _speaks(self, to: object | None, what: str) -> str:
        return f"{self}: {what}" if to is None else f"{self} -> {names(to)}: {what}"

    def says(self, name: Message | str, *values: Value, to: object | None = None) -> Label:
        """A message, to a role, to several, to a group; without ``to`` to everybody."""
        return Label(self._speaks(to, message(name, values)))

    def sends(self, name: Message | str, *values: Value, to: object | None = None) -> Label:
        """The sender's half of a message that two machines exchange, or into a channel."""
        said = self._speaks(to, message(name, values))
        return Label(self._speaks(to, message(name, values, "!")), said)

    def receives(self, name: Message | str, *values: Value, sender: object | None = None) -> Label:
        """The receiver's half of an exchange, or out of a channel.

        A value is one that must have come, ``"_"`` for any, or a new name: it stands for what came in ``when`` and ``set``, where ``expr`` or
        a text takes it up.
        """
        speaker = f"{self}" if sender is None else f"{sender} -> {self}"
        return Label(f"{speaker}: {message(name, values, '?')}")

    def _act(self, act: str, commitment: object, *more: object) -> Act:
        return Act(str(call(act, self, commitment, *more)))

    def creates(self, commitment: object) -> Act:
        """By the debtor: from now on it is in force."""
        return self._act("Cr", commitment)

    def reactivates(self, commitment: object) -> Act:
        """By the debtor: it is in force again."""
        return self._act("React", commitment)

    def withdraws(self, commitment: object) -> Act:
        """By the debtor: it is no longer in force."""
        return self._act("Wit", commitment)

    def satisfies(self, commitment: object) -> Act:
        """By the debtor: what was promised holds."""
        return self._act("Sat", commitment)

    def violates(self, commitment: object) -> Act:
        """By the debtor: what was promised does not hold."""
        return self._act("Vio", commitment)

    def accepts(self, commitment: object) -> Act:
        """By the creditor."""
        return self._act("Ac", commitment)

    def refuses(self, commitment: object) -> Act:
        """By the creditor."""
        return self._act("Ref", commitment)

    def challenges(self, commitment: object) -> Act:
        """By the creditor."""
        return self._act("Ch", commitment)

    def attacks(self, commitment: object, support: Value) -> Act:
        """By the creditor, with a support."""
        return self._act("At", commitment, expr(support))

    def defends(self, commitment: object, support: Value) -> Act:
        """By the debtor, with a support."""
        return self._act("Def", commitment, expr(support))

    def justifies(self, commitment: object, support: Value) -> Act:
        """By the debtor, with a support."""
        return self._act("Jus", commitment, expr(support))

    def releases(self, commitment: object) -> Act:
        """By the creditor: nothing is owed any more."""
        return self._act("Rel", commitment)

    def delegates(self, commitment: object, to: object) -> Act:
        """By the debtor: somebody else owes it."""
        return self._act("Del", commitment, to)

    def assigns(self, commitment: object, to: object) -> Act:
        """By the creditor: it is owed to somebody else."""
        return self._act("Ass", commitment, to)


class Channel:
    """What messages are under way in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    @property
    def length(self) -> Expr:
        """How many messages are under way."""
        return Expr(f"{self.name}.length")

    def has(self, matching: object) -> Expr:
        """Does some message under way match?"""
        return call(f"{self.name}.has", matching)

    def head(self, matching: object) -> Expr:
        """Does the oldest message under way match?"""
        return call(f"{self.name}.head", matching)

    @property
    def loses(self) -> Label:
        """The step in which a message gets lost, for ``does``."""
        return Label(f"{self.name}.lose")

    @property
    def repeats(self) -> Label:
        """The step in which a message comes again, for ``does``."""
        return Label(f"{self.name}.repeat")


def pattern(step: object) -> str:
    """A label as formulas and scenarios match it."""
    return step.pattern if isinstance(step, Label) else str(step)


def initial(values: Iterable[Value] | Value | None) -> str:
    """An initial value, or several."""
    return "" if values is None else f" = {constants(values)}"
