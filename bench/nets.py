#!/usr/bin/env python3
"""Petri nets as Pact models, as they are published for tools that count states by saturation.

    nets.py kanban N          four cells with N tokens each (Ciardo and Tilgner)
    nets.py fms N             a flexible manufacturing system with N parts of each kind (Ciardo and Trivedi)
    nets.py philosophers N    N philosophers who take one fork after the other, in any order
    nets.py ring N            a slotted ring with N nodes (Pastor and others)
    nets.py hanoi N           the Tower of Hanoi with N discs
    nets.py readers R W       R readers and W writers, of whom one writes alone
    nets.py queue N           a queue of N cells, each with one of four values, and how many are in it
    nets.py sum N             N cells with 0 to 3 tokens each, whose sum is bounded
    nets.py NAME SIZE...      any of the shapes in contest.py
    nets.py --seed S NAME...  the same net declared in another order
    nets.py --ask S NAME...   with questions by chance (petri.py), as a contest asks them
"""
import sys

import contest
from petri import Net, Questions


def kanban(size):
    net = Net("Kanban")
    for cell in "1234":
        for place in ("kan", "m", "back", "out"):
            net.place(place + cell, size if place == "kan" else 0, size)
    for cell in "1234":
        net.transition("redo" + cell, ["m" + cell], ["back" + cell])
        net.transition("again" + cell, ["back" + cell], ["m" + cell])
        net.transition("ok" + cell, ["m" + cell], ["out" + cell])
    net.transition("in1", ["kan1"], ["m1"])
    net.transition("split", ["out1", "kan2", "kan3"], ["kan1", "m2", "m3"])
    net.transition("join", ["out2", "out3", "kan4"], ["kan2", "kan3", "m4"])
    net.transition("out", ["out4"], ["kan4"])
    net.properties = [
        "property restarts expect true = AG EF kan1 = " + str(size),
        "property paired expect true = AG kan2 = kan3",
        "property flows expect false = AG AF out4 > 0",
    ]
    return net


def fms(size):
    net = Net("Manufacturing")
    for kind in "12":
        for place in ("P{}", "P{}wM", "P{}M", "P{}d", "P{}s", "P{}w"):
            net.place(place.format(kind), size if place == "P{}" else 0, size)
    for place in ("P12", "P12wM3", "P12M3", "P12s", "P3", "P3M2", "P3s"):
        net.place(place, size if place == "P3" else 0, size)
    for machine, copies in (("M1", 3), ("M2", 1), ("M3", 2)):
        net.place(machine, copies, copies)
    for kind in "12":
        p, m = "P" + kind, "M" + kind
        net.transition("t" + p, [p], [p + "wM"])
        net.transition("t" + m, [p + "wM", m], [p + "M"])
        net.transition("t" + p + "M", [p + "M"], [p + "d", m])
        net.transition("t" + p + "e", [p + "d"], [p + "s"])
        net.transition("t" + p + "j", [p + "d"], [p + "w"])
        net.transition("t" + p + "s", [p + "s"], [p])
    net.transition("tx", ["P1w", "P2w"], ["P12"])
    net.transition("tP12", ["P12"], ["P12wM3"])
    net.transition("tM3", ["P12wM3", "M3"], ["P12M3"])
    net.transition("tP12M3", ["P12M3"], ["P12s", "M3"])
    net.transition("tP12s", ["P12s"], ["P1", "P2"])
    net.transition("tP3", ["P3"], ["P3M2"])
    net.transition("tP3M2", ["P3M2"], ["P3s"])
    net.transition("tP3s", ["P3s"], ["P3"])
    net.properties = [
        f"property restarts expect true = AG EF (P1 = {size} & P2 = {size} & P3 = {size})",
        "property one_on_M2 expect true = AG P2M + M2 = 1",
    ]
    return net


def philosophers(size):
    net = Net("Philosophers")
    for i in range(size):
        for place in ("idle", "waitL", "waitR", "hasL", "hasR", "fork"):
            net.place(f"{place}{i}", 1 if place in ("idle", "fork") else 0, 1)
    for i in range(size):
        left, right = f"fork{i}", f"fork{(i + 1) % size}"
        net.transition(f"hungry{i}", [f"idle{i}"], [f"waitL{i}", f"waitR{i}"])
        net.transition(f"takeL{i}", [f"waitL{i}", left], [f"hasL{i}"])
        net.transition(f"takeR{i}", [f"waitR{i}", right], [f"hasR{i}"])
        net.transition(f"leave{i}", [f"hasL{i}", f"hasR{i}"], [f"idle{i}", left, right])
    net.properties = ["property eats expect true = EF (hasL0 = 1 & hasR0 = 1)"]
    return net


def ring(size):
    net = Net("Ring")
    for i in range(size):
        for place in "ABCDEFGH":
            net.place(f"{place}{i}", 1 if place in "CE" else 0, 1)
    for i in range(size):
        before = (i - 1) % size
        net.transition(f"other{i}", [f"A{i}"], [f"D{i}"])
        net.transition(f"own{i}", [f"A{i}"], [f"B{i}"])
        net.transition(f"write{i}", [f"B{i}"], [f"D{i}"])
        net.transition(f"go{i}", [f"B{i}"], [f"H{i}"])
        net.transition(f"get{i}", [f"F{i}", f"H{i}"], [f"C{i}", f"E{i}"])
        net.transition(f"put{i}", [f"D{i}", f"F{i}"], [f"C{i}", f"G{i}"])
        net.transition(f"used{i}", [f"G{i}", f"C{before}"], [f"F{i}", f"A{before}"])
        net.transition(f"free{i}", [f"E{i}", f"C{before}"], [f"F{i}", f"B{before}"])
    net.properties = ["property goes_round expect true = AG EF D0 = 1"]
    return net


def readers(reading, writing):
    net = Net("Readers")
    for i in range(reading):
        net.place(f"free{i}", 1, 1)
        net.place(f"idle{i}", 1, 1)
        net.place(f"reads{i}", 0, 1)
        net.transition(f"begin{i}", [f"idle{i}", f"free{i}"], [f"reads{i}"])
        net.transition(f"end{i}", [f"reads{i}"], [f"idle{i}", f"free{i}"])
    every = [f"free{i}" for i in range(reading)]
    for j in range(writing):
        net.place(f"waits{j}", 1, 1)
        net.place(f"writes{j}", 0, 1)
        net.transition(f"open{j}", [f"waits{j}"] + every, [f"writes{j}"])
        net.transition(f"close{j}", [f"writes{j}"], [f"waits{j}"] + every)
    total = " + ".join(f"writes{j}" for j in range(writing))
    net.properties = [f"property alone expect true = AG {total} <= 1"]
    return net


def hanoi(size):
    lines = ["protocol Hanoi", "roles Hand"]
    lines += [f"var d{disc} : 0..2 = 0" for disc in range(size)] + ["", "start s"]
    for disc in range(size):
        for origin in range(3):
            for goal in set(range(3)) - {origin}:
                clear = [f"d{below} = {3 - origin - goal}" for below in range(disc)]
                guard = " & ".join([f"d{disc} = {origin}"] + clear)
                lines.append(f"s -- Hand: m{disc}_{origin}_{goal} when {guard} set d{disc} = {goal} --> s")
    done = " & ".join(f"d{disc} = 2" for disc in range(size))
    return "\n".join(lines + ["", f"property solved expect true = EF ({done})", ""])


def queue(size):
    lines = ["protocol Queue", "roles Ann, Bob", f"var length : 0..{size} = 0"]
    lines += [f"var cell{i} : 0..3 = 0" for i in range(size)] + ["", "start s"]
    for value in range(4):
        for i in range(size):
            change = f"cell{i} = {value}, length = length + 1"
            lines.append(f"s -- Ann: put{value}_{i} when length = {i} set {change} --> s")
    shifts = [f"cell{i} = cell{i + 1}" for i in range(size - 1)]
    shifts += [f"cell{size - 1} = 0", "length = length - 1"]
    lines.append(f"s -- Bob: get when length > 0 set {', '.join(shifts)} --> s")
    empties = " & ".join(f"(length <= {i} -> cell{i} = 0)" for i in range(size))
    return "\n".join(lines + ["", f"property empties expect true = AG ({empties})",
                              "property drains expect true = AG EF length = 0", ""])


def bounded_sum(size):
    lines = ["protocol Sum", "roles Ann"] + [f"var x{i} : 0..3 = 0" for i in range(size)] + ["", "start s"]
    total = " + ".join(f"x{i}" for i in range(size))
    for i in range(size):
        lines.append(f"s -- Ann: up{i} when x{i} < 3 & {total} < {size} set x{i} = x{i} + 1 --> s")
        lines.append(f"s -- Ann: down{i} when x{i} > 0 set x{i} = x{i} - 1 --> s")
    return "\n".join(lines + ["", f"property bounded expect true = AG {total} <= {size}", ""])


MODELS = {"kanban": kanban, "fms": fms, "philosophers": philosophers, "ring": ring, "readers": readers,
          "hanoi": hanoi, "queue": queue, "sum": bounded_sum, **contest.MODELS}


def written(words):
    """The text of a model, named as on the command line."""
    options, words = {}, list(words)
    while words and words[0].startswith("--"):
        options[words[0][2:]], words = int(words[1]), words[2:]
    if len(words) < 2 or words[0] not in MODELS or options.keys() - {"seed", "ask"}:
        sys.exit(__doc__)
    model = MODELS[words[0]](*map(int, words[1:]))
    if isinstance(model, str):
        return model
    if "ask" in options:
        model.properties += [f"property {name} = {formula}" for name, formula in Questions(model, options["ask"]).all()]
    if "seed" in options:
        model.shuffled(options["seed"])
    return model.pact()


if __name__ == "__main__":
    print(written(sys.argv[1:]), end="")
