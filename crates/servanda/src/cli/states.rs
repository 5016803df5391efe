//! `servanda states`

use servanda::{BDD, ENUMERATE, EngineChoice, Loaded, Question, Refusal, SAT, StatesOptions};
use servanda_engine::Options;
use servanda_report::{Finding, Run, StatesReport, Status, json, text};

use super::args::{Format, SetFormat, StatesArguments};
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Shows the states where a formula holds.
pub(crate) fn run(arguments: &StatesArguments, terminal: &Terminal) -> Ended {
    if let Some(mistake) = mistake(arguments) {
        return Err(terminal.fail(&mistake));
    }
    let limits = terminal.limits(&arguments.subject.limits)?;
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let StatesArguments { limit: most, cubes, ref order, reorder, .. } = *arguments;
    let wanted = StatesOptions { most, cubes, order: order.clone(), reorder };
    let format = match arguments.format {
        SetFormat::Text => Format::Text,
        SetFormat::Json => Format::Json,
        SetFormat::Set => {
            let (loaded, question, readings) =
                ask(arguments).map_err(|findings| terminal.refuse(&findings))?;
            let set = servanda::state_set(&loaded, &question, (&wanted, readings), chosen, limits.watch());
            limits.clear_progress();
            let set = set.map_err(|refusal| match refusal {
                Refusal::Invalid(findings) => terminal.refuse(&findings),
                Refusal::Undecided(reason) => {
                    terminal.complain(&format!("it is not known which states satisfy it: {reason}\n"));
                    Status::Undecided
                }
            })?;
            return Ok(terminal.write(&set, Status::Wanted));
        }
    };
    let states = |asked| match asked {
        Ok((loaded, question, readings)) => {
            servanda::states(&loaded, &question, (&wanted, readings), chosen, limits.watch())
        }
        Err(findings) => {
            let mut run = Run::new(arguments.subject.name(), BDD);
            run.reject(findings);
            let formula = arguments.formula.clone().or_else(|| arguments.property.clone());
            StatesReport {
                run,
                formula: formula.unwrap_or_default(),
                found: Err(String::new()),
                cubes: None,
                commitments: Vec::new(),
            }
        }
    };
    let report = measured(|| ask(arguments), states, |report| &mut report.run);
    limits.clear_progress();
    let (json, text) = (|| json::states(&report, chosen.statistics), |style| text::states(&report, style));
    Ok(terminal.report(&report.run, report.status(), (format, chosen.statistics), json, text))
}

/// What is asked for and cannot be.
fn mistake(arguments: &StatesArguments) -> Option<String> {
    if arguments.engine.bound.is_some() {
        return Some("--bound: sets of states cannot be found within a bound".to_owned());
    }
    let able = if arguments.format == SetFormat::Set { [BDD, SAT] } else { [BDD, ENUMERATE] };
    let EngineChoice::Only(name) = arguments.engine.choice() else { return None };
    if !able.contains(&name) {
        return Some(format!("--engine {name}: ask {} for this", able.join(" or ")));
    }
    let diagrams = arguments.cubes || arguments.reorder || !arguments.order.is_empty();
    (diagrams && name != BDD).then(|| format!("--engine {name}: cubes and orders are those of bdd"))
}

/// The model and the one question about it.
fn ask(arguments: &StatesArguments) -> Result<(Loaded, Question, Options), Vec<Finding>> {
    let loaded = arguments.subject.load()?;
    let questions = loaded.questions(arguments.property.as_slice(), arguments.formula.as_slice())?;
    // The command line demands one of the two, and both are one question.
    let Some(question) = questions.into_iter().next() else { return Err(Vec::new()) };
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let readings = arguments.readings.options(loaded.usual_validity(), chosen).readings;
    Ok((loaded, question, readings))
}
