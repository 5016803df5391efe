//! Protocols checked against the verdicts written in them.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_pact::Protocol;
use servanda_syntax::{Diagnostic, SourceFile, has_errors};

use crate::engines::{Room, verdicts_of_all};

/// What the reference engine says of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The property.
    pub name: String,
    /// What was found.
    pub verdict: Verdict,
    /// What was expected.
    pub expected: Option<bool>,
}

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

/// Decides every property of a protocol with the reference engine.
///
/// # Panics
/// When the protocol has errors or the engine stops.
pub fn outcomes(text: &str, options: Options) -> Vec<Outcome> {
    let protocol = load(text);
    let mut explored = match Explored::new(&protocol.model, options, &NoLimits) {
        Ok(explored) => explored,
        Err(halt) => panic!("the engine stopped: {halt:?}\n{text}"),
    };
    let decide = |property: &servanda_model::Property| match explored.decide(&property.formula, &NoLimits) {
        Ok(verdict) => Outcome { name: property.name.clone(), verdict, expected: property.expected },
        Err(halt) => panic!("the engine stopped at `{}`: {halt:?}\n{text}", property.name),
    };
    protocol.properties.iter().map(decide).collect()
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
    let outcomes = outcomes(text, options);
    assert!(!outcomes.is_empty(), "nothing is checked:\n{text}");
    for outcome in &outcomes {
        let expected = outcome.expected.map(Verdict::from);
        assert_eq!(Some(&outcome.verdict), expected.as_ref(), "property `{}` of\n{text}", outcome.name);
    }
    assert_other_engines(text, options, &outcomes);
}

/// What the reference engine found, the other engines must find, unless they say that they do not know.
fn assert_other_engines(text: &str, options: Options, outcomes: &[Outcome]) {
    let protocol = load(text);
    for (engine, verdicts) in verdicts_of_all(&protocol.model, &protocol.properties, options, Room::SMALL) {
        for (verdict, outcome) in verdicts.into_iter().zip(outcomes) {
            if let Some(verdict) = verdict {
                let (name, found) = (&outcome.name, Verdict::from(verdict));
                assert_eq!(found, outcome.verdict, "{engine}: property `{name}` of\n{text}");
            }
        }
    }
}
