#!/usr/bin/env python3
"""The engine sat beside other checkers on the circuits of `circuits.py`, one property per file.

    circuits_compare.py [--seconds S] [--sizes N] [--only NAME,..] [--verdict true|false] [--end S]

Every program gets the same circuit: Servanda the file, the others what `servanda convert --to aiger` writes of it, with constraints
folded into the bad state so that nothing but reachability is left. CPU seconds, user and system together; `-` is no answer within S of them.

    SERVANDA   the program under test (default: servanda)
    BEFORE     another build of it to compare with
    ABC        Berkeley ABC (Debian: berkeley-abc): `pdr`, and `bmc3` for properties that do not hold; the quicker counts
    RIC3       rIC3: `ic3`, and `bmc` likewise
"""
import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

import circuits
from comparison.circuits import Circuit


def run(command, seconds):
    """Output and CPU seconds of a program that is stopped after so many of them."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds) + 1))

    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=limit)
    output = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    return output, usage.ru_utime + usage.ru_stime


def plain(text):
    """The only bad state of an ASCII file as a circuit without constraints whose latches start with 0."""
    lines = iter(text.split("\n"))
    inputs, latches, outputs, gates, bads, constraints, justices, fair = map(int, next(lines).split(" ")[2:])
    assert (outputs, bads, justices, fair) == (0, 1, 0, 0)

    def numbers(count):
        return [[int(word) for word in next(lines).split(" ")] for _ in range(count)]

    inputs, latches = numbers(inputs), numbers(latches)
    bad, constraints, gates = numbers(1)[0][0], numbers(constraints), numbers(gates)
    circuit, value, own, started = Circuit(), {0: 0}, {}, None
    for [literal] in inputs:
        value[literal] = circuit.input()
    for literal, _, reset in latches:
        own[literal] = circuit.latch()
        if reset in (0, 1):
            value[literal] = own[literal] ^ reset
            continue
        if started is None:
            started = circuit.latch()
            circuit.become(started, 1)
        value[literal] = circuit.choose(started, own[literal], circuit.input())

    def of(literal):
        return value[literal & ~1] ^ literal & 1

    for gate, a, b in gates:
        value[gate] = circuit.both(of(a), of(b))
    for literal, becomes, reset in latches:
        circuit.become(own[literal], of(becomes) ^ (1 if reset == 1 else 0))
    kept = 1
    for [literal] in constraints:
        kept = circuit.both(kept, of(literal))
    broken = circuit.latch()
    circuit.become(broken, circuit.either(broken, kept ^ 1))
    return circuit, circuit.both(circuit.both(kept, broken ^ 1), of(bad))


def by_servanda(program, path, _, holds, seconds):
    output, spent = run([program, "check", path, "--engine", "sat", "--format", "json"], seconds)
    try:
        said = json.loads(output)["properties"][0]["verdict"]
    except (ValueError, LookupError):
        said = None
    return {"true": True, "false": False}.get(said), spent


def by_abc(program, _, circuit, holds, seconds):
    best = None, seconds
    for ask in ["pdr"] if holds else ["pdr", "bmc3 -F 0"]:
        output, spent = run([program, "-c", f"read_aiger {circuit}; {ask}"], seconds)
        said = None
        if re.search("was asserted in frame|is trivially SAT", output):
            said = False
        elif re.search("Property proved|is trivially|proved property", output):
            said = True
        if said is not None and (best[0] is None or spent < best[1]):
            best = said, spent
    return best


def by_ric3(program, _, circuit, holds, seconds):
    best = None, seconds
    for engine in ["ic3"] if holds else ["ic3", "bmc"]:
        output, spent = run([program, "-e", engine, circuit], seconds)
        found = re.search("^(?:RESULT: )?(SAT|UNSAT)$", output, re.M)
        said = None if found is None else found[1] == "UNSAT"
        if said is not None and (best[0] is None or spent < best[1]):
            best = said, spent
    return best


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def shown(row, seconds):
    said, spent = row
    return "-" if said is None else f"{spent:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--sizes", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--verdict", choices=["true", "false"])
    parser.add_argument("--end", type=float, default=math.inf, help="starts no row after so many seconds")
    chosen = parser.parse_args()
    servanda = os.environ.get("SERVANDA", "servanda")
    programs = [("sat", servanda, by_servanda)]
    for title, name, ask in [("before", "BEFORE", by_servanda), ("abc", "ABC", by_abc), ("rIC3", "RIC3", by_ric3)]:
        if name in os.environ:
            programs.append((title, os.environ[name], ask))
    rivals = [title for title, _, _ in programs if title in ("abc", "rIC3")]
    titles = [title for title, _, _ in programs]
    print(f"| family | size | verdict | {' | '.join(titles)} | best rival / sat |")
    print("|" + "---|" * (4 + len(titles)))
    wrong, ratios, solved, begun = 0, [], dict.fromkeys(titles, 0), time.time()
    with tempfile.TemporaryDirectory() as folder:
        for name, size, holds, path in circuits.write_all(folder, chosen.sizes):
            if chosen.only and name not in chosen.only.split(",") or chosen.verdict == str(not holds).lower():
                continue
            if time.time() - begun > chosen.end:
                break
            text, _ = run([servanda, "convert", path, "--to", "aiger"], 60)
            circuit = os.path.join(folder, "one.aig")
            if text.startswith("aag"):
                with open(circuit, "wb") as file:
                    file.write(Circuit.binary(*plain(text)))
            else:
                print(f"{path}: not written: {text.strip()[:200]}")
                continue
            row = {}
            for title, program, ask in programs:
                row[title] = said, spent = ask(program, path, circuit, holds, chosen.seconds)
                solved[title] += said is not None
                if said not in (None, holds):
                    wrong += 1
                    print(f"WRONG: {title} says {said} of {name} {size}, which is {holds}")
            ratio = ""
            if rivals:
                best = min((row[title][1] for title in rivals if row[title][0] is not None), default=None)
                # A program that only starts takes a hundredth of a second.
                own = max(row["sat"][1], 0.01)
                if best is not None or row["sat"][0] is not None:
                    best = chosen.seconds if best is None else max(best, 0.01)
                    own = chosen.seconds if row["sat"][0] is None else own
                    ratios.append(best / own)
                    ratio = f"{best / own:.2f}"
            cells = " | ".join(shown(row[title], chosen.seconds) for title in titles)
            print(f"| {name} | {size} | {str(holds).lower()} | {cells} | {ratio} |", flush=True)
    print(f"\nanswers: {', '.join(f'{title} {count}' for title, count in solved.items())}; wrong: {wrong}")
    if ratios:
        print(f"best rival / sat: geometric mean {geometric_mean(ratios):.2f}, {sum(r < 0.5 for r in ratios)} of {len(ratios)} below 0.5")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
