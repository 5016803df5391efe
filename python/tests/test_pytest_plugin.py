"""The plug-in for pytest, in runs of pytest."""

from __future__ import annotations

from pathlib import Path

import pytest

from servanda import Model
from servanda.pytest import assert_conforms, assert_holds
from servanda.pytest._project import ProjectError, read, seconds

pytest_plugins = ["pytester"]

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
property always expect false = AG paid
property wrong = AG left > 0
property lesser level should = AG left > 0
"""


def test_models_are_tests_when_asked(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("shop.pact").write_text(SHOP)
    pytester.runpytest().assert_outcomes()
    pytester.runpytest("--servanda").assert_outcomes(passed=3, failed=1, warnings=1)
    result = pytester.runpytest("shop.pact", "-v")
    result.assert_outcomes(passed=3, failed=1, warnings=1)
    result.stdout.fnmatch_lines(["shop.pact::pays PASSED*", "shop.pact::always PASSED*", "shop.pact::wrong FAILED*"])
    result.stdout.fnmatch_lines(["shop.pact:11:10: wrong: AG left > 0 is false, wanted is true", "*Customer*Merchant*"])
    pytester.makeini("[pytest]\nservanda = true\n")
    pytester.runpytest("-k", "pays").assert_outcomes(passed=1, deselected=3)
    pytester.runpytest("--no-servanda").assert_outcomes()


def test_what_is_not_decided_fails(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("shop.pact").write_text(SHOP)
    result = pytester.runpytest("--servanda", "--servanda-timeout=0ms")
    result.assert_outcomes(failed=4)
    result.stdout.fnmatch_lines(["*lesser: AG left > 0 is unknown: the time limit was reached"])
    assert pytester.runpytest("--servanda", "--servanda-timeout=soon").ret == pytest.ExitCode.USAGE_ERROR


def test_models_that_cannot_be_read_are_errors(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("bad.pact").write_text(SHOP.replace("AF paid", "AF payd"))
    pytester.path.joinpath("none.pact").write_text("protocol P\nroles A\nstart s\ns -- A: go --> s\n")
    result = pytester.runpytest("--servanda", "--continue-on-collection-errors")
    result.assert_outcomes(errors=1, skipped=1)
    result.stdout.fnmatch_lines(["*unknown-name*", "*payd*"])


def test_projects(pytester: pytest.Pytester) -> None:
    models = pytester.mkdir("models")
    models.joinpath("shop.pact").write_text(SHOP)
    models.joinpath("other.pact").write_text(SHOP)
    pytester.path.joinpath("servanda.toml").write_text(
        """
[options]
timeout = "60s"

[[model]]
file = "models/shop.pact"
params = { N = "2..3" }
properties = ["pays", "wrong"]
expect = { wrong = false }
formulas = { sold = "EF left = 0", bad = { formula = "AG left > 1", expect = true } }
"""
    )
    result = pytester.runpytest("--servanda", "-v")
    # What the project lists is tested once, as it says; the other model by itself.
    result.assert_outcomes(passed=6 + 3, failed=2 + 1, warnings=1)
    result.stdout.fnmatch_lines_random(
        [
            "servanda.toml::models/shop.pact(N=2)::wrong PASSED*",
            "servanda.toml::models/shop.pact(N=3)::bad FAILED*",
            "models/other.pact::pays PASSED*",
        ]
    )
    result.stdout.no_fnmatch_line("models/shop.pact::*")


def test_deadlocks_that_a_project_forbids(pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("shop.pact").write_text(SHOP)
    pytester.path.joinpath("servanda.toml").write_text(
        '[[model]]\nfile = "shop.pact"\nproperties = ["pays"]\ndeadlock = "error"\n'
    )
    result = pytester.runpytest("--servanda")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*deadlock*"])


def test_everything_that_is_wrong_with_a_project(tmp_path: Path) -> None:
    project = tmp_path / "servanda.toml"
    project.write_text(
        '[options]\ntimout = "5s"\n[[model]]\n[[model]]\nfile = "a.pact"\nparams = { N = true }\n[[modle]]\nfile = "b"\n'
    )
    with pytest.raises(ProjectError) as caught:
        read(project)
    told = str(caught.value)
    assert "`timout`; did you mean `timeout`?" in told and "`modle`; did you mean `model`?" in told
    assert "[[model]] 1: the key `file`" in told and "`params.N`" in told
    project.write_text("[[model")
    with pytest.raises(ProjectError, match="servanda.toml"):
        read(project)
    assert [seconds(time) for time in ("500ms", "60s", "2m", "1h")] == [0.5, 60, 120, 3600]


def test_logs_that_conform(recordings: Path) -> None:
    stdio = recordings / "mcp/2025-11-25/recordings/stdio"
    assert assert_conforms(stdio / "good.jsonl", "mcp/2025-11-25").passed
    with pytest.raises(AssertionError) as caught:
        assert_conforms(stdio / "progress-falls.jsonl", "mcp/2025-11-25")
    told = str(caught.value)
    assert "progress-falls.jsonl:6" in told and "must [not-possible]" in told
    assert "rule: " in told and "progress" in told.split("rule: ")[1].splitlines()[0]
    assert "line: {" in told and '"progress"' in told
    text = (stdio / "progress-falls.jsonl").read_text()
    for log in (text, text.splitlines(), [line.encode() for line in text.splitlines()]):
        with pytest.raises(AssertionError, match="the log does not conform to mcp/2025-11-25"):
            assert_conforms(log, "mcp/2025-11-25")


def test_levels_of_findings(recordings: Path) -> None:
    log = recordings / "mcp/2025-11-25/recordings/stdio/answered-after-cancel.jsonl"
    with pytest.raises(AssertionError, match="quiet_when_cancelled"):
        assert_conforms(log, "mcp/2025-11-25")
    assert assert_conforms(log, "mcp/2025-11-25", level="must").findings


def test_what_was_not_judged_does_not_conform(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with pytest.raises(AssertionError, match="not known"):
        assert_conforms(empty, "mcp/2025-11-25")
    with pytest.raises(AssertionError, match="not known"):
        assert_conforms(["no JSON at all {"], "mcp/2025-11-25")


def test_properties_that_hold() -> None:
    model = Model.from_text(SHOP, name="shop.pact")
    assert assert_holds(model, ["pays", "always"]).passed
    with pytest.raises(AssertionError) as caught:
        assert_holds(model)
    assert "wrong" in str(caught.value) and "Customer" in str(caught.value)
    with pytest.raises(AssertionError, match="the time limit was reached"):
        assert_holds(model, "pays", timeout=0)


def test_fixtures(pytester: pytest.Pytester, recordings: Path) -> None:
    stdio = recordings / "mcp/2025-11-25/recordings/stdio"
    pytester.path.joinpath("shop.pact").write_text(SHOP)
    pytester.makepyfile(
        f"""
        from pathlib import Path
        from servanda.pytest import assert_holds

        def test_model(servanda_model):
            assert_holds(servanda_model("shop.pact", params={{"N": 3}}), "pays")

        def test_good(servanda_recording):
            recording = servanda_recording("mcp/2025-11-25")
            for line in Path({str(stdio / "good.jsonl")!r}).read_text().splitlines():
                assert recording.feed(line) == []

        def test_bad(servanda_recording):
            recording = servanda_recording("mcp/2025-11-25")
            for line in Path({str(stdio / "progress-falls.jsonl")!r}).read_text().splitlines():
                recording.feed(line)
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*the recording does not conform to mcp/2025-11-25: 1 finding*"])
