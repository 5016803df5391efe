//! What the program makes of its input.

use std::fs;

use crate::program::{ODD_ISPL, run, run_on};

#[test]
fn all_mistakes_at_once() {
    let text = "\
protocol Bad
roles Cus, Mer
var paid : bool = false
commitment promise = SC(Cus, Mer, F paid)
start idle
idle -- Wit(Mer, promise) --> done
idle -- Cus: pay set paid = 3 --> done
property first = AG piad
property second = F paid
";
    insta::assert_snapshot!(run_on(text, &["check"]).transcript());
}

#[test]
fn mistakes_in_json() {
    let ran = run_on("protocol Bad\nroles Cus\nproperty p = AG piad\n", &["check", "--format", "json"]);
    insta::assert_snapshot!(ran.transcript());
}

#[test]
fn an_error_met_on_the_way() {
    let text = "protocol Up\nroles Cus\nvar x : 0..3 = 0\nstart s\ns -- Cus: up set x = x + 1 --> s\nproperty p = EF x = 2\n";
    insta::assert_snapshot!(run_on(text, &["check"]).transcript());
    for command in ["size", "conform"] {
        let ran = run_on(text, &[command]);
        assert_eq!(ran.status, 2, "{command}");
        assert!(ran.stderr.contains("<stdin>:5:1"), "{}", ran.stderr);
    }
}

#[test]
fn an_error_met_in_a_formula() {
    let ran = run(&["check", "examples/handshake.pact", "--formula", "EF goods / goods = 2"]);
    insta::assert_snapshot!(ran.transcript());
}

#[test]
fn other_languages_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.smv");
    fs::write(&path, "MODULE main").unwrap();
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("model.smv: this version reads .pact, .ispl, .ccs and .aut files only"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_pact_file_may_have_any_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.txt");
    fs::write(&path, "protocol P\nroles A\nstart s\ns -- A: go --> s\nproperty p = AG in s\n").unwrap();
    assert_eq!(run(&["check", path.to_str().unwrap()]).status, 2);
    assert_eq!(run(&["check", path.to_str().unwrap(), "--input", "pact"]).status, 0);
}

#[test]
fn an_ispl_file_may_have_any_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.txt");
    fs::write(&path, ODD_ISPL).unwrap();
    assert_eq!(run(&["check", path.to_str().unwrap()]).status, 2);
    assert_eq!(run(&["check", path.to_str().unwrap(), "--input", "ispl"]).status, 1);
}

#[test]
fn what_is_not_text_is_refused_at_its_place() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("model.pact");
    fs::write(&path, b"protocol P\nroles \xff\n").unwrap();
    let ran = run(&["check", path.to_str().unwrap()]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("not UTF-8") && ran.stderr.contains("model.pact:2:7"), "{}", ran.stderr);
}
