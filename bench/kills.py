#!/usr/bin/env python3
"""Kills at random moments: every file is as it was or as it should be, and every verdict that was printed is the right one.

    bench/kills.py PROGRAM [TIMES] [SEED]

Each time a command that writes is killed (SIGKILL) somewhere within the time that it takes. Then what it was to write is compared with what was
there before and with what an undisturbed run writes; results (`--output`) must be a whole document in which nothing that is undecided looks
decided, lines of `--format jsonl` must be those of an undisturbed run, and text must be what an undisturbed run begins with, as far as they go.
"""

import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
MODELS = ["netbill.pact", "tunnel.pact", "escrow.pact", "oauth_code.pact", "two_phase_commit.pact"]
OLD = "what was there before\n"


def messy(text):
    """The same protocol in no standard form."""
    return re.sub(r"[ \t]+", "   ", text) + "\n\n\n"


def commands(folder):
    files = [str(folder / name) for name in MODELS]
    return {
        "json": (["check", *files, "--format", "json", "--output", str(folder / "out.json")], "out.json"),
        "junit": (["check", *files, "--format", "junit", "--output", str(folder / "out.xml")], "out.xml"),
        "jsonl": (["check", *files, "--format", "jsonl"], None),
        "lines": (["check", *files, "--format", "jsonl", "--output", str(folder / "out.jsonl")], "out.jsonl"),
        "text": (["check", *files], None),
        "jobs": (["check", *files, "--jobs", "2"], None),
        "text file": (["check", *files, "--jobs", "2", "--output", str(folder / "out.txt")], "out.txt"),
        "fmt": (["fmt", "--write", *[str(folder / f"messy-{name}") for name in MODELS]], None),
        "certificate": (["check", files[1], "--certificate", str(folder / "certificates")], None),
    }


def prepare(folder):
    folder.mkdir()
    for name in MODELS:
        shutil.copy(EXAMPLES / name, folder / name)
        (folder / f"messy-{name}").write_text(messy((EXAMPLES / name).read_text()))
    for name in ("out.json", "out.xml", "out.jsonl", "out.txt"):
        (folder / name).write_text(OLD)


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def verdicts(document):
    """What a JSON document says is decided."""
    files = document["files"] if "files" in document else [document]
    return {(file["file"].rsplit("/", 1)[-1], one["name"]): one["verdict"] for file in files for one in file.get("properties") or []}


def untimed(line):
    return re.sub(r'("(?:seconds|time|[a-z_]*seconds|peak_memory_bytes)": ?)[0-9.e-]+', r"\1_", line)


def main():
    program, times, seed = [*sys.argv[1:], *["", "100", "1"][len(sys.argv) - 1:]][:3]
    program, times, dice = str(pathlib.Path(program).resolve()), int(times), random.Random(int(seed))
    with tempfile.TemporaryDirectory() as place:
        place, whole = pathlib.Path(place), {}
        for name in commands(place):
            folder = place / "folder"
            prepare(folder)
            words, _ = commands(folder)[name]
            begun = time.monotonic()
            ran = subprocess.run([program, *words], capture_output=True, text=True, timeout=120)
            if ran.returncode not in (0, 1):
                raise SystemExit(f"{name} does not run: {ran.stderr}")
            whole[name] = (time.monotonic() - begun, contents(folder), ran.stdout)
            shutil.rmtree(folder)
        killed, unwritten, new, partial, lines_kept, wrong = 0, 0, 0, 0, 0, []
        for number in range(times):
            name = dice.choice(list(whole))
            seconds, after, printed = whole[name]
            folder = place / "folder"
            prepare(folder)
            before = contents(folder)
            words, _ = commands(folder)[name]
            moment = dice.random() * seconds * 1.2
            child = subprocess.Popen([program, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            time.sleep(moment)
            killed += child.poll() is None
            child.kill()
            shown = child.communicate()[0]
            found = contents(folder)
            for path in set(before) | set(after) | set(found):
                there = found.get(path)
                if there == before.get(path):
                    unwritten += there != after.get(path)
                    continue
                if there is not None and untimed(there.decode()) == untimed(after.get(path, b"").decode()):
                    new += 1
                    continue
                # Results so far: a whole document, whose verdicts are those of the whole run or none.
                text = (there or b"").decode()
                if path == "out.json":
                    say, right = verdicts(json.loads(text)), verdicts(json.loads(after[path]))
                    if all(verdict in ("unknown", right.get(key)) for key, verdict in say.items()):
                        partial += 1
                        continue
                if path == "out.xml" and text.startswith("<?xml") and text.rstrip().endswith("</testsuites>"):
                    partial += 1
                    continue
                if path == "out.jsonl":
                    all_lines = {untimed(line) for line in after[path].decode().splitlines()}
                    # Before the first verdict there is no line.
                    if (not text or text.endswith("\n")) and all(untimed(line) in all_lines for line in text.splitlines()):
                        partial += 1
                        continue
                if path == "out.txt" and after[path].decode().startswith(text):
                    partial += 1
                    continue
                if path not in after and path.rsplit("/", 1)[-1].startswith("."):
                    continue  # what was being written beside its place
                wrong.append(f"kill {number} ({name} after {moment:.3f} s): {path}: {text[:200]!r}")
            if name in ("text", "jobs"):
                lines_kept += shown.count("\n")
                if not printed.startswith(shown):
                    wrong.append(f"kill {number} ({name}): printed {shown[-200:]!r}")
            if name == "jsonl":
                right = {untimed(line) for line in printed.splitlines()}
                for line in shown.splitlines(keepends=True):
                    if line.endswith("\n"):
                        lines_kept += 1
                        if untimed(line.rstrip("\n")) not in right:
                            wrong.append(f"kill {number}: printed {line!r}")
            shutil.rmtree(folder)
    print(f"{times} runs, {killed} killed before their end: files as before {unwritten}, as they should be {new}, results so far {partial}, "
          f"printed lines that stay {lines_kept}, wrong {len(wrong)}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
