"""Is `--engine auto` ever much slower than the best single engine?

A row is marked where it takes more than 1.5 times as long, or more than 20 ms longer where the best engine takes less than 50 ms. The best
engine is the one that decided everything soonest.
"""
import pathlib
import tempfile

from . import measure, ours, table
from .families import all_cases


def is_whole(answer):
    return answer.said is not None and None not in answer.said


def run(parts, limit, say):
    """Asks every engine and auto about every family, a row at a time; the differences between them, and the rows that are marked."""
    program = ours.find()
    faults, slow = [], []
    say(table.markdown(["model", *ours.ENGINES, "auto", "ratio", ""], []).rstrip())
    with tempfile.TemporaryDirectory() as folder:
        for case in all_cases(parts):
            answers = {}
            for engine in [*ours.ENGINES, "auto"]:
                ask = lambda: ours.ask(program, case, "all", pathlib.Path(folder), limit, engine)
                answers[engine] = measure.least(ask, again_below=1.0)
            known = {}
            for engine, answer in answers.items():
                for index, verdict in enumerate(answer.said or []):
                    if verdict is not None and known.setdefault(index, verdict) != verdict:
                        faults.append(f"{case.name}: property {index}: {({name: one.said for name, one in answers.items()})}")
            best = min((answers[engine].seconds for engine in ours.ENGINES if is_whole(answers[engine])), default=None)
            auto = answers["auto"]
            mark, ratio = "", ""
            if best is not None:
                ratio = table.ratio(auto.seconds / best)
                too_long = auto.seconds > 1.5 * best if best > 0.05 else auto.seconds > best + 0.02
                mark = "slow" if too_long or not is_whole(auto) else ""
            if mark:
                slow.append(case.name)
            cells = [table.seconds(one.seconds) + ("" if is_whole(one) else " ?") for one in answers.values()]
            say("| " + " | ".join([case.name, *cells, ratio, mark]) + " |")
    return faults, slow
