"""The plug-in for pytest: logs that conform, properties as tests.

In a test::

    from servanda.pytest import assert_conforms

    def test_our_server(tmp_path):
        ...  # leaves a recording
        assert_conforms(tmp_path / "session.jsonl", "mcp/2025-11-25")

With ``pytest --servanda``, or ``servanda = true`` in its settings, models (``*.pact``, ``*.ispl``) and projects (``servanda.toml``) are collected,
and each property is a test. What is not decided fails, with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .. import Model
from ._conform import Recording, assert_conforms, assert_holds
from ._items import ModelFile, ProjectFile, given_timeout
from ._project import PROJECT, lists

__all__ = ["Recording", "assert_conforms", "assert_holds"]

_ENDINGS = (".pact", ".ispl")


def pytest_addoption(parser: pytest.Parser) -> None:
    """What users may say."""
    group = parser.getgroup("servanda", "properties of protocols")
    group.addoption(
        "--servanda",
        action="store_true",
        default=None,
        help="collect models and servanda.toml: a test for each property",
    )
    group.addoption("--no-servanda", action="store_false", dest="servanda", help="do not, whatever the settings say")
    group.addoption(
        "--servanda-timeout",
        metavar="TIME",
        help="give up on a property after this time: 500ms, 60s, 2m (then it fails)",
    )
    parser.addini("servanda", "collect models and servanda.toml: a test for each property", type="bool", default=False)
    parser.addini("servanda_timeout", "give up on a property after this time", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Settings without meaning are told at once."""
    given_timeout(config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Models and projects, when asked for: all of them, or one by its name."""
    is_project, is_model = file_path.name == PROJECT, file_path.suffix in _ENDINGS
    if not (is_project or is_model):
        return None
    named = parent.session.isinitpath(file_path)
    wanted = parent.config.getoption("servanda")
    if wanted is None:
        wanted = parent.config.getini("servanda")
    if not (named or wanted):
        return None
    if is_project:
        return ProjectFile.from_parent(parent, path=file_path)
    # What a project lists is tested as the project says.
    if not named and lists(file_path, parent.config.rootpath):
        return None
    return ModelFile.from_parent(parent, path=file_path)


@pytest.fixture
def servanda_model(request: pytest.FixtureRequest) -> Callable[..., Model]:
    """Reads models by paths from the directory of the test: ``servanda_model("netbill.pact", params={"N": 3})``."""

    def read(path: str | Path, **settings: Any) -> Model:
        return Model.from_file(request.path.parent / path, **settings)

    return read


@pytest.fixture
def servanda_recording() -> Iterator[Callable[..., Recording]]:
    """Begins recordings that are judged as they come: ``recording = servanda_recording("mcp/2025-11-25")``, ``recording.feed(line)``.

    The arguments are those of :class:`servanda.Auditor`. At the end of the test each one must conform.
    """
    begun: list[Recording] = []

    def begin(library: str | None = None, *, complete: bool = False, **settings: Any) -> Recording:
        recording = Recording(library, complete=complete, **settings)
        begun.append(recording)
        return recording

    yield begin
    for recording in begun:
        recording.assert_conforms()
