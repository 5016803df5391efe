"""What the native module takes: dictionaries with all their entries."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, TypeAlias, TypedDict

from ._progress import Listener, Watching, listening

Language: TypeAlias = Literal["pact", "ispl", "ccs", "aut"]
Engine: TypeAlias = Literal["auto", "enumerate", "tableau", "bdd", "sat", "cluster"]
Level: TypeAlias = Literal["must", "should", "may"]
Acts: TypeAlias = Literal["actl", "scctl", "ctlca"]
Past: TypeAlias = Literal["reachable", "all"]
Uniform: TypeAlias = Literal["objective", "subjective"]
Validity: TypeAlias = Literal["initial", "reachable"]
Deadlock: TypeAlias = Literal["loop", "strict", "error"]


class Reading(TypedDict):
    """How a text is read."""

    language: str | None
    params: list[tuple[str, int]]
    process: str | None
    acts: str | None


class Settings(TypedDict):
    """How properties are decided."""

    engine: str | None
    threads: int | None
    bound: int | None
    evidence: bool
    count: bool
    statistics: bool
    level: str | None
    acts: str | None
    past: str | None
    validity: str | None
    deadlock: str | None
    uniform: str | None
    recall: int | None


class Limits(TypedDict):
    """When to give up, and who is told how far the work has come."""

    timeout: float | None
    memory: int | None
    progress: Listener | None


class Terms(TypedDict):
    """How the labels of an agent and of its protocol are read."""

    role: str | None
    own: list[str]
    hide: list[str]
    rename: list[str]


class Judging(TypedDict):
    """What logs are judged by, and how."""

    library: str | None
    source: str | None
    mapping: tuple[str, str | None] | None
    params: list[tuple[str, int]]
    after: str | None
    seen_by: str | None
    view: str | None
    level: str | None
    max_keys: int | None
    max_sets: int | None
    skip_bad_lines: bool
    verdicts: bool
    log: str


_UNITS = {"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def bytes_of(memory: int | str | None) -> int | None:
    """``2_000_000``, ``"512M"`` and ``"8G"`` as bytes."""
    if memory is None or isinstance(memory, int):
        if isinstance(memory, bool) or (memory is not None and memory < 0):
            raise ValueError(f"memory: {memory!r} is no amount of memory")
        return memory
    number = memory.strip().rstrip("BbKkMmGgTt")
    unit = memory.strip()[len(number) :].upper()
    unit = unit[0] if len(unit) == 2 and unit.endswith("B") else unit
    try:
        return int(float(number) * _UNITS[unit])
    except (KeyError, ValueError, OverflowError):
        raise ValueError(f'memory: {memory!r} is no amount of memory, such as 2_000_000, "512M" or "8G"') from None


@contextmanager
def limits(timeout: float | None, memory: int | str | None, progress: Watching) -> Iterator[Limits]:
    """The limits of one call, and while it lasts the bar where one is wanted."""
    seconds = None if timeout is None or timeout == math.inf else float(timeout)
    most = bytes_of(memory)
    with listening(progress, "servanda") as listener:
        yield Limits(timeout=seconds, memory=most, progress=listener)
