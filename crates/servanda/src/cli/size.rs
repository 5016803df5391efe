//! `servanda size`

use servanda_report::{CheckReport, json, text};

use super::args::SizeArguments;
use super::input;
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Counts the states of the file.
pub(crate) fn run(arguments: &SizeArguments, terminal: &Terminal) -> Ended {
    if arguments.engine.bound.is_some() {
        return Err(terminal.fail("--bound: states cannot be counted within a bound"));
    }
    let limits = terminal.limits(&arguments.subject.limits)?;
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let size = |loaded| match loaded {
        Ok(loaded) => servanda::size(&loaded, chosen, limits.watch()),
        Err(findings) => {
            let language = input::language(&arguments.subject.file, arguments.subject.model.input.input);
            let mut report = CheckReport::new(arguments.subject.name(), chosen.usual_engine(language));
            report.run.reject(findings);
            report
        }
    };
    let report = measured(|| arguments.subject.load(), size, |report| &mut report.run);
    limits.clear_progress();
    let (json, text) = (|| json::size(&report, chosen.statistics), |style| text::size(&report, style));
    let format = (arguments.output.format, chosen.statistics);
    Ok(terminal.report(&report.run, report.status(), format, json, text))
}
