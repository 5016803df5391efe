//! `servanda convert`

use servanda_report::Status;

use super::args::ConvertArguments;
use super::terminal::{Ended, Terminal};

/// Writes the model of the file in another language.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Ended {
    let text = terminal
        .made(&arguments.subject, |loaded, watch| servanda::convert(loaded, arguments.to.0, watch))?;
    Ok(terminal.write(&text, Status::Wanted))
}
