"""What the page about Python shows is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
_BLOCK = re.compile(r"^(?:<!-- pytest: (?P<file>\S+) -->\n)?```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str | None, int, str]]:
    text = PAGE.read_text(encoding="utf-8")
    return [(one["file"], text.count("\n", 0, one.start("code")), one["code"]) for one in _BLOCK.finditer(text)]


def test_the_page_from_top_to_bottom() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("networkx")
    plain = [(line, code) for file, line, code in blocks() if file is None]
    assert len(plain) >= 10
    names: dict[str, Any] = {"__name__": "page"}
    for line, code in plain:
        # Lines are counted as on the page.
        exec(compile("\n" * line + code, str(PAGE), "exec"), names)


def test_tests_of_the_page(pytester: pytest.Pytester) -> None:
    files = {file: code for file, _, code in blocks() if file is not None}
    assert files
    for file, code in files.items():
        pytester.path.joinpath(file).write_text(code, encoding="utf-8")
    pytester.runpytest().assert_outcomes(passed=sum(code.count("def test_") for code in files.values()))
