//! `servanda convert`

use servanda::host::store;
use servanda_report::{Finding, Status, visible};
use servanda_syntax::Code;

use super::args::ConvertArguments;
use super::terminal::{Ended, Terminal};

/// Writes the model of the file in another language, and what that has no words for to a file of its own.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Ended {
    let converted = terminal
        .made(&arguments.subject, |loaded, watch| servanda::convert(loaded, arguments.to.0, watch))?;
    let refuse = |code, message: String| Err(terminal.refuse(&[Finding::error(code, message)]));
    match (&converted.acts, &arguments.write_acts) {
        (Some(acts), Some(file)) => {
            if let Err(error) = store::write(file, acts) {
                return refuse(Code::CannotWrite, format!("{} cannot be written: {error}", visible(file)));
            }
        }
        (Some(_), None) => {
            let (name, target) = (visible(arguments.subject.name()), arguments.to.0.name);
            let message =
                format!("{name}: {target} has no words for acts: name a file for them with --write-acts");
            return refuse(Code::NoActsFile, message);
        }
        (None, Some(file)) => {
            let message = format!("--write-acts {file}: there is nothing to write to it");
            return refuse(Code::NoActsFile, message);
        }
        (None, None) => {}
    }
    Ok(terminal.write(&converted.text, Status::Wanted))
}
