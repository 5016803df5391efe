//! `servanda abta`

use std::sync::Arc;

use servanda_abta as abta;
use servanda_model::ActReading;
use servanda_report::{Finding, Status};
use servanda_syntax::{Diagnostic, SourceFile};

use super::args::{AbtaArguments, AbtaFormat};
use super::terminal::{Ended, Terminal};

/// What a formula of the command line is called in messages.
const FORMULA: &str = "<formula>";

/// Writes the tableau and the automaton of the formula.
pub(crate) fn run(arguments: &AbtaArguments, terminal: &Terminal) -> Ended {
    if let Some(option) = misplaced(arguments) {
        return Err(terminal.fail(option));
    }
    let text = shown(arguments).map_err(|errors| {
        let source = Arc::new(SourceFile::new(FORMULA, arguments.formula.as_str()));
        // An error about the whole formula has no place of its own.
        let findings = errors.into_iter().map(|error| Finding::placed_if_written(error, &source));
        terminal.refuse(&findings.collect::<Vec<_>>())
    })?;
    Ok(terminal.write(&text, Status::Wanted))
}

/// An option that would not change anything with the rules that were chosen.
fn misplaced(arguments: &AbtaArguments) -> Option<&'static str> {
    match arguments.rules.0 {
        abta::Rules::Sound if arguments.logic.is_some() => Some("--logic: only with --rules paper"),
        abta::Rules::Paper if arguments.acts.is_some() => Some("--acts: only with --rules sound"),
        abta::Rules::Paper if arguments.no_simplify => Some("--no-simplify: only with --rules sound"),
        abta::Rules::Sound | abta::Rules::Paper => None,
    }
}

fn shown(arguments: &AbtaArguments) -> Result<String, Vec<Diagnostic>> {
    let formula = servanda_logic::parse_formula(&arguments.formula)?;
    let options = options(arguments);
    let translation = abta::translate(&formula, options)?;
    match arguments.format {
        AbtaFormat::Text => Ok(abta::text(&translation)),
        AbtaFormat::Json => Ok(abta::json(&translation)),
        AbtaFormat::Dot => Ok(abta::dot(&translation)),
        AbtaFormat::Hoa => abta::hoa(&translation, options),
    }
}

fn options(arguments: &AbtaArguments) -> abta::Options {
    abta::Options {
        rules: arguments.rules.0,
        logic: arguments.logic.map(|logic| logic.0),
        acts: arguments.acts.map_or(ActReading::Actl, |acts| acts.0),
        simplify: if arguments.no_simplify { abta::Simplify::Not } else { abta::Simplify::Fully },
        most_states: arguments.states,
    }
}
