//! Protocols checked against the verdicts written in them.

use servanda_engine::Options;
use servanda_model::Property;
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
    let Protocol { model, properties, .. } = &load(text);
    assert!(!properties.is_empty(), "nothing is checked:\n{text}");
    for (engine, verdicts) in verdicts_of_all(model, properties, options, Room::SMALL) {
        for (verdict, Property { name, expected, .. }) in verdicts.into_iter().zip(properties) {
            // Only the reference must know everything.
            if verdict.is_some() || engine == "enumerate" {
                assert!(
                    verdict.is_some() && verdict == *expected,
                    "{engine}: property `{name}` is {verdict:?} of\n{text}"
                );
            }
        }
    }
}
