"""Models and projects as tests: one for each property."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from .. import InputError, Model, Result, ServandaError
from ._conform import short
from ._project import Asked, ProjectError, read, seconds

__all__ = ["ModelFile", "ProjectFile", "PropertyItem", "given_timeout"]


class Unwanted(Exception):
    """A property that is not as wanted, or not decided."""


def _shown(file: Path) -> Path:
    """The file as messages name it: from here, where it lies below."""
    here = Path.cwd()
    return file.relative_to(here) if file.is_relative_to(here) else file


class _Source(pytest.File):
    """A file that tests come from."""

    def _items(self, asked: Asked, prefix: str = "") -> Iterator[pytest.Item]:
        try:
            model = Model.from_file(_shown(asked.file), **asked.reading)
        except InputError as error:
            raise self.CollectError(str(error)) from error
        declared = [one.name for one in model.properties]
        names = declared if asked.properties is None else list(asked.properties)
        given = given_timeout(self.config)
        settings = dict(asked.settings) if given is None else {**asked.settings, "timeout": given}
        for name, what in [*((name, name) for name in names), *asked.formulas.items()]:
            wanted = asked.expect.get(name)
            yield PropertyItem.from_parent(
                self, name=prefix + name, model=model, what=what, wanted=wanted, settings=settings
            )
        if not names and not asked.formulas:
            yield NothingItem.from_parent(self, name=f"{prefix}no properties")


def given_timeout(config: pytest.Config) -> float | None:
    """The time that each property may take, if somebody says so.

    :raises pytest.UsageError: it is no time
    """
    given = config.getoption("servanda_timeout") or config.getini("servanda_timeout")
    try:
        return seconds(given) if given else None
    except ValueError as error:
        raise pytest.UsageError(f"servanda_timeout: {error}") from error


class ModelFile(_Source):
    """A model: each property that it declares."""

    def collect(self) -> Iterator[pytest.Item]:
        """The properties."""
        return self._items(Asked(self.path))


class ProjectFile(_Source):
    """A project: what it asks about each model."""

    def collect(self) -> Iterator[pytest.Item]:
        """What it asks."""
        try:
            asked = read(self.path)
        except ProjectError as error:
            raise self.CollectError(str(error)) from error
        for one in asked:
            name = os.path.relpath(one.file, self.path.parent).replace(os.sep, "/")
            params = ",".join(f"{param}={value}" for param, value in one.reading["params"].items())
            yield from self._items(one, f"{name}({params})::" if params else f"{name}::")


class PropertyItem(pytest.Item):
    """A property, or a formula, of a model."""

    def __init__(
        self, *, model: Model, what: str, wanted: bool | None, settings: Mapping[str, Any], **rest: Any
    ) -> None:
        super().__init__(**rest)
        self.model = model
        self.what = what
        self.wanted = wanted
        self.settings = settings

    def runtest(self) -> None:
        """Decides it."""
        report = self.model.check(self.what, **self.settings)
        [result] = report
        wanted = result.expected is not False if self.wanted is None else self.wanted
        self.user_properties += [("servanda_verdict", str(result.verdict)), ("servanda_engine", result.engine)]
        # What is not known is no success, whatever its level.
        if result.as_wanted is None:
            raise Unwanted(f"{self._told(result)} is unknown: {result.reason}")
        if bool(result.verdict) != wanted:
            words = f"{self._told(result)} is {result.verdict}, wanted is {str(wanted).lower()}"
            if report.counts(result) or self.wanted is not None:
                raise Unwanted("\n\n".join(filter(None, [words, short(result.draw("text"))])))
            self.warn(pytest.PytestWarning(f"{words} (level {result.level})"))
        errors = [str(finding) for finding in report.findings if finding.severity == "error"]
        if errors:
            raise Unwanted("\n\n".join(errors))

    def _told(self, result: Result) -> str:
        place = result.place
        where = self.model.file if place is None else str(place)
        return f"{where}: {self.name}: {result.formula}"

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What is wrong, without the way there."""
        if isinstance(excinfo.value, (Unwanted, ServandaError)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Where it is written."""
        return self.path, 0, f"property {self.name}"


class NothingItem(pytest.Item):
    """A model that nothing is asked about."""

    def runtest(self) -> None:
        """Says so."""
        pytest.skip("it declares no properties, and none are asked")
