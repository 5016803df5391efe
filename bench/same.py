#!/usr/bin/env python3
"""The same commands with and without load: the same bytes, but for times and memory.

    bench/same.py PROGRAM [RUNS]

Each command is run RUNS times (20), every second time while twice as many processes as there are processors do nothing but calculate. 30 of
them take milliseconds. The models behind these are made here and take seconds: on them it once depended on the load what was found besides
the verdicts, and how many states were counted. (Workers of a cluster meet at each distance, and under load wait for each other: theirs is shorter.)
"""

import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
TIMES = [
    (rb'("[a-z_]*(?:seconds|memory_bytes|time)": ?)[0-9.e-]+', rb"\1_"), (rb"[0-9.]+ s\b", b"_ s"), (rb'time="[0-9.]+"', b'time="_"'),
    (rb"[0-9.]+ [KMG]iB", b"_"), (rb'timestamp="[^"]*"', b""),
]
COMMANDS = [
    "check netbill.pact", "check netbill.pact --format json", "check tunnel.pact --trace", "check escrow.pact --format junit",
    "check oauth_code.pact --format sarif", "check two_phase_commit.pact --format github", "check needham_schroeder.pact --stats",
    "check muddy_children.pact", "check netbill.ispl", "check pnaws.ispl --format json", "check auction2.pact", "check auction2.pact --threads 4",
    "check netbill.pact --engine bdd", "check netbill.pact --engine sat", "check netbill.pact --engine enumerate", "check netbill.pact --engine tableau",
    "check escrow.pact tunnel.pact netbill.pact", "check tunnel.pact --format jsonl", "size netbill.pact", "size needham_schroeder.pact --threads 2",
    "conform netbill.pact", "explain tunnel.pact --property alpha0", "states netbill.pact --formula EF_paid", "convert netbill.pact --to dot", "convert netbill.pact --to aut",
    "convert netbill.pact --to smv", "minimise netbill.pact", "sim netbill.pact --random 30 --seed 5", "fmt netbill.pact", "abta AG_EF_p",
]


def chain(states):
    """A chain of states with an end, and a variable that nothing reads."""
    return (f"roles A\nvar x : 0..{states - 1} = 0\nvar idle : bool = false\nstart s\ns -- A: up when x < {states - 1} set x = x + 1 --> s\n"
            "s -- A: never when x < 0 --> t\nproperty p = AG x >= 0\nproperty q = EF x = 3\nproperty vacuous = AG (x < 0 -> AF x = 7)\n")


MADE = {"chain200.pact": chain(200), "chain15k.pact": chain(15_000), "chain400k.pact": chain(400_001)}
SLOW = [
    "check chain15k.pact", "check chain15k.pact --threads 4", "check chain15k.pact --stats --format json", "check chain400k.pact",
    "check chain400k.pact --threads 4", "check chain15k.pact --engine bdd", "size chain400k.pact", "check chain15k.pact --timeout 60s",
    "check chain400k.pact --timeout 60s", "check chain15k.pact chain400k.pact --jobs 2", "check chain200.pact --engine cluster --workers 2",
]


def spin():
    while True:
        pass


def run(program, words, folder):
    words = [word.replace("_", " ") if word[0] in "AE" else word for word in words.split()]
    words = [str((folder if word in MADE else EXAMPLES) / word) if word.endswith((".pact", ".ispl")) else word for word in words]
    ran = subprocess.run([program, *words], capture_output=True, timeout=300)
    shown = ran.stdout + b"\n---\n" + ran.stderr + b"\n%d" % ran.returncode
    for pattern, instead in TIMES:
        shown = re.sub(pattern, instead, shown)
    return re.sub(rb" +", b" ", shown)


def main():
    program, runs = str(pathlib.Path(sys.argv[1]).resolve()), int((sys.argv + ["20"])[2])
    first, differing, statuses = {}, [], {}
    scratch = tempfile.TemporaryDirectory()
    folder = pathlib.Path(scratch.name)
    for name, text in MADE.items():
        (folder / name).write_text(text)
    for number in range(runs):
        load = [multiprocessing.Process(target=spin, daemon=True) for _ in range(2 * (os.cpu_count() or 1) if number % 2 else 0)]
        for process in load:
            process.start()
        for words in COMMANDS + SLOW:
            shown = run(program, words, folder)
            statuses[words] = shown.rsplit(b"\n", 1)[-1].decode()
            if shown != first.setdefault(words, shown):
                differing.append((number, words, first[words], shown))
        for process in load:
            process.terminate()
    for number, words, one, other in differing[:10]:
        lines = [pair for pair in zip(one.splitlines(), other.splitlines()) if pair[0] != pair[1]]
        print(f"run {number}, {words}: {lines[:3] or 'more lines'}")
    bad = [words for words, status in statuses.items() if status == "2"]
    print(f"{runs} runs of {len(COMMANDS + SLOW)} commands, every second one under load: {len(differing)} differ" + (f"; refused: {bad}" if bad else ""))
    return 1 if differing or bad else 0


if __name__ == "__main__":
    sys.exit(main())
