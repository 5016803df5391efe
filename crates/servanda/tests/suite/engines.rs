//! Which engine does what, and that they agree.

use serde_json::Value;

use crate::program::{LARGE, ODD, ODD_ISPL, run, run_on, run_on_ispl};

fn verdicts(object: &Value) -> Vec<String> {
    let properties = object["properties"].as_array().unwrap();
    properties.iter().map(|property| property["verdict"].as_str().unwrap().to_owned()).collect()
}

/// What diagrams do not decide they leave open; everything else is as the reference engine has it.
#[test]
fn engines_agree_on_protocols() {
    for name in ["auction2", "handshake", "netbill", "pnaws", "tunnel"] {
        let decided = |engine: &str| {
            let file = format!("examples/{name}.pact");
            run(&["check", &file, "--engine", engine, "--format", "json"]).json()
        };
        let (one, other) = (decided("enumerate"), decided("bdd"));
        assert_eq!(one["model"]["states"], other["model"]["states"], "{name}");
        assert_eq!(one["model"]["deadlocks"], other["model"]["deadlocks"], "{name}");
        for (index, (one, other)) in verdicts(&one).iter().zip(verdicts(&other)).enumerate() {
            assert!(*one == other || other == "unknown", "{name} {index}: {one} {other}");
        }
    }
}

#[test]
fn on_the_fly() {
    for name in ["auction2", "handshake", "netbill", "pnaws", "tunnel"] {
        let file = format!("examples/{name}.pact");
        let decided =
            |engine| run(&["check", &file, "--engine", engine, "--stats", "--format", "json"]).json();
        let (one, other) = (decided("enumerate"), decided("tableau"));
        assert_eq!(verdicts(&one), verdicts(&other), "{name}");
        for count in ["states", "transitions", "deadlocks", "agents"] {
            assert_eq!(one["model"][count], other["model"][count], "{name}: {count}");
        }
    }
    insta::assert_snapshot!(run_on(ODD, &["check", "--engine", "tableau"]).transcript());
}

/// What is near the start is found without looking at the rest: nothing is counted.
#[test]
fn near_the_start_of_a_large_protocol() {
    let arguments = ["check", "--engine", "tableau", "--threads", "2", "--format", "json"];
    let near = run_on(LARGE, &[&arguments[..], &["--formula", "AG x[1] < 3"]].concat());
    let object = near.json();
    assert_eq!(verdicts(&object), ["false"]);
    assert_eq!(object["engine"], "tableau");
    assert!(object["model"]["states"].is_null(), "{object}");
    assert_eq!(near.status, 1);
}

#[test]
fn a_protocol_with_diagrams() {
    insta::assert_snapshot!(run_on(ODD, &["check", "--engine", "bdd"]).transcript());
    insta::assert_snapshot!(
        "netbill_with_diagrams",
        run(&["check", "examples/netbill.pact", "--engine", "bdd"]).transcript()
    );
}

/// Ten to the power of nine states are too many to keep each of them: either nobody does, or one stands for many.
#[test]
fn large_protocols_are_left_to_who_visits_no_states_or_to_symmetry() {
    // What is reached a solver may say before diagrams do; these count the states.
    for (reduction, engines) in [(&["--no-reduction"][..], &["bdd", "sat"][..]), (&[], &["tableau"])] {
        let ran = run_on(LARGE, &[&["check", "--stats", "--format", "json"], reduction].concat());
        let object = ran.json();
        assert!(engines.contains(&object["engine"].as_str().unwrap()), "{}", object["engine"]);
        assert_eq!(object["model"]["states"], "1000000000");
        assert_eq!(object["model"]["deadlocks"], "1");
        assert_eq!(verdicts(&object), ["false"]);
        assert_eq!(ran.status, 1);
    }
}

#[test]
fn counts_pass_what_a_word_can_hold() {
    let ran = run_on(LARGE, &["size", "--param", "N=30", "--engine", "bdd", "--stats", "--format", "json"]);
    let model = &ran.json()["model"];
    assert_eq!(model["states"], format!("1{}", "0".repeat(30)));
    // Each of 30 digits can rise in nine of its ten values, whatever the others are.
    assert_eq!(model["transitions"], format!("27{}", "0".repeat(30)));
    assert_eq!(ran.status, 0);
}

#[test]
fn what_others_do_not_know_is_asked_of_the_reference() {
    let ran = run_on_ispl(ODD_ISPL, &["check", "--uniform", "--format", "json"]);
    let object = ran.json();
    assert_eq!(object["engine"], "tableau");
    let engines: Vec<&Value> =
        object["properties"].as_array().unwrap().iter().map(|property| &property["engine"]).collect();
    assert_eq!(engines, ["tableau", "tableau", "enumerate", "tableau"]);
    assert_eq!(verdicts(&object), ["true", "true", "false", "false"]);

    let ran = run_on_ispl(ODD_ISPL, &["check", "--uniform", "--engine", "bdd", "--format", "json"]);
    assert_eq!(verdicts(&ran.json()), ["true", "true", "unknown", "false"]);
    assert!(ran.json()["properties"][2]["reason"].as_str().unwrap().contains("uniform strategies"));
}

#[test]
fn statistics_of_diagrams() {
    let check = ["check", "examples/dining3.ispl", "--engine", "bdd", "--stats"];
    insta::assert_snapshot!(run(&[&check[..], &["-v"]].concat()).transcript());

    let object = run(&[&check[..], &["--format", "json"]].concat()).json();
    let stats = &object["stats"];
    assert!(stats["diagrams"]["bits"].as_u64().unwrap() >= 6, "{stats}");
    assert!(stats["diagrams"]["order"].as_array().unwrap().contains(&Value::from("C1.Action")), "{stats}");
    assert_eq!(object["model"]["transitions"], "64");
    let phases: Vec<&str> =
        stats["phases"].as_array().unwrap().iter().map(|phase| phase["name"].as_str().unwrap()).collect();
    let diagrams = ["exploring with diagrams", "deciding", "counting transitions"];
    assert_eq!(phases, [&["loading"], &diagrams[..], &["looking for warnings"]].concat());
}

#[test]
fn sizes() {
    let text = |engine: &str| run(&["size", "examples/trains3.ispl", "--engine", engine]).transcript();
    insta::assert_snapshot!("size_auto", text("auto"));
    insta::assert_snapshot!("size_enumerate", text("enumerate"));
    insta::assert_snapshot!(
        "size_stats",
        run(&["size", "examples/trains3.ispl", "--stats", "--format", "json"]).transcript()
    );
}
