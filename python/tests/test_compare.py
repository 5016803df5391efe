"""Models beside each other, and in other forms."""

from __future__ import annotations

from pathlib import Path

import pytest

import servanda
from servanda import InputError, Model, Undecided, Verdict

ONE = 'des (0, 3, 3)\n(0, "a", 1)\n(0, "a", 2)\n(1, "b", 0)\n'
OTHER = 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n'


def aut(text: str, name: str) -> Model:
    return Model.from_text(text, name=name, language="aut")


def test_differences_are_formulas_and_traces() -> None:
    one, other = aut(ONE, "one.aut"), aut(OTHER, "other.aut")
    compared = one.equiv(other)
    assert compared.verdict is Verdict.FALSE and not compared.passed
    assert compared.difference is not None and compared.difference.property is not None
    holding = one if compared.difference.holds_in == "left" else other
    failing = other if holding is one else one
    assert holding.check(compared.difference.property)[0].passed
    assert not failing.check(compared.difference.property)[0].passed
    assert servanda.equiv(one, other, "trace").passed
    refusing = servanda.equiv(one, other, "failures-within")
    assert refusing.difference is not None and refusing.difference.trace == ("a",)
    assert "not" in str(compared)
    with pytest.raises(ValueError, match="branching"):
        servanda.equiv(one, other, "branchin")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bool(compared)


def test_the_smallest_model(examples: Path) -> None:
    model = Model.from_file(examples / "netbill.pact")
    made = model.minimise("branching")
    assert made.states[0] == model.size().states and made.states[1] <= made.states[0]
    assert made.model.equiv(model, "branching").passed
    with pytest.raises(Undecided):
        model.minimise(timeout=0)


@pytest.mark.parametrize("target", servanda.targets())
def test_every_target(target: str, examples: Path) -> None:
    model = Model.from_file(examples / "figure2.pact")
    try:
        made = model.convert(target)  # type: ignore[arg-type]
    except InputError as error:
        assert error.findings[0].code == "cannot-convert"
    else:
        assert len(made) > 20


def test_conversions_mean_the_same(examples: Path) -> None:
    model = Model.from_file(examples / "netbill.pact")
    made = model.convert("aut")
    assert aut(made, "netbill.aut").equiv(model).passed
    assert model.convert("ispl").acts is None or "act" in str(model.convert("ispl").acts)


def test_acts_do_what_they_say(examples: Path) -> None:
    conformance = Model.from_file(examples / "pnaws.pact").conform()
    assert conformance.acts and {act.certainty for act in conformance.acts} <= {
        "certain",
        "possible",
        "never",
        "unperformed",
    }
    assert conformance.verdict in (Verdict.TRUE, Verdict.FALSE)


def test_an_agent_and_its_protocol(examples: Path) -> None:
    agent, protocol = Model.from_file(examples / "customer.pact"), Model.from_file(examples / "netbill.pact")
    duties = agent.conform_to(protocol, role="Cus")
    assert [duty.question for duty in duties.duties] == ["allowed", "required"]
    assert duties.verdict is not Verdict.UNKNOWN and duties.role == "Cus"
    with pytest.raises(InputError, match="Cus"):
        agent.conform_to(protocol, role="Cuss")


def test_standard_form(tmp_path: Path) -> None:
    text = "protocol   P\nroles A\nstart s\ns--A:x-->s\n"
    formed = servanda.format(text)
    assert formed == servanda.format(formed) and "s -- A: x --> s" in formed
    path = tmp_path / "p.pact"
    path.write_text(text)
    assert servanda.format(path) == formed
    with pytest.raises(InputError) as caught:
        servanda.format("protocol P\nvra x\n", name="p.pact")
    assert (caught.value.findings[0].file, caught.value.findings[0].line) == ("p.pact", 2)
