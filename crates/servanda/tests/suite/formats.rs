//! The formats of `check`: every one tells the same story with the same exit status.

use roxmltree::{Document, Node};
use serde_json::Value;

use crate::program::{ODD, ODD_ISPL, Ran, run, run_on, run_on_ispl};

const FORMATS: [&str; 5] = ["text", "json", "junit", "sarif", "github"];

/// A run for each exit status, in each format.
fn runs() -> Vec<(i32, &'static str, Ran)> {
    let mut runs = Vec::new();
    for format in FORMATS {
        let check = |file: &str, more: &[&str]| run(&[&["check", file, "--format", format], more].concat());
        runs.push((0, format, check("examples/netbill.pact", &[])));
        runs.push((0, format, check("examples/tunnel.pact", &["examples/netbill.pact"])));
        runs.push((1, format, check("examples/dining3.ispl", &[])));
        runs.push((1, format, check("examples/dining3.ispl", &["--trace"])));
        runs.push((1, format, check("examples/pnaws.pact", &["--formula", "AF in agreed", "--trace"])));
        runs.push((1, format, check("examples/scheduler.ccs", &["--formula", "AG !does('a2)", "--trace"])));
        runs.push((1, format, check("examples/handshake.pact", &["--deadlock", "error"])));
        runs.push((1, format, check("examples/tunnel.pact", &["--formula", "AG false"])));
        runs.push((1, format, run_on(ODD, &["check", "--format", format])));
        runs.push((1, format, run_on(ODD, &["check", "--trace", "--format", format])));
        runs.push((1, format, run_on_ispl(ODD_ISPL, &["check", "--format", format])));
        runs.push((2, format, check("examples/missing.pact", &[])));
        runs.push((2, format, check("examples/missing.pact", &["examples/netbill.pact"])));
        runs.push((2, format, check("examples/netbill.pact", &["--formula", "AG piad"])));
        runs.push((2, format, run_on("protocol", &["check", "--format", format])));
        runs.push((3, format, check("examples/netbill.pact", &["--timeout", "0"])));
        runs.push((
            3,
            format,
            run_on("protocol P\nroles A\nstart s\n", &["check", "--timeout", "0", "--format", format]),
        ));
    }
    runs
}

#[test]
fn every_exit_status_in_every_format() {
    for (status, format, ran) in runs() {
        assert_eq!(ran.status, status, "{format}: {}{}", ran.stdout, ran.stderr);
        if format != "text" {
            assert_eq!(ran.stderr, "", "{format}: everything is in the document");
        }
    }
}

#[test]
fn junit_has_the_structure_that_readers_know() {
    for (status, format, ran) in runs() {
        if format != "junit" {
            continue;
        }
        let document = Document::parse(&ran.stdout).unwrap();
        let root = document.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        only(root, &["name", "tests", "failures", "errors", "time"], &["testsuite"]);
        let wrong = number(root, "failures") + number(root, "errors");
        assert_eq!(wrong > 0, status != 0, "{}", ran.stdout);
        let suites: Vec<Node> = root.children().filter(Node::is_element).collect();
        for name in ["tests", "failures", "errors"] {
            assert_eq!(suites.iter().map(|suite| number(*suite, name)).sum::<usize>(), number(root, name));
        }
        suites.into_iter().for_each(is_suite);
    }
}

fn is_suite(suite: Node) {
    let attributes = ["name", "tests", "failures", "errors", "skipped", "time"];
    only(suite, &attributes, &["testcase", "system-out"]);
    let having = |name: &str| {
        let cases = suite.children().filter(|child| child.has_tag_name("testcase"));
        cases.filter(|case| case.children().any(|child| child.has_tag_name(name))).count()
    };
    let cases = suite.children().filter(|child| child.has_tag_name("testcase"));
    assert_eq!(cases.clone().count(), number(suite, "tests"));
    assert_eq!(having("failure"), number(suite, "failures"));
    assert_eq!(having("error"), number(suite, "errors"));
    for case in cases {
        only(case, &["name", "classname", "time"], &["failure", "error", "skipped"]);
        assert!(case.attribute("time").unwrap().parse::<f64>().unwrap() >= 0.0);
        for wrong in case.children().filter(Node::is_element) {
            only(wrong, &["message", "type"], &[]);
        }
    }
    // The schemas want it last.
    let last = suite.children().filter(Node::is_element).position(|child| child.has_tag_name("system-out"));
    assert!(last.is_none_or(|place| place + 1 == suite.children().filter(Node::is_element).count()));
}

/// All these attributes, and no other child than these.
fn only(node: Node, attributes: &[&str], children: &[&str]) {
    let mut found: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
    let mut wanted = attributes.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted, "{:?}", node.tag_name());
    for child in node.children().filter(Node::is_element) {
        assert!(
            children.contains(&child.tag_name().name()),
            "{:?} in {:?}",
            child.tag_name(),
            node.tag_name()
        );
    }
}

fn number(node: Node, attribute: &str) -> usize {
    node.attribute(attribute).unwrap().parse().unwrap()
}

/// The part of SARIF 2.1.0 that is written, with what the standard demands of it.
#[test]
fn sarif_has_the_structure_of_the_standard() {
    let schema: Value = serde_json::from_str(include_str!("sarif-2.1.0-part.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (status, format, ran) in runs() {
        if format != "sarif" {
            continue;
        }
        let log = ran.json();
        let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {log:#}");
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        for result in results {
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result:#}");
        }
        let is = |name: &str, value: &str| results.iter().any(|result| result[name] == value);
        assert_eq!(is("level", "error"), matches!(status, 1 | 2), "{log:#}");
        assert_eq!(is("kind", "open"), status == 3, "{log:#}");
        assert_eq!(run["invocations"][0]["executionSuccessful"], status != 2);
    }
}

/// The same with the schema that OASIS publishes, where somebody has it: it is not ours to distribute.
#[test]
fn sarif_fits_the_published_schema() {
    let Ok(path) = std::env::var("SARIF_SCHEMA") else {
        eprintln!("skipped: SARIF_SCHEMA does not name the file with the schema of SARIF 2.1.0");
        return;
    };
    let mut schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    // A stray bracket makes them no regular expressions for this validator. They are about the names of languages, which we do not
    // write.
    for definition in schema["definitions"].as_object_mut().unwrap().values_mut() {
        if let Some(language) = definition.pointer_mut("/properties/language") {
            language.as_object_mut().unwrap().remove("pattern");
        }
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (_, _, ran) in runs().into_iter().filter(|(_, format, _)| *format == "sarif") {
        let log = ran.json();
        let errors: Vec<String> = validator.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}: {log:#}");
    }
}

/// Readers that others wrote understand what is written.
#[test]
fn readers_of_others_understand_it() {
    for (_, format, ran) in runs() {
        match format {
            "sarif" => {
                let log: serde_sarif::sarif::Sarif = serde_json::from_str(&ran.stdout).unwrap();
                let again = serde_json::to_value(&log).unwrap();
                assert_eq!(again, ran.json(), "nothing is lost and nothing is left at a default");
            }
            "junit" => {
                let report = quick_junit::Report::deserialize_from_str(&ran.stdout).unwrap();
                let document = Document::parse(&ran.stdout).unwrap();
                let root = document.root_element();
                let cases: usize = report.test_suites.iter().map(|suite| suite.test_cases.len()).sum();
                assert_eq!((cases, report.tests), (number(root, "tests"), number(root, "tests")));
                assert_eq!(
                    (report.failures, report.errors),
                    (number(root, "failures"), number(root, "errors"))
                );
            }
            _ => {}
        }
    }
}

#[test]
fn sarif_points_to_the_property() {
    let log = run(&["check", "examples/dining3.ispl", "--format", "sarif"]).json();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "examples/dining3.ispl"
    );
    assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() > 1);
}

#[test]
fn annotations_are_one_line_each_with_file_and_line() {
    for (status, format, ran) in runs() {
        if format != "github" {
            continue;
        }
        assert_eq!(ran.stdout.contains("::error "), status != 0, "{}", ran.stdout);
        for line in ran.stdout.lines() {
            let command = ["::error ", "::warning ", "::notice "].into_iter().find(|it| line.starts_with(it));
            let (properties, message) = line[command.unwrap().len()..].split_once("::").unwrap();
            assert!(properties.split(',').all(|property| property.contains('=')), "{line}");
            assert!(!message.is_empty(), "{line}");
        }
    }
}

#[test]
fn odd_in_every_format() {
    for format in ["junit", "sarif", "github"] {
        let ran = run_on(ODD, &["check", "--format", format]);
        insta::assert_snapshot!(format!("odd_{format}"), without_times(&ran.stdout));
    }
}

#[test]
fn quiet_annotations_are_errors_only() {
    let ran = run_on(ODD, &["check", "--format", "github", "--quiet"]);
    assert!(ran.stdout.lines().all(|line| line.starts_with("::error ")), "{}", ran.stdout);
}

/// Times differ from run to run.
fn without_times(text: &str) -> String {
    let mut parts = text.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts
        .fold(first, |shown, part| shown + " time=\"[measured]" + &part[part.find('"').unwrap_or_default()..])
}
