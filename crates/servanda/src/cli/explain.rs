//! `servanda explain`

use servanda::{Drawing, Explained, Loaded, Watch};
use servanda_engine::Verdict;
use servanda_report::{Finding, Status, text};

use super::args::ExplainArguments;
use super::terminal::{Ended, Terminal};

/// Draws why the verdict is what it is.
pub(crate) fn run(arguments: &ExplainArguments, terminal: &Terminal) -> Ended {
    if let Some(mistake) = arguments.engine.mistake() {
        return Err(terminal.fail(mistake));
    }
    if arguments.engine.stats {
        return Err(terminal.fail("--stats: explain counts nothing; ask `servanda check --stats`"));
    }
    let limits = terminal.limits(&arguments.subject.limits)?;
    let explained = explain(arguments, limits.watch());
    limits.clear_progress();
    let (loaded, explained) = explained.map_err(|findings| terminal.refuse(&findings))?;
    terminal.complain(&text::errors(&explained.report.run, terminal.error_style()));
    if explained.status == Status::Undecided {
        for property in &explained.report.properties {
            if let Verdict::Unknown(reason) = &property.verdict {
                terminal.complain(&format!("{} is undecided: {reason}\n", property.name));
            }
        }
    }
    let drawing =
        explained.draw(&loaded, arguments.format.0, arguments.width.into()).map_err(|findings| {
            let status = terminal.refuse(&findings);
            // A trace that was not found in time is nobody's mistake.
            let in_vain = explained.status == Status::Undecided && arguments.format.0 == Drawing::Itf;
            if in_vain { explained.status } else { status }
        })?;
    match arguments.format.0 {
        Drawing::Text => Ok(terminal.show(&drawing, explained.status)),
        _ => Ok(terminal.write(&drawing, explained.status)),
    }
}

fn explain(arguments: &ExplainArguments, watch: Watch<'_>) -> Result<(Loaded, Explained), Vec<Finding>> {
    let loaded = arguments.subject.load()?;
    let questions = loaded.questions(arguments.property.as_slice(), arguments.formula.as_slice())?;
    // The command line demands one of the two, and both are one question.
    let Some(question) = questions.first() else { return Err(Vec::new()) };
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let options = arguments.readings.options(loaded.usual_validity(), chosen);
    let mut explained = servanda::explain(&loaded, question, options, watch);
    if arguments.full
        && let Some(explanation) = &mut explained.explanation
    {
        explanation.unfold();
    }
    Ok((loaded, explained))
}
