"""Others' checkers, one file each: how one is found, what it can be asked, how our families are written for it, how it is run and read.

A rival is a module with

    NAME                what the table calls it
    find()              the programs it takes, or None where it is not installed
    describe(found)     its version, as it says
    takes(case, task)   can it be asked this?
    ask(found, case, task, folder, limit)    an `Answer`
"""
import os
import shutil
import typing


class Answer(typing.NamedTuple):
    seconds: float
    megabytes: float
    said: object  # how many states, or what each property is worth, in order; None where it did not say within its limits
    note: str = ""


def program(variable, *names):
    """A program by the environment variable that names it, or by its names on the path."""
    if variable in os.environ:
        return shutil.which(os.environ[variable])
    return next((path for path in map(shutil.which, names) if path), None)


def total(runs, said, note=""):
    """The answer that several runs make together."""
    return Answer(sum(run.seconds for run in runs), max(run.megabytes for run in runs), said, note)


def one_by_one(decide, questions):
    """The answer of a checker that is started anew for each question; `decide` gives a run and what came out, None where nothing did."""
    runs, verdicts = [], []
    for question in questions:
        run, verdict = decide(question)
        runs.append(run)
        if verdict is None:
            return total(runs, None, (run.output + run.errors)[-200:])
        verdicts.append(verdict)
    return total(runs, verdicts)


def everyone():
    from . import abc, mcmas, mcrl2, nusmv, ric3, spin, stateright

    return [spin, stateright, mcrl2, nusmv, mcmas, abc, ric3]
