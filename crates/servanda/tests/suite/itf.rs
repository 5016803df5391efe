//! `servanda explain --format itf`: what readers of ITF rely on (Apalache's ADR 15).

use serde_json::Value;

use crate::program::{run, run_on, run_on_aut};

fn explained(arguments: &[&str]) -> String {
    let ran = run(&[&["explain", "--format", "itf"], arguments].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    ran.stdout
}

#[test]
fn a_path_with_a_loop() {
    insta::assert_snapshot!(explained(&["examples/pnaws.pact", "--property", "can_argue_forever"]));
}

#[test]
fn every_language() {
    let runs: [&[&str]; 6] = [
        &["examples/netbill.pact", "--formula", "AG !does(Vio(_, _))"],
        &["examples/handshake.pact", "--formula", "AG goods > 0"],
        &["examples/tunnel.pact", "--formula", "EF true"],
        &["examples/dining3.ispl", "--formula", "AG !odd"],
        &["examples/scheduler.ccs", "--formula", "AG !does('a2)"],
        &["examples/pnaws.pact", "--property", "always_agree"],
    ];
    for arguments in runs {
        is_itf(&serde_json::from_str(&explained(arguments)).unwrap());
    }
    let aut =
        run_on_aut("des (0, 1, 2)\n(0, a, 1)\n", &["explain", "--formula", "EF in s1", "--format", "itf"]);
    is_itf(&aut.json());
    assert_eq!(aut.json()["states"][1]["#meta"]["label"], "a");
    // The end of a deadlock is a loop of which nothing can be said.
    let end =
        run_on_aut("des (0, 1, 2)\n(0, a, 1)\n", &["explain", "--formula", "EG EF in s1", "--format", "itf"]);
    is_itf(&end.json());
    assert_eq!(end.json()["loop"], 1);
    assert!(end.json()["#meta"].get("loop-label").is_none());
}

/// The variables, in every state all of them and nothing else, a loop inside, and no number that a reader could round.
fn is_itf(trace: &Value) {
    assert_eq!(trace["#meta"]["format"], "ITF");
    let variables: Vec<&str> =
        trace["vars"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let states = trace["states"].as_array().unwrap();
    assert!(!variables.is_empty() && !states.is_empty());
    for (index, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], index);
        let state = state.as_object().unwrap();
        let names = state.keys().filter(|name| !name.starts_with('#'));
        assert!(names.clone().all(|name| variables.contains(&name.as_str())), "{state:?}");
        assert_eq!(names.count(), variables.len());
        state.iter().filter(|(name, _)| *name != "#meta").for_each(|(_, value)| is_expression(value));
    }
    assert!(trace.get("loop").is_none_or(|start| start.as_u64().unwrap() < states.len() as u64));
}

fn is_expression(value: &Value) {
    match value {
        Value::Bool(_) | Value::String(_) => {}
        Value::Array(elements) => elements.iter().for_each(is_expression),
        Value::Object(object) => {
            let entries: Vec<(&str, &Value)> =
                object.iter().map(|(name, value)| (name.as_str(), value)).collect();
            match entries[..] {
                [("#bigint", digits)] => assert!(digits.as_str().unwrap().parse::<i128>().is_ok()),
                [("#set", elements)] => elements.as_array().unwrap().iter().for_each(is_expression),
                [("#map", pairs)] => {
                    assert!(pairs.as_array().unwrap().iter().all(|pair| pair.as_array().unwrap().len() == 2));
                    is_expression(pairs);
                }
                _ => panic!("{value}: a record needs identifiers, and our names are none"),
            }
        }
        Value::Number(_) | Value::Null => panic!("{value} is no expression of ITF"),
    }
}

#[test]
fn what_no_path_shows_is_no_trace() {
    let none = run(&["explain", "examples/pnaws.pact", "--property", "no_deadlock", "--format", "itf"]);
    insta::assert_snapshot!(none.transcript());
    let text = "protocol P\nroles Ann\nstart s\ns -- Ann: go --> s\nproperty p = EF in s\n";
    let stopped = run_on(text, &["explain", "--property", "p", "--format", "itf", "--timeout", "0"]);
    assert_eq!((stopped.status, stopped.stdout.as_str()), (3, ""));
}
