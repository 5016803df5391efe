//! Protocols checked against the verdicts written in them.

use servanda_engine::{Halt, NoLimits, Options, Verdict};
use servanda_enumerate::Explored;
use servanda_pact::Protocol;
use servanda_sat::{Sat, SatOptions};
use servanda_symbolic::Symbolic;
use servanda_syntax::{Diagnostic, SourceFile, has_errors};
use servanda_tableau::Tableau;

use crate::Limits;

/// Room for the decision diagrams of one small protocol.
const DIAGRAM_NODES: usize = 1 << 18;

/// Questions to a solver before a property is left to the other engines.
const SOLVER_CALLS: Limits = Limits { states: u64::MAX, nodes: 50_000 };

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
    let mut on_the_fly = Tableau::new(&protocol.model, options, 1, &NoLimits);
    let mut symbolic = Symbolic::new(&protocol.model, options, DIAGRAM_NODES, &NoLimits);
    let mut by_solver = Sat::new(&protocol.model, options, SatOptions::default(), &SOLVER_CALLS);
    for (property, outcome) in protocol.properties.iter().zip(outcomes) {
        let answers = [
            ("tableau", on_the_fly.as_mut().ok().map(|engine| engine.decide(&property.formula, &NoLimits))),
            ("bdd", symbolic.as_mut().ok().map(|engine| engine.decide(&property.formula, &NoLimits))),
            ("sat", by_solver.as_mut().ok().map(|engine| engine.decide(&property.formula, &SOLVER_CALLS))),
        ];
        for (engine, answer) in answers {
            match answer {
                Some(Ok(Verdict::Unknown(_)) | Err(Halt::TooLarge(_) | Halt::Stopped { .. })) | None => {}
                Some(Ok(verdict)) => {
                    assert_eq!(verdict, outcome.verdict, "{engine}: property `{}` of\n{text}", outcome.name);
                }
                Some(Err(halt)) => panic!("{engine} stopped at `{}`: {halt:?}\n{text}", outcome.name),
            }
        }
    }
}
