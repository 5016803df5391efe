#!/usr/bin/env python3
"""CPU time of whole runs on many small files, side by side with MCMAS where it is there.

    startup.py [--runs N] [--before PROGRAM] DIRECTORY      every .ispl file of a directory

Programs are named by environment variables; what is not named is not measured.

    SERVANDA   the program under test (default: servanda)
    MCMAS      MCMAS

Each program reads each file in turn, so that whatever else the machine does meets all of them alike; of each the least user and system
time of all runs counts, since everything that disturbs a run makes it longer. Files that take somebody longer than a limit are named; they are
in no row, but in a second mean, where whoever did not end counts with the limit. The table is Markdown, slowest ratio first.
"""
import argparse
import math
import os
import pathlib
import resource
import subprocess
import sys

LIMIT = 20


def cpu(command, runs):
    """The least CPU milliseconds of some runs of a command; None where it takes too long or crashes."""
    least = None
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode < 0:
            return None
        spent = 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        least = spent if least is None else min(least, spent)
        if least > 500:
            break
    return least


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--before", help="another build of the program, to compare with")
    arguments = parser.parse_args()
    ours = [os.environ.get("SERVANDA", "servanda"), "check"]
    programs = {"servanda": ours}
    if arguments.before:
        programs["before"] = [arguments.before, "check"]
    if "MCMAS" in os.environ:
        programs["mcmas"] = [os.environ["MCMAS"]]
    rows, left_out = [], []
    for path in sorted(arguments.directory.glob("*.ispl")):
        times = {name: cpu([*command, str(path)], arguments.runs) for name, command in programs.items()}
        if None in times.values():
            left_out.append((path.name, times))
        else:
            rows.append((path.name, times))
        print(path.name, times, file=sys.stderr)
    others = [name for name in programs if name != "servanda"]
    floor = 0.1
    ratio = lambda times, other: max(times[other], floor) / max(times["servanda"], floor)
    rows.sort(key=lambda row: ratio(row[1], others[-1]) if others else -row[1]["servanda"])
    print("| file | " + " | ".join(f"{name}, ms" for name in programs) + " | "
          + " | ".join(f"{name} / servanda" for name in others) + " |")
    print("|---|" + "---|" * (len(programs) + len(others)))
    for name, times in rows:
        cells = [f"{times[program]:.1f}" for program in programs] + [f"{ratio(times, other):.1f}" for other in others]
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    for other in others:
        ratios = [ratio(times, other) for _, times in rows]
        worse = [name for name, times in rows if times["servanda"] > times[other] + 5]
        print(f"\n{other} / servanda, geometric mean of {len(ratios)} files: {mean(ratios):.2f}; "
              f"slower by more than 5 ms: {', '.join(worse) or 'none'}")
        at_most = lambda times: {name: 1000 * LIMIT if time is None else time for name, time in times.items()}
        decided = [at_most(times) for _, times in rows + left_out if times["servanda"] is not None]
        everything = mean([ratio(times, other) for times in decided])
        print(f"\nwith a limit of {LIMIT} s for whoever did not end, of {len(decided)} files: {everything:.2f}")
    for name, times in left_out:
        late = [program for program, time in times.items() if time is None]
        print(f"\nleft out: `{name}` (not within {LIMIT} s: {', '.join(late)})")


if __name__ == "__main__":
    main()
