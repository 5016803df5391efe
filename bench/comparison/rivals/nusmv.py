"""NuSMV: a choice of the step as input, the next value of each variable by cases; nothing else is said about the order of variables."""
import re

from .. import measure
from ..processes import spell, translate
from . import program, total

NAME = "NuSMV"


def find():
    return program("NUSMV", "NuSMV", "nusmv", "nuXmv")


def describe(found):
    run = measure.run([found, "-h"])
    said = re.search(r"(?:NuSMV|nuXmv) ([\d.]+\d)", run.errors + run.output)
    return said[1] if said else ""


def takes(case, task):
    return case.smv is not None and task == "formulas" or case.model is not None and task in ("states", "linear", "branching")


def expression(text):
    text = translate(text, lambda process, name: f"{process} = at_{name}", {"%": "mod"})
    return re.sub(r"\b(true|false)\b", lambda found: found[0].upper(), text)


def text(model, properties):
    lines = ["MODULE main", "VAR"]
    names = {}
    # A process that stays where it is would be a variable with one value, which NuSMV does not want.
    moving = [process for process in model.starts if len(model.places(process)) > 1]
    for process in moving:
        lines.append(f"  {process} : {{{', '.join(f'at_{name}' for name in model.places(process))}}};")
        names[process] = f"at_{model.starts[process]}"
    for name, value in model.variables.items():
        if isinstance(value, bool):
            lines.append(f"  {name} : boolean;")
            names[name] = spell(value).upper()
        else:
            lines.append(f"  {name} : {value[0]}..{value[1]};")
            names[name] = value[2]
    guards, changes = [], {name: [] for name in names}
    for number, step in enumerate(model.steps):
        guard = " & ".join([f"{who} = at_{source}" for who, source, _ in step.moves if who in moving] + [f"({expression(step.guard)})"])
        guards.append(guard)
        chosen = f"step = {number} & {guard}"
        for who, source, target in step.moves:
            if source != target:
                changes[who].append(f"{chosen} : at_{target};")
        for name, value in step.updates:
            changes[name].append(f"{chosen} : {expression(value)};")
    lines += ["IVAR", f"  step : 0..{len(guards)};", "ASSIGN"]
    lines += [f"  init({name}) := {first};" for name, first in names.items()]
    for name, cases in changes.items():
        lines.append(f"  next({name}) := case {' '.join(cases)} TRUE : {name}; esac;")
    lines += [f"TRANS step = {number} -> {guard}" for number, guard in enumerate(guards)]
    lines.append(f"TRANS step = {len(guards)} -> !({' | '.join(f'({guard})' for guard in guards)})")
    lines += [f"CTLSPEC {expression(model.formula(asked))}" for asked in properties]
    return "\n".join(lines) + "\n"


def ask(found, case, task, folder, limit):
    path = folder / f"{case.name}.smv"
    path.write_text(case.smv if task == "formulas" else text(case.model, case.asked(task)))
    if task == "states":
        run = measure.run([found, "-r", path], limit)
        said = re.search(r"reachable states: ([\d.e+]+)", run.output)
        return total([run], float(said[1]) if said else None)
    run = measure.run([found, "-dcx", path], limit)
    said = [verdict == "true" for verdict in re.findall(r"^-- specification .* is (true|false)$", run.output, re.MULTILINE)]
    whole = run.ended and len(said) == (4 if task == "formulas" else len(case.asked(task)))
    return total([run], said if whole else None, "" if whole else run.errors[-200:])
