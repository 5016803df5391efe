//! `servanda conform`

use servanda::ENUMERATE;
use servanda_report::{ConformReport, Statistics, json, text};

use super::args::ConformArguments;
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};
use super::{equiv, input};

/// Judges the acts of the file, or compares it with a protocol.
pub(crate) fn run(arguments: &ConformArguments, terminal: &Terminal) -> Ended {
    if let Some(protocol) = &arguments.to.to {
        return equiv::conform_to(arguments, protocol, terminal);
    }
    let limits = terminal.limits(&arguments.subject.limits)?;
    let what = "conform judges acts, and without an acts file only Pact protocols have them";
    let conform = |loaded| match loaded {
        Ok(loaded) => servanda::conform(&loaded, limits.watch()),
        Err(findings) => {
            let mut report = ConformReport::new(arguments.subject.name(), ENUMERATE);
            report.run.reject(findings);
            report
        }
    };
    let load = || input::load_with_acts(&arguments.subject.file, &arguments.subject.model, what);
    let report = measured(load, conform, |report| &mut report.run);
    limits.clear_progress();
    let (json, text) = (|| json::conform(&report), |style| text::conform(&report, style));
    let format = (arguments.output.format, Statistics::Hidden);
    Ok(terminal.report(&report.run, report.status(), format, json, text))
}
