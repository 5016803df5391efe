//! `servanda equiv`

use servanda::Watch;
use servanda_report::{Statistics, Status, json, text};

use super::args::Format;
use super::equivalence_args::EquivArguments;
use super::input;
use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// Compares two models.
pub(crate) fn run(arguments: &EquivArguments, terminal: &Terminal) -> Status {
    if arguments.left == "-" && arguments.right == "-" {
        return terminal.fail("standard input can be read once only");
    }
    let limits = match Limits::start(&arguments.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let mut stopwatch = Stopwatch::start();
    let [left, right] = [&arguments.left, &arguments.right]
        .map(|file| (input::shown_argument(file), input::load(file, &arguments.model)));
    stopwatch.loaded();
    let watch = Watch { budget: &limits, clock: &limits };
    let mut report = servanda::equiv(left, right, arguments.relation.relation.0, watch);
    stopwatch.enter_into(&mut report.run);
    limits.clear_progress();

    let shown = match arguments.output.format {
        Format::Json => json::equiv(&report),
        Format::Text => {
            terminal.complain(&text::errors(&report.run, terminal.error_style()));
            text::equiv(&report, terminal.output_style(Statistics::Hidden))
        }
    };
    terminal.write(&shown, report.status())
}
