//! `servanda minimise`

use servanda::Minimised;
use servanda_report::{Detail, Status};

use super::args::MinimiseArguments;
use super::terminal::{Ended, Terminal};

/// Writes the smallest equivalent model.
pub(crate) fn run(arguments: &MinimiseArguments, terminal: &Terminal) -> Ended {
    let relation = arguments.relation.0;
    let Minimised { aut, before, after } =
        terminal.made(&arguments.subject, |loaded, watch| servanda::minimise(loaded, relation, watch))?;
    let status = terminal.write(&aut, Status::Wanted);
    if terminal.detail != Detail::Quiet {
        terminal.complain(&format!(
            "{} -> {} states, {} -> {} transitions\n",
            before.0, after.0, before.1, after.1
        ));
    }
    Ok(status)
}
