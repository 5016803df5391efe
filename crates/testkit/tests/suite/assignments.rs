//! Random protocols with computed elements, choices and repetition: every engine against the reference, faults included.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use servanda_engine::{Halt, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_tableau::Tableau;
use servanda_testkit::{Trials, Tried, load};

/// Numbers of at most so many levels; most of them are small.
fn numbers(depth: u32) -> BoxedStrategy<String> {
    let leaf = select(vec!["0", "1", "2", "i", "j", "x[1]", "x[2]", "3 - i"]).prop_map(str::to_owned);
    let Some(below) = depth.checked_sub(1) else { return leaf.boxed() };
    let two = || (numbers(below), numbers(below));
    prop_oneof![
        3 => leaf,
        2 => numbers(below).prop_map(|index| format!("x[({index}) + i - i]")),
        1 => (conditions(below), two()).prop_map(|(c, (a, b))| format!("(if {c} then {a} else {b})")),
        1 => (select(vec!["min", "max"]), two()).prop_map(|(f, (a, b))| format!("{f}({a}, {b})")),
        1 => two().prop_map(|(a, b)| format!("({a} + {b}) % 3")),
        1 => numbers(below).prop_map(|a| format!("(sum k in 1..2 : if x[k] = {a} then 1 else 0)")),
    ]
    .boxed()
}

/// Conditions of at most so many levels.
fn conditions(depth: u32) -> BoxedStrategy<String> {
    let leaf = select(vec!["p", "i = 1", "j > 0", "x[1] < x[2]", "m = calm", "in s"]).prop_map(str::to_owned);
    let Some(below) = depth.checked_sub(1) else { return leaf.boxed() };
    let two = || (conditions(below), conditions(below));
    prop_oneof![
        2 => leaf,
        2 => (numbers(below), select(vec!["=", "!=", "<", "<="]), numbers(below))
            .prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        2 => (two(), select(vec!["&", "|", "->"])).prop_map(|((a, b), op)| format!("({a} {op} {b})")),
        1 => (conditions(below), two()).prop_map(|(c, (a, b))| format!("(if {c} then {a} else {b})")),
    ]
    .boxed()
}

/// What may stand after `set` together: none of them can assign what another one does, but for elements that are computed.
fn sets() -> BoxedStrategy<Vec<String>> {
    let small = || numbers(1).prop_map(|value| format!("min(max({value}, 0), 2)"));
    let of_i = prop_oneof![
        small().prop_map(|value| format!("i = {value}")),
        Just("i in 1..2".to_owned()),
        numbers(1).prop_map(|value| format!("i = {value}")),
    ];
    let of_m = prop_oneof![
        conditions(1).prop_map(|c| format!("m = if {c} then calm else cross")),
        Just("m in {calm, cross}".to_owned()),
    ];
    let of_x = prop_oneof![
        (numbers(1), small()).prop_map(|(index, value)| format!("x[({index}) + i - i] = {value}")),
        (small(), small()).prop_map(|(a, b)| format!("x[i] = {a}, x[j] = {b}")),
        (select(vec!["i", "j", "3 - i"]), small())
            .prop_map(|(at, value)| format!("x[{at}] = {value}, x[1] = 1")),
        select(vec!["i", "j", "3 - i"]).prop_map(|at| format!("x[{at}] in {{0, 2}}")),
        conditions(1).prop_map(|c| format!("all k in 1..2 : x[k] = if {c} then k else x[3 - k]")),
        Just("all k in 1..2 : x[k] in 0..1".to_owned()),
    ];
    let of_p = conditions(1).prop_map(|c| format!("p = ({c})"));
    let maybe = |one: BoxedStrategy<String>| proptest::option::weighted(0.4, one);
    (maybe(of_i.boxed()), maybe(of_m.boxed()), maybe(of_x.boxed()), maybe(of_p.boxed()))
        .prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect())
        .boxed()
}

fn protocols() -> impl Strategy<Value = String> {
    let transition = (proptest::option::of(conditions(1)), sets()).prop_map(|(guard, sets)| {
        let when = guard.map(|guard| format!(" when {guard}")).unwrap_or_default();
        let set = if sets.is_empty() { String::new() } else { format!(" set {}", sets.join(", ")) };
        format!("A: go{when}{set}")
    });
    let quantified = (select(vec!["AG", "EF", "AF", "EG", "A X", "E G F"]), conditions(2));
    let property = quantified.prop_map(|(operator, c)| format!("{operator} ({c})"));
    let properties = proptest::collection::vec(property, 1..3);
    (proptest::collection::vec(transition, 1..4), properties).prop_map(|(transitions, properties)| {
        let mut text =
            "protocol R\nroles A\nvar i, j : 0..2 = 1\nvar x[1..2] : 0..2 = {0, 1}\nvar p : bool = false\n\
                        var m : {calm, cross} = calm\nstart s\n"
                .to_owned();
        for (number, transition) in transitions.iter().enumerate() {
            let (from, to) = (["s", "s", "t"][number], ["s", "t", "s"][number]);
            text += &format!("{from} -- {transition} --> {to}\n");
        }
        if transitions.len() < 2 {
            text += "s -- A: on --> t\n";
        }
        for (number, property) in properties.iter().enumerate() {
            text += &format!("property q{number} = {property}\n");
        }
        text
    })
}

/// A verdict, or that something is at fault; `None` where the engine does not know.
fn outcome(verdict: Result<Verdict, Halt>) -> Option<Result<bool, ()>> {
    match verdict {
        Ok(verdict) => verdict.decided().map(Ok),
        Err(Halt::Fault(_)) => Some(Err(())),
        Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => None,
        Err(halt) => panic!("{halt:?}"),
    }
}

#[test]
fn engines_agree_on_what_is_assigned() {
    let options = Options::default();
    let faults = std::cell::Cell::new(0);
    let trials = Trials::from_environment(400);
    trials.run(&protocols(), |text| {
        let protocol = load(text);
        let model = &protocol.model;
        let mut explored = Explored::new(model, options, &NoLimits);
        let mut symbolic = Symbolic::new(model, options, 1 << 18, &NoLimits);
        if let (Ok(explored), Ok(symbolic)) = (&explored, &symbolic) {
            let (one, other) = (explored.space.len(), symbolic.states());
            if other != one.into() {
                return Err(format!("{one} states, but bdd finds {other}:\n{text}"));
            }
        }
        for property in &protocol.properties {
            let asked = &property.formula;
            let of = |halt: &Halt| if let Halt::Fault(_) = halt { Some(Err(())) } else { None };
            let expected = match &mut explored {
                Ok(engine) => outcome(engine.decide(asked, &NoLimits)),
                Err(halt) => of(halt),
            };
            faults.set(faults.get() + u32::from(expected == Some(Err(()))));
            let by_diagrams = match &mut symbolic {
                Ok(engine) => outcome(engine.decide(asked, &NoLimits)),
                Err(halt) => of(halt),
            };
            let by_solver = Sat::new(model, options, SatOptions::default(), &NoLimits)
                .and_then(|mut engine| engine.decide(asked, &NoLimits));
            let on_the_fly = Tableau::new(model, options, 1, &NoLimits)
                .and_then(|mut engine| engine.decide(asked, &NoLimits));
            for (name, found) in [("bdd", by_diagrams), ("sat", outcome(by_solver))] {
                if found.is_some() && found != expected {
                    return Err(format!("{asked}: {name} says {found:?}, not {expected:?}:\n{text}"));
                }
            }
            // What is decided on the fly may be decided before a fault is met.
            let found = outcome(on_the_fly);
            if !(found == expected || expected == Some(Err(())) && found != Some(Err(()))) {
                return Err(format!("{asked}: tableau says {found:?}, not {expected:?}:\n{text}"));
            }
        }
        Ok(Tried::Holds)
    });
    // Both happen often enough.
    let (faults, cases) = (faults.get(), trials.cases);
    assert!(faults > cases / 10 && faults < cases, "{faults} faults");
}
