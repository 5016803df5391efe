"""How far work has come, as a bar where something is there to draw one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ._native import Progress

__all__ = ["Listener", "Watching", "counting", "listening"]

Listener: TypeAlias = "Callable[[Progress], object]"
"""Who is called while engines work."""
Watching: TypeAlias = "bool | Listener | None"
"""``True``: a bar of ``tqdm``, or of ``rich``, if one of them is installed, and nothing otherwise; or who is called."""

Tell: TypeAlias = Callable[[str], None]


def in_words(progress: Progress) -> str:
    """How far the work has come, in short."""
    question = f"{progress.question}/{progress.questions}" if progress.questions > 1 else ""
    counts = [
        f"{count:,} {what}"
        for count, what in (
            (progress.states, "states"),
            (progress.transitions, "transitions"),
            (progress.nodes, "nodes"),
            (progress.lines, "lines"),
        )
        if count
    ]
    return ", ".join([*filter(None, [question]), *counts]) or "working"


@contextmanager
def listening(progress: Watching, words: str) -> Iterator[Listener | None]:
    """Who is called while one piece of work goes on."""
    if progress is None or progress is False:
        yield None
        return
    if progress is not True:
        yield progress
        return
    with counting(True, None, words) as (_, tell):
        yield lambda told: tell(in_words(told))


@contextmanager
def counting(show: bool, total: int | None, words: str) -> Iterator[tuple[Callable[[], None], Tell]]:
    """A bar over so many pieces of work: who says that one is done, and who says how far the present one has come."""
    if not show:
        yield (lambda: None), (lambda _: None)
    elif (made := _tqdm(total, words)) is not None:
        advance, tell, close = made
        try:
            yield advance, tell
        finally:
            close()
    elif (made := _rich(total, words)) is not None:
        advance, tell, close = made
        try:
            yield advance, tell
        finally:
            close()
    else:
        yield (lambda: None), (lambda _: None)


_Bar: TypeAlias = tuple[Callable[[], None], Tell, Callable[[], None]]


def _tqdm(total: int | None, words: str) -> _Bar | None:
    try:
        from tqdm import TqdmWarning
        from tqdm.auto import tqdm
    except ImportError:
        return None
    import warnings

    form = None if total is not None else "{desc} {elapsed}{postfix}"
    with warnings.catch_warnings():
        # A notebook without widgets gets a bar of characters; there is nothing that the reader should do about it.
        warnings.simplefilter("ignore", TqdmWarning)
        bar = tqdm(total=total, desc=words, bar_format=form, leave=total is not None)

    def advance() -> None:
        bar.update(1)

    def tell(told: str) -> None:
        bar.set_postfix_str(told)

    return advance, tell, bar.close


def _rich(total: int | None, words: str) -> _Bar | None:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        return None
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[told]}"))
    bar = Progress(*columns, console=Console(file=sys.stderr), transient=total is None)
    bar.start()
    task = bar.add_task(words, total=total, told="")

    def advance() -> None:
        bar.advance(task)

    def tell(told: str) -> None:
        bar.update(task, told=told)

    return advance, tell, bar.stop
