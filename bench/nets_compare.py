#!/usr/bin/env python3
"""How many questions about nets are decided: each file of contest shapes with one program and one engine.

    nets_compare.py SERVANDA SECONDS ENGINE[,ENGINE..] [MODEL...]   a model as nets.py takes it, in quotes

Prints for each model how many of its questions were decided within so many seconds of the clock for all of them together, with each
engine and with how many CPU seconds, and whether engines that decided the same question agree.
"""
import json
import re
import resource
import subprocess
import sys
import tempfile

import nets

MODELS = ["kanban 5", "kanban 20", "fms 7", "fms 20", "philosophers 12", "philosophers 50", "ring 7", "ring 15", "readers 10 20",
          "queue 8", "tokenring 9", "pool 2", "pool 5", "resources 4 5", "resources 8 4", "referendum 15", "referendum 50",
          "memory 10", "memory 14", "erk 20", "erk 40", "mapk 2", "mapk 4", "circadian 10", "circadian 30", "balancing 6 2",
          "robot 20", "house 4", "house 10", "grid 3 1", "grid 3 2", "raft 5", "raft 6", "cloud 6", "cloud 10", "railroad 10",
          "railroad 20", "dekker 15", "dekker 20", "eratosthenes 50", "lamport 4", "peterson 5"]


def run(program, path, engine, seconds):
    """The verdicts by name, the CPU seconds, and what went wrong."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 5, seconds + 5))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "check", path, "--engine", engine, "--timeout", f"{seconds}s", "--memory", "3G", "--format", "jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    verdicts = {line["name"]: line["verdict"] for line in lines if "verdict" in line}
    return verdicts, took, done.stderr.strip()[-200:]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, seconds, engines = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(",")
    totals = {engine: [0, 0] for engine in engines}
    for model in sys.argv[4:] or MODELS:
        with tempfile.NamedTemporaryFile("w", suffix=".pact") as file:
            text = nets.written(["--ask", "1"] + model.split())
            names = re.findall(r"^property (\w+)", text, re.MULTILINE)
            file.write(text)
            file.flush()
            known, row = {}, f"| {model:18} |"
            for engine in engines:
                verdicts, took, trouble = run(program, file.name, engine, seconds)
                decided = {name: verdict for name, verdict in verdicts.items() if verdict in ("true", "false")}
                for name, verdict in decided.items():
                    if known.setdefault(name, verdict) != verdict:
                        row += f" DIFFERENT: {name}"
                totals[engine][0] += len(decided)
                totals[engine][1] += len(names)
                left = " ".join(name for name in names if name not in decided)
                row += f" {len(decided)}/{len(names)} {took:.1f} s {left}{'' if verdicts else trouble} |"
            print(row, flush=True)
    for engine, (decided, asked) in totals.items():
        print(f"{engine}: {decided} of {asked}")


if __name__ == "__main__":
    main()
