"""MCMAS, on the same ISPL files."""
import re

from .. import measure
from . import program, total

NAME = "MCMAS"


def find():
    return program("MCMAS", "mcmas")


def describe(found):
    said = re.search(r"MCMAS v?([\d.]+)", measure.run([found, "-h"]).output)
    return said[1] if said else ""


def takes(case, task):
    return case.language == "ispl" and task == "formulas"


def ask(found, case, task, folder, limit):
    run = measure.run([found, case.write(folder)], limit)
    said = re.findall(r"^\s*Formula number \d+: .*is (TRUE|FALSE) in the model", run.output, re.MULTILINE)
    said = [verdict == "TRUE" for verdict in said]
    # It has been seen to crash when it had said everything.
    return total([run], said if len(said) == case.text.count(";\n", case.text.index("Formulae")) else None)
