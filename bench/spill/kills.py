#!/usr/bin/env python3
"""Kills a run whose states are on disk at random moments, and goes on: the count is the right one in the end.

    bench/spill/kills.py PROGRAM [TIMES] [SEED]

The same command each time: `size` of counters.pact with little memory, `--spill`, and `--checkpoint` and `--resume` of one directory.
It is killed (SIGKILL) after a random time, with another number of workers each time. A run that comes to its end must give the count in
closed form; then a new one is begun. Nothing but an end or the kill is allowed: no error, no other status. What a killed run leaves in the directory
of spilled states must be gone after the next one.
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

MODEL = pathlib.Path(__file__).resolve().parent / "counters.pact"
DIGITS, BASE = 6, 10


def command(program, folder, workers):
    checkpoint = str(folder / "checkpoint")
    return [
        program, "size", str(MODEL), "--param", f"N={DIGITS}", "--param", f"Base={BASE}", "--format", "json",
        "--workers", str(workers), "--memory", "52M", "--spill", str(folder / "spill"),
        "--checkpoint", checkpoint, "--resume", checkpoint, "--every", "50ms",
    ]  # fmt: skip


def check(result):
    model = json.loads(result)["model"]
    found = [int(model[name]) for name in ("states", "transitions", "deadlocks", "diameter")]
    states = BASE**DIGITS
    assert found == [states, DIGITS * states, 0, DIGITS * (BASE - 1)], f"wrong counts: {found}"


def main():
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50
    dice = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="servanda-kills-"))
    killed, ended, resumed, begun = 0, 0, 0, time.monotonic()
    usual = 4.0
    try:
        while killed < times or ended == 0:
            resumed += (folder / "checkpoint" / "checkpoint.txt").exists()
            started = time.monotonic()
            line = command(program, folder, dice.choice([1, 2, 3]))
            run = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                wait = dice.uniform(0.02, usual) if killed < times else 600
                output, errors = run.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                run.kill()
                run.communicate()
                killed += 1
                continue
            assert run.returncode == 0, f"status {run.returncode}: {errors}{output}"
            check(output)
            left = [path.name for path in (folder / "spill").iterdir()]
            assert not left, f"left behind: {left}"
            ended += 1
            usual = max(0.5, min(usual, 2 * (time.monotonic() - started)))
            shutil.rmtree(folder / "checkpoint")
    finally:
        shutil.rmtree(folder)
    print(f"{killed} kills, {resumed} runs began with a checkpoint, {ended} came to their end with the right count, "
          f"{time.monotonic() - begun:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main()
