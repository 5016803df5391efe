"""The one table of families: their texts, their sizes, and what others are asked about them."""
import dataclasses
import functools
import typing

import sums

from . import agents, concurrent, protocols, varied
from .processes import Model


@dataclasses.dataclass(frozen=True)
class Case:
    """A family at a size."""

    name: str
    language: str
    text: str
    formulas: tuple = ()  # what is asked beside the properties in the text
    model: typing.Optional[Model] = None  # for others' languages
    smv: typing.Optional[str] = None  # where the model is no system of processes
    safety: typing.Optional[str] = None  # the text with nothing but invariants, for makers of circuits

    def write(self, folder, text=None):
        path = folder / f"{self.name}.{self.language}"
        path.write_text(self.text if text is None else text)
        return path

    def asked(self, task):
        """The properties of the model that a task is about."""
        if self.model is None or task == "states":
            return []
        return [one for one in self.model.properties if one.is_linear == (task == "linear")]

    def question(self, task):
        """The text and the formulas that Servanda is asked for a task."""
        if task == "circuit":
            return self.safety, []
        if self.model is None or task in ("states", "all"):
            return self.text, list(self.formulas)
        chosen = [at for at, one in enumerate(self.model.properties) if one in self.asked(task)]
        if self.language == "pact":
            return self.model.pact(properties=False), [self.model.formula(self.model.properties[at]) for at in chosen]
        return self.text, [self.formulas[at] for at in chosen]


def of_processes(make):
    def case(name, *size):
        model = make(*size)
        invariants = dataclasses.replace(model, properties=[one for one in model.properties if one.kind == "always"])
        return Case(name, "pact", model.pact(), model=model, safety=invariants.pact())

    return case


def of_ccs(make, write):
    def case(name, *size):
        text, formulas = write(*size)
        return Case(name, "ccs", text, tuple(formulas), make(*size))

    return case


def of_text(language, make):
    def case(name, *size):
        made = make(*size)
        text, formulas = made if isinstance(made, tuple) else (made, ())
        return Case(name, language, text, tuple(formulas))

    return case


def of_arbiter(name, n):
    text = agents.arbiter(n)
    lines = text.split("\n")
    begin = lines.index("Formulae")
    safety = "\n".join(lines[: begin + 3] + ["end Formulae", ""])
    return Case(name, "ispl", text, smv=agents.arbiter_smv(n), safety=safety)


def of_product(name, bits):
    text = agents.product(bits)
    return Case(name, "ispl", text, safety=text)


pact = functools.partial(of_text, "pact")
ispl = functools.partial(of_text, "ispl")

# Name: how a case is made, and the sizes at which engines are compared with each other.
FAMILIES = {
    "adder": (pact(protocols.adder), [(12,), (16,), (19,)]),
    "arbiter": (of_arbiter, [(8,), (24,), (48,)]),
    "bakery": (of_processes(concurrent.bakery), [(3, 4), (5, 6), (6, 8), (7, 8)]),
    "budget": (pact(sums.budget), [(24,), (40,)]),
    "buffers": (of_ccs(concurrent.buffers, concurrent.buffers_ccs), [(10,), (16,), (20,), (30,)]),
    "cards": (pact(protocols.cards), [(8,), (30,), (100,)]),
    "chain": (pact(protocols.chain), [(1 << 12,), (1 << 16,), (1 << 19,)]),
    "commit": (pact(protocols.commit), [(6,), (9,), (12,)]),
    "contract": (of_processes(concurrent.contract), [(5,), (8,), (10,)]),
    "contract_net": (pact(protocols.contract_net), [(4,), (6,), (8,), (9,)]),
    "counters": (of_processes(concurrent.counters), [(4, 15), (6, 9), (10, 9), (24, 9)]),
    "cryptographers": (ispl(agents.cryptographers), [(8,), (18,), (30,)]),
    "election": (of_processes(concurrent.election), [(7, 2), (10, 2), (12, 1), (12, 2)]),
    "escrow": (pact(protocols.escrow), [(3,), (6,), (8,), (10,)]),
    "fair_tokens": (pact(concurrent.fair_tokens), [(4,), (8,), (10,), (12,)]),
    "gossip": (of_processes(concurrent.gossip), [(4,), (5,), (6,)]),
    "hanoi": (of_processes(concurrent.hanoi), [(8,), (10,), (14,)]),
    "in_turn": (ispl(agents.in_turn), [(10,), (40,)]),
    "kanban": (of_processes(concurrent.kanban), [(2,), (4,), (6,)]),
    "lamps": (ispl(agents.lamps), [(4, 10), (8, 30), (14, 60)]),
    "muddy": (ispl(agents.muddy), [(6,), (11,)]),
    "net": (pact(sums.net), [(20,), (60,)]),
    "parity": (pact(protocols.parity), [(12,), (80,)]),
    "past": (pact(protocols.tree), [(50,), (2000,), (30000,)]),
    "philosophers": (of_processes(concurrent.philosophers), [(8,), (11,), (14,), (18,)]),
    "product": (of_product, [(6,), (8,), (10,)]),
    "queues": (of_processes(concurrent.queues), [(3, 2), (5, 2), (6, 3)]),
    "random": (of_text("aut", protocols.random_aut), [(2000, 3), (100000, 3)]),
    "ring": (pact(sums.ring), [(4,), (6,)]),
    "scheduler": (of_ccs(concurrent.scheduler, concurrent.scheduler_ccs), [(8,), (12,), (14,), (16,)]),
    "shuffle": (pact(protocols.shuffle), [(6,), (8,), (9,), (10,)]),
    "tokens": (of_processes(concurrent.tokens), [(5,), (8,), (11,), (14,)]),
    "trains": (ispl(agents.trains), [(10,), (40,)]),
    "transmission": (ispl(agents.transmission), [(8,), (24,)]),
    "window": (pact(protocols.window), [(2, 6), (6, 25), (10, 60), (20, 120)]),
}

FAMILIES |= {name: (of_text(language, make), sizes) for name, (language, make, sizes) in varied.FAMILIES.items()}

# What others are asked, and at which sizes: the number of states, properties of single paths, properties of trees of paths, the formulas of
# a file, invariants of a circuit.
COMPARED = [
    ("states", "scheduler", [(12,), (15,)]),
    ("states", "buffers", [(16,)]),
    ("states", "philosophers", [(11,)]),
    ("states", "bakery", [(5, 6)]),
    ("states", "tokens", [(11,)]),
    ("states", "election", [(7, 2)]),
    ("states", "contract", [(7,)]),
    ("states", "queues", [(4, 2)]),
    ("states", "gossip", [(5,)]),
    ("states", "hanoi", [(10,)]),
    ("states", "kanban", [(3,)]),
    ("states", "counters", [(5, 9)]),
    ("linear", "scheduler", [(12,), (16,)]),
    ("linear", "buffers", [(16,)]),
    ("linear", "philosophers", [(11,)]),
    ("linear", "bakery", [(4, 6)]),
    ("linear", "tokens", [(9,)]),
    ("linear", "election", [(6, 2)]),
    ("linear", "contract", [(6,)]),
    ("linear", "kanban", [(2,)]),
    ("branching", "scheduler", [(12,), (20,)]),
    ("branching", "buffers", [(16,), (30,)]),
    ("branching", "philosophers", [(11,)]),
    ("branching", "bakery", [(4, 6)]),
    ("branching", "tokens", [(11,)]),
    ("branching", "contract", [(6,)]),
    ("branching", "hanoi", [(8,)]),
    ("branching", "kanban", [(3,)]),
    ("branching", "counters", [(8, 9)]),
    ("formulas", "arbiter", [(12,), (24,)]),
    ("formulas", "cryptographers", [(14,), (26,)]),
    ("formulas", "in_turn", [(20,), (40,)]),
    ("formulas", "lamps", [(8, 30)]),
    ("formulas", "muddy", [(8,), (11,)]),
    ("formulas", "trains", [(16,), (32,)]),
    ("formulas", "transmission", [(8,), (16,)]),
    ("circuit", "arbiter", [(12,), (24,)]),
    ("circuit", "bakery", [(3, 4)]),
    ("circuit", "philosophers", [(8,), (14,)]),
    ("circuit", "product", [(7,)]),
    ("circuit", "tokens", [(8,)]),
    ("circuit", "kanban", [(3,)]),
]


def add_circuits():
    """The families of `circuits.py` beside this folder, where it is there: files with one invariant, which holds or does not."""
    try:
        import circuits
    except ImportError:
        return

    def circuit(make):
        def case(name, size, verdict):
            text = make(size, verdict == "true")
            return Case(name, "ispl" if "end Agent" in text else "pact", text, safety=text)

        return case

    for name, (make, sizes) in circuits.FAMILIES.items():
        cases = [(size, verdict) for size in sizes for verdict in ("true", "false")]
        FAMILIES[f"circuit_{name}"] = (circuit(make), cases)
        COMPARED.append(("circuit", f"circuit_{name}", cases[:2]))


add_circuits()


def case(family, size):
    return FAMILIES[family][0]("-".join(map(str, (family, *size))), *size)


def all_cases(parts=()):
    """Every family at every size at which engines are compared; those whose names contain one of the parts, if there are any."""
    for family, (_, sizes) in FAMILIES.items():
        for size in sizes:
            name = "-".join(map(str, (family, *size)))
            if not parts or any(part in name for part in parts):
                yield case(family, size)
