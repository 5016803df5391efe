//! `servanda minimise` and `servanda convert --to aut`

use crate::program::{run, run_on, run_on_aut};

const SLOW: &str = "des (0, 6, 5)\n(0, a, 1)\n(1, i, 2)\n(2, i, 2)\n(2, b, 3)\n(2, c, 4)\n(3, tau, 0)\n";

#[test]
fn every_relation() {
    for relation in ["strong", "branching", "weak", "trace", "simulation"] {
        let ran = run_on_aut(SLOW, &["minimise", "--relation", relation]);
        insta::assert_snapshot!(format!("minimise_{relation}"), ran.transcript());
        let again = run_on_aut(&ran.stdout, &["minimise", "--relation", relation, "--quiet"]);
        assert_eq!(
            (again.status, again.stdout.as_str(), again.stderr.as_str()),
            (0, ran.stdout.as_str(), "")
        );
    }
}

#[test]
fn a_protocol() {
    insta::assert_snapshot!(run(&["minimise", "examples/netbill.pact"]).transcript());
}

#[test]
fn convert_to_aut() {
    insta::assert_snapshot!(run(&["convert", "examples/netbill.pact", "--to", "aut"]).transcript());
    // What is written can be read, and means the same.
    let converted = run(&["convert", "examples/trains3.ispl", "--to", "aut"]);
    assert_eq!((converted.status, converted.stderr.as_str()), (0, ""));
    let sizes = |json: serde_json::Value| {
        ["states", "transitions", "deadlocks", "diameter"].map(|field| json["model"][field].clone())
    };
    let direct = run(&["size", "examples/trains3.ispl", "--engine", "enumerate", "--format", "json"]);
    let read = run_on_aut(&converted.stdout, &["size", "--format", "json"]);
    assert_eq!(sizes(direct.json()), sizes(read.json()));
    let again = run_on_aut(&converted.stdout, &["convert", "--to", "aut"]);
    assert!(again.stdout == converted.stdout);
}

#[test]
fn what_cannot_be_done() {
    let several = run(&["convert", "examples/dining3.ispl", "--to", "aut"]);
    insta::assert_snapshot!(several.transcript());
    let named_i = "protocol P\nroles Ann\nstart s\ns -- i --> s\n";
    let ran = run_on(named_i, &["convert", "--to", "aut"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    let late = run(&["minimise", "examples/netbill.pact", "--timeout", "0"]);
    insta::assert_snapshot!(late.transcript());
    assert_eq!(run(&["convert", "examples/netbill.pact", "--to", "aut", "--timeout", "0"]).status, 3);
    assert_eq!(run_on_aut("des", &["minimise"]).status, 2);
    assert_eq!(run_on_aut(SLOW, &["minimise", "--relation", "kindred"]).status, 2);
}

/// An internal step is a message called `tau` that nobody sends.
#[test]
fn internal_steps_of_protocols() {
    let text = "protocol P\nroles Ann\nstart s\ns -- tau --> t\nt -- Ann: tau --> u\nu -- Ann: go --> s\n";
    let ran = run_on(text, &["minimise", "--relation", "branching"]);
    insta::assert_snapshot!(ran.transcript());
}

#[test]
fn aut_files_can_be_checked() {
    let ran = run_on_aut(
        SLOW,
        &["check", "--formula", "AG (does(a) -> X E does(tau))", "--formula", "AG E does(_)"],
    );
    insta::assert_snapshot!(ran.transcript());
    for engine in ["enumerate", "bdd", "auto"] {
        let ran = run_on_aut(SLOW, &["check", "--formula", "EF in s4", "--engine", engine]);
        assert_eq!(ran.status, 0, "{engine}: {}", ran.stderr);
    }
}

#[test]
fn other_commands_and_aut_files() {
    let conform = run_on_aut(SLOW, &["conform"]);
    assert_eq!((conform.status, conform.stdout.as_str()), (2, ""));
    let fmt = run_on_aut(SLOW, &["fmt"]);
    assert_eq!((fmt.status, fmt.stdout.as_str()), (2, ""));
    assert!(fmt.stderr.contains("not of .aut files"), "{}", fmt.stderr);
    let parameter = run_on_aut(SLOW, &["check", "--param", "N=1"]);
    assert_eq!((parameter.status, parameter.stdout.as_str()), (2, ""));
}
