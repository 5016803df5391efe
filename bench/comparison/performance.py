"""Has a family become slower? Instructions are counted, not seconds, so that what else a machine does makes no difference.

They are counted by `perf` where the system lets it, else by Valgrind; both count what the program executes itself, and so agree within a
few per cent, also between machines with processors of one kind. What each family took is in `performance.json`, by the kind of processor.
"""
import json
import os
import pathlib
import platform
import re
import shutil
import tempfile

from . import measure, ours
from .families import case

BASELINE = pathlib.Path(__file__).resolve().parent / "performance.json"
WORSE = 1.2

# Every engine on what it is for, at sizes of some tens of milliseconds. What `auto` does depends on the clock, so it is not here.
RUNS = [
    ("tableau", "scheduler", (10,), "states"),
    ("tableau", "philosophers", (8,), "all"),
    ("tableau", "bakery", (4, 6), "all"),
    ("tableau", "contract_net", (5,), "all"),
    ("tableau", "election", (6, 2), "all"),
    ("tableau", "past", (500,), "all"),
    ("bdd", "scheduler", (10,), "all"),
    ("bdd", "philosophers", (8,), "all"),
    ("bdd", "kanban", (2,), "all"),
    ("bdd", "cryptographers", (8,), "all"),
    ("bdd", "trains", (8,), "all"),
    ("sat", "philosophers", (8,), "circuit"),
    ("sat", "product", (6,), "all"),
    ("sat", "bakery", (2, 2), "circuit"),
]


def counter():
    """How instructions are counted here: a command that runs another, and how its output is read. None where nothing counts."""
    if shutil.which("perf"):
        command, read = ["perf", "stat", "-x,", "-e", "instructions:u"], r"^(\d+),,instructions"
        if re.search(read, measure.run([*command, "true"]).errors, re.MULTILINE):
            return "perf", command, read
    if shutil.which("valgrind"):
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
        read = r"I\s+refs:\s+([\d,]+)"
        if re.search(read, measure.run([*command, "true"]).errors):
            return "valgrind", command, read
    return None


def count(program, command, read, engine, asked, task, folder):
    text, formulas = asked.question(task)
    path = asked.write(folder, text)
    words = ["size", path] if task == "states" else ["check", path, *(word for formula in formulas for word in ("--formula", formula))]
    run = measure.run([*command, program, *words, "--engine", engine, "--threads", "1"], 120)
    found = re.search(read, run.errors, re.MULTILINE)
    if run.status not in (0, 1) or not found:
        raise SystemExit(f"{engine} on {asked.name}: status {run.status}: {run.errors[-500:]}")
    return int(found[1].replace(",", ""))


def run(renew, say):
    """Counts, and compares with the baseline or replaces it; the exit status."""
    program = ours.find()
    if program is None:
        raise SystemExit("no servanda: build it with `cargo build --release`, or name it in SERVANDA")
    how = counter()
    if how is None:
        say("!!! SKIPPED: nothing counts instructions here: install valgrind, or allow perf (kernel.perf_event_paranoid) !!!")
        return 0
    name, command, read = how
    baseline = json.loads(BASELINE.read_text()) if BASELINE.exists() else {}
    known = baseline.get(platform.machine(), {})
    say(f"millions of instructions, counted by {name}; before, now, ratio")
    now, worse, better = {}, [], []
    with tempfile.TemporaryDirectory() as folder:
        for engine, family, size, task in RUNS:
            asked = case(family, size)
            row = f"{engine} {asked.name} {task}"
            now[row] = round(count(program, command, read, engine, asked, task, pathlib.Path(folder)) / 1e6, 1)
            before = known.get(row)
            ratio = now[row] / before if before else None
            say(f"{row}: {before or 'new'} {now[row]}" + (f" {ratio:.2f}" if ratio else ""))
            if ratio and ratio > WORSE:
                worse.append(row)
            if ratio and ratio < 1 / WORSE:
                better.append(row)
    if renew:
        BASELINE.write_text(json.dumps({**baseline, platform.machine(): now}, indent=1) + "\n")
        say(f"written: {BASELINE}")
        return 0
    if not known:
        say(f"!!! SKIPPED: there is no baseline for {platform.machine()}; `bench/compare performance --renew` makes one !!!")
        return 0
    missing = [row for row in now if row not in known]
    if better:
        say(f"better by more than a fifth: {', '.join(better)}; `bench/compare performance --renew` keeps that")
    if worse or missing:
        say(f"worse by more than a fifth: {', '.join(worse)}" if worse else "")
        say(f"not in the baseline: {', '.join(missing)}" if missing else "")
        say("if it must be so: `bench/compare performance --renew`, and say why in the commit")
        return 1
    return 0
