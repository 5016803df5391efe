//! `servanda convert`

use servanda::Watch;
use servanda_report::{Run, Status};

use super::args::ConvertArguments;
use super::limits::Limits;
use super::terminal::Terminal;
use super::writing::{refused, with_model};

/// Writes the model of the file in another language.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    let limits = match Limits::start(&arguments.subject.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let watch = Watch { budget: &limits, clock: &limits };
    let loaded = arguments.subject.load();
    let mut run = Run::new(arguments.subject.name(), "convert");
    let text =
        with_model(loaded, &mut run, |loaded, run| servanda::convert(loaded, arguments.to.0, watch, run));
    limits.clear_progress();
    match text {
        Ok(text) => terminal.write(&text, Status::Wanted),
        Err(reason) => refused(&run, &reason, terminal),
    }
}
