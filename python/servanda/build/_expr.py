"""Expressions and formulas, made with Python's operators."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from typing import TypeAlias

__all__ = ["Expr", "Value", "all_of", "any_of", "choose", "if_then_else", "maximum", "minimum"]

# How tightly the parts of a text hold together, as docs/formulas.md says under "Precedence".
ATOM, MINUS, TIMES, PLUS, COMPARE, PREFIX, UNTIL, AND, OR, IMPLIES, IFF, OPEN = range(11, -1, -1)

_NAME = re.compile(r"^[A-Za-z_][\w.]*(\[[^\[\]]*\])*$")


class Expr:
    """A value, a condition or a formula.

    ``+ - * / %`` and the comparisons are what they are in Pact: ``/`` drops the fraction, ``%`` has the sign of its left operand, ``==`` makes
    a condition. ``&``, ``|``, ``~`` and ``>>`` are *and*, *or*, *not* and *implies*; ``and``, ``or`` and ``not`` cannot be, and say so.
    """

    __slots__ = ("_level", "_text")

    def __init__(self, text: str, level: int = ATOM) -> None:
        self._text = text
        self._level = level

    def _in(self, level: int) -> str:
        """The text, in parentheses where something that holds more tightly is needed."""
        return self._text if self._level >= level else f"({self._text})"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._text}>"

    def __bool__(self) -> bool:
        raise TypeError(f"`{self._text}` is known in states only: write & | ~ >> in place of and, or, not, if")

    __hash__ = object.__hash__

    def __add__(self, other: Value) -> Expr:
        return _left(self, "+", other, PLUS)

    def __radd__(self, other: Value) -> Expr:
        return _left(other, "+", self, PLUS)

    def __sub__(self, other: Value) -> Expr:
        return _left(self, "-", other, PLUS)

    def __rsub__(self, other: Value) -> Expr:
        return _left(other, "-", self, PLUS)

    def __mul__(self, other: Value) -> Expr:
        return _left(self, "*", other, TIMES)

    def __rmul__(self, other: Value) -> Expr:
        return _left(other, "*", self, TIMES)

    def __truediv__(self, other: Value) -> Expr:
        return _left(self, "/", other, TIMES)

    def __rtruediv__(self, other: Value) -> Expr:
        return _left(other, "/", self, TIMES)

    def __mod__(self, other: Value) -> Expr:
        return _left(self, "%", other, TIMES)

    def __rmod__(self, other: Value) -> Expr:
        return _left(other, "%", self, TIMES)

    def __neg__(self) -> Expr:
        return Expr(f"-{self._in(ATOM)}", MINUS)

    def __eq__(self, other: Value) -> Expr:  # type: ignore[override]
        return _compare(self, "=", other)

    def __ne__(self, other: Value) -> Expr:  # type: ignore[override]
        return _compare(self, "!=", other)

    def __lt__(self, other: Value) -> Expr:
        return _compare(self, "<", other)

    def __le__(self, other: Value) -> Expr:
        return _compare(self, "<=", other)

    def __gt__(self, other: Value) -> Expr:
        return _compare(self, ">", other)

    def __ge__(self, other: Value) -> Expr:
        return _compare(self, ">=", other)

    def __and__(self, other: Value) -> Expr:
        return _left(self, "&", other, AND)

    def __rand__(self, other: Value) -> Expr:
        return _left(other, "&", self, AND)

    def __or__(self, other: Value) -> Expr:
        return _left(self, "|", other, OR)

    def __ror__(self, other: Value) -> Expr:
        return _left(other, "|", self, OR)

    def __invert__(self) -> Expr:
        return prefix("!", self)

    def __rshift__(self, other: Value) -> Expr:
        return self.implies(other)

    def __rrshift__(self, other: Value) -> Expr:
        return expr(other).implies(self)

    def implies(self, other: Value) -> Expr:
        """``self -> other``; also ``self >> other``."""
        return Expr(f"{self._in(IMPLIES + 1)} -> {expr(other)._in(IMPLIES)}", IMPLIES)

    def iff(self, other: Value) -> Expr:
        """``self <-> other``."""
        return Expr(f"{self._in(IFF + 1)} <-> {expr(other)._in(IFF)}", IFF)


Value: TypeAlias = "Expr | bool | int | str | enum.Enum"
"""What can stand in an expression: a text is read as Pact, and a member of an enumeration is its name."""


def expr(value: Value) -> Expr:
    """A value as an expression."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, bool):
        return Expr("true" if value else "false")
    if isinstance(value, enum.Enum):
        return Expr(value.name)
    if isinstance(value, int):
        return Expr(str(value), ATOM if value >= 0 else MINUS)
    if isinstance(value, str):
        text = " ".join(value.split())
        return Expr(text, ATOM if _NAME.match(text) else OPEN)
    raise TypeError(f"{value!r} is no expression: a number, a truth value, a text in Pact or an expression is needed")


def _left(left: Value, sign: str, right: Value, level: int) -> Expr:
    return Expr(f"{expr(left)._in(level)} {sign} {expr(right)._in(level + 1)}", level)


def _compare(left: Value, sign: str, right: Value) -> Expr:
    return Expr(f"{expr(left)._in(COMPARE + 1)} {sign} {expr(right)._in(COMPARE + 1)}", COMPARE)


def prefix(operator: str, operand: Value) -> Expr:
    """``operator operand``."""
    gap = "" if operator == "!" else " "
    return Expr(f"{operator}{gap}{expr(operand)._in(PREFIX)}", PREFIX)


def infix(left: Value, operator: str, right: Value) -> Expr:
    """``left operator right``, for the operators of runs."""
    return Expr(f"{expr(left)._in(UNTIL + 1)} {operator} {expr(right)._in(UNTIL + 1)}", UNTIL)


def call(name: str, *arguments: object) -> Expr:
    """``name(argument, ..)``."""
    return Expr(f"{name}({', '.join(map(str, arguments))})")


def if_then_else(condition: Value, one: Value, other: Value) -> Expr:
    """``one`` where the condition is true, otherwise ``other``; only what is taken is read."""
    return Expr(f"if {expr(condition)} then {expr(one)._in(OPEN + 1)} else {expr(other)}", OPEN)


def minimum(one: Value, other: Value) -> Expr:
    """The smaller of two numbers."""
    return call("min", expr(one), expr(other))


def maximum(one: Value, other: Value) -> Expr:
    """The greater of two numbers."""
    return call("max", expr(one), expr(other))


def all_of(parts: Iterable[Value]) -> Expr:
    """Are all of them true? Of none: yes."""
    return _joined(parts, "&", AND, "true")


def any_of(parts: Iterable[Value]) -> Expr:
    """Is one of them true? Of none: no."""
    return _joined(parts, "|", OR, "false")


def _joined(parts: Iterable[Value], sign: str, level: int, nothing: str) -> Expr:
    texts = [expr(part)._in(level + 1) for part in parts]
    if len(texts) < 2:
        return Expr(texts[0], level + 1) if texts else Expr(nothing)
    return Expr(f" {sign} ".join(texts), level)


class Choice:
    """One of several constants."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def constants(values: Iterable[Value] | Value) -> str:
    """Constants as Pact writes them: one, a range, or a set in braces."""
    if isinstance(values, range):
        if values.step == 1 and len(values) > 0:
            return f"{values.start}..{values.stop - 1}"
        if len(values) == 0:
            raise ValueError(f"{values!r} is empty: there must be a value")
    if isinstance(values, (Expr, bool, int, str, enum.Enum)):
        return str(expr(values))
    texts = [constants(value) for value in values]
    if not texts:
        raise ValueError("there must be a value")
    return "{" + ", ".join(sorted(texts) if isinstance(values, (set, frozenset)) else texts) + "}"


def choose(*values: Value | range | Iterable[Value]) -> Choice:
    """In an assignment: one of these constants, each a possible successor."""
    only = values[0] if len(values) == 1 else values
    text = constants(only)  # type: ignore[arg-type]
    return Choice(text if ".." in text or text.startswith("{") else "{" + text + "}")
