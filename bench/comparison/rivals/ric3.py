"""rIC3 (`ic3`), on the same circuits as ABC."""
import re

from .. import measure
from . import abc, one_by_one, program

NAME = "rIC3"
takes = abc.takes


def find():
    return program("RIC3", "rIC3", "ric3")


def describe(found):
    said = re.search(r"(\d+\.[\d.]+)", measure.run([found, "--version"]).output)
    return said[1] if said else ""


def decide(found, path, limit):
    run = measure.run([found, "-e", "ic3", path], limit)
    said = re.search(r"\b(unsat|sat|UNSAT|SAT|safe|unsafe)\b", run.output)
    return run, None if not said or not run.ended else said[1].lower() in ("unsat", "safe")


def ask(found, case, task, folder, limit):
    return one_by_one(lambda path: decide(found, path, limit), case.circuits(folder))
