"""Berkeley ABC (`pdr`), on the circuits that `servanda convert --to aiger` writes, each property a plain circuit with one bad output."""
import re

from .. import measure
from . import one_by_one, program

NAME = "ABC"


def find():
    return program("ABC", "abc", "berkeley-abc", "yosys-abc")


def describe(found):
    said = re.search(r"ABC ([\d.]+)", measure.run([found, "-c", "version"]).output)
    return said[1] if said else ""


def takes(case, task):
    return task == "circuit"


def decide(found, path, limit):
    run = measure.run([found, "-c", f"read_aiger {path}; pdr -T {int(limit)}"], limit)
    if "was asserted in frame" in run.output or "is trivially SAT" in run.output:
        return run, False
    if re.search("Property proved|is trivially|proved property", run.output):
        return run, True
    return run, None


def ask(found, case, task, folder, limit):
    return one_by_one(lambda path: decide(found, path, limit), case.circuits(folder))
