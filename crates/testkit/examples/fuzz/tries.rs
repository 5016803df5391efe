//! What is done with an input. Whatever the text is, nothing may panic, and what is read must be written so that it
//! reads the same.

use servanda_engine::{Deadlock, Options, Past, Strategies};
use servanda_enumerate::{Explored, Halt};
use servanda_logic::{nnf, parse_formula, simplify};
use servanda_syntax::{Diagnostic, SourceFile};
use servanda_testkit::Limits;

use crate::worker::Tally;

/// How large a model may get.
const LIMITS: Limits = Limits { states: 3000, nodes: 1 << 16 };

/// Tries an input.
pub(crate) fn try_input(text: &str, tally: &mut Tally) {
    try_formula(text, tally);
    try_protocol(text, tally);
}

fn check_places(text: &str, findings: &[Diagnostic]) {
    for found in findings {
        let places = found.labels.iter().map(|label| label.span).chain([found.span]);
        for place in places {
            assert!(
                place.start <= place.end && place.end as usize <= text.len(),
                "{found:?} is outside of the text"
            );
            assert!(
                text.get(place.start as usize..place.end as usize).is_some(),
                "{found:?} cuts through a character"
            );
        }
    }
}

fn try_formula(text: &str, tally: &mut Tally) {
    match parse_formula(text) {
        Ok(formula) => {
            tally.formulas += 1;
            let printed = formula.to_string();
            assert_eq!(parse_formula(&printed).as_ref(), Ok(&formula), "{printed} is not read back");
            let _ = (nnf(&formula), simplify(&formula));
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "refused without a reason");
            check_places(text, &errors);
        }
    }
}

fn try_protocol(text: &str, tally: &mut Tally) {
    let source = SourceFile::new("fuzz.pact", text);
    let loaded = servanda_pact::load(&source, &[]);
    check_places(text, &loaded.diagnostics);
    let has_errors = loaded.diagnostics.iter().any(Diagnostic::is_error);
    assert_eq!(loaded.protocol.is_none(), has_errors, "a protocol or errors, not both");
    if let Ok(standard) = servanda_pact::format(text) {
        let again = servanda_pact::format(&standard);
        assert_eq!(again.as_ref(), Ok(&standard), "the standard form changes when it is formatted again");
        let reloaded = servanda_pact::load(&SourceFile::new("fuzz.pact", standard.as_str()), &[]);
        assert_eq!(
            reloaded.protocol.is_some(),
            loaded.protocol.is_some(),
            "the standard form does not mean the same:\n{standard}"
        );
    }
    let Some(protocol) = loaded.protocol else { return };
    tally.protocols += 1;
    let few_typed_states = protocol.model.typed_states().is_some_and(|states| states < LIMITS.states);
    let options = Options {
        deadlock: if text.len().is_multiple_of(3) { Deadlock::Strict } else { Deadlock::Loop },
        past: if text.len().is_multiple_of(5) && few_typed_states { Past::All } else { Past::Reachable },
        strategies: if text.len().is_multiple_of(2) {
            Strategies::Uniform
        } else {
            Strategies::PerfectInformation
        },
        ..Options::default()
    };
    let Ok(mut explored) = Explored::new(&protocol.model, options, &LIMITS) else { return };
    let _ = (explored.counts(), explored.deadlock_example(), explored.unreachable_locations());
    for property in protocol.properties.iter().take(6) {
        match explored.decide(&property.formula, &LIMITS) {
            Ok(_) => tally.properties += 1,
            Err(Halt::Invalid(errors)) => panic!("`{}` was loaded but is invalid: {errors:?}", property.text),
            Err(_) => {}
        }
        let _ = explored.vacuous_part(&property.formula, &LIMITS);
    }
    let _ = explored.unkeepable(&LIMITS);
    let _ = explored.conformance(&LIMITS);
}
