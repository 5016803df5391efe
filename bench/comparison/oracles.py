"""What others say of the circuits and of the SMV texts that `servanda convert` writes, beside the reference engine `enumerate`."""
import collections
import json
import pathlib
import re
import tempfile

from . import measure, ours
from .rivals import abc, nusmv, ric3

CHECKS = ("INVARSPEC", "CTLSPEC", "LTLSPEC")


def by_circuits(rival, program, servanda, path, folder, limit):
    for name, one in ours.write_circuits(servanda, path, folder):
        yield name, rival.decide(program, one, limit)[1]


def by_smv(program, servanda, path, folder, limit):
    """One property at a time: NuSMV orders several as it likes."""
    made = measure.run([servanda, "convert", path, "--to", "smv"])
    if made.status != 0:
        raise ValueError(f"{path} is not written as SMV: {made.errors.strip()}")
    lines = made.output.split("\n")
    rest = [line for line in lines if line.split(" ")[0] not in CHECKS]
    for before, line in zip(lines, lines[1:]):
        if line.split(" ")[0] in CHECKS:
            (folder / "one.smv").write_text("\n".join([*rest, line, ""]))
            run = measure.run([program, "-dcx", folder / "one.smv"], limit)
            said = re.findall(r"^-- (?:invariant|specification) .* is (true|false)$", run.output, re.MULTILINE)
            yield before.removeprefix("-- "), said[0] == "true" if len(said) == 1 else None


def run(files, limit, say):
    servanda = ours.find()
    agreed, wrong = collections.Counter(), 0
    found = {rival: rival.find() for rival in (abc, ric3, nusmv)}
    say(f"not installed, so not asked: {', '.join(rival.NAME for rival, program in found.items() if not program) or 'nobody'}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for path in files:
            said = measure.run([servanda, "check", path, "--engine", "enumerate", "--format", "json"]).output
            known = {row["name"]: row["verdict"] for row in json.loads(said)["properties"]}
            for rival, program in found.items():
                if not program:
                    continue
                words = (program, servanda, path, folder, limit)
                try:
                    answers = list(by_smv(*words) if rival is nusmv else by_circuits(rival, *words))
                except ValueError as error:
                    say(str(error))
                    continue
                for name, verdict in answers:
                    if verdict is None:
                        say(f"{path}: {name}: {rival.NAME} says nothing")
                    elif known[name] == ("true" if verdict else "false"):
                        agreed[rival.NAME, known[name]] += 1
                    else:
                        wrong += 1
                        say(f"{path}: {name}: {rival.NAME}: {verdict}, servanda: {known[name]}")
    for (name, verdict), count in sorted(agreed.items()):
        say(f"{name}: {count} {verdict}, as servanda says")
    say(f"{wrong} disagreements")
    return 1 if wrong else 0
