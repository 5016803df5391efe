//! What the commands that write models share.

use servanda::Loaded;
use servanda_report::{Finding, Input, Run, Status, text};

use super::terminal::Terminal;

/// Does something with a model if there is one.
pub(crate) fn with_model<T>(
    loaded: Result<Loaded, Vec<Finding>>,
    run: &mut Run,
    work: impl FnOnce(&Loaded, &mut Run) -> Result<T, String>,
) -> Result<T, String> {
    match loaded {
        Ok(loaded) => work(&loaded, run),
        Err(findings) => {
            run.reject(findings);
            Err(String::new())
        }
    }
}

/// Says why nothing was written.
pub(crate) fn refused(run: &Run, reason: &str, terminal: &Terminal) -> Status {
    match run.input {
        Input::Bad => {
            terminal.complain(&text::errors(run, terminal.error_style()));
            Status::Invalid
        }
        Input::Good => {
            terminal.complain(&format!("{}: undecided: {reason}\n", run.file));
            Status::Undecided
        }
    }
}
