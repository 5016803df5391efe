"""Runs a program and says what it took: CPU seconds (user and system, with all that it started), the most memory, what it said."""
import os
import resource
import signal
import subprocess
import tempfile
import typing


class Run(typing.NamedTuple):
    seconds: float
    megabytes: float
    status: int
    output: str
    errors: str
    ended: bool  # by itself, within its limits


def run(command, limit=60.0, memory=8 << 30, cwd=None, env=None):
    """Runs a command for at most `limit` CPU seconds, and for many times as long on the clock, since others may want the processor."""

    def restrict():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=errors, cwd=cwd, env=env, preexec_fn=restrict
        )
        signal.signal(signal.SIGALRM, lambda *_: os.killpg(process.pid, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, 30 * limit + 5)
        try:
            _, status, used = os.wait4(process.pid, 0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        process.returncode = os.waitstatus_to_exitcode(status)

        def text(file):
            file.seek(0)
            return file.read().decode(errors="replace")

        seconds = used.ru_utime + used.ru_stime
        ended = process.returncode >= 0
        return Run(seconds, used.ru_maxrss / 1024, process.returncode, text(output), text(errors), ended)


def least(ask, again_below=2.0):
    """The cheaper of two answers, where a second one does not cost much."""
    first = ask()
    if first is None or first.seconds >= again_below:
        return first
    second = ask()
    return min(first, second, key=lambda answer: answer.seconds)
