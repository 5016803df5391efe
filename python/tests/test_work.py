"""Long work: other threads run meanwhile, limits are kept, Ctrl-C ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from servanda import Model, Progress, Undecided, Verdict, _native

# Two hundred million states, of which explicit engines find a few million in a second.
LARGE = """\
protocol Large
roles A
param N = 9
var x[1..N] : 0..7 = 0
start s
for i in 1..N { s -- A: up[i] when x[i] < 7 set x[i] = x[i] + 1 --> s }
property low = AG !(all i in 1..N : x[i] = 7)
"""


def large() -> Model:
    return Model.from_text(LARGE)


def test_other_threads_run_meanwhile() -> None:
    counted, ended = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        report = large().check(engine="enumerate", evidence=False, timeout=1.5)
    finally:
        ended.set()
        thread.join()
    assert report[0].verdict is Verdict.UNKNOWN
    # With the lock held it would be a handful at most.
    assert counted > 100


def test_a_time_limit_is_kept() -> None:
    before = time.monotonic()
    report = large().check(engine="enumerate", timeout=0.3)
    assert time.monotonic() - before < 5
    assert report[0].reason == "the time limit was reached"
    size = report.size
    assert size is not None and not size.complete and (size.seen or 0) > 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory a process holds")
def test_a_memory_limit_is_kept() -> None:
    size = large().size(engine="enumerate", memory="80M", timeout=60)
    assert size.reason == "the memory limit was reached"


def test_progress_is_told_and_may_end_the_work() -> None:
    told: list[Progress] = []
    large().size(engine="enumerate", timeout=1.2, progress=told.append)
    assert 2 <= len(told) <= 13
    assert told[-1].states > told[0].states > 0 and told[-1].seconds > told[0].seconds
    assert "states=" in repr(told[0])

    class Enough(Exception):
        pass

    def stop(progress: Progress) -> None:
        raise Enough

    before = time.monotonic()
    with pytest.raises(Enough):
        large().size(engine="enumerate", progress=stop)
    assert time.monotonic() - before < 5


# Whether a large prime is a product of two numbers: four thousand million initial states, and no engine sees through it.
HARD = """\
protocol Factors
roles A
var x, y : 2..65535
var found : bool = false
start s
s -- A: look when x * y = 2147483647 set found = true --> t
property prime = AG !found
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent in another way there")
@pytest.mark.parametrize("engine", ["auto", "enumerate", "tableau", "bdd", "sat"])
def test_ctrl_c_ends_a_check_within_a_second(engine: str) -> None:
    script = f"""
import os, signal, threading, time
from servanda import Model
model, sent = Model.from_text({HARD!r}), []
def send():
    time.sleep(1)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    model.check(engine={engine!r}, evidence=False)
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert float(done.stdout) < 1, done


def test_a_panic_is_an_exception_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    from servanda import InternalError

    with pytest.raises(InternalError, match="please report it"):
        _native._panic()
    assert capfd.readouterr() == ("", "")


def test_many_threads_at_once() -> None:
    model = Model.from_text(LARGE, params={"N": 3})
    found: list[int | None] = []
    threads = [threading.Thread(target=lambda: found.append(model.size().states)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [512] * 8


def test_what_was_not_found_in_time_is_an_exception_where_there_is_no_verdict() -> None:
    with pytest.raises(Undecided, match="time limit"):
        list(large().states(timeout=0.2))
    assert os.getpid() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
