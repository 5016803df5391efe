"""mCRL2: the model as one linear process, whose states are generated. Making the linear form is not counted."""
import re

from .. import measure
from ..processes import C_WORDS, spell, translate
from . import program, total

NAME = "mCRL2"


def find():
    programs = program("MCRL22LPS", "mcrl22lps"), program("LPS2LTS", "lps2lts")
    return programs if all(programs) else None


def describe(found):
    said = re.search(r"toolset ([\w.]+)", measure.run([found[1], "--version"]).output)
    return said[1] if said else ""


def takes(case, task):
    return case.model is not None and task == "states"


def text(model):
    places = {process: model.places(process) for process in model.starts}
    where = lambda process, name: f"{process} == {places[process].index(name)}"
    expression = lambda text: translate(text, where, {**C_WORDS, "%": "mod"})
    sorts = {process: ("Int", 0) for process in places}
    for name, value in model.variables.items():
        sorts[name] = ("Bool", spell(value)) if isinstance(value, bool) else ("Int", value[2])
    ways = []
    for step in model.steps:
        guard = " && ".join([where(who, source) for who, source, _ in step.moves] + [f"({expression(step.guard)})"])
        sets = [f"{who} = {places[who].index(target)}" for who, source, target in step.moves if source != target]
        sets += [f"{name} = {expression(value)}" for name, value in step.updates]
        ways.append(f"({guard}) -> step . P({', '.join(sets)})")
    parameters = ", ".join(f"{name}: {sort}" for name, (sort, _) in sorts.items())
    first = ", ".join(str(value) for _, value in sorts.values())
    return f"act step;\nproc P({parameters}) =\n  " + "\n  + ".join(ways) + f";\ninit P({first});\n"


def ask(found, case, task, folder, limit):
    (folder / "model.mcrl2").write_text(text(case.model))
    made = measure.run([found[0], "--lin-method=regular", "model.mcrl2", "model.lps"], 120, cwd=folder)
    if made.status != 0:
        return total([made], None, made.errors[-200:])
    run = measure.run([found[1], "--cached", "--verbose", "model.lps"], limit, cwd=folder)
    said = re.search(r"(\d+) states and \d+ transitions", run.errors)
    return total([run], int(said[1]) if said and run.ended else None, run.errors[-200:])
