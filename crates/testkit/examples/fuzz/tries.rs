//! What is done with an input. Whatever the text is, nothing may panic, and what is read must be written so that it
//! reads the same.

use servanda_engine::{Deadlock, Engine as _, Options, Past, Strategies};
use servanda_enumerate::{Explored, Halt};
use servanda_logic::{nnf, parse_formula};
use servanda_syntax::{Diagnostic, SourceFile};
use servanda_testkit::Limits;

use crate::worker::Tally;

/// How large a model may get.
const LIMITS: Limits = Limits { states: 3000, nodes: 1 << 16 };

/// Tries an input; `Err` says which promise is broken.
pub(crate) fn try_input(text: &str, tally: &mut Tally) -> Result<(), String> {
    try_formula(text, tally)?;
    try_protocol(text, tally)
}

/// Must hold, whatever the input is.
fn promise(kept: bool, broken: impl Fn() -> String) -> Result<(), String> {
    if kept { Ok(()) } else { Err(broken()) }
}

fn check_places(text: &str, findings: &[Diagnostic]) -> Result<(), String> {
    for found in findings {
        let places = found.labels.iter().map(|label| label.span).chain([found.span]);
        for place in places {
            // Also false where a place lies outside of the text.
            let is_text = text.get(place.start as usize..place.end as usize).is_some();
            promise(is_text, || format!("{found:?} marks no part of the text"))?;
        }
    }
    Ok(())
}

fn try_formula(text: &str, tally: &mut Tally) -> Result<(), String> {
    match parse_formula(text) {
        Ok(formula) => {
            tally.formulas += 1;
            let printed = formula.to_string();
            let again = parse_formula(&printed);
            promise(again.as_ref() == Ok(&formula), || format!("{printed} is not read back"))?;
            let _ = nnf(&formula);
            Ok(())
        }
        Err(errors) => {
            promise(!errors.is_empty(), || "refused without a reason".to_owned())?;
            check_places(text, &errors)
        }
    }
}

fn try_protocol(text: &str, tally: &mut Tally) -> Result<(), String> {
    let source = SourceFile::new("fuzz.pact", text);
    let loaded = servanda_pact::load(&source, &[]);
    check_places(text, &loaded.diagnostics)?;
    let has_errors = loaded.diagnostics.iter().any(Diagnostic::is_error);
    promise(loaded.protocol.is_none() == has_errors, || "neither a protocol nor errors, or both".to_owned())?;
    if let Ok(standard) = servanda_pact::format(text) {
        let again = servanda_pact::format(&standard);
        promise(again.as_ref() == Ok(&standard), || {
            format!("the standard form is not in standard form:\n{standard}\nbut {again:?}")
        })?;
        let reloaded = servanda_pact::load(&SourceFile::new("fuzz.pact", standard.as_str()), &[]);
        promise(reloaded.protocol.is_some() == loaded.protocol.is_some(), || {
            format!("the standard form does not mean the same:\n{standard}")
        })?;
    }
    let Some(protocol) = loaded.protocol else { return Ok(()) };
    tally.protocols += 1;
    let few_typed_states = protocol.model.typed_states().is_some_and(|states| states < LIMITS.states);
    let options = Options {
        deadlock: if text.len().is_multiple_of(3) { Deadlock::Strict } else { Deadlock::Loop },
        past: if text.len().is_multiple_of(5) && few_typed_states { Past::All } else { Past::Reachable },
        strategies: match text.len().is_multiple_of(2) {
            true => Strategies::Uniform,
            false => Strategies::PerfectInformation,
        },
        recall: text.len().is_multiple_of(7).then_some(2),
        unreduced: text.len().is_multiple_of(2),
        ..Options::default()
    };
    let Ok(mut explored) = Explored::new(&protocol.model, options, &LIMITS) else { return Ok(()) };
    let space = &explored.space;
    let _ = (space.counts(), space.nearest_deadlock(), space.unreachable_locations());
    for property in protocol.properties.iter().take(6) {
        match explored.decide(&property.formula, &LIMITS) {
            Ok(_) => tally.properties += 1,
            Err(Halt::Invalid(errors)) => {
                return Err(format!("`{}` was loaded but is invalid: {errors:?}", property.text));
            }
            Err(_) => {}
        }
    }
    let _ = explored.unkeepable(&LIMITS);
    let _ = explored.conformance(&LIMITS);
    Ok(())
}
