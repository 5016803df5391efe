"""Is `--engine auto` ever much slower than the best single engine?

A row is marked where it takes more than 1.5 times as long, or more than 20 ms longer where the best engine takes less than 50 ms. The best
engine is the one that decided everything soonest. `auto` is asked first, and each engine for about as long as it took: whoever takes longer
is not the best. Beside the families, files can be asked about.
"""
import pathlib
import tempfile

from . import measure, ours, table
from .families import Case, all_cases

ENDINGS = (".pact", ".ispl", ".ccs", ".aut")

# So much longer than `auto` an engine may take before it is given up, rounded up to seconds: times vary.
MARGIN = 0.2


def is_whole(answer):
    return answer.said is not None and None not in answer.said


def cases_of(parts):
    """Files and the model files of folders, where they are there; else the families whose names contain one of the parts."""
    paths = [pathlib.Path(part) for part in parts if pathlib.Path(part).exists()]
    for path in paths:
        files = sorted(one for one in path.rglob("*") if one.suffix in ENDINGS) if path.is_dir() else [path]
        for one in files:
            yield Case(one.stem, one.suffix[1:], one.read_text(errors="replace"))
    names = [part for part in parts if not pathlib.Path(part).exists()]
    if names or not paths:
        yield from all_cases(names)


def is_slow(auto, best):
    return auto > 1.5 * best if best > 0.05 else auto > best + 0.02


def row(program, case, folder, limit):
    """What everybody says of a case, `auto` last."""
    asked = {}
    for engine in ["auto", *ours.ENGINES]:
        most = limit if not asked else min(limit, asked["auto"].seconds + MARGIN)
        ask = lambda: ours.ask(program, case, "all", folder, most, engine)
        asked[engine] = measure.least(ask, again_below=1.0)
    if is_late(asked):
        # What is marked is measured again, in turns.
        for _ in range(2):
            for engine in asked:
                if asked[engine].seconds < 1.0:
                    again = ours.ask(program, case, "all", folder, limit, engine)
                    asked[engine] = min(asked[engine], again, key=lambda answer: answer.seconds)
    return {engine: asked[engine] for engine in [*ours.ENGINES, "auto"]}


def best_of(answers):
    return min((answers[engine].seconds for engine in ours.ENGINES if is_whole(answers[engine])), default=None)


def is_late(answers):
    best = best_of(answers)
    return best is not None and (is_slow(answers["auto"].seconds, best) or not is_whole(answers["auto"]))


def run(parts, limit, say):
    """Asks every engine and auto about every case, a row at a time; the differences between them, and the rows that are marked."""
    program = ours.find()
    faults, slow = [], []
    say(table.markdown(["model", *ours.ENGINES, "auto", "ratio", ""], []).rstrip())
    with tempfile.TemporaryDirectory() as folder:
        for case in cases_of(parts):
            answers = row(program, case, pathlib.Path(folder), limit)
            known = {}
            for engine, answer in answers.items():
                for index, verdict in enumerate(answer.said or []):
                    if verdict is not None and known.setdefault(index, verdict) != verdict:
                        faults.append(f"{case.name}: property {index}: {({name: one.said for name, one in answers.items()})}")
            best = best_of(answers)
            ratio = "" if best is None else table.ratio(answers["auto"].seconds / best)
            mark = "slow" if is_late(answers) else ""
            if mark:
                slow.append(case.name)
            cells = [table.seconds(one.seconds) + ("" if is_whole(one) else " ?") for one in answers.values()]
            say("| " + " | ".join([case.name, *cells, ratio, mark]) + " |")
    return faults, slow
