"""Protocols built in Python."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Any

import pytest

from random_protocols import Random
from servanda import InputError, Model, Verdict
from servanda.build import (
    AF,
    AG,
    EF,
    EX,
    GK,
    A,
    E,
    Expr,
    F,
    G,
    K,
    Protocol,
    R,
    S,
    U,
    W,
    X,
    active,
    all_of,
    any_of,
    can,
    choose,
    does,
    expr,
    if_then_else,
    maximum,
)


def outcome(make: Any) -> Any:
    """Counts and verdicts, or what is wrong."""
    try:
        model: Model = make()
        size = model.size()
        report = model.check(evidence=False)
        return (
            (size.states, size.transitions, size.deadlocks, size.initial),
            [(one.name, one.verdict, one.expected, one.reason) for one in report],
            model.agents,
        )
    except InputError as error:
        return sorted(finding.code for finding in error.findings)


@pytest.mark.parametrize("block", range(10))
def test_what_is_built_is_what_the_text_says(block: int) -> None:
    good = 0
    for seed in range(block * 40, block * 40 + 40):
        made = Random(seed)
        one, other = outcome(made.protocol.model), outcome(lambda made=made: Model.from_text(made.pact()))
        assert one == other, f"seed {seed}\n{made.pact()}\n--- built ---\n{made.protocol}"
        good += isinstance(one, tuple)
    # Most must mean something: two that are refused alike say little.
    assert good >= 25, good


def netbill() -> Protocol:
    p = Protocol("NetBill")
    cus, mer = p.roles("Cus", "Mer")
    paid = p.variable("paid", bool, False)
    delivered = p.variable("delivered", bool, False)
    price = p.variable("price", range(0, 6), {1, 3})
    budget = p.variable("budget", range(0, 6), seen_by=cus)
    p.red(mer, delivered & ~paid)
    p.proposition("done", paid & delivered)
    quote = p.commitment("quote", cus, mer, F(paid))
    offer = p.commitment("offer", mer, cus, paid >> F(delivered), moment="t1")
    idle, asked, accepted, offered, payed, closed = p.states("idle", "asked", "accepted", "offered", "payed", "closed")
    p.transition(idle, cus.creates(quote), asked)
    p.transition(asked, mer.refuses(quote), closed)
    p.transition(asked, mer.accepts(quote), accepted)
    p.transition(accepted, mer.creates(offer), offered)
    p.transition(offered, cus.says("pay"), payed, when=budget >= price, set={paid: True})
    p.transition(offered, cus.withdraws(quote), closed)
    p.transition(payed, mer.satisfies(offer), closed, set={delivered: True})
    p.transition(closed, "reset", idle, set={paid: False, delivered: False})
    p.access(cus, mer, "!Vio(Cus, _)")
    p.fair(~offered)
    p.group("both", [cus, mer])
    p.property("answered", AG(cus.creates(quote) >> X(mer.accepts(quote) | mer.refuses(quote))), expect=True)
    p.property("always_paid", AF(paid), expect=False)
    p.property("known", AG(offered >> GK([cus, mer], active(offer))), expect=True, level="should", cite="house rules")
    return p


NETBILL = """\
protocol NetBill
roles  Cus, Mer
var paid, delivered : bool = false
var price : 0..5 = {1, 3}
private var budget of Cus : 0..5
red Mer : delivered & !paid
prop done = paid & delivered
commitment quote = SC(Cus, Mer, F paid)
commitment offer = PC(Mer, Cus, t1, paid -> F delivered)
start idle
idle     -- Cr(Cus, quote)                              --> asked
asked    -- Ref(Mer, quote)                             --> closed
asked    -- Ac(Mer, quote)                              --> accepted
accepted -- Cr(Mer, offer)                              --> offered
offered  -- Cus: pay  when budget >= price  set paid = true   --> payed
offered  -- Wit(Cus, quote)                             --> closed
payed    -- Sat(Mer, offer)  set delivered = true       --> closed
closed   -- reset set paid = false, delivered = false   --> idle
access Cus -> Mer : !Vio(Cus, _)
fair   !(in offered)
group  both = { Cus, Mer }
property answered expect true  = AG (Cr(Cus, quote) -> X (Ac(Mer, quote) | Ref(Mer, quote)))
property always_paid expect false = AF paid
property known level should cite "house rules" expect true = AG (in offered -> GK({Cus, Mer}, active(offer)))
"""


def test_the_example_of_the_language() -> None:
    built = outcome(netbill().model)
    assert isinstance(built, tuple), built
    assert built == outcome(lambda: Model.from_text(NETBILL))
    results = {one.name: one for one in netbill().model().check()}
    assert results["known"].level == "should" and results["known"].cite == "house rules"


def test_machines_channels_clocks_and_types() -> None:
    class Status(enum.Enum):
        idle = 1
        working = 2

    p = Protocol("Shop")
    cus, mer = p.roles("Cus", "Mer")
    status = p.type("Status", Status)
    order = p.message("order", range(1, 3))
    quote = p.message("quote", price=range(1, 4), status=status)
    wire = p.channel("wire", order, sender=cus, receiver=mer, capacity=2, lossy=True)
    age = p.clock("age", 3)
    last = p.variable("last", range(0, 3), 0, seen_by=mer)
    buyer, shop = p.machine("Buyer", seen_by=cus), p.machine("Shop", seen_by=[mer])
    want, wait = buyer.states("want", "wait")
    buyer.transition(want, cus.sends(order, 2), wait)
    buyer.transition(wait, cus.receives(quote, "n", "_", sender=mer), want, when="n > 0")
    opened, asked = shop.states("opened", "asked")
    shop.transition(opened, mer.receives(order, "k"), asked, set={last: "k", age: 0})
    shop.transition(asked, mer.sends(quote, if_then_else(last > 1, 3, last + 1), Status.working, to=cus), opened)
    shop.wait(asked, age < 2)
    shop.final(opened)
    p.fair(does("tick"), steps="weak")
    p.property(
        "arrives", EF(does(cus.sends(order, 2)) & X(wire.has(order(2)) & EX(does(mer.receives(order, 2))))), expect=True
    )
    p.property("in_time", AG(asked >> AF(does("quote(3, working)"), within=2)), expect=True)
    p.property("lost", EF(does(wire.loses)), expect=True)
    p.property("unseen", AG(~K(cus, asked)), expect=True)
    p.scenario("happy", [cus.sends(order, 2), "...", "quote(3, _)"])
    p.scenario("never", ["...", "quote(1, _)"], possible=False)
    report = p.model().check()
    assert report.passed, report
    assert len(report) == 6


def test_arrays_and_loops() -> None:
    def ring(size: int) -> Model:
        p = Protocol("Ring")
        nodes = p.role_array("Node", range(1, size + 1))
        token = p.variable("token", range(1, size + 1), 1)
        lit = p.array("lit", range(1, size + 1), bool, False)
        sides = {}
        for number, node in nodes.items():
            after = number % size + 1
            side = p.machine(f"Side[{number}]", seen_by=node)
            ready, bound = side.states("ready", "bound")
            sides[number] = bound
            promise = p.commitment(f"pass[{number}]", node, nodes[after], F(token == after))
            side.transition(ready, node.creates(promise), bound, when=token == number, set={lit[token]: True})
            side.transition(bound, node.satisfies(promise), ready, set={token: after, lit[number]: False})
            p.property(f"comes_round[{number}]", AG(AF(token == number)))
        p.property("one", AG(all_of(lit[i] >> (token == i) for i in nodes)))
        p.property("some", AG(any_of(sides.values())), expect=False)
        p.property("sum", AG(sum((if_then_else(lit[i], 1, 0) for i in nodes), expr(0)) <= 1))
        return p.model()

    for size in (2, 3, 5):
        model = ring(size)
        assert model.agents == [f"Node[{number}]" for number in range(1, size + 1)]
        report = model.check()
        assert report.passed, report
        assert model.size().states == 2 * size


def test_parts_made_elsewhere(tmp_path: Path) -> None:
    part = Protocol("Payment")
    payer, payee = part.roles("Payer", "Payee")
    paid = part.variable("paid", bool, False)
    ready, over = part.states("ready", "over")
    part.transition(ready, payer.says("coin", to=payee), over, set={paid: True})
    part.final(over)
    path = tmp_path / "payment.pact"
    path.write_text(part.to_pact())
    p = Protocol("Shop")
    cus, mer = p.roles("Cus", "Mer")
    opened, agreed = p.states("opened", "agreed")
    pay = p.use(str(path), "pay", {"Payer": cus, "Payee": mer}, when=agreed)
    p.transition(opened, cus.says("choose"), agreed)
    p.property("later", AG(pay["paid"] >> pay.at("over")) & EF(pay["paid"]), expect=True)
    p.property("when_agreed", AG(does("pay.coin") >> agreed), expect=True)
    assert p.model().check().passed


def test_what_is_wrong_is_told_where_it_was_added() -> None:
    p = Protocol("Wrong")
    cus = p.role("Cus")
    paid = p.variable("paid", bool, False)
    s = p.state("s", start=True)
    p.transition(s, cus.says("pay"), s, set={paid: 3})  # first
    p.property("pays", AF("payd"))  # second
    lines = Path(__file__).read_text().splitlines()
    first = 1 + next(number for number, line in enumerate(lines) if line.endswith("# first"))
    with pytest.raises(InputError) as caught:
        p.model()
    places = [(finding.file, finding.line, finding.suggestion) for finding in caught.value.findings]
    assert places == [(__file__, first, None), (__file__, first + 1, "paid")]
    shown = str(caught.value)
    assert 'p.property("pays", AF("payd"))  # second' in shown and "in Pact: property pays = AF payd" in shown
    assert f"{__file__}:{first + 1}" in shown and "^^^^" in shown


def test_faults_warnings_and_steps_lead_to_python_too() -> None:
    p = Protocol("Fault")
    ann = p.role("Ann")
    n = p.variable("n", range(0, 3), 0)
    s, t = p.states("s", "t")
    p.transition(s, ann.says("add"), s, set={n: n + 1})  # adds
    p.transition(s, ann.says("go"), t)
    lines = Path(__file__).read_text().splitlines()
    line = 1 + next(number for number, text in enumerate(lines) if text.endswith("# adds"))
    with pytest.raises(InputError) as caught:
        p.model().check("AG n < 9")
    assert (caught.value.findings[0].code, caught.value.findings[0].line) == ("run-time-fault", line)
    with pytest.raises(InputError) as caught:
        p.model().check(["AG n < 1", "AG n < 9"], engine="tableau")
    # What was decided before the fault was met stands.
    report = caught.value.report
    assert report is not None and report.status == "invalid"
    assert [one.verdict for one in report] == [Verdict.FALSE, Verdict.UNKNOWN]
    evidence = p.model().check("AG n < 1", engine="tableau")[0].evidence
    assert evidence is not None
    assert [place.line for place in evidence.steps[0].places] == [line]
    assert evidence.steps[0].places[0].file == __file__


def test_operators_hold_together_as_in_pact() -> None:
    a, b, c = (Expr(name) for name in "abc")
    table = [
        (a + b * c, "a + b * c"),
        ((a + b) * c, "(a + b) * c"),
        (a - (b - c), "a - (b - c)"),
        (1 - a, "1 - a"),
        (-(a + b), "-(a + b)"),
        (-a * b, "-a * b"),
        (a == -3, "a = -3"),
        ((a < b) & ~(b == c), "a < b & !b = c"),
        (~(a & b), "!(a & b)"),
        (a >> (b >> c), "a -> b -> c"),
        ((a >> b) >> c, "(a -> b) -> c"),
        (a.iff(b).iff(c), "(a <-> b) <-> c"),
        (a | b & c, "a | b & c"),
        ((a | b) & c, "(a | b) & c"),
        (AG(a >> F(b)), "AG (a -> F b)"),
        (AG(EF(a)), "AG EF a"),
        (A(U(a, b)), "A (a U b)"),
        (E(W(U(a, b), R(b, S(a, c)))), "E ((a U b) W (b R (a S c)))"),
        (G(a, within=3), "G<=3 a"),
        (F("a | b") & c, "F (a | b) & c"),
        (if_then_else(a, b, c) + 1, "(if a then b else c) + 1"),
        (maximum(a, 2), "max(a, 2)"),
        (can(["Ann", "Bob"], F(a)), "<Ann, Bob> F a"),
        (can("g", U(a, b)), "<g> (a U b)"),
        (True & a, "true & a"),
        (all_of([]), "true"),
        (any_of([a & b]) & c, "a & b & c"),
    ]
    for made, shown in table:
        assert str(made) == shown


def test_python_s_own_connectives_are_refused() -> None:
    a = Expr("a")
    with pytest.raises(TypeError, match="& | ~ >>"):
        bool(a and a)
    with pytest.raises(TypeError):
        expr(1.5)  # type: ignore[arg-type]
    p = Protocol("P")
    for wrong in (lambda: p.role("A B"), lambda: p.variable("x", range(0)), lambda: p.property("p\n", a), choose):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(TypeError):
        p.variable("x", 3)  # type: ignore[arg-type]
