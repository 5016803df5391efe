"""Recorded conversations judged against protocols."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from . import _native, _show
from ._evidence import Place
from ._findings import Finding
from ._settings import Judging, Level

__all__ = ["Audit", "AuditFinding", "AuditVerdict", "Auditor", "LibraryEntry", "LogLine", "audit", "library"]

Line: TypeAlias = str | bytes | Mapping[str, Any]

_CHUNK = 1 << 20


@dataclass(frozen=True)
class LogLine:
    """A line of a log."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def _line(data: Mapping[str, Any] | None) -> LogLine | None:
    return None if data is None else LogLine(data["file"], data["line"])


class AuditFinding(_show.Drawn):
    """One thing that was found in a log."""

    def __init__(self, native: _native.AuditFound) -> None:
        self._native = native
        data: dict[str, Any] = json.loads(native.json())
        self._data = data
        self.kind: str = data["kind"]
        """``not-possible``, ``property``, ``commitment``, ``unmatched``, ``late-line``, ``bad-line`` or ``limit``."""
        self.level: str = data["level"]
        """``must``, ``should`` or ``may``."""
        self.certain: bool = data["certain"]
        """Would no other order of the senders' lines be all right?"""
        self.counts: bool = native.counts
        """Is it of the level asked for, and certain?"""
        self.code: str = data["code"]
        """The name of the property or of the commitment, otherwise of the kind."""
        self.message: str = data["message"]
        self.citation: str | None = data["citation"]
        """The place in a specification that says so."""
        self.at: LogLine | None = _line(data["at"])
        """The line; ``None``: the end of the log."""
        self.since: LogLine | None = _line(data["since"])
        self.view: str | None = data["view"]
        self.key: tuple[str, ...] = tuple(data["key"])
        """The slice of the log."""
        self.labels: tuple[str, ...] = tuple(data["labels"])
        """What the line meant."""
        self.possible: dict[str | None, list[str]] = {one["role"]: one["labels"] for one in data["possible"]}
        """What was possible instead, by role."""
        explanation = data["explanation"]
        self.explanation: str | None = None if explanation is None else explanation["text"]
        """What would have put it in order."""
        self.steps: list[tuple[LogLine, str]] = [
            (LogLine(step["file"], step["line"]), step["label"]) for step in data["steps"]
        ]
        """The last steps of the slice, oldest first."""

    @property
    def rule(self) -> Place | None:
        """Where the rule stands that was broken."""
        rule = self._data["rule"]
        place = None if rule is None else rule["location"]
        if place is None:
            return None
        return Place(*(place[key] for key in ("file", "line", "column", "end_line", "end_column")))

    def draw(self, form: Literal["text", "svg", "mermaid", "html"] = "text", *, width: int = 100) -> str:
        """The slice as a chart; empty where the finding is about none."""
        return self._native.draw(form, width) or ""

    def _repr_html_(self) -> str:
        return _show.audit_finding(self)

    def _repr_svg_(self) -> str:
        return _show.fitting(self.draw("svg"))

    def to_dict(self) -> dict[str, Any]:
        """The finding as ``servanda audit --format jsonl`` has it."""
        return dict(self._data)

    def __str__(self) -> str:
        where = "at the end" if self.at is None else str(self.at)
        return f"{where}: {self.level} [{self.code}]: {self.message}"

    def __repr__(self) -> str:
        return f"AuditFinding({self.code!r}, at={self.at}, {self.message!r})"


@dataclass(frozen=True)
class AuditVerdict:
    """What became of a property or of a commitment in a slice of the log."""

    view: str
    key: tuple[str, ...]
    """The slice."""
    name: str
    """The property or the commitment."""
    verdict: str
    """``true``, ``false``, ``open``; of a commitment ``kept``, ``broken``, ``owed``, ``released``, ``claimed``."""
    level: str
    at: LogLine | None
    """The line that decided it; ``None``: the end of the log."""
    debtor: str | None = None
    creditor: str | None = None

    @classmethod
    def _of(cls, line: str) -> AuditVerdict:
        data = json.loads(line)
        parties = data.get("parties") or {}
        return cls(
            data["view"],
            tuple(data["key"]),
            data["name"],
            data["verdict"],
            data["level"],
            _line(data["at"]),
            parties.get("debtor"),
            parties.get("creditor"),
        )


class Audit(_show.Shown):
    """What an audit has found, all together."""

    def __init__(self, findings: Iterable[AuditFinding], verdicts: Iterable[AuditVerdict], summary: str) -> None:
        self.findings: list[AuditFinding] = list(findings)
        self.verdicts: list[AuditVerdict] = list(verdicts)
        """What was decided, where that was asked for."""
        self._data: dict[str, Any] = json.loads(summary)
        self.lines: int = self._data["lines"]
        self.bad_lines: int = self._data["bad_lines"]
        self.slices: int = self._data["slices"]
        self.open: int = self._data["open"]
        """How many verdicts stayed open."""
        self.fitness: float = self._data["fitness"]
        """How well the log fits the protocols: 1 where nothing had to be changed."""
        self.owed: dict[str, int] = {one["debtor"]: one["commitments"] for one in self._data["owed"]}
        """How many commitments are still owed, by debtor."""
        self.ended: str | None = self._data["ended"]
        """Why the log was not judged, or not wholly."""

    @property
    def ok(self) -> bool | None:
        """Is nothing wrong of the level asked for? ``None`` where that is not known: a line cannot be read, nothing was judged."""
        ok: bool | None = self._data["ok"]
        return ok

    @property
    def passed(self) -> bool:
        """Is it known that nothing is wrong?"""
        return self.ok is True

    def _repr_html_(self) -> str:
        return _show.audit(self)

    def to_dict(self) -> dict[str, Any]:
        """The summary as ``servanda audit --format jsonl`` has it."""
        return dict(self._data)

    def __bool__(self) -> bool:
        raise TypeError("an audit is no truth value; ask `passed`")

    def __str__(self) -> str:
        what = {True: "in order", False: "not in order", None: f"undecided: {self.ended or 'a line cannot be read'}"}
        return "\n".join([*map(str, self.findings), f"{self.lines} lines, {what[self.ok]}"])

    def __repr__(self) -> str:
        return f"<Audit of {self.lines} lines, {len(self.findings)} findings, ok={self.ok}>"


class Auditor:
    """Judges a log as it comes.

    >>> auditor = Auditor(library="mcp/2025-11-25")
    >>> for line in open("session.jsonl"):
    ...     for finding in auditor.feed(line):
    ...         print(finding)
    >>> auditor.finish().passed
    """

    def __init__(
        self,
        library: str | None = None,
        *,
        source: str | None = None,
        mapping: str | os.PathLike[str] | None = None,
        params: Mapping[str, int] | None = None,
        level: Level = "should",
        after: Literal["stop", "skip", "resync"] = "resync",
        seen_by: str | None = None,
        view: str | None = None,
        max_keys: int | None = None,
        max_sets: int | None = None,
        skip_bad_lines: bool = False,
        verdicts: bool = False,
        log: str = "<log>",
    ) -> None:
        """Prepares to judge.

        :param library: the entry of the library that says how: see :func:`library`
        :param source: how the log was taken, where the entry knows several ways: ``stdio``, ``http``, ``otlp``
        :param mapping: instead of an entry, a mapping: a path, or a text (what has several lines is one)
        :param params: values of parameters of the models
        :param level: the least level at which a finding counts
        :param after: what becomes of a slice after a line that is not possible
        :param seen_by: the role whose part of the log counts
        :param view: the only view that is followed
        :param max_keys: how many keys each view and each table may have
        :param max_sets: how many sets of states each view may have
        :param skip_bad_lines: whether lines that cannot be read are passed over
        :param verdicts: whether verdicts are kept: see :meth:`verdicts`
        :param log: what the log is called in findings
        :raises InputError: the library has no such entry; all that is wrong with the mapping and its models
        """
        if (library is None) == (mapping is None):
            raise TypeError("either an entry of the library or a mapping says how a log is judged")
        named: tuple[str, str | None] | None = None
        if mapping is not None:
            is_text = isinstance(mapping, str) and "\n" in mapping
            named = ("<mapping>", str(mapping)) if is_text else (os.fspath(mapping), None)
        self._native = _native.Auditor(
            Judging(
                library=library,
                source=source,
                mapping=named,
                params=list((params or {}).items()),
                after=after,
                seen_by=seen_by,
                view=view,
                level=level,
                max_keys=max_keys,
                max_sets=max_sets,
                skip_bad_lines=skip_bad_lines,
                verdicts=verdicts,
                log=log,
            )
        )
        self._text = self._native.text
        self._found: list[AuditFinding] = []
        self._decided: list[AuditVerdict] = []

    @property
    def notes(self) -> list[Finding]:
        """Warnings and notes about the mapping and its models."""
        return self._native.notes()

    def feed(self, data: Line | Iterable[Line]) -> list[AuditFinding]:
        """Judges more of the log, and gives what is found.

        A text holds whole lines, one or many. Bytes are a piece as it comes from a file or a socket: what stands after the last line's end is
        kept until more comes. A mapping is a record, written as JSON. Of anything else that can be gone through each item is a line, or a
        record. Many lines at once cost less than each by itself, and other Python threads run meanwhile.
        """
        if isinstance(data, str):
            found = self._text(data)
        elif isinstance(data, (bytes, bytearray, memoryview)):
            found = self._native.chunk(bytes(data))
        elif isinstance(data, Mapping):
            found = self._text(json.dumps(data))
        else:
            found = self._native.lines([json.dumps(line) if isinstance(line, Mapping) else line for line in data])
        return self._tell(found) if found else []

    def _tell(self, found: list[_native.AuditFound]) -> list[AuditFinding]:
        told = [AuditFinding(one) for one in found]
        self._found += told
        return told

    async def follow(self, log: AsyncIterable[Line | Iterable[Line]]) -> AsyncIterator[AuditFinding]:
        """Gives what is found in a log that comes as it comes: ``async for finding in auditor.follow(stream)``.

        The items are what :meth:`feed` takes. The log is not over with the stream: say so with :meth:`finish`.
        """
        async for data in log:
            for finding in self.feed(data):
                yield finding

    @property
    def findings(self) -> list[AuditFinding]:
        """All that was found so far."""
        return list(self._found)

    @property
    def verdicts(self) -> list[AuditVerdict]:
        """What was decided so far of properties and commitments, slice by slice; empty unless verdicts were asked for."""
        self._decided += map(AuditVerdict._of, self._native.verdicts())
        return list(self._decided)

    def finish(self, *, complete: bool = False) -> Audit:
        """The log is over; with ``complete`` it is whole, and what is open is judged on the runs that stand still."""
        self._tell(self._native.finish(complete))
        return Audit(self._found, self.verdicts, self._native.summary())

    def summary(self) -> Audit:
        """What was found so far; the log goes on."""
        return Audit(self._found, self.verdicts, self._native.summary())


def audit(
    log: str | os.PathLike[str] | Iterable[Line],
    library: str | None = None,
    *,
    mapping: str | os.PathLike[str] | None = None,
    complete: bool = False,
    source: str | None = None,
    params: Mapping[str, int] | None = None,
    level: Level = "should",
    after: Literal["stop", "skip", "resync"] = "resync",
    seen_by: str | None = None,
    view: str | None = None,
    skip_bad_lines: bool = False,
    verdicts: bool = False,
) -> Audit:
    """Judges a whole log: a file, or lines. The arguments are those of :class:`Auditor` and of :meth:`Auditor.finish`."""
    auditor = Auditor(
        library,
        mapping=mapping,
        source=source,
        params=params,
        level=level,
        after=after,
        seen_by=seen_by,
        view=view,
        skip_bad_lines=skip_bad_lines,
        verdicts=verdicts,
        log=os.fspath(log) if isinstance(log, (str, os.PathLike)) else "<log>",
    )
    if isinstance(log, (str, os.PathLike)):
        with open(log, "rb") as file:
            while chunk := file.read(_CHUNK):
                auditor.feed(chunk)
    else:
        auditor.feed(log)
    return auditor.finish(complete=complete)


@dataclass(frozen=True)
class LibraryEntry:
    """A protocol that logs can be judged by."""

    name: str
    """What it is called: ``mcp/2025-11-25``."""
    version: str
    """The version of the protocol; empty where there are none."""
    title: str
    about: str
    """What it is good for."""
    sources: tuple[str, ...]
    """How logs may have been taken, the most usual way first."""
    page: str
    """Every rule with its level and where it stands, in Markdown."""

    @property
    def texts(self) -> dict[str, str]:
        """Its files by their paths: models, mappings, page and recordings."""
        return dict(_native.library_texts(self.name))


def library() -> dict[str, LibraryEntry]:
    """The protocols that logs can be judged by, by name."""
    entries = _native.library()
    return {
        name: LibraryEntry(name, version, title, about, tuple(sources), page)
        for name, version, title, about, sources, page in entries
    }
