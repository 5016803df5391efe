//! Formulas of any length are read; one that is too deep refuses itself, and not the file.

use crate::program::run_on;

const MODEL: &str = "roles Ann\nvar a : bool = true\nvar n : 0..1 = 0\nstart s\n\
                     s -- Ann: go set n = 1 - n --> s\n";

fn shown(text: &str, arguments: &[&str]) -> (String, i32) {
    let run = run_on(text, arguments);
    (format!("{}{}", run.stdout, run.stderr), run.status)
}

#[test]
fn a_property_that_is_too_deep_refuses_itself_and_not_the_file() {
    let deep = format!("{}a{}", "!(".repeat(300), ")".repeat(300));
    let long = vec!["n"; 1500].join(" - ");
    let text = format!(
        "{MODEL}property deep = {deep}\nproperty kept = AG a\n\
         property long expect true = AG ({long} < 2)\nproperty broken = AG n = 0\n"
    );
    for engine in ["auto", "tableau", "bdd", "sat", "cluster", "enumerate"] {
        let (shown, status) = shown(&text, &["check", "--engine", engine]);
        assert_eq!(shown.matches("warning[refused-property]").count(), 2, "{engine}: {shown}");
        for line in [
            "? deep    unknown: the formula is too long or too deep to be read",
            "✓ kept    true",
            "? long    unknown",
            "✗ broken  false",
        ] {
            assert!(shown.contains(line), "{engine}: {line} in {shown}");
        }
        assert_eq!(status, 1, "{engine}: {shown}");
        let without = text.replace("property broken = AG n = 0\n", "");
        assert_eq!(self::shown(&without, &["check", "--engine", engine]).1, 3, "{engine}");
    }
    // What was not read is not written either.
    let (shown, status) = shown(&text, &["fmt"]);
    assert_ne!(status, 0, "{shown}");
    let (shown, status) = self::shown(&text, &["convert", "--to", "smv"]);
    assert!(status != 0 && shown.contains("`deep` cannot be written"), "{shown}");
}

#[test]
fn chains_of_contest_length_are_decided() {
    let all = vec!["(n = 0 | n = 1)"; 6000].join(" & ");
    let some = vec!["n = 2"; 6000].join(" | ");
    let sum = vec!["n"; 6000].join(" + ");
    let paths = (0..2000).map(|at| format!("F n = {}", at % 2)).collect::<Vec<_>>().join(" & ");
    let text = format!(
        "{MODEL}property all expect true = AG ({all})\nproperty some expect false = EF ({some})\n\
         property sum expect true = AG ({sum} <= 6000)\nproperty paths expect true = A ({paths})\n"
    );
    for engine in ["auto", "tableau", "bdd", "cluster", "enumerate"] {
        let (shown, status) = shown(&text, &["check", "--engine", engine]);
        assert_eq!(status, 0, "{engine}: {}", &shown[..shown.len().min(2000)]);
    }
    let asked = format!("AG ({all})");
    let (shown, status) = shown(MODEL, &["check", "--formula", &asked]);
    assert_eq!(status, 0, "{}", &shown[..shown.len().min(2000)]);
}

/// A search that visits no more states than it must has its answer before it comes to the fault; who looked whether the model is small
/// met the fault first. And a fault that two properties meet is one fault.
#[test]
fn a_fault_behind_the_answer_keeps_nobody_from_it_and_is_told_once() {
    let text = "protocol Odd\nroles Ann\nvar n : 0..3 = 0\nstart s\ns -- Ann: up set n = n + 1 --> s\n\
        property near = AG n < 1\nproperty far = AG n < 9\nproperty too = AG n < 8\n";
    let ran = run_on(text, &["check", "--engine", "tableau"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.contains("near  false") && ran.stdout.contains("far   unknown"), "{}", ran.stdout);
    assert_eq!(ran.stderr.matches("error[run-time-fault]").count(), 1, "{}", ran.stderr);
}
