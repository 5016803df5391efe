"""What notebooks show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from servanda import Model, audit, equiv
from servanda._show import _charts, _reports, _theme

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
property wrong = AG left > 0
property lesser level should cite "a & b" = AG left > 0
"""


def shop(n: int = 2) -> Model:
    return Model.from_text(SHOP, name="shop.pact", params={"N": n})


def whole(page: str) -> str:
    """Every element is closed, and nothing comes from elsewhere."""
    ElementTree.fromstring(page.replace("<style>", "<style><![CDATA[").replace("</style>", "]]></style>"))
    assert "<script" not in page and "http" not in re.sub(r'xmlns="[^"]*"', "", page)
    return page


def rows(page: str) -> list[str]:
    return re.findall(r'<tr class="(\w*)">', page)


def test_reports_are_tables() -> None:
    report = shop().check()
    bundle = report._repr_mimebundle_()
    assert bundle["text/plain"] == str(report)
    page = whole(bundle["text/html"])
    assert rows(page) == ["passed", "failed", "lesser"]
    assert "✓" in page and "✗" in page and "a &amp; b" in page and "AG left &gt; 0" in page
    assert "2 not as wanted" in page


def test_counts_that_nobody_made_are_not_shown() -> None:
    report = shop().check("pays", engine="bdd", count=True)
    assert report.size is not None and report.size.states == 5 and report.size.transitions is None
    page = whole(report._repr_html_())
    assert "5 states" in page and "None" not in page


def test_what_is_not_known_never_looks_like_success() -> None:
    page = whole(shop().check(timeout=0)._repr_html_())
    assert rows(page) == ["unknown"] * 3
    body = page.split("</style>")[1]
    assert "✓" not in body and 'class="good"' not in body
    assert "unknown: the time limit was reached" in body and "3 not decided" in body
    result = shop().check("pays", timeout=0)[0]
    assert "✓" not in whole(result._repr_html_()).split("</style>")[1]
    assert result._repr_svg_() == "" and "image/svg+xml" not in result._repr_mimebundle_()
    assert "unknown" in whole(result.explanation._repr_html_())


def test_long_reports_keep_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_reports, "MOST_ROWS", 2)
    page = shop().check(["pays", "AF paid", "EF paid", "wrong"])._repr_html_()
    assert rows(page) == ["passed", "failed"]
    assert "2 properties are left out: 2 as wanted" in page


def test_evidence_is_a_chart() -> None:
    result = shop().check("wrong")[0]
    evidence = result.evidence
    assert evidence is not None
    for shown in (evidence, result, result.explanation):
        assert shown._repr_svg_().startswith("<svg")
        page = whole(shown._repr_html_())
        assert "<svg" in page and "pay" in page
        assert set(shown._repr_mimebundle_()) == {"text/plain", "text/html", "image/svg+xml"}
        assert set(shown._repr_mimebundle_(include={"text/html"})) == {"text/html"}
        assert set(shown._repr_mimebundle_(exclude={"text/html"})) == {"text/plain", "image/svg+xml"}


def test_evidence_that_is_too_large_is_a_table_that_says_what_it_leaves_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_charts, "MOST_CHARACTERS", 1000)
    evidence = shop(50).check("AG left > 0")[0].evidence
    assert evidence is not None and len(evidence) == 99
    page = whole(evidence._repr_html_())
    assert "<svg" not in page and "49 steps are left out" in page and evidence._repr_svg_() == ""
    assert len(rows(page)) == 1 + 40 + 1 + 10
    assert "left = 49" in page


def test_colours_concern_nothing_else_and_follow_the_page() -> None:
    svg = shop().check("wrong")[0].draw("svg")
    page = _theme.inlined(svg)
    style = page.split("<style>")[1].split("</style>")[0]
    name = re.findall(r'<svg class="(\w+)"', page)[0]
    for selectors in re.findall(r"(?:^|[}{])([^{}@]+)\{", style):
        for selector in selectors.split(","):
            assert f"svg.{name}" in selector, selector
    dark = style.split('body[data-jp-theme-light="false"]', 1)[1]
    assert "#0d1117" in dark and 'body[data-jp-theme-light="true"]' in style and "prefers-color-scheme:dark" in style
    assert style.count("{") == style.count("}")
    assert 'id="title"' not in page and f'id="{name}-title"' in page


@pytest.mark.parametrize(
    "make",
    [
        lambda: shop(),
        lambda: shop().simulate(5, seed=1),
        lambda: shop().graph(),
        lambda: equiv(shop(), shop(3)),
        lambda: shop().conform(),
    ],
)
def test_everything_shows_itself(make: Callable[[], Model]) -> None:
    shown = make()
    page = whole(shown._repr_html_())
    assert page.startswith('<div class="servanda">') and len(page) > 200
    assert shown._repr_mimebundle_()["text/plain"] == str(shown)


def test_graphs_say_what_they_leave_out() -> None:
    # Where states stand side by side fewer are drawn, so that they can be looked at without scrolling.
    steps = "".join(f"s -- A: go{n} when x = 0 set x = {n} --> s\n" for n in range(1, 41))
    wide = Model.from_text(f"protocol P\nroles A\nvar x : 0..40 = 0\nstart s\n{steps}").graph()
    assert len(wide) == 41 and "the nearest 15 are drawn" in whole(wide._repr_html_())
    assert wide._repr_svg_().count('class="state') == 15
    graph = shop(100).graph()
    page = whole(graph._repr_html_())
    assert "201 states" in page and "the nearest 60 are drawn" in page
    assert "the nearest 60 of 201 states are drawn" in page
    # The state at the border of the drawing is none without successor.
    assert 'class="state dead"' not in graph.svg()
    assert graph.svg(limit=500).count('class="state dead"') == 1
    part = shop(100).graph(limit=10)
    assert "and more that were not looked for" in part._repr_html_()
    assert "the nearest 10 of more states are drawn" in part.svg() and 'class="state dead"' not in part.svg()
    with pytest.raises(ValueError, match="limit"):
        graph.svg(limit=0)


def test_audits_show_findings(recordings: Path) -> None:
    stdio = recordings / "mcp/2025-11-25/recordings/stdio"
    judged = audit(stdio / "progress-falls.jsonl", "mcp/2025-11-25")
    page = whole(judged._repr_html_())
    assert rows(page) == ["failed"] and "1 finding that counts" in page and "<svg" in page
    assert "<svg" in whole(judged.findings[0]._repr_html_())
    assert "✓ in order" in whole(audit(stdio / "good.jsonl", "mcp/2025-11-25")._repr_html_())
    nothing = whole(audit([], "mcp/2025-11-25")._repr_html_())
    assert "✓" not in nothing.split("</style>")[1] and "? not decided" in nothing
