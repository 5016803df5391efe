//! `servanda explain`, and state graphs.

use crate::program::{run, run_on, run_on_ispl};

const PNAWS: [&str; 4] = ["explain", "examples/pnaws.pact", "--property", "always_agree"];

fn explained(format: &str) -> String {
    let ran = run(&[&PNAWS[..], &["--format", format]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{format}");
    ran.stdout
}

#[test]
fn a_chart_shows_lifelines_acts_and_commitments() {
    let drawing = explained("svg");
    for shown in [
        ">Master</text>",
        ">Slave</text>",
        ">Cr(claim)</text>",
        ">Ref(claim)</text>",
        ">Def(claim, demand)</text>",
        ">claim = SC(Master, Slave, benefit): from 1, still in force</text>",
        "repeats for ever",
    ] {
        assert!(drawing.contains(shown), "{shown}");
    }
}

#[test]
fn every_format_is_itself() {
    assert!(explained("html").starts_with("<!DOCTYPE html>"));
    assert!(explained("mermaid").starts_with("sequenceDiagram\n"));
    assert!(explained("text").starts_with("always_agree: AF in agreed\n"));
    let graph = explained("dot");
    assert!(graph.starts_with("digraph states {") && graph.contains("penwidth=2"));
}

#[test]
fn the_width_is_kept() {
    for width in ["40", "60", "80"] {
        let ran = run(&[&PNAWS[..], &["--width", width]].concat());
        let most: usize = width.parse().unwrap();
        assert!(ran.stdout.lines().all(|line| line.chars().count() <= most), "{}", ran.stdout);
    }
}

#[test]
fn what_cannot_be_explained() {
    insta::assert_snapshot!("no_question", run(&["explain", "examples/pnaws.pact"]).transcript());
    let unknown = run(&["explain", "examples/pnaws.pact", "--property", "always_agre"]);
    insta::assert_snapshot!("no_such_property", unknown.transcript());
    let stopped = run(&[&PNAWS[..], &["--timeout", "0s"]].concat());
    assert_eq!((stopped.status, stopped.stdout.as_str()), (3, ""));
    assert!(stopped.stderr.starts_with("always_agree is undecided: "), "{}", stopped.stderr);
    let large = "protocol Large\nroles Ann\nvar x : 0..5000 = 0\nstart s\ns -- Ann: up when x < 5000 set x = x + 1 --> s\n";
    let graph = run_on(large, &["explain", "--formula", "EF x = 1", "--format", "dot"]);
    insta::assert_snapshot!("too_large_to_draw", graph.transcript());
}

#[test]
fn state_graphs() {
    let dot = run(&["convert", "examples/netbill.pact", "--to", "dot"]);
    assert!(dot.status == 0 && !dot.stdout.contains("penwidth"), "{}", dot.stdout);
    let svg = run(&["convert", "examples/netbill.pact", "--to", "svg"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.contains(">idle</text>"));
    let json = run(&["convert", "examples/trains3.ispl", "--to", "json"]).json();
    let size = run(&["size", "examples/trains3.ispl", "--engine", "enumerate", "--format", "json"]).json();
    let count = |name: &str| json[name].as_array().unwrap().len().to_string();
    assert_eq!(
        (&count("states"), &count("transitions")),
        (&text(&size, "states"), &text(&size, "transitions"))
    );
}

fn text(size: &serde_json::Value, name: &str) -> String {
    size["model"][name].as_str().unwrap().to_owned()
}

#[test]
fn a_fault_is_told() {
    let text = "protocol Odd\nroles Ann\nvar x : 0..2 = 0\nstart s\ns -- Ann: up set x = x + 1 --> s\n";
    let ran = run_on(text, &["convert", "--to", "dot"]);
    assert!(ran.status == 2 && ran.stderr.contains("Ann: up gives a variable"), "{}", ran.stderr);
}

#[test]
fn knowledge_has_a_second_chart() {
    let text = std::fs::read_to_string(format!("{}/../../examples/dining3.ispl", env!("CARGO_MANIFEST_DIR")))
        .unwrap();
    let ran = run_on_ispl(&text, &["explain", "--formula", "AG K(C1, paid2)"]);
    assert!(ran.status == 0 && ran.stdout.contains("What C1 cannot rule out"), "{}", ran.stdout);
}

/// Where a property fails in one of several initial states, that one is named.
#[test]
fn the_initial_state_where_it_fails() {
    let text = "protocol I\nroles A\nvar ok : bool = {false, true}\nstart s\ns -- A: go when ok --> t\n\
        s -- A: stay when !ok --> s\nt -- A: stay --> t\nproperty p = EF in t\n";
    for engine in ["auto", "tableau", "bdd", "sat", "enumerate"] {
        let ran = run_on(text, &["explain", "--property", "p", "--engine", engine]);
        assert_eq!(ran.status, 0);
        assert!(ran.stdout.contains("in s, ok = false"), "{}", ran.stdout);
        let why = "`EF in t` is false: it holds on no path from here; what can happen here: A: stay";
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
    let one = text.replace("{false, true}", "false");
    let ran = run_on(&one, &["explain", "--property", "p"]);
    assert!(ran.stdout.contains("there is none that would make it true"), "{}", ran.stdout);
}

/// A failed check ends with what to type next, for the model as it was checked.
#[test]
fn the_command_that_explains() {
    let text = "protocol N\nparam N = 1\nroles A\nstart s\ns -- A: a[N] --> s\nproperty no[1] = false\n";
    let ran = run_on(text, &["check", "--param", "N=2", "--deadlock", "strict"]);
    assert_eq!(ran.status, 1);
    let last = ran.stdout.lines().last().unwrap_or_default();
    let expected =
        "to see why: servanda explain - --property 'no[1]' --param N=2 --input pact --deadlock strict";
    assert_eq!(last, expected);
    let formula = run_on(text, &["check", "--formula", "AG !does(a[1])"]);
    assert!(
        formula.stdout.ends_with("servanda explain - --formula 'AG !does(a[1])' --input pact\n"),
        "{}",
        formula.stdout
    );
    let sweep = run_on(text, &["check", "--param", "N=2..3"]);
    assert!(
        sweep.stdout.contains("to see why: servanda explain - --property 'no[1]' --param N=2"),
        "{}",
        sweep.stdout
    );
    let fine = run_on(text, &["check", "--formula", "true"]);
    assert!(!fine.stdout.contains("to see why"), "{}", fine.stdout);
}
