//! The GitHub action: its steps do with the program what the page says.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::run;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn action() -> String {
    std::fs::read_to_string(root().join("action.yml")).unwrap()
}

/// The script of the step with a name: a block of YAML, which is what stands under `run: |` and further in.
fn script(name: &str) -> String {
    let action = action();
    let (_, step) = action.split_once(&format!("- name: {name}\n")).unwrap();
    let (before, block) = step.split_once("run: |\n").unwrap();
    assert!(!before.contains("- name:"), "the step has a script");
    let inside = |line: &&str| line.trim().is_empty() || line.starts_with("        ");
    block
        .lines()
        .take_while(inside)
        .map(|line| format!("{}\n", line.trim_start_matches("        ")))
        .collect()
}

/// The inputs with their defaults.
fn inputs() -> Vec<(String, String)> {
    let action = action();
    let (_, rest) = action.split_once("\ninputs:\n").unwrap();
    let mut inputs: Vec<(String, String)> = Vec::new();
    for line in rest.lines().take_while(|line| line.is_empty() || line.starts_with("  ")) {
        if let Some(name) = line.strip_prefix("  ").filter(|line| !line.starts_with(' ')) {
            inputs.push((name.trim_end_matches(':').to_owned(), String::new()));
        } else if let (Some(default), Some(last)) = (line.trim().strip_prefix("default: "), inputs.last_mut())
        {
            last.1 = default.trim_matches('"').to_owned();
        }
    }
    inputs
}

/// Runs the step that audits, as GitHub would: inputs come as variables.
fn audit(given: &[(&str, &str)]) -> (i32, String) {
    let mut command = Command::new("bash");
    command.args(["-e", "-o", "pipefail", "-c", &script("Audit")]).current_dir(root());
    command.env("SERVANDA", env!("CARGO_BIN_EXE_servanda"));
    for (name, default) in inputs() {
        let value =
            given.iter().find(|(known, _)| *known == name).map_or(default, |(_, value)| (*value).to_owned());
        command.env(format!("INPUT_{}", name.to_uppercase().replace('-', "_")), value);
    }
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap(), String::from_utf8(text).unwrap())
}

const RECORDINGS: &str = "library/mcp/2025-11-25/recordings/stdio";

#[test]
fn annotates_what_is_found() {
    let log = format!("{RECORDINGS}/answered-twice.jsonl");
    let (status, said) = audit(&[("log", &log), ("library", "mcp/2025-11-25")]);
    assert_eq!(status, 1, "{said}");
    assert!(said.starts_with(&format!("::error file={log},line=6,title=not-possible::")), "{said}");
}

#[test]
fn every_input_is_heard() {
    let good = format!("{RECORDINGS}/good.jsonl");
    let early = format!("{RECORDINGS}/early-request.jsonl");
    let all = format!("{RECORDINGS}/g*.jsonl\n{RECORDINGS}/late-server.jsonl");
    let by = ("library", "mcp/2025-11-25");
    assert_eq!(audit(&[("log", &good), by]).0, 0);
    assert_eq!(audit(&[("log", &all), by, ("format", "text")]).0, 0);
    assert_eq!(audit(&[("log", &early), by]).0, 1);
    assert_eq!(audit(&[("log", &early), by, ("level", "must")]).0, 0);
    let map = "library/mcp/2025-11-25/stdio.audit.toml";
    assert_eq!(audit(&[("log", &early), ("map", map)]).0, 1);
    assert_eq!(audit(&[("log", &good), by, ("source", "http")]).0, 0);
    assert_eq!(audit(&[("log", &good), by, ("arguments", "--complete --stats"), ("format", "text")]).0, 0);
    let (status, said) = audit(&[("log", "no/such/*.jsonl"), by]);
    assert_eq!(status, 2, "{said}");
    assert_eq!(audit(&[("log", &good)]).0, 2, "by what?");
    // What a log is called is no command.
    assert_eq!(audit(&[("log", "$(touch /tmp/never)"), by]).0, 2);
}

/// What the steps take is what there is.
#[test]
fn inputs_are_those_that_steps_use() {
    let action = action();
    for (name, _) in inputs() {
        assert!(action.contains(&format!("${{{{ inputs.{name} ")), "{name}");
        assert!(!script("Audit").contains("${{"), "inputs reach scripts as variables only");
    }
    let help = run(&["audit", "--help"]).stdout;
    for option in ["--library", "--map", "--source", "--level", "--format"] {
        assert!(help.contains(option) && script("Audit").contains(option), "{option}");
    }
}
