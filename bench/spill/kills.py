#!/usr/bin/env python3
"""Kills a run whose states are on disk at random moments, and goes on: the count is the right one in the end.

    bench/spill/kills.py PROGRAM [TIMES] [SEED]
    bench/spill/kills.py PROGRAM [TIMES] [SEED] --large BITS FOLDER

The same command each time: `size` of counters.pact with little memory, `--spill`, and `--checkpoint` and `--resume` of one directory.
It is killed (SIGKILL) after a random time, with another number of workers each time. A run that comes to its end must give the count in
closed form; then a new one is begun. Nothing but an end or the kill is allowed: no error, no other status. What a killed run leaves in the directory
of spilled states must be gone after the next one.

With --large it is wide.pact with 2^BITS states of 33 words, some 170 bytes each on disk (2^26: 11 GB), in FOLDER, once to its end, at low
priority; each kill is told as it happens, with what was on disk.
"""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DIGITS, BASE = 6, 10


class Small:
    """A million states."""

    model, once, wait = "counters.pact", False, (0.02, 4.0)
    parameters = [f"N={DIGITS}", f"Base={BASE}"]
    memory, every = "52M", "50ms"
    expected = [BASE**DIGITS, DIGITS * BASE**DIGITS, 0, DIGITS * (BASE - 1)]


class Large:
    """Many gigabytes on disk."""

    model, once, wait = "wide.pact", True, (5.0, 250.0)
    memory, every = "1G", "30s"

    def __init__(self, bits):
        self.parameters = [f"Size={2**bits}"]
        self.expected = [2**bits - 1, 2**bits // 2 * 3 - 2, 0, bits - 1]


def command(program, folder, task, workers):
    checkpoint = str(folder / "checkpoint")
    parameters = [word for one in task.parameters for word in ("--param", one)]
    return [
        program, "size", str(HERE / task.model), *parameters, "--format", "json",
        "--workers", str(workers), "--memory", task.memory, "--spill", str(folder / "spill"),
        "--checkpoint", checkpoint, "--resume", checkpoint, "--every", task.every,
    ]  # fmt: skip


def check(result, task):
    model = json.loads(result)["model"]
    found = [int(model[name]) for name in ("states", "transitions", "deadlocks", "diameter")]
    assert found == task.expected, f"wrong counts: {found}"


def on_disk(folder):
    """Bytes in a folder and below, a file with two names once, and those of the checkpoint."""
    seen, parts = set(), {"all": 0, "checkpoint": 0}
    for path in [*folder.glob("checkpoint/*"), *folder.glob("spill/*/*")]:
        try:
            entry = path.stat()
        except FileNotFoundError:
            continue
        if entry.st_ino not in seen:
            seen.add(entry.st_ino)
            parts["all"] += entry.st_size
            parts["checkpoint"] += entry.st_size if path.parent.name == "checkpoint" else 0
    return parts


def level(folder):
    """How far the checkpoint is."""
    try:
        lines = (folder / "checkpoint" / "checkpoint.txt").read_text().splitlines()
    except FileNotFoundError:
        return "none"
    states = sum(int(line.split()[3]) for line in lines if line.startswith("run "))
    return f"{states} states"


def main():
    words = sys.argv[1:]
    task, folder = Small(), None
    if "--large" in words:
        at = words.index("--large")
        task, folder = Large(int(words[at + 1])), pathlib.Path(words[at + 2])
        folder.mkdir()
        del words[at : at + 3]
        os.nice(19)
    program, times = words[0], int(words[1]) if len(words) > 1 else 50
    dice = random.Random(int(words[2]) if len(words) > 2 else 1)
    folder = folder or pathlib.Path(tempfile.mkdtemp(prefix="servanda-kills-"))
    killed, ended, resumed, begun = 0, 0, 0, time.monotonic()
    usual, most = task.wait[1], 0
    try:
        while killed < times or ended == 0:
            resumed += (folder / "checkpoint" / "checkpoint.txt").exists()
            started = time.monotonic()
            workers = dice.choice([1, 2, 3])
            run = subprocess.Popen(
                command(program, folder, task, workers), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            try:
                wait = dice.uniform(task.wait[0], usual) if killed < times else None
                output, errors = run.communicate(timeout=wait)
            except subprocess.TimeoutExpired:
                held = on_disk(folder) if task.once else {"all": 0}
                run.kill()
                run.communicate()
                killed += 1
                most = max(most, held["all"])
                if task.once:
                    print(f"kill {killed} after {wait:.0f} s, {workers} workers: {held['all'] / 1e9:.2f} GB on disk, "
                          f"checkpoint {level(folder)} in {held['checkpoint'] / 1e9:.2f} GB", flush=True)  # fmt: skip
                continue
            assert run.returncode == 0, f"status {run.returncode}: {errors}{output}"
            check(output, task)
            left = [path.name for path in (folder / "spill").iterdir()]
            assert not left, f"left behind: {left}"
            ended += 1
            if task.once:
                held = on_disk(folder)
                print(f"ended after {time.monotonic() - started:.0f} s, {workers} workers: {held['all'] / 1e9:.2f} GB: {output}")
                break
            usual = max(0.5, min(usual, 2 * (time.monotonic() - started)))
            shutil.rmtree(folder / "checkpoint")
    finally:
        shutil.rmtree(folder)
    print(f"{killed} kills, {resumed} runs began with a checkpoint, {ended} came to their end with the right count, "
          f"{time.monotonic() - begun:.0f} s{f', {most / 1e9:.1f} GB at most' if most else ''}")  # fmt: skip


if __name__ == "__main__":
    main()
