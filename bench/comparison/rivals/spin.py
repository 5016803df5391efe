"""SPIN: a process with labels for each of ours, steps that cannot be interrupted, a meeting as a rendezvous.

The time is that of the verifier that it makes; making and compiling it is not counted. States are counted without partial orders,
properties are decided with them, one verifier for each.
"""
import re
import shutil

from .. import measure
from ..processes import C_WORDS, KINDS, spell, translate
from . import one_by_one, program, total

NAME = "SPIN"


def find():
    spin, compiler = program("SPIN", "spin"), shutil.which("gcc") or shutil.which("cc")
    return (spin, compiler) if spin and compiler else None


def describe(found):
    said = re.search(r"Spin Version ([\d.]+)", measure.run([found[0], "-V"]).output)
    return said[1] if said else ""


def takes(case, task):
    return case.model is not None and task in ("states", "linear") and all(asked.is_linear for asked in case.asked(task))


def expression(text):
    """Names get a letter in front: some of them are words of Promela or of C."""
    text = translate(text, lambda process, name: f"{process}@at_{name}", C_WORDS)
    return re.sub(r"(?<![@\w])([a-zA-Z]\w*)(?!\w*@)", lambda found: found[0] if found[0] in ("true", "false") else f"v_{found[0]}", text)


def text(model, asked=None):
    lines, most = [], 0
    for name, value in model.variables.items():
        kind, first = ("bool", spell(value)) if isinstance(value, bool) else ("byte", value[2])
        lines.append(f"{kind} v_{name} = {first};")
    meetings = [number for number, step in enumerate(model.steps) if len(step.moves) == 2]
    lines += [f"chan meet{number} = [0] of {{ bit }};" for number in meetings]
    bodies = []
    for process in model.starts:
        body = [f"active proctype {process}() {{"]
        for name in model.places(process):
            ways = []
            for number, step in enumerate(model.steps):
                for side, (who, source, target) in enumerate(step.moves):
                    if (who, source) != (process, name):
                        continue
                    if len(step.moves) == 2:
                        action = f"meet{number}{'?1' if side else '!1'}"
                    else:
                        action, used = effect(step)
                        most = max(most, used)
                    ways.append(f"  :: {action}; goto at_{target}")
            body += [f"at_{name}: if", *(ways or ["  :: false"]), "  fi;"]
        bodies += [*body, "}"]
    lines += [f"hidden byte old{number};" for number in range(most)] + bodies
    if asked:
        formula = f"[] !({asked.parts[0]})" if asked.kind == "possible" else KINDS[asked.kind][1].format(*asked.parts)
        lines.append(f"ltl p_{asked.name} {{ {expression(formula)} }}")
    return "\n".join(lines) + "\n"


def effect(step):
    """The guard and the assignments as one statement, and how many values had to be put aside because they are needed after they change."""
    words = lambda value: set(re.findall(r"\w+", value))
    late = any(name in words(value) for at, (name, _) in enumerate(step.updates) for _, value in step.updates[at + 1 :])
    if late:
        sets = [f"old{at} = ({expression(value)})" for at, (_, value) in enumerate(step.updates)]
        sets += [f"v_{name} = old{at}" for at, (name, _) in enumerate(step.updates)]
    else:
        sets = [f"v_{name} = {expression(value)}" for name, value in step.updates]
    return f"d_step {{ {'; '.join([expression(step.guard), *sets])} }}", len(step.updates) if late else 0


def verify(found, model, asked, folder, limit):
    spin, compiler = found
    (folder / "pan.c").unlink(missing_ok=True)
    (folder / "model.pml").write_text(text(model, asked))
    # No variable is left out because it is never read: others do not leave it out either.
    made = measure.run([spin, "-a", "-o1", "-o2", "model.pml"], 60, cwd=folder)
    if made.status != 0 or not (folder / "pan.c").exists():
        return made, None
    options = ["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"] if asked is None else []
    made = measure.run([compiler, "-O2", "-w", "-DMEMLIM=6000", *options, "-o", "pan", "pan.c"], 120, cwd=folder)
    if made.status != 0:
        return made, None
    for depth, room in ((20_000, 18), (4_000_000, 24)):
        # A small table and a short stack suit small models; what does not fit is tried again.
        words = [folder / "pan", f"-m{depth}", f"-w{room}", "-n", *(["-E"] if asked is None else ["-a"])]
        run = measure.run(words, limit, cwd=folder)
        errors, states = re.search(r"errors: (\d+)", run.output), re.search(r"(\d+) states, stored", run.output)
        short = re.search(r"max search depth too small|out of memory|reached -DMEMLIM", run.output)
        if not short:
            break
    if not run.ended or not errors or (errors[1] == "0" and short):
        return run, None
    if asked is None:
        return run, int(states[1])
    return run, (errors[1] == "0") != (asked.kind == "possible")


def ask(found, case, task, folder, limit):
    if task == "states":
        run, said = verify(found, case.model, None, folder, limit)
        return total([run], said, "" if said else (run.errors + run.output)[-200:])
    return one_by_one(lambda asked: verify(found, case.model, asked, folder, limit), case.asked(task))
