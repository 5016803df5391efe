"""AIGER files made plain: constraints, initial values that are not fixed and justice are turned into latches and gates, so that one bad
output is left of each property, which every checker of circuits understands.
"""


class Circuit:
    """An and-inverter graph with latches that start with 0, as the binary form of AIGER wants it."""

    def __init__(self):
        self.inputs, self.latches, self.gates, self.known = [], [], [], {}
        self.count = 0

    def new(self):
        self.count += 1
        return 2 * self.count

    def input(self):
        literal = self.new()
        self.inputs.append(literal)
        return literal

    def latch(self):
        literal = self.new()
        self.latches.append([literal, 0])
        return literal

    def become(self, latch, value):
        next(row for row in self.latches if row[0] == latch)[1] = value

    def both(self, a, b):
        a, b = max(a, b), min(a, b)
        if b == 0 or a == b ^ 1:
            return 0
        if b == 1 or a == b:
            return a
        if (a, b) not in self.known:
            self.known[a, b] = self.new()
            self.gates.append((self.known[a, b], a, b))
        return self.known[a, b]

    def either(self, a, b):
        return self.both(a ^ 1, b ^ 1) ^ 1

    def choose(self, condition, then, otherwise):
        return self.either(self.both(condition, then), self.both(condition ^ 1, otherwise))

    def same(self, a, b):
        return self.choose(a, b, b ^ 1)

    def binary(self, bad):
        """The text of a file whose only output is `bad`."""
        order = self.inputs + [latch for latch, _ in self.latches] + [gate for gate, _, _ in self.gates]
        number = {literal: 2 * at for at, literal in enumerate(order, 1)}
        number[0] = 0

        def of(literal):
            return number[literal & ~1] | literal & 1

        head = f"aig {len(order)} {len(self.inputs)} {len(self.latches)} 1 {len(self.gates)}\n"
        head += "".join(f"{of(value)}\n" for _, value in self.latches) + f"{of(bad)}\n"
        body = bytearray()
        for gate, a, b in self.gates:
            a, b = max(of(a), of(b)), min(of(a), of(b))
            for delta in (of(gate) - a, a - b):
                while delta > 127:
                    body.append(delta & 127 | 128)
                    delta >>= 7
                body.append(delta)
        return head.encode() + bytes(body)


def read_aiger(text):
    """Each property of an ASCII file as a circuit with one bad state: name, circuit, bad."""
    lines = iter(text.split("\n"))
    _, _, inputs, latches, outputs, gates, bads, constraints, justices, fair = [
        int(word) if word.isdigit() else word for word in next(lines).split(" ")
    ]
    assert (outputs, fair) == (0, 0)

    def numbers(count):
        return [[int(word) for word in next(lines).split(" ")] for _ in range(count)]

    inputs, latches = numbers(inputs), numbers(latches)
    bads, constraints = numbers(bads), numbers(constraints)
    justices = [[row[0] for row in numbers(size)] for [size] in numbers(justices)]
    gates = numbers(gates)
    names = {}
    for line in lines:
        if line == "c":
            break
        place, name = line.split(" ", 1)
        names[place] = name
    questions = [(names[f"b{at}"], [literal], None) for at, [literal] in enumerate(bads)]
    questions += [(names[f"j{at}"], None, sets) for at, sets in enumerate(justices)]
    for name, bad, sets in questions:
        circuit = Circuit()
        value = {0: 0}
        started = circuit.latch()
        circuit.become(started, 1)
        for [literal] in inputs:
            value[literal] = circuit.input()
        own = {}
        for literal, _, reset in latches:
            own[literal] = circuit.latch()
            first = {0: 0, 1: 1}.get(reset)
            first = circuit.input() if first is None else first
            value[literal] = circuit.choose(started, own[literal], first)

        def of(literal):
            return value[literal & ~1] ^ literal & 1

        for gate, a, b in gates:
            value[gate] = circuit.both(of(a), of(b))
        for literal, becomes, _ in latches:
            circuit.become(own[literal], of(becomes))
        kept = 1
        for [literal] in constraints:
            kept = circuit.both(kept, of(literal))
        broken = circuit.latch()
        circuit.become(broken, circuit.either(broken, kept ^ 1))
        kept = circuit.both(kept, broken ^ 1)
        if bad:
            yield name, circuit, circuit.both(kept, of(bad[0]))
            continue
        # A loop is a run that comes back to a state it has saved.
        save, saved = circuit.input(), circuit.latch()
        begins = circuit.both(save, saved ^ 1)
        circuit.become(saved, circuit.either(saved, save))
        closes = circuit.both(saved, kept)
        for literal, _, _ in latches:
            copy = circuit.latch()
            circuit.become(copy, circuit.choose(begins, of(literal), copy))
            closes = circuit.both(closes, circuit.same(copy, of(literal)))
        inside = circuit.either(saved, save)
        for literal in sets:
            met = circuit.latch()
            circuit.become(met, circuit.either(met, circuit.both(inside, of(literal))))
            closes = circuit.both(closes, met)
        yield name, circuit, closes
