//! Formulas about what comes again and again: what is demanded of loops is no state of an automaton.

use std::time::{Duration, Instant};

use servanda_engine::{Engine as _, NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_logic::parse_formula;
use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};

use crate::{WORKERS, cluster};

/// A counter that goes round, and may rest at any place.
fn round(places: i64) -> Model {
    let mut model = Model::new("Round");
    let domain = Domain::Range { low: 0, high: places - 1 };
    let at = model.add_variable(Variable::new("at", domain, vec![0], Visibility::Public));
    for place in 0..places {
        let here = Expr::variable(at).equals(Expr::Constant(place));
        for (name, to) in [("go", (place + 1) % places), ("rest", place)] {
            let label = model.add_label(Label::message(format!("{name}_{place}"), None));
            let updates = vec![(at, Expr::Constant(to))];
            model.add_command(Command { guard: here.clone(), updates, ..Command::new(label) });
        }
    }
    model
}

#[test]
fn many_recurrences_are_decided_at_once() {
    let model = round(15);
    let all = (1..15).map(|place| format!("G F at = {place}")).collect::<Vec<_>>().join(" & ");
    let begun = Instant::now();
    for (formula, expected) in [
        (format!("A (({all}) -> G F at = 0)"), true),
        (format!("A (({all}) -> F G at = 0)"), false),
        (format!("E (({all}) & G F at = 0)"), true),
        (format!("E (({all}) & F G at < 14)"), false),
    ] {
        for workers in [1, 2] {
            let mut engine = cluster(&model, Options::default(), workers).unwrap();
            let found = engine.decide(&parse_formula(&formula).unwrap(), &NoLimits).unwrap();
            assert_eq!(found.decided(), Some(expected), "{formula}");
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
}

#[test]
fn what_is_demanded_of_loops_is_what_the_reference_says() {
    let model = round(4);
    let strong = |many: i64| {
        (0..many).map(|n| format!("(G F at = {} -> G F does(go_{n}))", n % 4)).collect::<Vec<_>>().join(" & ")
    };
    let formulas = [
        "E (F G at = 2)".to_owned(),
        "E (F G (at = 2 | at = 3))".to_owned(),
        "A (F G at = 2 | G F at = 1)".to_owned(),
        "E (F G at < 3 & G F at = 2)".to_owned(),
        "E (F G at < 3 & G F at = 2 & G F at = 1)".to_owned(),
        "E (G F does(rest_1) & G F at = 3)".to_owned(),
        "E (G F (at = 1 & does(rest_1)) & !G F does(go_1))".to_owned(),
        "E (G F (at = 1 & !does(rest_1)) & F (at = 2 & F G at = 3))".to_owned(),
        "A ((G F at = 1 -> G F at = 2) & (G F at = 2 -> G F at = 3) -> F at = 3)".to_owned(),
        "E ((G F at = 1 -> G F at = 2) & (G F at = 2 -> G F at = 3) & F at = 2)".to_owned(),
        format!("E ({} & F G at != 3)", strong(4)),
        format!("A ({} -> G F at = 0)", strong(4)),
    ]
    .map(|formula| parse_formula(&formula).unwrap());
    let mut reference = Explored::new(&model, Options::default(), &NoLimits).unwrap();
    for workers in WORKERS {
        let mut engine = cluster(&model, Options::default(), workers).unwrap();
        for formula in &formulas {
            let expected = reference.decide(formula, &NoLimits).unwrap();
            assert_eq!(engine.decide(formula, &NoLimits).unwrap(), expected, "{formula:?}");
        }
    }
}
