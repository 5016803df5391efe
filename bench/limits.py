#!/usr/bin/env python3
"""Outsized and hostile inputs under limits: does each run end when told to, within its memory, and with a message?

    bench/limits.py PROGRAM [--only WORD] [--signals]

Every case is a file that is made here and a command with limits. A run must end within its time limit and 0.5 s, hold at most a tenth (or 64 MB)
more than its memory limit, and exit with a documented status. `--signals` sends SIGTERM at three moments of each run instead: it must end
within 1 s. Times are wall clock; a machine that is busy with other things shows longer ones, so the processor time is told beside.
"""

import argparse
import multiprocessing
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

MORE_TIME = 0.5
MORE_MEMORY = 64 << 20


def ring(states, extra=""):
    """A ring of control states; `extra` follows."""
    steps = "".join(f"s{i} -- A: go --> s{(i + 1) % states}\n" for i in range(states))
    return f"protocol Ring\nroles A, B\nstart s0\n{steps}{extra}"


def contents(count):
    """Commitments in force together on a ring of 14 states, each to come back to one and stay near it."""
    names = "".join(f"commitment c{k} = SC(A, B, G F in s{k % 14})\n" for k in range(count))
    begin = "".join(f"b{k} -- Cr(A, c{k}) --> " + (f"b{k + 1}\n" if k + 1 < count else "s0\n") for k in range(count))
    steps = "".join(f"s{i} -- A: go --> s{(i + 1) % 14}\n" for i in range(14))
    promised = "\n".join(f"property p{k} = AG (in s0 -> SC(A, B, G F in s{k % 14}))" for k in range(3))
    return f"protocol Promises\nroles A, B\n{names}start b0\n{begin}{steps}{promised}\n"


def hard_contents(count):
    names = "".join(f"commitment c{k} = SC(A, B, F (in s{k % 14} & F G in s{(k + 5) % 14}))\n" for k in range(count))
    begin = "".join(f"b{k} -- Cr(A, c{k}) --> " + (f"b{k + 1}\n" if k + 1 < count else "s0\n") for k in range(count))
    steps = "".join(f"s{i} -- A: go --> s{(i + 1) % 14}\n" for i in range(14))
    return f"protocol Promises\nroles A, B\n{names}start b0\n{begin}{steps}property some = EF in s3\n" + \
        "property kept = AG AF in s3\n"


def aut(states):
    steps = [f'({s}, "a{s % 7}", {(s * 7 + 1) % states})' for s in range(states)]
    steps += [f'({s}, "b", {(s + 1) % states})' for s in range(states)]
    return f"des (0, {len(steps)}, {states})\n" + "\n".join(steps) + "\n"


def actions(count):
    """One agent with so many actions, each named in its protocol and evolution."""
    names = ", ".join(f"a{k}" for k in range(count))
    evolution = " ".join(f"x = {k % 4} if Action = a{k};" for k in range(0, count, 8))
    return (f"Agent Environment\n Obsvars: x : 0 .. 3; end Obsvars\n Actions = {{{names}}};\n Protocol: Other: {{{names}}}; end Protocol\n"
            f" Evolution: {evolution} end Evolution\nend Agent\n"
            "Agent B\n Vars: y : boolean; end Vars\n Actions = {n};\n Protocol: Other: {n}; end Protocol\n Evolution: y = true if y = false; end Evolution\nend Agent\n"
            "Evaluation done if Environment.x = 3; end Evaluation\nInitStates Environment.x = 0 and B.y = false; end InitStates\nFormulae AG !done; end Formulae\n")


def net(cells, values):
    """Counters that each go round: `values` to the power of `cells` states."""
    vars_ = "".join(f"var x{i} : 0..{values - 1} = 0\n" for i in range(cells))
    steps = "".join(f"s -- A: up{i} when x{i} < {values - 1} set x{i} = x{i} + 1 --> s\ns -- A: down{i} when x{i} > 0 set x{i} = x{i} - 1 --> s\n"
                    for i in range(cells))
    total = " + ".join(f"x{i}" for i in range(cells))
    return (f"protocol Net\nroles A\n{vars_}start s\n{steps}"
            f"property branching = AG EF ({total} = {cells * (values - 1) // 2} & AX EF x0 = 0)\n"
            "property linear = A (x0 = 0 W x0 = 1)\n"
            f"property safe = AG {total} <= {cells * (values - 1)}\n")


def words(count):
    """A valid file of very many control states that nothing reaches."""
    return "roles A\nstart s\ns -- A: go --> s\n" + "".join(f"n{k} -- A: go --> n{k}\n" for k in range(count))


def antecedent(count):
    fair = " & ".join(f"G F in s{k}" for k in range(count))
    return ring(15, f"property served = A ({fair} -> G (in s3 -> F in s7))\nproperty other = AG EF in s0\n")


def disjunction(count):
    return ring(15, "property some = A (" + " | ".join(f"F in s{k}" for k in range(count)) + ")\n")


def nested(count):
    formula = "in s0"
    for k in range(count):
        formula = f"(K(A, {formula}) <-> K(B, in s{k % 15}))"
    fair = "in s1"
    for k in range(12):
        fair = f"({fair} <-> in s{k % 15})"
    return ring(15, f"fair {fair}\nproperty known = AG {formula}\nproperty path = A G F {formula}\n")


FILES = {
    "gf14.pact": lambda: antecedent(14),
    "or14.pact": lambda: disjunction(14),
    "promises10.pact": lambda: contents(10),
    "promises20.pact": lambda: contents(20),
    "hard20.pact": lambda: hard_contents(20),
    "nested30.pact": lambda: nested(30),
    "mistakes.pact": lambda: "roles A\nstart s\n" + "~ " * 4000,
    "name.pact": lambda: "roles A\nvar " + "x" * 10_000_000 + "y : bool\nprop p = " + "x" * 10_000_000 + "\n",
    "unreachable.pact": lambda: words(12_000),
    "machines10k.pact": lambda: "protocol M\nparam N = 10000\nfor i in 1..N {\n  roles A[i]\n  machine M[i] of A[i] { start s  s -- A[i]: go --> t }\n}\n"
                                "property p = AG !M[1] in t\n",
    "big.pact": lambda: words(3_400_000),
    "actions.ispl": lambda: actions(160_000),
    "chain.pact": lambda: "roles A\nvar x : 0..20000 = 0\nstart s\ns -- A: up when x < 20000 set x = x + 1 --> s\nproperty p = AG x >= 0\n",
    "wide.aut": lambda: aut(100_000),
    "net.pact": lambda: net(5, 32),
    "net8.pact": lambda: net(8, 32),
    "product.pact": lambda: "protocol Product\nroles A\nvar x, y : 0..4095 = {0, 4095}\nvar z : 0..16769025 = 0\nstart s\n"
                            "s -- A: up when x < 4095 set x = x + 1 --> s\ns -- A: times set z = x * y --> s\nproperty never = AG z != 16769023\n",
    "before.pact": lambda: net(24, 16).replace("property linear", "property past = AG (x0 = 3 -> EP x1 = 2)\nproperty linear"),
}

# (file, words of the command, seconds, memory in MB)
CASES = [
    ("gf14.pact", "check", 5, 1024), ("or14.pact", "check", 5, 1024), ("promises10.pact", "check", 5, 1024),
    ("promises20.pact", "check", 5, 1024), ("hard20.pact", "check", 5, 1024), ("nested30.pact", "check", 5, 1024),
    ("hard20.pact", "check --engine tableau", 5, 1024),
    ("mistakes.pact", "check", 5, 1024), ("name.pact", "check", 5, 1024), ("unreachable.pact", "check", 5, 1024),
    ("machines10k.pact", "check", 10, 1024), ("machines10k.pact", "check --engine bdd", 5, 1024),
    ("machines10k.pact", "check --engine sat", 5, 1024), ("machines10k.pact", "check --engine enumerate", 5, 1024),
    ("machines10k.pact", "check --engine tableau", 5, 1024), ("machines10k.pact", "size", 5, 1024),
    ("big.pact", "check", 20, 2048), ("big.pact", "check", 2, 2048),
    ("actions.ispl", "check", 10, 1024), ("actions.ispl", "size", 5, 1024), ("/dev/zero", "check --input pact", 5, 1024),
    ("FIFO", "check --input pact", 1, 1024), ("chain.pact", "check --threads 4", 5, 1024),
    ("wide.aut", "check --formula AG_EF_does(b)", 2, 1024), ("wide.aut", "check --formula AG_AF_does(a3)", 2, 1024),
    ("wide.aut", "minimise --relation weak", 2, 1024), ("wide.aut", "convert --to dot", 2, 1024),
    ("net.pact", "check", 20, 1024), ("net.pact", "check --engine enumerate", 60, 256), ("net.pact", "check --engine tableau", 60, 256),
    ("net.pact", "size --engine tableau --threads 2", 60, 200), ("net8.pact", "size --engine enumerate", 60, 512),
    ("net8.pact", "size --engine tableau", 60, 512), ("net8.pact", "check --engine bdd", 20, 300),
    ("net8.pact", "check --engine sat", 5, 300), ("product.pact", "check --engine bdd", 2, 1024),
    ("product.pact", "check --engine sat", 2, 1024), ("product.pact", "check", 3, 512), ("before.pact", "check", 5, 512),
    ("before.pact", "check --engine bdd", 5, 512), ("", "abta AG_EF_x0=3 --model net.pact", 2, 256), ("", "abta LONG --states 1000000", 2, 256), ("net8.pact", "minimise", 20, 300),
    ("net8.pact", "convert --to dot", 5, 300), ("net8.pact", "conform", 5, 300), ("net8.pact", "states --formula x0=3", 5, 300),
    ("net8.pact", "size --engine cluster --workers 2", 5, 512), ("net8.pact", "size --engine cluster --workers 2 --spill SPILL", 5, 300),
    ("net8.pact", "check --engine cluster --workers 2 --checkpoint KEPT --every 1s", 5, 512),
    ("gf14.pact", "check net.pact net8.pact --jobs 2", 5, 512),
]


def command(program, case, folder):
    name, text, seconds, memory = case
    long = "A (" + " | ".join(f"(F p{k} & G F q{k})" for k in range(40)) + ")"
    instead = {"LONG": long, **{other: str(folder / other) for other in ("net.pact", "net8.pact", "SPILL", "KEPT")}}
    shutil.rmtree(folder / "KEPT", ignore_errors=True)
    first, *rest = [instead.get(word, word.replace("_", " ") if word.startswith("AG") else word) for word in text.split()]
    path = name if name.startswith("/") else str(folder / name)
    limits = ["--timeout", f"{seconds}s", "--memory", f"{memory}M"] if seconds else []
    return [program, first, *([path] if name else []), *rest, *limits]


def run(arguments, out):
    """Starts, and gives a function that waits: status, seconds, processor seconds, peak in MB."""
    begun = time.monotonic()
    child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)

    def wait():
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return child.returncode, time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    return child, wait


def make(name, folder):
    (folder / name).write_text(FILES[name]())


def told(out):
    """The last line that says something."""
    out.seek(0, os.SEEK_END)
    size = out.tell()
    out.seek(max(0, size - 4000))
    lines = [line.strip() for line in out.read().decode(errors="replace").splitlines() if line.strip()]
    reasons = [line for line in lines if any(word in line for word in ("limit", "unknown", "interrupted", "cannot", "more than", "too "))]
    chosen = (reasons or lines or ["(nothing)"])[-1]
    return size, chosen[:90]


def main():
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("program")
    reader.add_argument("--only", default="")
    reader.add_argument("--signals", action="store_true")
    reader.add_argument("--folder", type=pathlib.Path, help="where the files are made and kept")
    arguments = reader.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "FIFO").exists():
            os.mkfifo(folder / "FIFO")
        failed = 0
        print("| file | command | limits | status | seconds | processor | peak MB | bytes | says |\n|---|---|---|---|---|---|---|---|---|", flush=True)
        for case in CASES:
            if arguments.only not in " ".join(map(str, case)):
                continue
            name, text, seconds, memory = case
            for needed in [name, *text.split()]:
                if needed in FILES and not (folder / needed).exists():
                    # In a process of its own: what is held while a process is started counts for the one that it starts.
                    maker = multiprocessing.Process(target=make, args=(needed, folder))
                    maker.start()
                    maker.join()
            moments = (0.02, 0.2, 0.9) if arguments.signals else (None,)
            for moment in moments:
                with tempfile.TemporaryFile() as out:
                    child, wait = run(command(program, case, folder), out)
                    if moment is not None:
                        threading.Timer(moment, lambda child=child: child.returncode is None and os.kill(child.pid, signal.SIGTERM)).start()
                    status, took, used, peak = wait()
                    size, says = told(out)
                most_time = moment + 1 if moment is not None else (seconds + MORE_TIME if seconds else 60)
                most_memory = max(memory * 1.1, memory + (MORE_MEMORY >> 20)) if memory else 1e9
                faults = [word for word, bad in (("STATUS", status not in (0, 1, 2, 3)), ("TIME", took > most_time), ("MEMORY", peak > most_memory)) if bad]
                failed += bool(faults)
                when = f", signal at {moment} s" if moment is not None else ""
                limits = f"{seconds} s, {memory} MB" if seconds else "none"
                print(f"| {name} | {text} | {limits}{when} | {status} | {took:.2f} | {used:.2f} | {peak:.0f} | {size} | {says.replace('|', '/')} {' '.join(faults)} |", flush=True)
        print(f"\n{failed} runs beyond their limits")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
