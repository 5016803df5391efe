"""Sweeps, graphs for networkx, bars, examples."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

import servanda
from servanda import Model, SweepRow, sweep, sweep_rows
from servanda._progress import counting

SHOP = """\
protocol Shop
param N = 2
roles Customer, Merchant
var paid : bool = false
var left : 0..N = N
start waiting
waiting -- Customer: pay when left > 0 set paid = true, left = left - 1 --> served
served -- Merchant: deliver set paid = false --> waiting
property pays = AF paid
property states = AG left > 0
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.pact"
    path.write_text(SHOP)
    return path


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """As if packages were not installed."""
    original = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] in names:
            raise ImportError(f"no {name}", name=name)
        return original(name, *rest, **more)

    for loaded in [name for name in sys.modules if name.split(".")[0] in names]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setattr(builtins, "__import__", missing)


def test_a_row_for_each_setting(shop: Path) -> None:
    pytest.importorskip("pandas")
    frame = sweep(shop, {"N": range(2, 6)})
    assert list(frame.columns) == [
        *("N", "outcome", "states", "transitions", "deadlocks", "seconds", "peak_memory_bytes", "reason", "error"),
        *("pays", "property states"),
    ]
    assert frame["N"].tolist() == [2, 3, 4, 5]
    assert frame["states"].tolist() == [5, 7, 9, 11]
    assert frame["pays"].all() and not frame["property states"].any()
    assert set(frame["outcome"]) == {"unwanted"} and frame["error"].isna().all()
    assert (frame["seconds"] > 0).all() and (frame["peak_memory_bytes"] > 1_000_000).all()


def test_formulas_by_name(shop: Path) -> None:
    pytest.importorskip("pandas")
    frame = sweep(shop, {"N": [1, 2]}, {"sold": "EF left = 0", "two": "EF left = 2"}, properties=["pays"])
    assert list(frame.columns[-3:]) == ["pays", "sold", "two"]
    assert frame["two"].tolist() == [False, True]
    assert sweep(shop, {"N": [1]}, "EF left = 0")["EF left = 0"].tolist() == [True]


def test_rows_that_fail_do_not_end_it(shop: Path) -> None:
    pytest.importorskip("pandas")
    frame = sweep(shop, {"N": [2, 1]}, {"two": "EF left = 2"})
    assert frame["outcome"].tolist() == ["wanted", "unwanted"]
    frame = sweep(shop, {"M": [1], "N": [1, 2]})
    assert frame["outcome"].tolist() == ["invalid", "invalid"] and frame["error"].str.contains("M").all()
    frame = sweep(shop, {"N": [1, 2]}, timeout=0)
    assert set(frame["outcome"]) == {"undecided"} and frame["pays"].isna().all() and frame["states"].isna().all()
    assert frame["reason"].str.contains("pays: the time limit was reached").all()


def test_large_counts_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    row = SweepRow({"N": 1}, "wanted", {}, 10**30, 1, 0, 0.1, None, None, None, None)
    monkeypatch.setattr("servanda._sweep.sweep_rows", lambda *_, **__: iter([row]))
    frame = sweep("x.pact", {"N": [1]})
    assert frame["states"].tolist() == [10**30] and frame["peak_memory_bytes"].isna().all()


def test_rows_come_as_they_are_known() -> None:
    made = []

    def make(N: int) -> Model:
        made.append(N)
        return Model.from_text(SHOP, params={"N": N})

    rows = sweep_rows(make, {"N": [2, 3, 4]})
    assert made == []
    first = next(rows)
    assert made == [2] and first.params == {"N": 2} and first.verdicts == {"pays": True, "states": False}
    assert first.report is not None and first.report["pays"].passed
    assert [row.states for row in rows] == [7, 9]


def test_all_combinations() -> None:
    text = "protocol P\nparam N = 1\nparam M = 1\nroles A\nvar x : 0..N*M = 0\nstart s\ns -- A: go when x < N * M set x = x + 1 --> s\n"
    rows = list(
        sweep_rows(lambda **params: Model.from_text(text, params=params), {"N": [1, 2], "M": [1, 3]}, ["EF x = 6"])
    )
    assert [(row.params["N"], row.params["M"], row.states) for row in rows] == [
        (1, 1, 2),
        (1, 3, 4),
        (2, 1, 3),
        (2, 3, 7),
    ]


def test_sweeps_without_pandas(monkeypatch: pytest.MonkeyPatch, shop: Path) -> None:
    without(monkeypatch, "pandas")
    with pytest.raises(ImportError, match=r"pandas: install it, or `servanda\[pandas\]`"):
        sweep(shop, {"N": [1]})
    assert [row.states for row in sweep_rows(shop, {"N": [1]})] == [3]


def test_graphs_for_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    graph = Model.from_text(SHOP).to_networkx()
    assert graph.number_of_nodes() == 5 and graph.number_of_edges() == 4 and graph.graph["complete"]
    assert graph.nodes[0]["initial"] and not graph.nodes[1]["initial"]
    assert graph.nodes[0]["variables"] == {"paid": False, "left": 2} and graph.nodes[0]["at"] == {"": "waiting"}
    assert [data["label"] for _, _, data in graph.out_edges(0, data=True)] == ["Customer: pay"]
    assert networkx.shortest_path_length(graph, 0, 4) == 4
    part = Model.from_text(SHOP).to_networkx(limit=3)
    assert len(part) == 3 and not part.graph["complete"]


def test_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "networkx")
    with pytest.raises(ImportError, match=r"networkx: install it, or `servanda\[networkx\]`"):
        Model.from_text(SHOP).to_networkx()


@pytest.mark.parametrize(("gone", "there"), [(("tqdm",), "rich"), (("rich",), "tqdm"), (("tqdm", "rich"), None)])
def test_bars(
    gone: tuple[str, ...],
    there: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    shop: Path,
) -> None:
    if there is not None:
        pytest.importorskip(there)
    without(monkeypatch, *gone)
    rows = list(sweep_rows(shop, {"N": [1, 2]}, progress=True))
    assert [row.states for row in rows] == [3, 5]
    shown = capfd.readouterr()
    assert shown.out == "" and ("sweep" in shown.err) == (there is not None)
    assert Model.from_text(SHOP).check("pays", progress=True).passed
    assert capfd.readouterr().out == ""
    list(sweep_rows(shop, {"N": [1, 2]}))
    assert capfd.readouterr() == ("", "")


def test_bars_are_closed_when_work_fails() -> None:
    pytest.importorskip("tqdm")
    with pytest.raises(KeyboardInterrupt), counting(True, 3, "work") as (advance, tell):
        advance()
        tell("words")
        raise KeyboardInterrupt


def test_examples() -> None:
    found = servanda.examples()
    assert found["netbill.pact"].language == "pact" and found["netbill.pact"].about.endswith(".")
    assert found["netbill.pact"].model().check().passed
    assert list(found["pnaws.ccs"].texts) == ["pnaws.ccs", "pnaws.acts"]
    assert found["pnaws.ccs"].model(process="Closed").language == "ccs"
    assert found["netbill.pact"].path.read_text(encoding="utf-8") == found["netbill.pact"].text


def test_examples_are_those_of_the_repository(examples: Path) -> None:
    for name, example in servanda.examples().items():
        assert (examples / name).read_text(encoding="utf-8") == example.text
