//! `servanda equiv`

use servanda_report::{Statistics, json, text};

use super::args::EquivArguments;
use super::input;
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Compares two models.
pub(crate) fn run(arguments: &EquivArguments, terminal: &Terminal) -> Ended {
    if arguments.left == "-" && arguments.right == "-" {
        return Err(terminal.fail("standard input can be read once only"));
    }
    let limits = terminal.limits(&arguments.limits)?;
    let load = |file| (input::shown_argument(file), input::load(file, &arguments.model));
    let report = measured(
        || [&arguments.left, &arguments.right].map(|file| load(file)),
        |models| servanda::equiv(models, arguments.relation.relation.0, limits.watch()),
        |report| &mut report.run,
    );
    limits.clear_progress();
    let (json, text) = (|| json::equiv(&report), |style| text::equiv(&report, style));
    let format = (arguments.output.format, Statistics::Hidden);
    Ok(terminal.report(&report.run, report.status(), format, json, text))
}
