"""Protocols by chance, each made twice: with the builder, and as a text that is written here without it."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from servanda import build as b

Tree = tuple[Any, ...]
"""An expression: an operator and its operands."""

_SIGNS: dict[str, str] = {
    "and": "&", "or": "|", "implies": "->", "iff": "<->", "eq": "=", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "add": "+",
    "sub": "-", "mul": "*", "U": "U", "W": "W", "R": "R", "so": "so",
}  # fmt: skip

_BUILT: dict[str, Callable[[Any, Any], b.Expr]] = {
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "implies": lambda x, y: x >> y,
    "iff": lambda x, y: x.iff(y),
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "U": b.U,
    "W": b.W,
    "R": b.R,
    "so": b.so,
}

_PREFIX = ("A", "E", "X", "F", "G", "AX", "EX", "AF", "EF", "AG", "EG", "Y", "P", "H")


def text(tree: Tree) -> str:
    """An expression with all its parentheses."""
    head, *rest = tree
    if head in ("name", "number"):
        return str(rest[0])
    if head == "not":
        return f"!({text(rest[0])})"
    if head in _PREFIX:
        return f"{head} ({text(rest[0])})"
    if head == "if":
        return f"(if {text(rest[0])} then {text(rest[1])} else {text(rest[2])})"
    if head in ("K", "O"):
        return f"{head}({rest[0]}, {text(rest[1])})"
    if head == "GCK":
        return f"GCK({{{', '.join(rest[0])}}}, {text(rest[1])})"
    if head in ("does", "active", "in"):
        return f"in {rest[0]}" if head == "in" else f"{head}({rest[0]})"
    if head == "min":
        return f"min({text(rest[0])}, {text(rest[1])})"
    return f"({text(rest[0])} {_SIGNS[head]} {text(rest[1])})"


def built(tree: Tree, known: Mapping[str, Any]) -> b.Expr:
    """The same with the builder."""
    head, *rest = tree
    if head == "name":
        return b.expr(known.get(rest[0], rest[0]))
    if head == "number":
        return b.expr(rest[0])
    if head == "not":
        return ~built(rest[0], known)
    if head in _PREFIX:
        made: b.Expr = getattr(b, head)(built(rest[0], known))
        return made
    if head == "if":
        return b.if_then_else(*(built(part, known) for part in rest))
    if head in ("K", "O"):
        return getattr(b, head)(known[rest[0]], built(rest[1], known))  # type: ignore[no-any-return]
    if head == "GCK":
        return b.GCK([known[name] for name in rest[0]], built(rest[1], known))
    if head == "does":
        return b.does(rest[0])
    if head == "active":
        return b.active(known[rest[0]])
    if head == "in":
        return known["at " + rest[0]]  # type: ignore[no-any-return]
    if head == "min":
        return b.minimum(built(rest[0], known), built(rest[1], known))
    return _BUILT[head](built(rest[0], known), built(rest[1], known))


@dataclass
class Random:
    """A protocol by chance."""

    seed: int
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.protocol = b.Protocol("Chance")
        self.lines.append("protocol Chance")
        self.known: dict[str, Any] = {}
        self.truths: list[str] = []
        self.numbers: list[tuple[str, int]] = []
        self.roles: list[str] = []
        self.commitments: dict[str, tuple[str, str]] = {}
        self.messages: list[str] = []
        self._declare()
        self._commit()
        self.shape = self.chance.choice(["one", "one", "exchange", "channel"])
        self.timed = self.chance.random() < 0.25
        if self.timed:
            self.known["age"] = self.protocol.clock("age", 2)
            self.numbers.append(("age", 2))
            self.lines.append("clock age : 0..2")
        if self.shape == "one":
            self._machine(self.protocol, "", ["s", "t", "u"])
        else:
            self._pair()
        self._ask()

    def pact(self) -> str:
        """The text."""
        return "\n".join(self.lines) + "\n"

    def _declare(self) -> None:
        chance, p = self.chance, self.protocol
        self.roles = ["Ann", "Bob", "Eve"][: chance.randint(2, 3)]
        for name in self.roles:
            self.known[name] = p.role(name)
        self.lines.append("roles " + ", ".join(self.roles))
        for name in ["p", "q", "r"][: chance.randint(1, 3)]:
            start: Any = chance.choice([False, True, [False, True], None])
            shown = {"False": " = false", "True": " = true", "None": ""}.get(str(start), " = {false, true}")
            owner = chance.choice([None, None, chance.choice(self.roles)])
            self.known[name] = p.variable(name, bool, start, seen_by=None if owner is None else self.known[owner])
            self.truths.append(name)
            self.lines.append(
                f"var {name} : bool{shown}" if owner is None else f"private var {name} of {owner} : bool{shown}"
            )
        for name in ["m", "n"][: chance.randint(0, 2)]:
            most = chance.randint(1, 3)
            self.known[name] = p.variable(name, range(0, most + 1), 0)
            self.numbers.append((name, most))
            self.lines.append(f"var {name} : 0..{most} = 0")
        if chance.random() < 0.3:
            array = p.array("x", range(1, 3), range(0, 2), 0)
            self.lines.append("var x[1..2] : 0..1 = 0")
            for index in (1, 2):
                self.known[f"x[{index}]"] = array[index]
                self.numbers.append((f"x[{index}]", 1))
        if chance.random() < 0.3:
            condition = self.condition(1)
            self.lines.append(f"init {text(condition)} | {text(('not', condition))}")
            p.init(built(condition, self.known) | ~built(condition, self.known))
        if chance.random() < 0.3:
            role, condition = chance.choice(self.roles), ("name", self.truths[0])
            if f"private var {self.truths[0]}" not in "\n".join(self.lines):
                p.red(self.known[role], built(condition, self.known))
                self.lines.append(f"red {role} : {text(condition)}")

    def condition(self, depth: int) -> Tree:
        """Something that is true or false in a state."""
        chance = self.chance
        if depth == 0 or chance.random() < 0.3:
            if self.numbers and chance.random() < 0.4:
                return (chance.choice(["eq", "ne", "lt", "le", "gt", "ge"]), self.number(1), self.number(0))
            return ("name", chance.choice(self.truths))
        head = chance.choice(["and", "or", "not", "implies", "iff", "if"])
        count = {"not": 1, "if": 3}.get(head, 2)
        return (head, *(self.condition(depth - 1) for _ in range(count)))

    def number(self, depth: int) -> Tree:
        """A number."""
        chance = self.chance
        if depth == 0 or chance.random() < 0.5:
            return (
                ("name", chance.choice(self.numbers)[0]) if chance.random() < 0.7 else ("number", chance.randint(0, 2))
            )
        return (chance.choice(["add", "sub", "mul", "min"]), self.number(depth - 1), self.number(depth - 1))

    def _commit(self) -> None:
        for name in ["c", "d"][: self.chance.randint(0, 2)]:
            debtor, creditor = self.chance.sample(self.roles, 2)
            content: Tree = (self.chance.choice(["F", "G", "X"]), self.condition(1))
            self.known[name] = self.protocol.commitment(
                name, self.known[debtor], self.known[creditor], built(content, self.known)
            )
            self.lines.append(f"commitment {name} = SC({debtor}, {creditor}, {text(content)})")
            self.commitments[name] = (debtor, creditor)

    def label(self) -> tuple[Any, str]:
        """What is said or done."""
        chance = self.chance
        if self.commitments and chance.random() < 0.5:
            name = chance.choice(list(self.commitments))
            debtor, creditor = self.commitments[name]
            short, long = chance.choice(
                [("Cr", "creates"), ("Cr", "creates"), ("Wit", "withdraws"), ("Sat", "satisfies"), ("Vio", "violates")]
                + [("Ac", "accepts"), ("Ref", "refuses"), ("Ch", "challenges"), ("Rel", "releases")]
            )
            who = creditor if short in ("Ac", "Ref", "Ch", "Rel") else debtor
            return getattr(self.known[who], long)(self.known[name]), f"{short}({who}, {name})"
        message = chance.choice(["hi", "go", "pay"])
        self.messages.append(message)
        if chance.random() < 0.15:
            return message, message
        who = chance.choice(self.roles)
        other = chance.choice([role for role in self.roles if role != who])
        if chance.random() < 0.5:
            return self.known[who].says(message), f"{who}: {message}"
        return self.known[who].says(message, to=self.known[other]), f"{who} -> {other}: {message}"

    def change(self) -> tuple[dict[Any, Any], str]:
        """What a transition sets."""
        chance = self.chance
        made: dict[Any, Any] = {}
        shown: list[str] = []
        for name in chance.sample(self.truths, chance.randint(0, min(2, len(self.truths)))):
            if chance.random() < 0.2:
                made[self.known[name]] = b.choose(False, True)
                shown.append(f"{name} in {{false, true}}")
            else:
                value = self.condition(1)
                made[self.known[name]] = built(value, self.known)
                shown.append(f"{name} = {text(value)}")
        if self.numbers and chance.random() < 0.5:
            name, most = chance.choice(self.numbers)
            value = (
                "if",
                ("lt", ("name", name), ("number", most)),
                ("add", ("name", name), ("number", 1)),
                ("number", 0),
            )
            made[self.known[name]] = built(value, self.known)
            shown.append(f"{name} = {text(value)}")
        return made, f" set {', '.join(shown)}" if shown else ""

    def _machine(self, body: Any, indent: str, places: list[str], extra: tuple[Any, str] | None = None) -> None:
        chance = self.chance
        names = places[: chance.randint(2, len(places))]
        for number, name in enumerate(names):
            self.known["at " + name] = body.state(name, start=number == 0)
        self.lines.append(f"{indent}start {names[0]}")
        for number in range(chance.randint(2, 4)):
            source, target = chance.choice(names), chance.choice(names)
            label, shown = extra if extra is not None and number == 0 else self.label()
            made, changed = self.change()
            guard = self.condition(2) if chance.random() < 0.4 else None
            when = "" if guard is None else f" when {text(guard)}"
            body.transition(
                self.known["at " + source] if chance.random() < 0.5 else source,
                label,
                self.known["at " + target],
                when=None if guard is None else built(guard, self.known),
                set=made,
            )
            self.lines.append(f"{indent}{source} -- {shown}{when}{changed} --> {target}")
        if chance.random() < 0.2:
            body.final(names[-1])
            self.lines.append(f"{indent}final {names[-1]}")
        if self.timed and chance.random() < 0.5:
            body.wait(self.known["at " + names[0]], self.known["age"] < 2)
            self.lines.append(f"{indent}wait {names[0]} while age < 2")

    def _pair(self) -> None:
        p = self.protocol
        ann, bob = self.known["Ann"], self.known["Bob"]
        coin = p.message("coin", range(0, 2))
        self.lines.append("message coin(0..1)")
        if self.shape == "channel":
            lossy, unordered = self.chance.random() < 0.5, self.chance.random() < 0.5
            capacity = self.chance.randint(1, 2)
            p.channel("wire", coin, sender=ann, receiver=bob, capacity=capacity, lossy=lossy, unordered=unordered)
            words = f"{' lossy' if lossy else ''}{' unordered' if unordered else ''}"
            self.lines.append(f"channel wire from Ann to Bob of capacity {capacity}{words} carries coin")
        left = p.machine("Left", seen_by=ann)
        self.lines.append("machine Left of Ann {")
        value = self.chance.randint(0, 1)
        self._machine(left, "  ", ["s", "t"], (ann.sends(coin, value, to=bob), f"Ann -> Bob: coin!({value})"))
        self.lines.append("}")
        right = p.machine("Right")
        self.lines.append("machine Right {")
        pattern = self.chance.choice(["_", 0, 1])
        self._machine(right, "  ", ["v", "w"], (bob.receives(coin, pattern), f"Bob: coin?({pattern})"))
        self.lines.append("}")

    def formula(self, depth: int) -> Tree:
        """A formula about states."""
        chance = self.chance
        if depth == 0:
            return self.condition(1)
        head = chance.choice(["AG", "EF", "AF", "EG", "AX", "EX", "not", "and", "path", "K", "GCK", "step", "O"])
        if head in ("and",):
            return (head, self.formula(depth - 1), self.formula(depth - 1))
        if head == "path":
            return (chance.choice("AE"), self.path(depth - 1))
        if head == "K" or head == "O":
            return (head, chance.choice(self.roles), self.formula(depth - 1))
        if head == "GCK":
            return (head, tuple(self.roles[:2]), self.formula(depth - 1))
        if head == "step":
            return (
                "AG",
                ("implies", ("does", self.chance.choice([*self.messages, "_"])), ("X", self.formula(depth - 1))),
            )
        return (head, self.formula(depth - 1))

    def path(self, depth: int) -> Tree:
        """A formula about paths."""
        chance = self.chance
        head = chance.choice(["U", "W", "R", "so", "F", "G", "P", "H", "Y", "does"])
        if head == "does":
            return (head, chance.choice([*self.messages, "_"]))
        if head in ("U", "W", "R", "so"):
            return (head, self.formula(depth), self.formula(depth))
        return (head, self.formula(depth))

    def _ask(self) -> None:
        chance, p = self.chance, self.protocol
        if self.messages and chance.random() < 0.3:
            kind, message = chance.choice(["weak", "strong"]), chance.choice(self.messages)
            p.fair(b.does(message), steps="weak" if kind == "weak" else "strong")
            self.lines.append(f"fair {kind} does({message})")
        elif chance.random() < 0.2:
            condition = self.condition(1)
            p.fair(built(condition, self.known))
            self.lines.append(f"fair {text(condition)}")
        for number in range(4):
            formula = self.formula(2)
            expected = chance.choice([None, True, False])
            p.property(f"f{number}", built(formula, self.known), expect=expected)
            shown = "" if expected is None else f" expect {str(expected).lower()}"
            self.lines.append(f"property f{number}{shown} = {text(formula)}")
        for name in self.commitments:
            p.property(f"active_{name}", b.EF(b.active(self.known[name])))
            self.lines.append(f"property active_{name} = EF (active({name}))")
            p.property(f"holds_{name}", b.AG(self.known[name] >> b.EF(self.known[name])))
            self.lines.append(f"property holds_{name} = AG ({name} -> EF {name})")
