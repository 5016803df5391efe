#!/usr/bin/env python3
"""The engine `cluster` asked what one thread of another engine is asked: the same verdicts and counts, whoever works.

    bench/cluster_corpus.py PROGRAM FOLDER... [--every N] [--seconds N] [--only WORKERS]

All models in the folders (.pact, .ispl, .ccs), or every Nth of them: what `check` and `size` say with the engine `enumerate`, and what they say
with 1, 2, 3 and 5 workers as threads and as processes. `unknown` is no contradiction, and is counted; what takes longer than --seconds
is left out. Ends with status 1 where anything differs.
"""

import argparse
import json
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

WORKERS = {
    "1 worker": ["--workers", "1"],
    "2 threads": ["--workers", "2"],
    "3 threads": ["--workers", "3"],
    "5 threads": ["--workers", "5"],
    "1 process": ["--processes", "1"],
    "2 processes": ["--processes", "2"],
    "3 processes": ["--processes", "3"],
    "5 processes": ["--processes", "5"],
    "2 processes of 2": ["--processes", "2", "--workers", "2"],
}
SIZES = ["states", "transitions", "deadlocks", "initial", "diameter"]


def asked(program, words, seconds):
    """Status and report; None where it took too long."""
    words = [program, *words, "--format", "json", "--timeout", f"{seconds}s"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    try:
        return run.returncode, json.loads(run.stdout)
    except json.JSONDecodeError:
        return run.returncode, {"error": run.stderr[-400:]}


def verdicts(report):
    return {one["name"]: one["verdict"] for one in report.get("properties") or []}


def counts(report):
    model = report.get("model") or {}
    return {name: model[name] for name in SIZES if model.get(name) is not None} if "reached" not in model else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--only", action="append", choices=WORKERS)
    chosen = parser.parse_args()
    program = str(pathlib.Path(chosen.program).resolve())
    files = [
        path for folder in chosen.folders for path in sorted(pathlib.Path(folder).rglob("*"))
        if path.suffix in (".pact", ".ispl", ".ccs")
    ][:: chosen.every]  # fmt: skip
    ways = {name: WORKERS[name] for name in chosen.only or WORKERS}
    tally = {name: {"the same": 0, "unknown": 0, "counts": 0, "late": 0} for name in ways}
    wrong, skipped = [], []

    def one(path):
        file = str(path)
        reference = [asked(program, [command, file, "--engine", "enumerate"], chosen.seconds) for command in ("check", "size")]
        known, size = verdicts(reference[0][1]), counts(reference[1][1])
        if not known and not size:
            skipped.append(f"{path.name}: {reference[0][1].get('error', 'the reference came to no end')[:100]}")
            return
        for name, words in ways.items():
            row = tally[name]
            status, report = asked(program, ["check", file, *words], chosen.seconds)
            found = verdicts(report)
            if status not in (0, 1, 3) or (status != 3 and set(found) != set(known)):
                wrong.append(f"{file}, {name}: status {status}, {report.get('error', '')}, {sorted(found)}")
            for property, verdict in known.items():
                said = found.get(property, "unknown")
                if said == "unknown" or verdict == "unknown":
                    row["unknown"] += 1
                elif said == verdict:
                    row["the same"] += 1
                else:
                    wrong.append(f"{file}, {name}: {property} is {verdict}, and not {said}")
            status, report = asked(program, ["size", file, *words], chosen.seconds)
            found = counts(report)
            if status == 3:
                row["late"] += 1
            elif size and any(found.get(part) != size[part] for part in size if part in found or part == "states"):
                wrong.append(f"{file}, {name}: status {status}, {found}, and not {size}")
            elif size:
                row["counts"] += 1

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, files))
    print(f"{len(files)} models, {len(skipped)} of them left out\n")
    print("| who works | verdicts that are the same | unknown | counts that are the same | not counted in time |\n|---|---|---|---|---|")
    for name, row in tally.items():
        print(f"| {name} | {row['the same']} | {row['unknown']} | {row['counts']} | {row['late']} |")
    print(f"\ndifferent: {len(wrong)}")
    print("\n".join([*wrong, "", "left out:", *skipped]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
