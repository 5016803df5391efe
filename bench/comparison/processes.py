"""Models in a form from which every checker's language is written.

A model is a number of processes, each in one of its places, and variables that all of them read and write. A step moves one process (or
two that meet) from place to place, if its guard holds, and sets variables, all at once. Expressions are written as in Pact:
`& | ! = != < <= > >= + - * %`, `true`, `false`, and `Process in place`. A path that can go no further stays where it is.
"""
import dataclasses
import re
import typing

# What is asked of a model, by kind: how it is written in Pact (which SMV shares, but for places), and for one path in Promela.
KINDS = {
    "always": ("AG ({0})", "[] ({0})"),
    "response": ("AG ({0} -> AF ({1}))", "[] (({0}) -> <> ({1}))"),
    "inevitable": ("AF ({0})", "<> ({0})"),
    "recurrent": ("AG AF ({0})", "[] <> ({0})"),
    "possible": ("EF ({0})", None),
    "reset": ("AG EF ({0})", None),
}


class Step(typing.NamedTuple):
    label: str
    moves: list  # of (process, from, to)
    guard: str
    updates: list  # of (variable, expression)


class Property(typing.NamedTuple):
    name: str
    kind: str
    parts: tuple

    @property
    def is_linear(self):
        """Can a checker of single paths decide it? That something is possible is that not always something else is so."""
        return self.kind != "reset"


@dataclasses.dataclass
class Model:
    name: str
    variables: dict = dataclasses.field(default_factory=dict)  # name: (least, most, first), or a bool that is the first value
    starts: dict = dataclasses.field(default_factory=dict)  # process: place
    steps: list = dataclasses.field(default_factory=list)
    properties: list = dataclasses.field(default_factory=list)

    def variable(self, name, first, least=None, most=None):
        self.variables[name] = first if least is None else (least, most, first)

    def process(self, name, start):
        self.starts[name] = start

    def step(self, process, label, source, target, when="true", **updates):
        self.meet(label, [(process, source, target)], when, **updates)

    def meet(self, label, moves, when="true", **updates):
        self.steps.append(Step(label, moves, when, list(updates.items())))

    def ask(self, name, kind, *parts):
        self.properties.append(Property(name, kind, parts))

    def places(self, process):
        """All places of a process, the first one first."""
        found = [self.starts[process]]
        for step in self.steps:
            for who, source, target in step.moves:
                if who == process:
                    found += [place for place in (source, target) if place not in found]
        return found

    def formula(self, asked):
        return KINDS[asked.kind][0].format(*asked.parts)

    def pact(self, properties=True):
        """The text for Servanda."""
        lines = [f"protocol {self.name}", f"roles {', '.join(f'Agent_{name}' for name in self.starts)}"]
        for name, value in self.variables.items():
            if isinstance(value, bool):
                lines.append(f"var {name} : bool = {spell(value)}")
            else:
                lines.append(f"var {name} : {value[0]}..{value[1]} = {value[2]}")
        for process, start in self.starts.items():
            lines += [f"machine {process} {{", f"  start {start}"]
            for step in self.steps:
                [(who, source, target)] = step.moves
                if who == process:
                    when = "" if step.guard == "true" else f" when {step.guard}"
                    sets = ", ".join(f"{name} = {value}" for name, value in step.updates)
                    sets = f" set {sets}" if sets else ""
                    lines.append(f"  {source} -- Agent_{who}: {step.label}{when}{sets} --> {target}")
            lines.append("}")
        if properties:
            lines += [f"property {asked.name} = {self.formula(asked)}" for asked in self.properties]
        return "\n".join(lines) + "\n"


def spell(value):
    """A value as all these languages write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def translate(expression, place, words):
    """An expression in another language: `place` says how it asks where a process is, and `words` replaces operators."""
    expression = re.sub(r"(\w+) in (\w+)", lambda found: place(found[1], found[2]), expression)
    return re.sub(r"\bmod\b|->|==|<=|>=|!=|[=&|%!]", lambda found: words.get(found[0], found[0]), expression)


C_WORDS = {"=": "==", "&": "&&", "|": "||"}
