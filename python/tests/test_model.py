"""Reading and asking."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Literal

import pytest

import servanda
from servanda import InputError, Model, Report, Undecided, Verdict

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
property empties = AF left = 0
"""


def shop(**params: int) -> Model:
    return Model.from_text(SHOP, name="shop.pact", params=params)


def test_what_a_model_says_of_itself() -> None:
    model = shop(N=3)
    assert (model.name, model.file, model.language) == ("Shop", "shop.pact", "pact")
    assert model.agents == ["Customer", "Merchant"]
    assert model.params == {"N": 3}
    assert [(one.name, one.expected) for one in model.properties] == [
        ("pays", None),
        ("always", False),
        ("empties", None),
    ]
    assert model.text == SHOP
    assert repr(model) == "<Model Shop (shop.pact, N=3)>"


def test_verdicts_in_the_order_asked() -> None:
    report = shop().check()
    assert isinstance(report, Report)
    assert [(one.name, one.verdict, one.passed) for one in report] == [
        ("pays", Verdict.TRUE, True),
        ("always", Verdict.FALSE, True),
        ("empties", Verdict.TRUE, True),
    ]
    assert report.passed and report.status == "wanted" and report.failures == []
    asked = shop().check(["EF left = 0", "always", "AG paid", "pays"])
    assert [one.name for one in asked] == ["formula_1", "always", "formula_2", "pays"]
    assert [bool(one.verdict) for one in asked] == [True, False, False, True]
    assert [one.as_wanted for one in asked] == [True, True, False, True]
    assert asked.failures == [asked[2]] and not asked.passed
    assert asked["pays"] is asked[3] and len(asked[1:3]) == 2
    with pytest.raises(KeyError, match="always"):
        asked["payz"]


def test_who_asks_nothing_is_told_how_large_the_model_is() -> None:
    report = shop().check([], timeout=float("inf"))
    assert len(report) == 0 and report.status == "wanted"
    assert not report.passed, "where nothing was decided nothing has passed"
    assert [finding.code for finding in report.findings if finding.severity == "note"][-1:] == ["no-property"]
    assert report.size is not None and report.size.states == 5


def test_nothing_is_a_truth_value_that_is_none() -> None:
    report = shop().check(timeout=0)
    assert [one.verdict for one in report] == [Verdict.UNKNOWN] * 3
    assert report.status == "undecided" and not report.passed
    assert report[0].as_wanted is None and not report[0].passed
    assert report[0].reason == "the time limit was reached"
    with pytest.raises(Undecided):
        bool(report[0].verdict)
    with pytest.raises(TypeError, match="passed"):
        bool(report)
    with pytest.raises(TypeError, match="passed"):
        bool(report[0])


@pytest.mark.parametrize("engine", [*servanda.engines(), "auto"])
def test_every_engine(engine: str) -> None:
    report = shop().check(engine=engine, count=True)  # type: ignore[arg-type]
    assert [one.verdict.value for one in report] == ["true", "false", "true"]
    assert engine == "auto" or {one.engine for one in report} == {engine}


def test_size() -> None:
    size = shop().size()
    assert (size.states, size.transitions, size.deadlocks, size.initial) == (5, 4, 1, 1)
    assert size.complete and size.diameter == 4
    assert shop(N=7).size().states == 15
    stopped = shop().size(timeout=0)
    assert stopped.states is None and not stopped.complete and stopped.reason == "the time limit was reached"


def test_evidence() -> None:
    result = shop().check("AG paid")[0]
    evidence = result.evidence
    assert evidence is not None
    assert evidence.kind == "counterexample" and len(evidence) == 0 and evidence.states[0]["paid"] is False
    result = shop().check("AG left > 0")[0]
    evidence = result.evidence
    assert evidence is not None
    assert evidence.labels == ["Customer: pay", "Merchant: deliver", "Customer: pay"]
    assert [state["left"] for state in evidence.states] == [2, 1, 1, 0]
    step = evidence.steps[0]
    assert (step.event.kind, step.event.name, step.event.sender) == ("message", "pay", "Customer")
    assert step.source == evidence.states[0] and step.target == evidence.states[1]
    assert [(place.file, place.line) for place in step.places] == [("shop.pact", 7)]
    assert not evidence.why.holds and evidence.why.formula == "AG (left > 0)"
    assert "Customer" in result.draw() and result.draw("svg").startswith("<svg")
    assert result.draw("mermaid").startswith("sequenceDiagram")
    assert result.draw("dot").startswith("digraph") and "<html" in result.draw("html")
    assert '"#meta"' in result.draw("itf")
    assert str(result.explanation) == result.draw()
    with pytest.raises(ValueError, match="mermaid"):
        result.draw("mermade")  # type: ignore[arg-type]
    without = shop().check("AG left > 0", evidence=False)[0]
    assert without.evidence is None and without.verdict is Verdict.FALSE


def test_loops_lead_back() -> None:
    model = Model.from_text("protocol P\nroles A\nvar b : bool = false\nstart s\ns -- A: x set b = !b --> s\n")
    evidence = model.check("AF AG b")[0].evidence
    assert evidence is not None and evidence.loop is not None
    assert evidence.steps[-1].target == evidence.states[evidence.loop]


def test_places_and_warnings() -> None:
    report = shop().check("pays")
    place = report[0].place
    assert place is not None and str(place) == "shop.pact:9:10"
    noted = [finding.code for finding in report.findings]
    assert "deadlock" in noted, noted


def test_everything_that_is_wrong_in_one_pass() -> None:
    with pytest.raises(InputError) as caught:
        Model.from_text(SHOP.replace("roles Customer", "roles Custommer") + "property p = AG payd\nvra x : bool\n")
    findings = caught.value.findings
    assert [(one.code, one.line, one.suggestion) for one in findings] == [
        ("unknown-name", 7, "Custommer"),
        ("unknown-name", 12, "paid"),
        ("unknown-statement", 13, "var"),
    ] or len(findings) >= 3, findings
    assert "^" in str(caught.value) or "─" in str(caught.value)
    assert "payd" in str(caught.value)
    first = findings[0]
    assert first.severity == "error" and first.end_column is not None and first.file == "text"
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.findings == findings and str(again) == str(caught.value)


def test_a_formula_with_a_mistake_has_its_place() -> None:
    with pytest.raises(InputError) as caught:
        shop().check("AG (paid ->")
    finding = caught.value.findings[0]
    assert (finding.line, finding.expected) == (1, "a formula")
    with pytest.raises(InputError) as caught:
        shop().check("alwayz")
    assert "always" in {finding.suggestion for finding in caught.value.findings}


def test_files_and_what_lies_beside_them(tmp_path: Path, examples: Path) -> None:
    model = Model.from_file(examples / "pnaws.ccs", process="Closed")
    assert model.language == "ccs"
    (tmp_path / "part.pact").write_text("roles A\nvar x : bool = false\n")
    with pytest.raises(InputError) as caught:
        Model.from_file(tmp_path / "nowhere.pact")
    assert caught.value.findings[0].code == "cannot-read"
    with pytest.raises(InputError, match="language"):
        Model.from_file(tmp_path / "nowhere.txt")
    with pytest.raises(ValueError, match="pact"):
        Model.from_text("", language="pakt")  # type: ignore[arg-type]
    with pytest.raises(InputError) as caught:
        Model.from_text(SHOP, params={"M": 1})
    assert caught.value.findings[0].code == "unknown-parameter"


@pytest.mark.parametrize(
    "wrong", [{"engine": "bdb"}, {"deadlock": "lop"}, {"level": "mut"}, {"uniform": "mine"}, {"memory": "2Q"}, {"timeout": -1}]
)
def test_arguments_that_make_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        shop().check(**wrong)  # type: ignore[arg-type]


def test_what_choices_may_depend_on() -> None:
    guess = Model.from_text("""\
protocol Guess
roles Dealer, Player
private var coin of Dealer : {heads, tails} = heads
start toss
toss -- Dealer: throw set coin = heads --> bet
toss -- Dealer: throw set coin = tails --> bet
bet -- Player: heads when coin = heads --> won
bet -- Player: heads when coin = tails --> lost
bet -- Player: tails when coin = tails --> won
bet -- Player: tails when coin = heads --> lost
property player_wins = <Player>F in won
property from_the_bet_on = AG (in bet -> <Player>F in won)
""")
    readings: list[bool | Literal["objective", "subjective"]] = [False, True, "objective", "subjective"]
    found = [[bool(one.verdict) for one in guess.check(uniform=how)] for how in readings]
    assert found == [[True, True], [False, True], [False, True], [False, False]]


def test_going_through_states() -> None:
    model = shop()
    [start] = model.initial()
    assert start.variables == {"paid": False, "left": 2} and start.at == {"": "waiting"}
    [pay] = model.successors(start)
    assert (pay.label, pay.target["left"], pay.source) == ("Customer: pay", 1, start)
    states = list(model.states())
    assert len(states) == 5 and states[0] == start and len(set(states)) == 5
    assert list(model.states("paid")) == [state for state in states if state["paid"]]
    assert list(model.states(limit=2)) == states[:2]
    assert [state for state in model.states("empties")] == states
    graph = model.graph()
    assert graph.complete and list(graph.states) == states and len(graph.edges) == 4
    assert graph.edges[0] == (0, "Customer: pay", 1) and graph.deadlocks == [states[-1]]
    part = model.graph(limit=2)
    assert not part.complete and len(part) == 2
    with pytest.raises(ValueError, match="complete"):
        len(part.deadlocks)
    with pytest.raises(TypeError, match="another model"):
        shop(N=3).successors(start)
    assert shop().successors(start)[0].target == pay.target


def test_walks() -> None:
    model = shop()
    run = model.simulate(100, seed=7)
    assert run == model.simulate(100, seed=7)
    assert run.ended and len(run) == 4 and run.labels[0] == "Customer: pay"
    walk = model.simulation()
    assert walk.state == model.initial()[0]
    assert walk.take("Customer: pay")["paid"] is True
    with pytest.raises(LookupError, match="Merchant: deliver"):
        walk.take("Customer: pay")
    walk.take(0)
    assert walk.undo() and walk.run.labels == ("Customer: pay",)
    walk.take(walk.choices[0])
    with pytest.raises(IndexError):
        walk.take(3)
    with pytest.raises(IndexError):
        walk.take(-1)
    walk.restart()
    assert not walk.run.labels and not walk.undo()


def test_several_initial_states_are_chosen_from() -> None:
    model = Model.from_text("protocol P\nroles A\nvar x : 0..2\nstart s\ns -- A: go --> s\n")
    walk = model.simulation()
    assert walk.state is None and len(walk.starts) == 3 == len(model.initial())
    walk.start(2)
    assert walk.state == walk.starts[2]
    assert len(model.simulate(3).states) == 4
