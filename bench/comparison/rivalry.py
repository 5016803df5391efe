"""All families against whatever rivals are installed, every row side by side."""
import pathlib
import platform
import tempfile

from . import measure, ours, rivals, table
from .families import COMPARED, case

TITLES = {
    "states": "How many states there are",
    "linear": "Properties of single paths: invariants, responses, recurrence",
    "branching": "Properties of trees of paths: `AG EF`",
    "formulas": "The formulas of a file: knowledge, common knowledge, CTL",
    "circuit": "Invariants of circuits",
}


def agree(task, name, mine, theirs):
    """Do two answers say the same? NuSMV rounds counts, and SPIN counts one state more where processes begin."""
    if task != "states":
        return all(one is None or one == other for one, other in zip(mine, theirs, strict=True))
    return abs(mine - theirs) <= {"SPIN": 1, "NuSMV": 1e-5 * mine}.get(name, 0)


def one_row(program, found, task, family, size, limit, folder):
    """Asks everybody, in turns: Servanda first and last, so that what else the machine does is the same for all."""
    asked = case(family, size)
    mine = measure.least(lambda: ours.ask(program, asked, task, folder, limit))
    answers, faults = {}, []
    if task == "circuit":
        path = asked.write(folder, asked.safety)
        asked = Circuits(asked, [one for _, one in ours.write_circuits(program, path, folder)])
    for rival, program_of in found.items():
        if rival.takes(asked, task):
            answers[rival.NAME] = answer = measure.least(lambda: rival.ask(program_of, asked, task, folder, limit))
            if answer.said is None or mine.said is None:
                continue
            if not agree(task, rival.NAME, mine.said, answer.said):
                faults.append(f"{task} of {asked.name}: {rival.NAME} says {answer.said}, Servanda {mine.said}")
    if mine.seconds < 2.0:
        case_again = asked.case if task == "circuit" else asked
        mine = min(mine, ours.ask(program, case_again, task, folder, limit), key=lambda answer: answer.seconds)
    return asked.name, mine, answers, faults


class Circuits:
    """A case whose circuits are written."""

    def __init__(self, asked, paths):
        self.case, self.name, self.model, self.smv, self.language, self.paths = asked, asked.name, None, None, "aiger", paths

    def circuits(self, folder):
        return self.paths


def cell(answer, mine, limit):
    if answer is None:
        return ""
    if answer.said is None or None in (answer.said if isinstance(answer.said, list) else []):
        return f"not in {limit:.0f}" if answer.seconds >= limit else f"no answer in {table.seconds(answer.seconds)}"
    if mine is None:
        return f"{table.seconds(answer.seconds)} ({answer.megabytes:.0f} MB)"
    return f"{table.seconds(answer.seconds)} ({answer.megabytes:.0f} MB), {table.ratio(answer.seconds / mine.seconds)}"


def run(parts, limit, out, say):
    program = ours.find()
    if program is None:
        raise SystemExit("no servanda: build it with `cargo build --release`, or name it in SERVANDA")
    found = {rival: rival.find() for rival in rivals.everyone()}
    absent = [rival.NAME for rival, program_of in found.items() if program_of is None]
    found = {rival: program_of for rival, program_of in found.items() if program_of is not None}
    rows = [
        (task, family, size)
        for task, family, sizes in COMPARED
        for size in sizes
        if not parts or any(part in "-".join(map(str, (task, family, *size))) for part in parts)
    ]
    faults, tables = [], {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for rival in list(found):
            if hasattr(rival, "prepare"):
                cases = [case(family, size) for task, family, size in rows if task == "states"]
                wrong = cases and rival.prepare(found[rival], cases, folder)
                if wrong:
                    say(f"{rival.NAME} cannot be made ready: {wrong}")
                    absent.append(f"{rival.NAME} (its program could not be made)")
                    del found[rival]
        for task, family, size in rows:
            name, mine, answers, wrong = one_row(program, found, task, family, size, limit, folder)
            faults += wrong
            tables.setdefault(task, []).append((name, mine, answers))
            for who, answer in {"Servanda": mine, **answers}.items():
                say(f"{task} {name}: {who} {answer.seconds:.3f} s, {answer.said}" + (f" ({answer.note})" if answer.said is None else ""))
            # What is known is not lost when the run is ended.
            out.write_text(report(program, found, absent, tables, faults, limit))
    say(f"written: {out}")
    for fault in faults:
        say(f"DIFFERENT: {fault}")
    return faults


def spelled(said):
    """A number, or a sign for each property."""
    if isinstance(said, int):
        return f"{said:,}"
    return "?" if said is None else "".join({True: "+", False: "-", None: "?"}[one] for one in said)


def report(program, found, absent, tables, faults, limit):
    lines = [f"# Servanda beside others' checkers, {table.day(table.today())}", ""]
    versions = ", ".join(f"{rival.NAME} {rival.describe(program_of)}".strip() for rival, program_of in found.items())
    lines += [
        f"`bench/compare` wrote this: {ours.describe(program)} with `--engine auto`, {platform.machine()}, {platform.system()}.",
        "CPU seconds (user and system together), the less of two runs where one takes less than two seconds,",
        f"at most {limit:.0f}; in brackets the most memory; then how many times Servanda's time that is.",
        "Everybody is asked the same in one run, one after the other.",
        "",
        f"Asked: {versions or 'nobody'}.",
        f"Not installed, so not asked: {', '.join(absent)}." if absent else "Nobody is missing.",
        "",
        "What is not counted: making and compiling verifiers (SPIN, Stateright), making the linear process (mCRL2), writing circuits (ABC,",
        "rIC3). Servanda's time is all of it: reading the text, deciding, warnings.",
    ]
    if faults:
        lines += ["", "**Different answers:**", "", *(f"- {fault}" for fault in faults)]
    for task, rows in tables.items():
        names = [rival.NAME for rival in found if any(rival.NAME in answers for _, _, answers in rows)]
        cells = []
        for name, mine, answers in rows:
            row = [name, spelled(mine.said), cell(mine, None, limit)]
            cells.append(row + [cell(answers.get(rival), mine, limit) for rival in names])
        lines += ["", f"## {TITLES[task]}", "", table.markdown(["model", "answer", "Servanda", *names], cells).rstrip()]
    decided = [
        (answer.seconds / mine.seconds)
        for rows in tables.values() for _, mine, answers in rows for answer in answers.values() if answer.said is not None
    ]
    faster = [
        (mine.seconds - answer.seconds, f"{task} of {name} ({rival}, {table.ratio(answer.seconds / mine.seconds)})")
        for task, rows in tables.items() for name, mine, answers in rows for rival, answer in answers.items()
        if answer.said is not None and answer.seconds < mine.seconds
    ]
    lines += ["", "## In short", "", f"Of {len(decided)} answers of others {len(decided) - len(faster)} took longer than Servanda's."]
    for title, is_much in (("by more than 20 ms", True), ("by less", False)):
        chosen = [name for by, name in faster if (by > 0.02) == is_much]
        if chosen:
            lines += ["", f"Faster than Servanda {title}: {'; '.join(chosen)}."]
    return "\n".join(lines) + "\n"
