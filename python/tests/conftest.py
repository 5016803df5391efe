"""What tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def examples() -> Path:
    """The examples of the repository."""
    return ROOT / "examples"


@pytest.fixture
def recordings() -> Path:
    """The library of the repository, with recordings."""
    return ROOT / "library"
