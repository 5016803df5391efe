//! `servanda size`

use servanda::Watch;
use servanda_report::{CheckReport, Status, json, text};

use super::args::{Format, SizeArguments};
use super::input;
use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// Counts the states of the file.
pub(crate) fn run(arguments: &SizeArguments, terminal: &Terminal) -> Status {
    if arguments.engine.bound.is_some() {
        return terminal.fail("--bound: states cannot be counted within a bound");
    }
    let limits = match Limits::start(&arguments.subject.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let chosen = arguments.engine.chosen(&arguments.subject.limits);
    let mut stopwatch = Stopwatch::start();
    let loaded = arguments.subject.load();
    stopwatch.loaded();
    let mut report = match loaded {
        Ok(loaded) => servanda::size(&loaded, chosen, Watch { budget: &limits, clock: &limits }),
        Err(findings) => {
            let language = input::language(&arguments.subject.file, arguments.subject.model.input.input);
            let mut report = CheckReport::new(arguments.subject.name(), chosen.usual_engine(language));
            report.run.reject(findings);
            report
        }
    };
    stopwatch.enter_into(&mut report.run);
    limits.clear_progress();

    let shown = match arguments.output.format {
        Format::Json => json::size(&report, chosen.statistics),
        Format::Text => {
            terminal.complain(&text::errors(&report.run, terminal.error_style()));
            text::size(&report, terminal.output_style(chosen.statistics))
        }
    };
    terminal.write(&shown, report.status())
}
