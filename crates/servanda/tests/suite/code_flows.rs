//! The run that SARIF shows with a verdict: every step points to where it is written.

use std::fs;

use serde_json::Value;

use crate::program::{command_in, run, run_in, run_on, run_with_input};

/// The text that a region marks; columns count characters.
fn marked(text: &str, region: &Value) -> String {
    let number = |name: &str| region[name].as_u64().unwrap() as usize;
    // The byte at which a character of a line begins.
    let at = |line: usize, column: usize| {
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        start + text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>()
    };
    let range = at(number("startLine"), number("startColumn"))..at(number("endLine"), number("endColumn"));
    text[range].to_owned()
}

/// The flow of the first result: level, message and what is marked, `-` for the file as a whole.
fn flow(log: &Value, text: &str) -> String {
    let flow = &log["runs"][0]["results"][0]["codeFlows"][0];
    let mut shown = format!("{}\n", flow["message"]["text"].as_str().unwrap());
    for step in flow["threadFlows"][0]["locations"].as_array().unwrap() {
        let place = &step["location"]["physicalLocation"]["region"];
        let marked = if place.is_null() { "-".to_owned() } else { marked(text, place) };
        let message = step["location"]["message"]["text"].as_str().unwrap();
        shown.push_str(&format!("{} {message}\n      [{marked}]\n", step["nestingLevel"]));
    }
    shown
}

fn of_example(arguments: &[&str]) -> String {
    let file = arguments[0];
    let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
    let ran = run(&[&["check", "--trace", "--format", "sarif"], arguments].concat());
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    flow(&ran.json(), &fs::read_to_string(path).unwrap())
}

#[test]
fn transitions_of_a_protocol() {
    insta::assert_snapshot!(of_example(&["examples/pnaws.pact", "--formula", "AF in agreed"]));
}

/// A message that is sent and received stands where it is sent.
#[test]
fn messages_between_machines() {
    insta::assert_snapshot!(of_example(&["examples/handshake.pact", "--formula", "AG goods > 0"]));
}

/// A round stands where the agents' variables change.
#[test]
fn rounds() {
    insta::assert_snapshot!(of_example(&["examples/dining3.ispl"]));
    insta::assert_snapshot!(
        "rounds_of_2005",
        of_example(&["examples/transmission1-2005.ispl", "--formula", "AG !recbit"])
    );
}

#[test]
fn actions_of_processes() {
    insta::assert_snapshot!(of_example(&["examples/scheduler.ccs", "--formula", "AG !does('a2)"]));
}

/// A label with a comma, white space, a transition that stands there twice, characters of several bytes.
#[test]
fn lines_of_a_transition_system() {
    let text = "des (0, 5, 4)\n(0, \"é, b\", 2)\n\n  (2, i, 1)  \n(2, i, 1)\n(1, c, 1)\n(3, c, 0)\n";
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.aut"), text).unwrap();
    let arguments = ["check", "a.aut", "--formula", "A G F in s0", "--trace", "--format", "sarif"];
    insta::assert_snapshot!(flow(&run_in(directory.path(), &arguments).json(), text));
}

/// A lambda of two bytes before the transition: columns are those of characters.
#[test]
fn columns_count_characters() {
    let text = "protocol Wide\nroles Ann\nstart s\n/* λλ */ s -- Ann: go --> t\nproperty p = AG in s\n";
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("wide.pact"), text).unwrap();
    let log = run_in(directory.path(), &["check", "wide.pact", "--trace", "--format", "sarif"]).json();
    assert!(flow(&log, text).contains("[s -- Ann: go --> t]"), "{}", flow(&log, text));
}

/// The implicit loop of a deadlock is written nowhere.
#[test]
fn a_deadlock_has_no_place() {
    let text = "protocol End\nroles Ann\nstart s\ns -- Ann: go --> t\nproperty p = AF in s & AF AG in s\n";
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("end.pact"), text).unwrap();
    let log = run_in(directory.path(), &["check", "end.pact", "--trace", "--format", "sarif"]).json();
    let shown = flow(&log, text);
    assert!(shown.contains("nothing more can happen, back to 1\n      [-]"), "{shown}");
}

/// A text that is in no file has no places, and nobody who did not ask gets a flow.
#[test]
fn without_places_and_without_flows() {
    let text = "protocol P\nroles Ann\nstart s\ns -- Ann: go --> t\nproperty p = AG in s\n";
    let log = run_on(text, &["check", "--trace", "--format", "sarif"]).json();
    let steps = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().unwrap().len(), 2);
    assert!(steps[1]["location"].get("physicalLocation").is_none(), "{steps:#}");
    let log = run_on(text, &["check", "--format", "sarif"]).json();
    assert!(log["runs"][0]["results"][0].get("codeFlows").is_none());
    let command =
        command_in(std::path::Path::new("."), &["check", "-", "--input", "pact", "--format", "junit"]);
    assert!(!run_with_input(command, text).stdout.contains("counterexample"));
}

/// What people read of a counterexample is in the other formats too.
#[test]
fn the_other_formats_tell_it_in_words() {
    let text = "protocol P\nroles Ann\nstart s\ns -- Ann: go --> t\nproperty p = AG in s\n";
    let words = ["counterexample, 1 step:", "| Ann: go"];
    for format in ["text", "junit", "github"] {
        let shown = run_on(text, &["check", "--trace", "--format", format]).stdout;
        assert!(words.iter().all(|word| shown.contains(word)), "{format}: {shown}");
    }
}
