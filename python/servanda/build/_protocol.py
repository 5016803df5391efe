"""Protocols, made part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from .._model import Model
from ._expr import Expr, Value, call, expr
from ._parts import (
    Array,
    Channel,
    Commitment,
    Group,
    Kind,
    Label,
    Message,
    Role,
    Type,
    Variable,
    initial,
    kind,
    names,
    pattern,
    word,
)
from ._place import Added, Relocation, here
from ._steps import Lines, Machine, Part, Steps

__all__ = ["Protocol"]

_ORDER = (
    "use", "semantics", "type", "role", "group", "message", "channel", "clock", "variable", "init", "red", "prop", "commitment", "step",
    "machine", "access", "fair", "property", "raw",
)  # fmt: skip


class Protocol(Steps):
    """A protocol that is built in Python.

    >>> from servanda.build import AF, Protocol
    >>> shop = Protocol("Shop")
    >>> customer, merchant = shop.roles("Customer", "Merchant")
    >>> paid = shop.variable("paid", bool, False)
    >>> waiting, served = shop.states("waiting", "served")
    >>> shop.transition(waiting, customer.says("pay", to=merchant), served, set={paid: True})
    >>> shop.property("pays", AF(paid))
    >>> shop.model().check().passed
    True

    Parts may be added in any order. What is wrong is found when the model is made, and told with the line of Python that added it.
    """

    def __init__(self, name: str, *, semantics: Literal["actl", "scctl", "ctlca"] | None = None) -> None:
        self.name = word(name)
        self._place = here()
        self._sections = {section: Lines() for section in _ORDER}
        self._machines: list[tuple[str, Added, Lines]] = []
        super().__init__(None, self._sections["step"])
        if semantics is not None:
            self._add("semantics", f"semantics {semantics}")

    def _add(self, section: str, text: str) -> None:
        self._sections[section].add(text)

    def role(self, name: str) -> Role:
        """Somebody who says and does things."""
        self._add("role", f"roles {word(name)}")
        return Role(name)

    def roles(self, *names: str) -> tuple[Role, ...]:
        """Several roles."""
        return tuple(map(self.role, names))

    def role_array(self, name: str, indices: range) -> dict[int, Role]:
        """Roles with numbers, as ``Bidder[1]``, ``Bidder[2]``, by number."""
        self._add("role", f"roles {word(name)}[{kind(indices)}]")
        return {index: Role(f"{name}[{index}]") for index in indices}

    def group(self, name: str, members: Iterable[Role | Group | str]) -> Group:
        """A name for several roles."""
        self._add("group", f"group {word(name)} = {{{names(members)}}}")
        return Group(name)

    def type(self, name: str, of: Kind) -> Type:
        """A name for a type."""
        self._add("type", f"type {word(name)} = {kind(of)}")
        return Type(name)

    def variable(
        self,
        name: str,
        of: Kind,
        start: Iterable[Value] | Value | None = None,
        *,
        seen_by: object | None = None,
    ) -> Variable:
        """A variable.

        :param of: its type
        :param start: its initial value; several of which each is possible; without it, all of its type
        :param seen_by: the roles and groups that see it; without it, everybody
        """
        self._declare(word(name), of, start, seen_by)
        return Variable(name)

    def array(
        self,
        name: str,
        indices: range | Iterable[range],
        of: Kind,
        start: Iterable[Value] | Value | None = None,
        *,
        seen_by: object | None = None,
    ) -> Array:
        """Variables with numbers: ``x = p.array("x", range(1, 4), bool, False)`` has ``x[1]`` to ``x[3]``."""
        ranges = [indices] if isinstance(indices, range) else list(indices)
        self._declare(word(name) + "".join(f"[{kind(one)}]" for one in ranges), of, start, seen_by)
        return Array(name, ranges)

    def _declare(self, name: str, of: Kind, start: Iterable[Value] | Value | None, seen_by: object | None) -> None:
        private, whose = ("", "") if seen_by is None else ("private ", f" of {names(seen_by)}")
        self._add("variable", f"{private}var {name}{whose} : {kind(of)}{initial(start)}")

    def clock(self, name: str, most: int) -> Variable:
        """A clock, which counts ticks up to ``most``."""
        self._add("clock", f"clock {word(name)} : 0..{int(most)}")
        return Variable(name)

    def init(self, condition: Value) -> None:
        """Initial states are those that satisfy this too."""
        self._add("init", f"init {expr(condition)}")

    def message(self, name: str, *types: Kind, indices: range | None = None, **named: Kind) -> Message:
        """What a message carries: types, with names for the reader where they have some."""
        carried = [*map(kind, types), *(f"{name} : {kind(of)}" for name, of in named.items())]
        index = "" if indices is None else f"[{kind(indices)}]"
        self._add("message", f"message {word(name)}{index}" + (f"({', '.join(carried)})" if carried else ""))
        return Message(name)

    def channel(
        self,
        name: str,
        carries: Iterable[Message | str] | Message | str,
        *,
        sender: Role | str | None = None,
        receiver: Role | str | None = None,
        capacity: int = 1,
        lossy: bool = False,
        duplicating: bool = False,
        unordered: bool = False,
    ) -> Channel:
        """What messages are under way in between being sent and being received."""
        words = [f"channel {word(name)}"]
        words += [] if sender is None else [f"from {sender}"]
        words += [] if receiver is None else [f"to {receiver}"]
        words += [f"of capacity {int(capacity)}"]
        chosen = {"lossy": lossy, "duplicating": duplicating, "unordered": unordered}
        words += [one for one, is_so in chosen.items() if is_so]
        carried = carries if isinstance(carries, (Message, str)) else list(carries)
        self._add("channel", " ".join([*words, "carries", names(carried)]))
        return Channel(name)

    def commitment(
        self,
        name: str,
        debtor: Role | str,
        creditor: Role | str,
        content: Value,
        *,
        moment: str | None = None,
        private: bool = False,
    ) -> Commitment:
        """What one role owes to another; with a moment a propositional commitment. Acts put it in force."""
        parties = [debtor, creditor, *([] if moment is None else [word(moment)])]
        said = call("SC" if moment is None else "PC", *parties, expr(content))
        self._add("commitment", f"{'private ' if private else ''}commitment {word(name)} = {said}")
        return Commitment(name)

    def proposition(self, name: str, formula: Value) -> Expr:
        """A name for a formula."""
        self._add("prop", f"prop {word(name)} = {expr(formula)}")
        return Expr(name)

    def red(self, role: Role | str, condition: Value) -> None:
        """Where the behaviour of a role is not correct."""
        self._add("red", f"red {role} : {expr(condition)}")

    def access(self, debtor: Role | str, creditor: Role | str, guard: Value) -> None:
        """Narrows the paths that count for commitments of the one to the other."""
        self._add("access", f"access {debtor} -> {creditor} : {expr(guard)}")

    def fair(self, formula: Value, *, steps: Literal["weak", "strong"] | None = None) -> None:
        """On runs that count the formula holds again and again; with ``steps`` it is one ``does(..)`` that is not passed over for ever."""
        self._add("fair", f"fair {'' if steps is None else steps + ' '}{expr(formula)}")

    def machine(self, name: str, *, seen_by: object | None = None) -> Machine:
        """A machine that runs beside others; only these roles see where it is."""
        lines = Lines()
        whose = "" if seen_by is None else f" of {names(seen_by)}"
        self._machines.append((f"machine {word(name)}{whose}", here(), lines))
        return Machine(name, lines)

    def use(
        self,
        file: str,
        name: str,
        given: Mapping[str, Role | str | int] | None = None,
        *,
        when: Value | None = None,
        with_properties: bool = False,
    ) -> Part:
        """A protocol from a file, run beside this one; its roles and parameters may be given."""
        terms = ", ".join(f"{word(one)} = {other}" for one, other in (given or {}).items())
        text = f'use "{file}" as {word(name)}' + (f" ({terms})" if terms else "")
        text += "" if when is None else f" when {expr(when)}"
        self._add("use", text + (" with properties" if with_properties else ""))
        return Part(name)

    def property(
        self,
        name: str,
        formula: Value,
        *,
        expect: bool | None = None,
        level: Literal["must", "should", "may"] | None = None,
        cite: str | None = None,
    ) -> None:
        """Something to decide; it should be true unless ``expect`` says otherwise."""
        words = [f"property {word(name)}"]
        words += [] if level is None else [f"level {level}"]
        words += [] if cite is None else [f'cite "{_quoted(cite)}"']
        words += [] if expect is None else [f"expect {'true' if expect else 'false'}"]
        self._add("property", " ".join([*words, "=", str(expr(formula))]))

    def scenario(self, name: str, steps: Iterable[Label | Expr | str], *, possible: bool = True) -> None:
        """A conversation that the model can have, or must not; ``"_"`` is one step of any kind, ``"..."`` any number."""
        expected = "" if possible else "expect impossible "
        self._add("property", f"scenario {word(name)} {expected}{{ {'; '.join(map(pattern, steps))} }}")

    def pact(self, statement: str) -> None:
        """A statement in the words of Pact, for what has no method here, such as ``decompose``."""
        self._add("raw", statement)

    def _written(self) -> Lines:
        text = Lines([(f"protocol {self.name}", self._place)])
        for section in _ORDER:
            lines = list(self._sections[section].lines)
            if section == "machine":
                for head, place, body in self._machines:
                    inside = [(f"  {line}", added) for line, added in body.lines]
                    lines += [(head + " {", place), *inside, ("}", place)]
            text.lines += [("", None), *lines] if lines else []
        return text

    def to_pact(self) -> str:
        """The protocol as a Pact text."""
        return "\n".join(line for line, _ in self._written().lines) + "\n"

    def model(self) -> Model:
        """The protocol as a model.

        :raises InputError: all that is wrong with it, with the lines of Python that added it
        """
        name, text = f"{self.name} (built in Python)", self.to_pact()
        relocation = Relocation(name, text, [added for _, added in self._written().lines])
        return Model._built(text, name, relocation)

    def __str__(self) -> str:
        return self.to_pact()

    def __repr__(self) -> str:
        return f"<Protocol {self.name}>"


def _quoted(text: str) -> str:
    if '"' in text or "\n" in text:
        raise ValueError(f"{text!r}: a citation has neither quotes nor several lines")
    return text
