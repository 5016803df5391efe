//! The exit status, case by case.

use crate::program::{LARGE, ODD, ODD_ISPL, run, run_on, run_on_ispl};

#[test]
fn zero_when_everything_is_as_wanted() {
    assert_eq!(run(&["check", "examples/netbill.pact"]).status, 0);
    assert_eq!(run(&["size", "examples/netbill.pact"]).status, 0);
    assert_eq!(run(&["conform", "examples/pnaws.pact"]).status, 0);
    assert_eq!(run(&["--version"]).status, 0);
}

#[test]
fn one_when_a_verdict_is_not_as_wanted() {
    assert_eq!(run_on(ODD, &["check"]).status, 1);
    assert_eq!(run_on(ODD, &["check", "--property", "grows"]).status, 0);
    assert_eq!(run_on(ODD, &["check", "--formula", "AG x = 0"]).status, 1);
    assert_eq!(run(&["conform", "examples/netbill.pact"]).status, 1);
}

#[test]
fn one_when_no_deadlock_is_allowed_and_there_is_one() {
    let ran = run(&["check", "examples/handshake.pact", "--deadlock", "error"]);
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(run(&["check", "examples/tunnel.pact", "--deadlock", "error"]).status, 0);
    let allowed = run(&["check", "examples/handshake.pact", "--property", "served"]);
    assert_eq!(allowed.status, 0);
}

#[test]
fn two_when_a_bound_would_mean_nothing() {
    for command in ["check", "size"] {
        let ran = run(&[command, "examples/tunnel.pact", "--engine", "bdd", "--bound", "3"]);
        assert_eq!(ran.status, 2, "{command}: {}", ran.stderr);
    }
    assert_eq!(run(&["check", "examples/tunnel.pact", "--bound", "3"]).status, 3);
    let counted = ["explain", "examples/pnaws.pact", "--property", "always_agree", "--stats"];
    assert_eq!(run(&counted).status, 2);
}

/// ISPL has no words for what is expected, so a false formula is one that is not as wanted.
#[test]
fn ispl_with_every_engine() {
    for engine in ["auto", "bdd", "enumerate"] {
        let status =
            |file: &str, more: &[&str]| run(&[&["check", file, "--engine", engine], more].concat()).status;
        assert_eq!(status("examples/transmission1-2005.ispl", &[]), 0, "{engine}");
        assert_eq!(status("examples/dining3.ispl", &[]), 1, "{engine}");
        assert_eq!(status("examples/dining3.ispl", &["--property", "formula_1"]), 0, "{engine}");
        assert_eq!(status("examples/dining3.ispl", &["--formula", "AG nothing"]), 2, "{engine}");
        assert_eq!(status("examples/dining3.ispl", &["--timeout", "0"]), 3, "{engine}");
        assert_eq!(status("examples/dining3.ispl", &["--memory", "1K"]), 3, "{engine}");
        let deadlock = &["check", "examples/handshake.pact", "--deadlock", "error", "--engine", engine];
        assert_eq!(run(deadlock).status, 1, "{engine}");
    }
    // Only the reference engine tries strategies one after the other.
    let uniform = ["check", "--uniform", "--property", "formula_3", "--engine"];
    assert_eq!(run_on_ispl(ODD_ISPL, &[&uniform[..], &["bdd"]].concat()).status, 3);
    assert_eq!(run_on_ispl(ODD_ISPL, &[&uniform[..], &["auto"]].concat()).status, 1);
}

#[test]
fn two_for_bad_usage() {
    for arguments in [
        &["check"][..],
        &["check", "examples/netbill.pact", "--engine", "magic"],
        &["check", "examples/netbill.pact", "--timeout", "soon"],
        &["check", "examples/netbill.pact", "--memory", "lots"],
        &["check", "examples/netbill.pact", "--param", "N"],
        &["check", "examples/netbill.pact", "--quiet", "--verbose"],
        &["check", "-"],
        &["check", "-", "-", "--input", "pact"],
        &["fmt", "--write", "-", "--input", "pact"],
        &["convert", "examples/dining3.ispl"],
        &["convert", "examples/dining3.ispl", "--to", "magic"],
        &["check", "examples/dining3.ispl", "--param", "N=3"],
        &["convert", "examples/netbill.pact", "--to", "ispl"],
        &["conform", "examples/dining3.ispl"],
        &["fmt", "examples/dining3.ispl"],
        &["man", "chekc"],
        &["sing"],
    ] {
        let ran = run(arguments);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{arguments:?}");
        let says_so = ran.stderr.starts_with("error: ") || ran.stderr.starts_with("error[");
        assert!(says_so, "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn two_for_bad_input() {
    assert_eq!(run(&["check", "examples/missing.pact"]).status, 2);
    assert_eq!(run_on("protocol", &["check"]).status, 2);
    assert_eq!(run_on("protocol", &["size"]).status, 2);
    assert_eq!(run_on("protocol", &["conform"]).status, 2);
    assert_eq!(run_on("protocol", &["fmt"]).status, 2);
    for command in [&["check"][..], &["size"], &["convert", "--to", "ispl"]] {
        assert_eq!(run_on_ispl("Agent", command).status, 2, "{command:?}");
    }
    assert_eq!(run(&["check", "examples/netbill.pact", "--param", "N=2"]).status, 2);
}

#[test]
fn three_when_there_is_no_time() {
    insta::assert_snapshot!(run(&["check", "examples/netbill.pact", "--timeout", "0ms"]).transcript());
    assert_eq!(run(&["size", "examples/netbill.pact", "--timeout", "0"]).status, 3);
    assert_eq!(run(&["conform", "examples/netbill.pact", "--timeout", "0"]).status, 3);
}

#[test]
fn three_when_there_is_no_time_in_json() {
    let ran = run(&["check", "examples/netbill.pact", "--timeout", "0ms", "--format", "json"]);
    assert_eq!(ran.status, 3);
    let object = ran.json();
    assert_eq!(object["properties"][0]["verdict"], "unknown");
    assert_eq!(object["properties"][0]["reason"], "the time limit was reached");
    assert_eq!(object["model"]["reached"]["states"], "0");
}

#[test]
fn three_when_there_is_no_memory() {
    let ran = run(&["check", "examples/netbill.pact", "--memory", "1K"]);
    assert_eq!(ran.status, 3);
    assert!(ran.stdout.contains("unknown: the memory limit was reached"), "{}", ran.stdout);
}

/// Without properties nothing is unknown, yet a limit must not look like success.
#[test]
fn three_when_nothing_is_asked_and_not_everything_was_explored() {
    let text = LARGE.replace("property", "// property");
    let ran = run_on(&text, &["check", "--engine", "enumerate", "--deadlock", "error", "--timeout", "100ms"]);
    assert_eq!(ran.status, 3, "{}", ran.stdout);
}

/// Two goes before one, and one before three.
#[test]
fn the_worst_of_several_files() {
    let (good, stopped) = ("examples/tunnel.pact", "0ms");
    assert_eq!(run(&["check", good, "examples/missing.pact", "--timeout", stopped]).status, 2);
    assert_eq!(run(&["check", good, good, "--timeout", stopped]).status, 3);
    assert_eq!(run(&["check", good, "--formula", "false"]).status, 1);
}
