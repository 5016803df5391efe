"""The notebooks run from top to bottom, and are stored without what they print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["1-first-protocol", "2-case-studies", "3-auditing-mcp"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_nothing_is_stored_but_the_text(path: Path) -> None:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    code = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    assert any("assert " in "".join(cell["source"]) for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_from_top_to_bottom(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    # Somewhere else, so that nothing but the package is found.
    client = nbclient.NotebookClient(
        nbformat.read(path, as_version=4), timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    )
    done = client.execute()
    shown = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/svg+xml", "text/plain"} <= kinds
    assert not [output for output in shown if output.output_type == "error"]
