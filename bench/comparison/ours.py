"""Servanda, asked."""
import json
import os
import pathlib
import shutil

from . import circuits, measure
from .rivals import Answer

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = ["tableau", "bdd", "sat"]


def find():
    """The program under test: SERVANDA, or the release build of this clone, or the one on the path."""
    if "SERVANDA" in os.environ:
        return shutil.which(os.environ["SERVANDA"])
    built = ROOT / "target" / "release" / "servanda"
    return str(built) if built.exists() else shutil.which("servanda")


def describe(program):
    return measure.run([program, "--version"]).output.strip()


def ask(program, case, task, folder, limit, engine="auto"):
    """How many states there are, or what each property is worth: True, False, or None."""
    text, formulas = case.question(task)
    path = case.write(folder, text)
    limits = ["--engine", engine, "--timeout", f"{30 * limit:.0f}s", "--memory", "6G", "--format", "json"]
    if task == "states":
        run = measure.run([program, "size", path, *limits], limit)
        known = run.status == 0 and json.loads(run.output)["model"]["states"]
        return Answer(run.seconds, run.megabytes, int(known) if known else None, run.errors[-300:])
    run = measure.run([program, "check", path, *limits, *(word for formula in formulas for word in ("--formula", formula))], limit)
    try:
        rows = json.loads(run.output)["properties"]
    except (ValueError, KeyError):
        return Answer(run.seconds, run.megabytes, None, run.errors[-300:])
    said = [{"true": True, "false": False}.get(row["verdict"]) for row in rows]
    return Answer(run.seconds, run.megabytes, said)


def write_circuits(program, path, folder):
    """Each property of a file as a circuit of its own: (name, file)."""
    run = measure.run([program, "convert", path, "--to", "aiger"])
    if run.status != 0:
        raise ValueError(f"{path} is not written as a circuit: {run.errors.strip()}")
    for number, (name, circuit, bad) in enumerate(circuits.read_aiger(run.output)):
        one = folder / f"{path.stem}-{number}.aig"
        one.write_bytes(circuit.binary(bad))
        yield name, one
