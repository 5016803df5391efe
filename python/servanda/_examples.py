"""The examples that come with the package."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from . import _native
from ._model import Model

__all__ = ["Example", "examples"]


@dataclass(frozen=True)
class Example:
    """A model that can be opened."""

    name: str
    """Its path below the directory of examples: ``netbill.pact``."""
    title: str
    about: str
    """What it is about, in a sentence."""
    language: str
    group: str
    """``protocols`` that people use, models of the ``papers``, or ``language``: one construct each."""

    @cached_property
    def texts(self) -> dict[str, str]:
        """Its text and those that it needs, by their paths; its own is the first."""
        return dict(_native.example_texts(self.name))

    @property
    def text(self) -> str:
        """Its text."""
        return self.texts[self.name]

    @property
    def path(self) -> Path:
        """A copy of its file, beside which lies what it needs; it is gone when Python ends."""
        directory = _directory()
        for name, text in self.texts.items():
            file = directory / name
            if not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8", newline="")
        return directory / self.name

    def model(self, *, params: Mapping[str, int] | None = None, process: str | None = None) -> Model:
        """Reads it: see :meth:`Model.from_file`."""
        return Model.from_file(self.path, params=params, process=process)


@cache
def _directory() -> Path:
    directory = tempfile.mkdtemp(prefix="servanda-examples-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)


def examples() -> dict[str, Example]:
    """The examples that come with the package, by name: ``examples()["netbill.pact"].model().check()``."""
    return {told[0]: Example(*told) for told in _native.examples()}
