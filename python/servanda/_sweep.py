"""One model under many parameters."""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._errors import ServandaError, missing
from ._model import Model
from ._progress import counting, in_words
from ._report import Report
from ._settings import Engine, Language

if TYPE_CHECKING:
    import pandas

__all__ = ["Subject", "SweepRow", "sweep", "sweep_rows"]

Subject: TypeAlias = "str | os.PathLike[str] | Callable[..., Model]"
"""A file, or what makes a model of parameters."""

_MEASURED = ("outcome", "states", "transitions", "deadlocks", "seconds", "peak_memory_bytes", "reason", "error")


@dataclass(frozen=True)
class SweepRow:
    """One setting of the parameters, and what was found."""

    params: Mapping[str, int]
    outcome: Literal["wanted", "unwanted", "undecided", "invalid"]
    """How it ended; ``invalid``: the input has no meaning, see :attr:`error`."""
    verdicts: Mapping[str, bool | None]
    """The verdict of each property; ``None``: not decided."""
    states: int | None
    transitions: int | None
    deadlocks: int | None
    seconds: float
    """The time for reading and deciding."""
    peak_memory_bytes: int | None
    """The most that the process held meanwhile; where the system cannot tell that, the most it ever held."""
    reason: str | None
    """Why something was not decided."""
    error: str | None
    """What is wrong with the input."""
    report: Report | None
    """All of it."""


def sweep_rows(
    model: Subject,
    params: Mapping[str, Iterable[int]],
    formulas: Iterable[str] | Mapping[str, str] | None = None,
    *,
    properties: Iterable[str] | None = None,
    engine: Engine = "auto",
    timeout: float | None = None,
    memory: int | str | None = None,
    language: Language | None = None,
    process: str | None = None,
    progress: bool = False,
) -> Iterator[SweepRow]:
    """Checks a model under all settings of its parameters, one after the other, and gives each row as soon as it is known.

    The arguments are those of :func:`sweep`. Rows that fail do not end it.
    """
    names = list(params)
    settings = [dict(zip(names, values, strict=True)) for values in itertools.product(*params.values())]
    asked = _asked(formulas, properties)
    what = None if formulas is None and properties is None else [text for _, text in asked]

    def rows() -> Iterator[SweepRow]:
        with counting(progress, len(settings), "sweep") as (advance, tell):
            for setting in settings:
                told = ", ".join(f"{name}={value}" for name, value in setting.items())
                tell(told)

                def listen(far: Any, told: str = told) -> None:
                    tell(f"{told}: {in_words(far)}")

                def read(setting: dict[str, int] = setting) -> Model:
                    if callable(model):
                        return model(**setting)
                    return Model.from_file(model, params=setting, language=language, process=process)

                def decide(read: Callable[[], Model] = read) -> Report:
                    return read().check(
                        what,
                        engine=engine,
                        evidence=False,
                        count=True,
                        timeout=timeout,
                        memory=memory,
                        progress=listen if progress else None,
                    )

                yield _row(setting, asked, decide)
                advance()

    return rows()


def _asked(
    formulas: Iterable[str] | Mapping[str, str] | None, properties: Iterable[str] | None
) -> list[tuple[str | None, str]]:
    """What is asked, with the names that are to be used; nothing: everything that is declared."""
    if isinstance(formulas, str):
        formulas = [formulas]
    named: list[tuple[str | None, str]] = [(name, name) for name in properties or ()]
    if isinstance(formulas, Mapping):
        return named + list(formulas.items())
    return named + [(None, text) for text in formulas or ()]


def _row(params: dict[str, int], asked: list[tuple[str | None, str]], decide: Callable[[], Report]) -> SweepRow:
    _forget_peak()
    begun = time.perf_counter()
    report, error = None, None
    try:
        report = decide()
    except ServandaError as wrong:
        error = str(wrong)
    took = time.perf_counter() - begun
    verdicts: dict[str, bool | None] = {}
    reasons = []
    for index, result in enumerate(() if report is None else report):
        given, text = asked[index] if asked else (None, result.name)
        name = given or text
        decided = result.as_wanted is not None
        verdicts[name] = bool(result.verdict) if decided else None
        if not decided:
            reasons.append(f"{name}: {result.reason}")
    size = None if report is None else report.size
    if size is not None and size.reason:
        reasons.append(f"states: {size.reason}")
    return SweepRow(
        params=params,
        outcome="invalid" if report is None else report.status,
        verdicts=verdicts,
        states=None if size is None else size.states,
        transitions=None if size is None else size.transitions,
        deadlocks=None if size is None else size.deadlocks,
        seconds=took,
        peak_memory_bytes=_peak(),
        reason="; ".join(reasons) or None,
        error=error,
        report=report,
    )


def sweep(
    model: Subject,
    params: Mapping[str, Iterable[int]],
    formulas: Iterable[str] | Mapping[str, str] | None = None,
    *,
    properties: Iterable[str] | None = None,
    engine: Engine = "auto",
    timeout: float | None = None,
    memory: int | str | None = None,
    language: Language | None = None,
    process: str | None = None,
    progress: bool = False,
) -> pandas.DataFrame:
    """Checks a model under all settings of its parameters: ``sweep("auction.pact", {"N": range(2, 8)})``.

    The frame has a row for each setting, with the columns of the parameters, ``outcome`` (``wanted``, ``unwanted``, ``undecided``,
    ``invalid``), ``states``, ``transitions``, ``deadlocks``, ``seconds``, ``peak_memory_bytes``, ``reason`` (why something was not decided),
    ``error`` (what is wrong with the input), and one for each property, in which what was not decided is missing. A column whose name is taken
    is called ``property NAME``. What fails in one row does not end the others. To have rows while others are still decided use
    :func:`sweep_rows`.

    :param model: a file, or a function that makes a model of the parameters
    :param params: the values of each parameter; all combinations are tried, the last one changes fastest
    :param formulas: formulas to decide, by name if they are a mapping
    :param properties: properties to decide; without any, and without formulas, all that the model declares
    :param timeout: seconds for each row
    :param memory: how much more than before each row may take: bytes, or ``"512M"``, ``"8G"``
    :param progress: a bar, where ``tqdm`` or ``rich`` is installed
    :raises ImportError: pandas is not installed
    """
    try:
        import pandas
    except ImportError as error:
        raise missing("pandas", "sweeps as frames", "pandas") from error
    rows = list(
        sweep_rows(
            model,
            params,
            formulas,
            properties=properties,
            engine=engine,
            timeout=timeout,
            memory=memory,
            language=language,
            process=process,
            progress=progress,
        )
    )
    columns: dict[str, Any] = {name: pandas.array([row.params[name] for row in rows], dtype="Int64") for name in params}

    def add(name: str, column: Any) -> None:
        columns[f"property {name}" if name in columns else name] = column

    for name in _MEASURED:
        values = [getattr(row, name) for row in rows]
        # Larger numbers than a machine word are kept as Python has them.
        is_count = name in ("states", "transitions", "deadlocks", "peak_memory_bytes")
        fits = all(value is None or value < 2**63 for value in values) if is_count else False
        add(name, pandas.array(values, dtype="Int64") if fits else pandas.Series(values, dtype=_dtype(name, is_count)))
    properties_seen = dict.fromkeys(name for row in rows for name in row.verdicts)
    for name in properties_seen:
        add(name, pandas.array([row.verdicts.get(name) for row in rows], dtype="boolean"))
    return pandas.DataFrame(columns)


def _dtype(name: str, is_count: bool) -> str:
    return "float64" if name == "seconds" else "object" if is_count else "string"


def _forget_peak() -> None:
    """Begins to look anew for the most that the process holds. Linux only."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _peak() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(status.split("VmHWM:", 1)[1].split()[0]) * 1024
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
