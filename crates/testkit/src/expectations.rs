//! Protocols checked against the verdicts written in them.

use std::path::Path;

use servanda_engine::Options;
use servanda_model::{Model, Property};
use servanda_pact::Protocol;
use servanda_syntax::{Diagnostic, SourceFile, has_errors};

use crate::engines::{Room, verdicts_of_all};

/// Loads a protocol that is meant to be right.
///
/// # Panics
/// When it has errors; the message lists them with their places.
pub fn load(text: &str) -> Protocol {
    let source = SourceFile::new("test.pact", text);
    let loaded = servanda_pact::load(&source, &[]);
    match loaded.protocol {
        Some(protocol) if !has_errors(&loaded.diagnostics) => protocol,
        _ => panic!("the protocol has errors:\n{}\n{text}", describe(&source, &loaded.diagnostics)),
    }
}

/// Loads a protocol from a file, with those that it uses, which stand beside it.
///
/// # Panics
/// When a file cannot be read or has errors.
pub fn load_file(path: &Path) -> Protocol {
    let read = |path: &Path| {
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut source = SourceFile::new(path.display().to_string(), read(path));
    let mut find = |_: &str, used: &str| Ok((used.to_owned(), read(&folder.join(used))));
    let loaded = servanda_pact::load_with(&mut source, &[], &mut find);
    match loaded.protocol {
        Some(protocol) if !has_errors(&loaded.diagnostics) => protocol,
        _ => panic!("the protocol has errors:\n{}", describe(&source, &loaded.diagnostics)),
    }
}

fn describe(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let line = |diagnostic: &Diagnostic| {
        let place = source.place(diagnostic.span.start);
        format!("{}:{}: {}: {}", place.line, place.column, diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Checks that every property has an expectation and meets it, whichever engine decides it.
///
/// # Panics
/// When one does not.
pub fn assert_expectations(text: &str) {
    assert_expectations_with(text, Options::default());
}

/// As [`assert_expectations`], with other readings chosen.
///
/// # Panics
/// When a property has no expectation or does not meet it.
pub fn assert_expectations_with(text: &str, options: Options) {
    assert_expectations_of(&load(text), options);
}

/// As [`assert_expectations`], for a protocol in a file and those that it uses.
///
/// # Panics
/// When a property has no expectation or does not meet it.
pub fn assert_expectations_of_file(path: &Path) {
    assert_expectations_of(&load_file(path), Options::default());
}

fn assert_expectations_of(Protocol { model, properties, .. }: &Protocol, options: Options) {
    assert!(!properties.is_empty(), "{}: nothing is checked", model.name);
    let (scenarios, plain): (Vec<Property>, Vec<Property>) =
        properties.iter().cloned().partition(|property| property.scenario.is_some());
    assert_met(model, &plain, options);
    // A scenario is possible where it is not impossible in all initial states, whatever is fair.
    let mut free = model.clone();
    free.fairness.clear();
    free.step_fairness.clear();
    let impossible = |property: &Property| Property {
        formula: property.formula.clone().negated(),
        expected: property.expected.map(|expected| !expected),
        ..property.clone()
    };
    let impossible: Vec<Property> = scenarios.iter().map(impossible).collect();
    assert_met(&free, &impossible, options);
}

fn assert_met(model: &Model, properties: &[Property], options: Options) {
    if properties.is_empty() {
        return;
    }
    for (engine, verdicts) in verdicts_of_all(model, properties, options, Room::SMALL) {
        for (verdict, Property { name, expected, .. }) in verdicts.into_iter().zip(properties) {
            // Only the reference must know everything.
            if verdict.is_some() || engine == "enumerate" {
                assert!(
                    verdict.is_some() && verdict == *expected,
                    "{}: {engine}: property `{name}` is {verdict:?}",
                    model.name
                );
            }
        }
    }
}
