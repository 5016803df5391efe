//! Formulas while they are typed.

use serde_json::{Value, json};

use super::talk::{about, done, example};
use crate::program::LARGE;

fn looked_at(path: &str, text: &str, formula: &str) -> Value {
    let more = json!({"kind": "formula", "formula": formula, "limits": {"seconds": 60.0}});
    done(&about(path, text, more)).pop().unwrap()["formula"].clone()
}

#[test]
fn a_formula_is_said_drawn_and_decided() {
    let path = "examples/netbill.pact";
    let view = looked_at(path, &example(path), "AG (paid -> EF delivered)");
    assert_eq!(view["verdict"]["verdict"].as_str().map(|word| ["true", "false"].contains(&word)), Some(true));
    assert!(view["words"].as_str().unwrap().contains("at every moment"), "{view:#}");
    roxmltree::Document::parse(view["automaton"].as_str().unwrap()).unwrap();
    assert!(view["notes"].to_string().contains("CTL"), "{view:#}");
}

#[test]
fn every_beginning_of_a_formula_is_answered() {
    let path = "examples/netbill.pact";
    let (text, formula) = (example(path), "AG (K(Cus, paid) -> A (F delivered | G !paid))");
    for cut in (0..=formula.len()).step_by(5) {
        let view = looked_at(path, &text, &formula[..cut]);
        let findings = view["findings"].as_array().unwrap();
        assert_eq!(findings.is_empty(), view["verdict"].is_object(), "{view:#}");
        assert!(
            findings.iter().all(|one| one["place"]["path"].as_str().is_none_or(|path| path == "formula"))
        );
    }
}

#[test]
fn a_formula_without_a_model_is_said_and_drawn_all_the_same() {
    let view = looked_at("broken.pact", "protocol Broken\nroles A B C\n", "AG EF p");
    assert!(view["verdict"].is_null() && view["automaton"].is_string(), "{view:#}");
    assert!(view["words"].as_str().unwrap().contains("every run"));
    let view = looked_at("large.pact", LARGE, "AG EF (x[1] = 9 & x[2] = 9 & x[3] = 9)");
    // Whoever needs no states one by one decides this at once too.
    assert!(
        view["verdict"].is_object() != view["notes"].to_string().contains("not decided at once"),
        "{view:#}"
    );
}
