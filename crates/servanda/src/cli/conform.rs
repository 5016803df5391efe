//! `servanda conform`

use servanda::{ENUMERATE, Watch};
use servanda_report::{ConformReport, Statistics, Status, json, text};

use super::args::{ConformArguments, Format};
use super::input;
use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// Judges the acts of the file.
pub(crate) fn run(arguments: &ConformArguments, terminal: &Terminal) -> Status {
    let limits = match Limits::start(&arguments.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let mut stopwatch = Stopwatch::start();
    let what = "conform judges the acts of Pact protocols, and ISPL and CCS have no acts";
    let loaded = input::load_pact(&arguments.file, &arguments.model, what);
    stopwatch.loaded();
    let mut report = match loaded {
        Ok(loaded) => servanda::conform(&loaded, Watch { budget: &limits, clock: &limits }),
        Err(findings) => {
            let mut report = ConformReport::new(input::shown_name(&arguments.file), ENUMERATE);
            report.run.reject(findings);
            report
        }
    };
    stopwatch.enter_into(&mut report.run);
    limits.clear_progress();

    let shown = match arguments.output.format {
        Format::Json => json::conform(&report),
        Format::Text => {
            terminal.complain(&text::errors(&report.run, terminal.error_style()));
            text::conform(&report, terminal.output_style(Statistics::Hidden))
        }
    };
    terminal.write(&shown, report.status())
}
