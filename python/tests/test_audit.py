"""Logs judged as they come."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from servanda import Auditor, InputError, audit, library

ENTRY = "mcp/2025-11-25"


def stdio(recordings: Path, name: str) -> Path:
    return recordings / "mcp" / "2025-11-25" / "recordings" / "stdio" / name


def test_recordings_are_judged_as_they_say(recordings: Path) -> None:
    folder = stdio(recordings, "..").resolve()
    seen = 0
    for row in (folder / "expected.tsv").read_text().splitlines():
        name, line, level, view, code, *_ = row.split("\t")
        if not name.startswith("stdio/"):
            continue
        judged = audit(folder / name, ENTRY)
        if line == "-":
            assert judged.passed and not judged.findings, (name, judged)
            continue
        found = [(one.at.line if one.at else 0, one.level, one.view, one.code) for one in judged.findings]
        assert (int(line), level, view, code) in found, (name, found)
        seen += 1
    assert seen > 10


def test_every_way_to_feed_finds_the_same(recordings: Path) -> None:
    path = stdio(recordings, "never-initialized.jsonl")
    text = path.read_text()
    lines = text.splitlines()

    def told(*pieces: object) -> list[tuple[int, str]]:
        auditor = Auditor(ENTRY)
        found = [finding for piece in pieces for finding in auditor.feed(piece)]  # type: ignore[arg-type]
        assert found == auditor.findings
        assert auditor.finish().lines == len(lines)
        return [(one.at.line if one.at else 0, one.code) for one in found]

    expected = told(text)
    assert expected
    assert told(*lines) == expected
    assert told(lines) == expected
    assert told([line.encode() for line in lines]) == expected
    assert told(*(line + "\r\n" for line in lines)) == expected
    assert told(*map(json.loads, lines)) == expected
    assert told([json.loads(line) for line in lines]) == expected
    data = text.encode()
    for size in (1, 7, 100, len(data)):
        assert told(*(data[at : at + size] for at in range(0, len(data), size))) == expected
    # The last line need not have an end.
    assert told(data.rstrip(b"\n")[:-50], data.rstrip(b"\n")[-50:]) == [one for one in expected if one[0] < len(lines)]


def test_what_a_finding_says(recordings: Path) -> None:
    judged = audit(stdio(recordings, "never-initialized.jsonl"), ENTRY)
    assert judged.ok is False and not judged.passed and judged.fitness < 1
    finding = judged.findings[0]
    assert finding.kind == "not-possible" and finding.counts and finding.certain
    assert str(finding.at).endswith("never-initialized.jsonl:5") and finding.view == "session"
    assert finding.labels and finding.possible and finding.explanation
    assert finding.rule is None or finding.rule.line > 0
    assert "Client" in finding.draw() and finding.draw("svg").startswith("<svg")
    assert finding.to_dict()["code"] == finding.code
    with pytest.raises(TypeError):
        bool(judged)


def test_verdicts_slice_by_slice(recordings: Path) -> None:
    judged = audit(stdio(recordings, "good.jsonl"), ENTRY, verdicts=True, complete=True)
    assert judged.verdicts
    assert {one.verdict for one in judged.verdicts} <= {
        "true",
        "false",
        "open",
        "kept",
        "broken",
        "owed",
        "released",
        "claimed",
    }
    promised = [one for one in judged.verdicts if one.debtor is not None]
    assert all(one.creditor is not None and one.key for one in promised)


def test_async(recordings: Path) -> None:
    lines = stdio(recordings, "never-initialized.jsonl").read_text().splitlines()

    async def stream() -> AsyncIterator[str]:
        for line in lines:
            await asyncio.sleep(0)
            yield line

    async def follow() -> list[int]:
        auditor = Auditor(library=ENTRY)
        return [finding.at.line if finding.at else 0 async for finding in auditor.follow(stream())]

    assert asyncio.run(follow()) == [finding.at.line for finding in audit(lines, ENTRY).findings if finding.at]


MAPPING = """\
version = 1
[source]
format = "jsonl"
[fields]
id = "/id"
say = "/say"
[[view]]
name = "talk"
model = "talk.pact"
key = ["id"]
event = [
  { when = 'say = "ask"', label = "Ann: ask" },
  { when = 'say = "answer"', label = "Bob: answer" },
]
"""


def test_a_mapping_of_one_s_own(tmp_path: Path) -> None:
    (tmp_path / "talk.pact").write_text(
        "protocol Talk\nroles Ann, Bob\nstart s\ns -- Ann: ask --> t\nt -- Bob: answer --> s\n"
    )
    path = tmp_path / "talk.audit.toml"
    path.write_text(MAPPING)
    auditor = Auditor(mapping=path)
    assert auditor.feed({"id": 1, "say": "ask"}) == []
    [finding] = auditor.feed({"id": 1, "say": "ask"})
    assert finding.key == ("1",) and finding.at is not None and finding.at.line == 2
    assert not auditor.finish().passed
    path.write_text(MAPPING.replace('say = "answer"', 'sya = "answer"'))
    with pytest.raises(InputError) as caught:
        Auditor(mapping=path)
    assert (caught.value.findings[0].line, caught.value.findings[0].suggestion) == (13, "say")


def test_what_cannot_be() -> None:
    with pytest.raises(InputError, match="did you mean mcp/2025-11-25"):
        Auditor("mcp/2025-11-26")
    with pytest.raises(TypeError):
        Auditor()
    with pytest.raises(ValueError, match="view"):
        Auditor(ENTRY, view="sesion")
    auditor = Auditor(ENTRY)
    [bad] = auditor.feed("{")
    assert bad.kind == "bad-line"
    assert auditor.finish().ok is None
    with pytest.raises(ValueError, match="finished"):
        auditor.feed("{}")
    nothing = Auditor(ENTRY)
    nothing.feed("\n")
    judged = nothing.finish()
    assert judged.ok is None and judged.ended is not None and "nothing was judged" in judged.ended
    assert Auditor(ENTRY, skip_bad_lines=True).feed("{") == []


def test_threads_share_an_auditor(recordings: Path) -> None:
    lines = stdio(recordings, "good.jsonl").read_text().splitlines()
    auditor = Auditor(ENTRY)
    threads = [threading.Thread(target=lambda: [auditor.feed(lines * 50) for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert auditor.finish().lines == 4 * 10 * 50 * len(lines)


def test_the_library() -> None:
    entry = library()[ENTRY]
    assert entry.sources[0] == "stdio" and entry.title and entry.about and entry.page.startswith("#")
    assert any(path.endswith(".pact") for path in entry.texts)
