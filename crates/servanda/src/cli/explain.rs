//! `servanda explain`

use servanda::{Drawing, Explained, Loaded, Watch};
use servanda_engine::Verdict;
use servanda_report::{Finding, Status, text};

use super::explain_args::ExplainArguments;
use super::limits::Limits;
use super::terminal::Terminal;

/// Draws why the verdict is what it is.
pub(crate) fn run(arguments: &ExplainArguments, terminal: &Terminal) -> Status {
    if let Some(mistake) = arguments.engine.mistake() {
        return terminal.fail(mistake);
    }
    if arguments.engine.stats {
        return terminal.fail("--stats: explain counts nothing; ask `servanda check --stats`");
    }
    let limits = match Limits::start(&arguments.subject.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let explained = explain(arguments, &limits);
    limits.clear_progress();
    let (loaded, explained) = match explained {
        Ok(explained) => explained,
        Err(findings) => return terminal.refuse(&findings),
    };
    terminal.complain(&text::errors(&explained.report.run, terminal.error_style()));
    if explained.status == Status::Undecided {
        for property in &explained.report.properties {
            if let Verdict::Unknown(reason) = &property.verdict {
                terminal.complain(&format!("{} is undecided: {reason}\n", property.name));
            }
        }
    }
    match explained.draw(&loaded, arguments.drawing()) {
        Ok(drawing) => terminal.write(&drawing, explained.status),
        Err(findings) => {
            let status = terminal.refuse(&findings);
            // A trace that was not found in time is nobody's mistake.
            if explained.status == Status::Undecided && arguments.drawing() == Drawing::Itf {
                explained.status
            } else {
                status
            }
        }
    }
}

fn explain(arguments: &ExplainArguments, limits: &Limits) -> Result<(Loaded, Explained), Vec<Finding>> {
    let loaded = arguments.subject.load()?;
    let names: Vec<String> = arguments.property.iter().cloned().collect();
    let formulas: Vec<String> = arguments.formula.iter().cloned().collect();
    let questions = loaded.questions(&names, &formulas)?;
    // The command line demands one of the two, and both are one question.
    let Some(question) = questions.first() else { return Err(Vec::new()) };
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let options = arguments.readings.options(loaded.usual_validity(), chosen);
    let watch = Watch { budget: limits, clock: limits };
    let explained = servanda::explain(&loaded, question, options, watch);
    Ok((loaded, explained))
}
