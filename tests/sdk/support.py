"""What the tests share: the program under test, its findings, and ports that are free."""

import asyncio
import contextlib
import json
import logging
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
# So long anything may take that usually takes a moment; machines that test are busy.
PATIENCE = 60


def servanda():
    """The program under test: `SERVANDA`, or what was built here."""
    built = HERE.parent.parent / "target" / "debug" / "servanda"
    path = pathlib.Path(os.environ.get("SERVANDA", built))
    if not path.is_file():
        raise RuntimeError(f"{path} is no program: build it, or name it in SERVANDA")
    return str(path)


def program(name, *arguments):
    """A command that runs one of our programs."""
    return [sys.executable, str(PROGRAMS / name), *map(str, arguments)]


def brief(finding):
    """What is compared of a finding: where, how bad, which rule."""
    return (finding["at"]["line"] if finding["at"] else None, finding["level"], finding["view"], finding["code"])


def findings_in(text):
    """The findings among the lines of a text; servers may complain between them."""
    found = []
    for line in text.split("\n"):
        if line.startswith('{"type":"finding"'):
            found.append(json.loads(line))
    return found


def audit(log, library, *options):
    """The exit status and the findings of an audit."""
    command = [servanda(), "audit", str(log), "--library", library, "--format", "jsonl", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{command}: {done.returncode}\n{done.stderr}")
    return done.returncode, findings_in(done.stdout)


def records(log):
    return [json.loads(line) for line in pathlib.Path(log).read_text().rstrip("\n").split("\n")]


def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1]


def wait_until(is_so, what):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited in vain until {what}")
        time.sleep(0.02)


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextlib.contextmanager
def running(command, **options):
    """A program that is ended at the end, gently first."""
    child = subprocess.Popen(command, **options)
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


class Proxy:
    """`servanda proxy` before a port, with what it says and records."""

    def __init__(self, folder, target, library, *options):
        self.log = folder / "proxy.jsonl"
        self.said = folder / "proxy.err"
        self.library = library
        self.command = [servanda(), "proxy", "--target", f"http://127.0.0.1:{target}", "--library", library]
        self.command += ["--log", str(self.log), "--format", "jsonl", *options]

    def __enter__(self):
        self.errors = open(self.said, "wb")
        self.child = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=self.errors)
        line = self.child.stdout.readline().decode()
        found = re.match(r"http://127\.0\.0\.1:(\d+) ->", line)
        if not found:
            self.__exit__()
            raise AssertionError(f"{self.command}: {line!r} {self.said.read_text()}")
        self.port = int(found.group(1))
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Asks it to end; its exit status."""
        if self.child.poll() is None:
            self.child.terminate()
        status = self.child.wait(PATIENCE)
        self.child.stdout.close()
        self.errors.close()
        return status

    def findings(self):
        """What it found as things passed; call after its end."""
        return findings_in(self.said.read_text())


class Case(unittest.TestCase):
    """A test with a folder of its own, in which audits afterwards say what was said as things passed."""

    def setUp(self):
        # The SDKs complain of rude servers, as they should.
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check_findings(self, live, log, library, expected, *options):
        """`expected`: level, view and code of each finding, in order."""
        status, later = audit(log, library, *options)
        told = "".join(f"\n{it.get('message')}: {it['at']}" for it in live) + f"\n{pathlib.Path(log).read_text()}"
        self.assertEqual([it[1:] for it in map(brief, live)], expected, told if live else None)
        self.assertEqual(list(map(brief, live)), list(map(brief, later)), "live, and audited afterwards")
        self.assertEqual(status, 1 if expected else 0)

    def run_async(self, coroutine):
        async def bounded():
            return await asyncio.wait_for(coroutine, PATIENCE)

        return asyncio.run(bounded())
