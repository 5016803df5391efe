//! `servanda equiv`

use std::fs;

use tempfile::TempDir;

use crate::program::{Ran, command, run};

/// `a.b + a.c`
const EARLY: &str = "des (0, 4, 5)\n(0, a, 1)\n(0, a, 2)\n(1, b, 3)\n(2, c, 4)\n";
/// `a.(b + c)`
const LATE: &str = "des (0, 3, 4)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(1, \"c\", 3)\n";
/// `a.tau.(b + c)`, with an internal loop
const SLOW: &str = "des (0, 5, 5)\n(0, a, 1)\n(1, i, 2)\n(2, tau, 2)\n(2, b, 3)\n(2, c, 4)\n";

/// A directory with the files that the tests compare.
fn files(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(directory.path().join(name), text).unwrap();
    }
    directory
}

fn usual_files() -> TempDir {
    files(&[("early.aut", EARLY), ("late.aut", LATE), ("slow.aut", SLOW)])
}

fn run_in(directory: &TempDir, arguments: &[&str]) -> Ran {
    let output = command(arguments).current_dir(directory.path()).output().unwrap();
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn every_relation() {
    let directory = usual_files();
    for (relation, early_late, late_slow) in
        [("strong", 1, 1), ("branching", 1, 0), ("weak", 1, 0), ("trace", 0, 0), ("simulation", 1, 1)]
    {
        let status = |one, other| run_in(&directory, &["equiv", one, other, "--relation", relation]).status;
        assert_eq!(status("early.aut", "late.aut"), early_late, "{relation}");
        assert_eq!(status("late.aut", "slow.aut"), late_slow, "{relation}");
    }
    // Strong is what is meant if nothing is said.
    assert_eq!(run_in(&directory, &["equiv", "late.aut", "slow.aut"]).status, 1);
}

const PREORDERS: [&str; 8] = [
    "simulates",
    "weak-simulates",
    "ready-simulates",
    "weak-ready-simulates",
    "traces-within",
    "weak-traces-within",
    "failures-within",
    "weak-failures-within",
];

#[test]
fn every_preorder() {
    let directory = usual_files();
    let statuses = [
        // early late, late early, late slow
        ("simulates", [1, 0, 1]),
        ("weak-simulates", [1, 0, 0]),
        ("ready-simulates", [1, 1, 1]),
        ("weak-ready-simulates", [1, 1, 0]),
        ("traces-within", [0, 0, 1]),
        ("weak-traces-within", [0, 0, 0]),
        ("failures-within", [1, 0, 1]),
        ("weak-failures-within", [1, 0, 0]),
    ];
    for (relation, expected) in statuses {
        let status = |one, other| run_in(&directory, &["equiv", one, other, "--relation", relation]).status;
        let [early, late, slow] = ["early.aut", "late.aut", "slow.aut"];
        assert_eq!([status(early, late), status(late, early), status(late, slow)], expected, "{relation}");
    }
    let unknown = run_in(&directory, &["equiv", "early.aut", "late.aut", "--relation", "simulate"]);
    insta::assert_snapshot!("equiv_unknown_relation", unknown.transcript());
}

/// Text and JSON of every preorder, where it holds and where it does not.
#[test]
fn preorders() {
    let directory = usual_files();
    let ran = |arguments: &[&str]| run_in(&directory, &[&["equiv"], arguments].concat()).transcript();
    let all = PREORDERS.map(|relation| {
        [["early.aut", "late.aut"], ["late.aut", "slow.aut"]]
            .map(|[one, other]| ran(&[one, other, "--relation", relation]))
            .join("\n")
    });
    insta::assert_snapshot!("equiv_preorders", all.join("\n\n"));
    let json = |relation| ran(&["early.aut", "late.aut", "--format", "json", "--relation", relation]);
    insta::assert_snapshot!("equiv_json_failures", json("failures-within"));
    insta::assert_snapshot!("equiv_json_simulates", json("weak-simulates"));
    insta::assert_snapshot!("equiv_json_traces", json("traces-within"));
}

#[test]
fn text() {
    let directory = usual_files();
    for relation in ["strong", "branching", "weak", "trace", "simulation"] {
        let ran = run_in(&directory, &["equiv", "early.aut", "late.aut", "--relation", relation]);
        insta::assert_snapshot!(format!("equiv_{relation}"), ran.transcript());
    }
    insta::assert_snapshot!(run_in(&directory, &["equiv", "late.aut", "slow.aut"]).transcript());
}

#[test]
fn traces() {
    let directory = files(&[
        ("tea.aut", "des (0, 3, 3)\n(0, coin, 1)\n(1, i, 2)\n(2, tea, 0)\n"),
        ("nothing.aut", "des (0, 1, 2)\n(0, coin, 1)\n"),
    ]);
    let ran = run_in(&directory, &["equiv", "nothing.aut", "tea.aut", "--relation", "trace"]);
    insta::assert_snapshot!(ran.transcript());
}

#[test]
fn json() {
    let directory = usual_files();
    let ran = |more: &[&str]| run_in(&directory, &[&["equiv", "--format", "json"], more].concat());
    insta::assert_snapshot!("equiv_json_different", ran(&["early.aut", "late.aut"]).transcript());
    insta::assert_snapshot!("equiv_json_equivalent", ran(&["late.aut", "late.aut"]).transcript());
    let undecided = ran(&["early.aut", "late.aut", "--timeout", "0"]);
    insta::assert_snapshot!("equiv_json_undecided", undecided.transcript());
    let bad = ran(&["early.aut", "missing.aut"]);
    assert_eq!((bad.status, bad.json()["equivalent"].is_null()), (2, true));
}

/// What is said to be true for one model and false for the other, `check` finds to be so.
#[test]
fn check_sees_the_difference() {
    let directory = usual_files();
    for relation in ["strong", "branching", "weak", "simulation"].into_iter().chain(PREORDERS) {
        let ran = run_in(
            &directory,
            &["equiv", "early.aut", "late.aut", "--relation", relation, "--format", "json"],
        );
        if relation.ends_with("traces-within") {
            assert_eq!(ran.status, 0);
            continue;
        }
        let difference = &ran.json()["difference"];
        let property = difference["property"].as_str().unwrap();
        let left = i32::from(difference["holds_in"] != "left");
        let check = |file| run_in(&directory, &["check", file, "--formula", property]).status;
        assert_eq!((check("early.aut"), check("late.aut")), (left, 1 - left), "{property}");
    }
}

/// The same for protocols, whose labels are more than names.
#[test]
fn check_sees_the_difference_of_protocols() {
    let protocol = |more: &str| {
        format!(
            "protocol P\nroles Cus, Mer\ncommitment c = SC(Cus, Mer, F in done)\nstart s\n\
             s -- Cr(Cus, c) --> t\nt -- Cus: pay --> done\n{more}"
        )
    };
    let directory = files(&[
        ("one.pact", &protocol("")),
        ("other.pact", &protocol("t -- Mer: cancel --> s\n")),
        ("third.pact", &protocol("t -- Wit(Cus, c) --> done\n")),
    ]);
    for other in ["other.pact", "third.pact"] {
        for relation in ["strong", "branching", "weak", "trace", "simulation"].into_iter().chain(PREORDERS) {
            // What the other one can do besides; what it can refuse is less.
            let (one, other) =
                if relation.ends_with("within") { (other, "one.pact") } else { ("one.pact", other) };
            let ran = run_in(&directory, &["equiv", one, other, "--relation", relation, "--format", "json"]);
            assert_eq!(ran.status, 1, "{}", ran.stderr);
            let difference = &ran.json()["difference"];
            let property = difference["property"].as_str().unwrap();
            let left = i32::from(difference["holds_in"] != "left");
            let check = |file| run_in(&directory, &["check", file, "--formula", property]).status;
            assert_eq!((check(one), check(other)), (left, 1 - left), "{relation}: {property}");
        }
    }
}

/// ISPL has words of its own for joint actions.
#[test]
fn check_sees_the_difference_of_ispl_models() {
    let model = |low: &str| {
        format!(
            "Agent A\n Vars:\n  x : 0..2;\n end Vars\n Actions = {{up, stay}};\n Protocol:\n  x = 0 : {{up}};\n  \
             x = {low} : {{stay}};\n  Other : {{up, stay}};\n end Protocol\n Evolution:\n  \
             x = x + 1 if Action = up and x < 2;\n end Evolution\nend Agent\n\
             Agent B\n Vars:\n  y : boolean;\n end Vars\n Actions = {{go}};\n Protocol:\n  Other : {{go}};\n \
             end Protocol\n Evolution:\n  y = true if Action = go;\n end Evolution\nend Agent\n\
             Evaluation\n p if A.x = 1;\nend Evaluation\nInitStates\n A.x = 0 and B.y = false;\nend InitStates\n\
             Formulae\n AG p;\nend Formulae\n"
        )
    };
    let directory = files(&[("one.ispl", &model("1")), ("other.ispl", &model("2"))]);
    let ran = run_in(&directory, &["equiv", "one.ispl", "other.ispl", "--format", "json"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let difference = &ran.json()["difference"];
    let property = difference["property"].as_str().unwrap();
    let left = i32::from(difference["holds_in"] != "left");
    let check = |file| run_in(&directory, &["check", file, "--formula", property]).status;
    assert_eq!((check("one.ispl"), check("other.ispl")), (left, 1 - left), "{property}");
}

#[test]
fn quiet() {
    let directory = usual_files();
    let ran = run_in(&directory, &["equiv", "early.aut", "late.aut", "--relation", "trace", "--quiet"]);
    assert_eq!((ran.status, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    let ran = run_in(&directory, &["equiv", "early.aut", "late.aut", "--quiet"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("not equivalent"), "{}", ran.stdout);
}

#[test]
fn bad_input() {
    let directory = usual_files();
    fs::write(directory.path().join("bad.aut"), "des (0, 3, 2)\n(0, a, 1)\n(0, b, 2)\n").unwrap();
    insta::assert_snapshot!(run_in(&directory, &["equiv", "bad.aut", "missing.aut"]).transcript());
    let twice = run(&["equiv", "-", "-", "--input", "aut"]);
    assert_eq!((twice.status, twice.stdout.as_str()), (2, ""));
}

#[test]
fn several_initial_states() {
    insta::assert_snapshot!(run(&["equiv", "examples/dining3.ispl", "examples/trains3.ispl"]).transcript());
}

#[test]
fn limits() {
    let directory = usual_files();
    let ran = run_in(&directory, &["equiv", "early.aut", "late.aut", "--timeout", "0"]);
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(run_in(&directory, &["equiv", "early.aut", "late.aut", "--memory", "1K"]).status, 3);
}

/// A formula too large for a line is given piece by piece.
#[test]
fn deep_differences() {
    let chain = |length: usize| {
        let lines: Vec<String> = (0..length).map(|at| format!("({at}, a, {})\n", at + 1)).collect();
        format!("des (0, {length}, {})\n{}", length + 1, lines.concat())
    };
    let directory = files(&[("one.aut", &chain(150)), ("other.aut", &chain(151))]);
    let ran = run_in(&directory, &["equiv", "one.aut", "other.aut"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains(", where\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("servanda check"), "{}", ran.stdout);
}
