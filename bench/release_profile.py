#!/usr/bin/env python3
"""What the settings of the release profile cost and bring: size of the program, time to build it, time to decide.

    release_profile.py build DIR [NAME...]    builds the program with each of the settings (those with the names) into DIR
    release_profile.py run DIR MODELS         runs the programs in DIR and prints a table

MODELS is what `compare models` has written. Times are CPU seconds (user and system). Programs take turns, so that what else the machine
does is the same for all of them; the least of several runs counts, and what is printed is the ratio to the first one.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True

from comparison import measure  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "5"))

# Name: link-time optimisation, units of code per crate, level of optimisation.
SETTINGS = {
    "thin-4": ("thin", "4", "3"),
    "off-16": ("off", "16", "3"),
    "thin-1": ("thin", "1", "3"),
    "fat-1": ("fat", "1", "3"),
    "thin-1-s": ("thin", "1", "s"),
}

# What is run: every engine on a model that keeps it busy for some tenths of a second.
RUNS = [
    ("tableau", "contract_net-8.pact"),
    ("tableau", "counters-4-15.pact"),
    ("bdd", "bakery-6-8.pact"),
    ("bdd", "counters-24-9.pact"),
    ("sat", "counters-6-9.pact"),
]


def cpu(command, **more):
    """The CPU seconds of a command and of what it starts."""
    run = measure.run(command, limit=7200, **more)
    return run.seconds, run.status


def build(directory, names):
    directory.mkdir(parents=True, exist_ok=True)
    for name in names or SETTINGS:
        lto, units, level = SETTINGS[name]
        target = directory / "target" / name
        variables = {"LTO": lto, "CODEGEN_UNITS": units, "OPT_LEVEL": level, "STRIP": "none"}
        environment = {f"CARGO_PROFILE_RELEASE_{key}": value for key, value in variables.items()}
        command = ["cargo", "build", "--release", "--locked", "--package", "servanda", "--bin", "servanda", "--target-dir", str(target)]
        seconds, status = cpu(command, cwd=ROOT, env={**os.environ, **environment})
        if status != 0:
            sys.exit(f"{name}: cargo ended with {status}")
        shutil.copy2(target / "release" / "servanda", directory / name)
        (directory / f"{name}.json").write_text(json.dumps({"build": seconds}))
        print(f"{name}: {seconds:.0f} CPU s", flush=True)


def megabytes(program, *strip):
    copy = program.with_suffix(".stripped")
    shutil.copy2(program, copy)
    if strip:
        subprocess.run(["strip", *strip, str(copy)], check=True)
    size = copy.stat().st_size
    copy.unlink()
    return f"{size / 1e6:.1f}"


def run(directory, models):
    names = [name for name in SETTINGS if (directory / name).exists()]
    least = {}
    for _ in range(ROUNDS):
        for engine, model in RUNS:
            for name in names:
                command = [str(directory / name), "check", "--engine", engine, str(models / model)]
                seconds, status = cpu(command)
                if status > 1:
                    sys.exit(f"{name} on {model}: status {status}")
                key = (name, engine, model)
                least[key] = min(seconds, least.get(key, seconds))
    columns = ["settings", "build, CPU s", "MB", "without debug information", "without symbols"]
    columns += [f"{engine} {model}" for engine, model in RUNS]
    print("|", " | ".join(columns), "|")
    print("|---" * len(columns) + "|")
    for name in names:
        noted = directory / f"{name}.json"
        seconds = f"{json.loads(noted.read_text())['build']:.0f}" if noted.exists() else ""
        sizes = [megabytes(directory / name), megabytes(directory / name, "--strip-debug"), megabytes(directory / name, "--strip-all")]
        times = []
        for engine, model in RUNS:
            first = least[(names[0], engine, model)]
            mine = least[(name, engine, model)]
            times.append(f"{mine:.2f} s" if name == names[0] else f"{mine / first:.2f}")
        print("|", " | ".join([f"`{name}`", seconds, *sizes, *times]), "|")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["build", directory, *names]:
            build(pathlib.Path(directory), names)
        case ["run", directory, models]:
            run(pathlib.Path(directory), pathlib.Path(models))
        case _:
            sys.exit(__doc__)
