//! Projects: `servanda.toml`.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::program::{LARGE, Ran, run, run_in};

const SWITCH: &str = "\
protocol Switch
param N = 1
roles Ann
var x : 0..9 = 0
start s
s -- Ann: up when x < N set x = x + 1 --> s
property grows = EF x = 1
property stays = AG x < 2
";

/// A directory with a model and a project.
fn project(toml: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("models")).unwrap();
    fs::write(directory.path().join("models/switch.pact"), SWITCH).unwrap();
    fs::write(directory.path().join("models/large.pact"), LARGE).unwrap();
    fs::write(directory.path().join("servanda.toml"), toml).unwrap();
    directory
}

fn check(directory: &Path, more: &[&str]) -> Ran {
    run_in(directory, &[&["check"], more].concat())
}

/// Names, verdicts and expectations in the order of the report.
fn verdicts(ran: &Ran) -> Vec<String> {
    let object = ran.json();
    let files = object["files"].as_array().cloned().unwrap_or_else(|| vec![object.clone()]);
    let properties = files.iter().flat_map(|file| file["properties"].as_array().unwrap().clone());
    properties
        .map(|property| {
            let text = |name: &str| property[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("name"), text("verdict"), text("expected"))
        })
        .collect()
}

#[test]
fn all_models_with_their_parameters_properties_and_formulas() {
    let directory = project(
        r#"
[options]
engine = "enumerate"

[[model]]
file = "models/switch.pact"

[[model]]
file = "models/switch.pact"
params = { N = 3 }
properties = ["stays"]
expect = { stays = false }

[model.formulas]
three = "EF x = 3"
four = { formula = 'EF x = 4', expect = false }
"#,
    );
    let ran = check(directory.path(), &["--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let wanted = ["grows true -", "stays true -", "stays false false", "three true -", "four false false"];
    assert_eq!(verdicts(&ran), wanted);
    insta::assert_snapshot!(check(directory.path(), &[]).transcript());
}

#[test]
fn found_from_below_and_by_name() {
    let directory = project("[[model]]\nfile = \"models/switch.pact\"\n");
    let below = check(&directory.path().join("models"), &["--format", "json"]);
    assert_eq!((below.status, &below.json()["file"]), (0, &"../models/switch.pact".into()));
    for name in ["servanda.toml", "."] {
        assert_eq!(check(directory.path(), &["--project", name]).status, 0);
    }
    let path = directory.path().to_str().unwrap();
    assert_eq!(run(&["check", "--project", path]).status, 0);
}

#[test]
fn no_project_is_bad_usage() {
    let directory = tempfile::tempdir().unwrap();
    let ran = check(directory.path(), &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("has a servanda.toml"), "{}", ran.stderr);
    assert_eq!(check(directory.path(), &["--project", "nowhere.toml"]).status, 2);
    let both = run(&["check", "--project", "x", "examples/netbill.pact"]);
    assert_eq!(both.status, 2);
}

#[test]
fn the_command_line_goes_first() {
    let directory = project(
        "[options]\nengine = \"bdd\"\ndeadlock = \"error\"\n[[model]]\nfile = \"models/switch.pact\"\nparams = { N = 1 }\n",
    );
    let check = |more: &[&str]| check(directory.path(), &[&["--format", "json"], more].concat());
    assert_eq!(check(&[]).status, 1, "there is a deadlock");
    assert_eq!(check(&["--deadlock", "loop"]).status, 0);
    assert_eq!(check(&["--deadlock", "loop"]).json()["engine"], "bdd");
    assert_eq!(check(&["--engine", "enumerate"]).json()["engine"], "enumerate");
    assert_eq!(verdicts(&check(&["--param", "N=2"])), ["grows true -", "stays false -"]);
    assert_eq!(verdicts(&check(&["--property", "grows"])), ["grows true -"]);
    assert_eq!(verdicts(&check(&["--formula", "EF x = 9"])), ["formula_1 false -"]);
}

/// A model's own limit ends its check and not that of the others; the command line lifts it.
#[test]
fn limits_of_a_model_and_of_the_run() {
    let both = "[[model]]\nfile = \"models/large.pact\"\nengine = \"enumerate\"\nKIND\n[[model]]\nfile = \"models/switch.pact\"\n";
    for limit in ["timeout = \"50ms\"", "memory = \"1K\""] {
        let directory = project(&both.replace("KIND", limit));
        let ran = check(directory.path(), &["--format", "json"]);
        assert_eq!(ran.status, 3, "{}", ran.stdout);
        assert_eq!(verdicts(&ran), ["low unknown -", "grows true -", "stays true -"]);
    }
    let directory = project("[options]\ntimeout = \"0s\"\n[[model]]\nfile = \"models/switch.pact\"\n");
    assert_eq!(check(directory.path(), &[]).status, 3);
    assert_eq!(check(directory.path(), &["--timeout", "60s"]).status, 0);
}

#[test]
fn mistakes_are_all_reported_at_their_places() {
    let directory = project(
        r#"titel = "x"
[options]
engin = "bdd"
engine = "magic"
threads = 0
timeout = "soon"
uniform = "yes"
acts = 3

[[model]]
fiel = "models/switch.pact"

[[model]]
file = "models/switch.pact"
params = { N = "three" }
properties = "grows"
zebra = 1
formulas = { p = 1, q = { expect = true }, r = { formula = "EF x = 1", expects = true } }
"#,
    );
    let ran = check(directory.path(), &[]);
    insta::assert_snapshot!(ran.transcript());
    assert_eq!(check(directory.path(), &["--format", "json"]).json()["diagnostics"][0]["line"], 1);
}

#[test]
fn mistakes_about_the_model_point_into_the_project() {
    let directory = project(
        r#"[[model]]
file = "models/switch.pact"
properties = ["grow"]
expect = { stay = true }
formulas = { good = "EF x = 1", bad = "EF y = 1", escaped = "EF \u0079 = 1" }
"#,
    );
    insta::assert_snapshot!(check(directory.path(), &[]).transcript());
}

#[test]
fn what_is_no_toml_and_what_is_empty() {
    let directory = project("[[model]\nfile = 3 3\n");
    insta::assert_snapshot!("not_toml", check(directory.path(), &[]).transcript());
    let directory = project("");
    insta::assert_snapshot!("empty", check(directory.path(), &[]).transcript());
    for format in ["json", "junit", "sarif", "github"] {
        let ran = check(directory.path(), &["--format", format]);
        assert_eq!((ran.status, ran.stderr.as_str()), (2, ""), "{format}");
        assert!(ran.stdout.contains("the project has no model"), "{}", ran.stdout);
    }
}

#[test]
fn the_examples_are_a_project() {
    let ran = run(&["check", "--project", "examples", "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}
