"""What Python costs. These need a build with optimisation, which `pip install` makes; where others are at work they measure again."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from servanda import Auditor, Model, _native


def cost(text: str, clock: Callable[[], float]) -> float:
    """Seconds that Python takes longer than Rust alone to load a text and to check it."""

    def least(work: Callable[[], object]) -> float:
        measured = []
        for _ in range(30):
            before = clock()
            work()
            measured.append(clock() - before)
        return min(measured)

    python = least(lambda: Model.from_text(text, name="pnaws.pact").check(evidence=False))
    return python - least(lambda: _native._measure(text))


def test_checking_from_python_costs_at_most_two_milliseconds(examples: Path) -> None:
    text = (examples / "pnaws.pact").read_text()
    worked = min(cost(text, time.process_time) for _ in range(3))
    assert worked < 0.002, worked
    # Where others are at work, whoever waits for another thread waits for these too.
    if hasattr(os, "getloadavg") and os.getloadavg()[0] < (os.cpu_count() or 1) / 2:
        passed = min(cost(text, time.perf_counter) for _ in range(3))
        assert passed < 0.002, passed


def session(lines: int) -> list[str]:
    """MCP over standard streams, about 250 bytes a line."""
    begin: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"id": 1, "result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}},
        {"method": "notifications/initialized"},
    ]
    made: list[str] = []

    def add(number: int, sender: str, message: dict[str, object]) -> None:
        record = {"t": number / 100, "session": "s1", "from": sender, "msg": {"jsonrpc": "2.0", **message}}
        made.append(json.dumps(record, separators=(",", ":")))

    for number, message in enumerate(begin):
        add(number, "server" if "result" in message else "client", message)
    text = "x" * 110
    for number in range(2, lines // 2 + 1):
        arguments = {"name": "build", "arguments": {"path": text}}
        add(number, "client", {"id": number, "method": "tools/call", "params": arguments})
        add(number, "server", {"id": number, "result": {"content": [{"type": "text", "text": text}], "isError": False}})
    return made


@pytest.mark.parametrize("way", ["each", "batches", "bytes"])
def test_a_million_lines_in_less_than_four_seconds(way: str) -> None:
    lines = session(20_000)
    assert 200 < sum(map(len, lines)) / len(lines) < 280
    text = "\n".join(lines).encode() + b"\n"

    def work() -> float:
        auditor = Auditor("mcp/2025-11-25")
        before = time.process_time()
        if way == "each":
            for line in lines:
                auditor.feed(line)
        elif way == "batches":
            auditor.feed(lines)
        else:
            for at in range(0, len(text), 1 << 16):
                auditor.feed(text[at : at + (1 << 16)])
        seconds = time.process_time() - before
        judged = auditor.finish()
        assert judged.lines == len(lines) and judged.passed, judged
        return seconds / len(lines) * 1e6

    measured = [work() for _ in range(5)]
    assert min(measured) < 4, measured
