//! The library that logs are judged by: its models are themselves checked, and what it finds in its recordings is what it says it finds.

use std::collections::BTreeSet;

use servanda_library::{Entry, entries};

use crate::program::run;

/// The models, each once: several entries may share one.
fn models() -> BTreeSet<String> {
    let models = entries().iter().flat_map(|entry| entry.models);
    models.map(|model| format!("library/{}", model.path)).collect()
}

/// No deadlock but the ends, no control state that is never reached, no commitment that cannot be kept, no property that is vacuous or
/// has another verdict than it says.
#[test]
fn models_are_as_they_say() {
    for model in models() {
        let ran = run(&["check", &model, "--deadlock", "error", "--level", "may"]);
        assert_eq!(ran.status, 0, "{model}: {}{}", ran.stdout, ran.stderr);
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!said.contains("warning["), "{model}: {said}");
    }
}

/// Every label that a transition carries is said on some run.
#[test]
fn every_label_is_possible() {
    for entry in entries() {
        for model in entry.models.iter().filter(|model| !model.text.contains("\nuse ")) {
            let source = servanda_syntax::SourceFile::new(model.path, model.text);
            let protocol = servanda_pact::load(&source, &[]).protocol.unwrap();
            let labels = servanda_audit::judge::Labels::new(&protocol.model).ok().unwrap();
            let formulas: Vec<String> =
                labels.names().map(|label| format!("AG !does(\"{label}\")")).collect();
            assert!(!formulas.is_empty(), "{}", model.path);
            let file = format!("library/{}", model.path);
            let mut arguments = vec!["check", &file, "--format", "json"];
            formulas.iter().for_each(|formula| arguments.extend(["--formula", formula]));
            let properties = run(&arguments).json()["properties"].clone();
            let never =
                properties.as_array().unwrap().iter().filter(|property| property["verdict"] != "false");
            assert_eq!(never.count(), 0, "{}: {properties}", model.path);
            assert_eq!(properties.as_array().unwrap().len(), formulas.len(), "{}", model.path);
        }
    }
}

/// Every reading of a specification is a model without deadlocks.
#[test]
fn readings_are_models_too() {
    let readings = [
        ("a2a/stream.pact", "stays_over", "Interrupted=0..2"),
        ("a2a/stream.pact", "stays_over", "Snapshots=0"),
        ("a2a/stream.pact", "stays_over", "Profile=1"),
        ("a2a/call.pact", "bars", "Blocking=1"),
        ("mcp/2026-07-28/request.pact", "first_acknowledged", "AfterCancel=1"),
        ("mcp/2026-07-28/request.pact", "first_acknowledged", "Ending=1,2"),
        ("agents/confirm/confirm.pact", "asks_first", "Lasting=1"),
        ("agents/lifecycle/task.pact", "TL1", "Tries=0..3"),
        ("agents/lifecycle/host.pact", "HP1", "N=1..3"),
    ];
    for (model, property, reading) in readings {
        let file = format!("library/{model}");
        let ran = run(&["check", &file, "--property", property, "--param", reading, "--deadlock", "error"]);
        assert_eq!(ran.status, 0, "{model} {reading}: {}{}", ran.stdout, ran.stderr);
    }
}

/// The page of an entry has every transition and every property of its models, and every rule that a recording breaks.
#[test]
fn pages_are_complete() {
    for entry in entries() {
        for model in entry.models {
            pages_have(entry, model.path, model.text);
        }
        for recording in entry.recordings {
            for expected in entry.expected(recording) {
                let file = recording.path.split_once("/recordings/").unwrap().1;
                let row = format!("`{}` | `{file}`, line {} |", expected.code, expected.line);
                assert!(entry.page.text.contains(&row), "{}: {row}", entry.name);
            }
        }
    }
}

fn pages_have(entry: &Entry, path: &str, text: &str) {
    let heading = format!("## `{path}`\n");
    let (_, section) = entry.page.text.split_once(&heading).unwrap_or_else(|| panic!("{path}"));
    let section = section.split("\n## ").next().unwrap();
    let stem = path.rsplit('/').next().unwrap().trim_end_matches(".pact");
    let transitions = text.lines().filter(|line| line.contains("-->") && !line.starts_with("//")).count();
    let rows = section.lines().filter(|line| line.starts_with(&format!("| {stem}-"))).count();
    assert_eq!(transitions, rows, "{}: transitions of {path}", entry.name);
    for line in text.lines() {
        if let Some(property) = line.strip_prefix("property ") {
            let name = property.split_whitespace().next().unwrap();
            assert!(section.contains(&format!("| `{name}` |")), "{}: {name}", entry.name);
        }
    }
}
