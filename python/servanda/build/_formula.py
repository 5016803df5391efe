"""The operators of the logic, as functions."""

from __future__ import annotations

from collections.abc import Iterable

from ._expr import Expr, Value, call, expr, infix, prefix
from ._parts import pattern

__all__ = [
    "A", "AF", "AG", "AH", "AX", "AY", "B", "DK", "E", "EF", "EG", "EP", "EX", "EY", "F", "G", "GCK", "GK", "H", "K", "KH", "O", "P", "R", "S",
    "U", "W", "X", "Y", "active", "can", "does", "so",
]  # fmt: skip


def _bounded(operator: str, formula: Value, within: int | None) -> Expr:
    return prefix(operator if within is None else f"{operator}<={int(within)}", formula)


def A(formula: Value) -> Expr:
    """On every path."""
    return prefix("A", formula)


def E(formula: Value) -> Expr:
    """On some path."""
    return prefix("E", formula)


def X(formula: Value) -> Expr:
    """At the next position."""
    return prefix("X", formula)


def F(formula: Value, *, within: int | None = None) -> Expr:
    """Here or later; ``within`` so many ticks of the clocks."""
    return _bounded("F", formula, within)


def G(formula: Value, *, within: int | None = None) -> Expr:
    """Here and always; as long as no more than ``within`` ticks have passed."""
    return _bounded("G", formula, within)


def U(one: Value, other: Value, *, within: int | None = None) -> Expr:
    """``one`` until ``other``, which comes."""
    return infix(one, "U" if within is None else f"U<={int(within)}", other)


def W(one: Value, other: Value) -> Expr:
    """``one`` until ``other``, or for ever."""
    return infix(one, "W", other)


def R(one: Value, other: Value) -> Expr:
    """``other`` up to and including the first position with ``one``; for ever if there is none."""
    return infix(one, "R", other)


def so(one: Value, other: Value) -> Expr:
    """An argument: ``one`` here, and at the next position ``one -> other``."""
    return infix(one, "so", other)


def AX(formula: Value) -> Expr:
    """In every next state."""
    return prefix("AX", formula)


def EX(formula: Value) -> Expr:
    """In some next state."""
    return prefix("EX", formula)


def AF(formula: Value, *, within: int | None = None) -> Expr:
    """On every path, here or later."""
    return _bounded("AF", formula, within)


def EF(formula: Value, *, within: int | None = None) -> Expr:
    """On some path, here or later."""
    return _bounded("EF", formula, within)


def AG(formula: Value, *, within: int | None = None) -> Expr:
    """On every path, here and always."""
    return _bounded("AG", formula, within)


def EG(formula: Value, *, within: int | None = None) -> Expr:
    """On some path, here and always."""
    return _bounded("EG", formula, within)


def Y(formula: Value) -> Expr:
    """At the position before, if there is one."""
    return prefix("Y", formula)


def P(formula: Value) -> Expr:
    """At some position from the start up to here."""
    return prefix("P", formula)


def H(formula: Value) -> Expr:
    """At all positions from the start up to here."""
    return prefix("H", formula)


def S(one: Value, other: Value) -> Expr:
    """``other`` at some position up to here, and ``one`` ever since."""
    return infix(one, "S", other)


def EY(formula: Value) -> Expr:
    """In some predecessor."""
    return prefix("EY", formula)


def AY(formula: Value) -> Expr:
    """In all predecessors."""
    return prefix("AY", formula)


def EP(formula: Value) -> Expr:
    """In some state from which this one can be reached."""
    return prefix("EP", formula)


def AH(formula: Value) -> Expr:
    """In all states from which this one can be reached."""
    return prefix("AH", formula)


def _who(group: object) -> str:
    if isinstance(group, Iterable) and not isinstance(group, str):
        return "{" + ", ".join(map(str, group)) + "}"
    return str(group)


def _group(group: object) -> list[str]:
    return [] if group is None else [_who(group)]


def K(agent: object, formula: Value) -> Expr:
    """The agent knows."""
    return call("K", agent, expr(formula))


def GK(group: object, formula: Value) -> Expr:
    """Everybody in the group knows; ``None``: all agents."""
    return call("GK", *_group(group), expr(formula))


def DK(group: object, formula: Value) -> Expr:
    """The group has distributed knowledge; ``None``: all agents."""
    return call("DK", *_group(group), expr(formula))


def GCK(group: object, formula: Value) -> Expr:
    """It is common knowledge in the group; ``None``: all agents."""
    return call("GCK", *_group(group), expr(formula))


def O(agent: object, formula: Value) -> Expr:  # noqa: E743
    """It holds when the agent behaves correctly."""
    return call("O", agent, expr(formula))


def KH(agent: object, group: object, formula: Value) -> Expr:
    """The agent knows, assuming that the group behaves correctly."""
    return call("KH", agent, _who(group), expr(formula))


def B(agent: object, group: object, formula: Value) -> Expr:
    """The agent believes, as long as it can take the group to behave correctly."""
    return call("B", agent, _who(group), expr(formula))


def can(group: object, formula: Expr) -> Expr:
    """The group has a strategy for what ``X``, ``F``, ``G`` or ``U`` says: ``can(shop, F(paid))``."""
    who = _who(group).strip("{}")
    return prefix(f"<{who}>", formula)


def does(step: object) -> Expr:
    """The next step is of this kind: a label, or a pattern such as ``"pay(3, _)"``."""
    return call("does", pattern(step))


def active(commitment: object) -> Expr:
    """The commitment is in force."""
    return call("active", commitment)
