//! `servanda minimise`

use servanda::{Minimised, Watch};
use servanda_report::{Detail, Run, Status};

use super::equivalence_args::MinimiseArguments;
use super::limits::Limits;
use super::terminal::Terminal;
use super::writing::{refused, with_model};

/// Writes the smallest equivalent model.
pub(crate) fn run(arguments: &MinimiseArguments, terminal: &Terminal) -> Status {
    let limits = match Limits::start(&arguments.subject.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let loaded = arguments.subject.load();
    let watch = Watch { budget: &limits, clock: &limits };
    let mut run = Run::new(arguments.subject.name(), "minimise");
    let result = with_model(loaded, &mut run, |loaded, run| {
        servanda::minimise(loaded, arguments.relation.relation.0, watch, run)
    });
    limits.clear_progress();
    match result {
        Ok(Minimised { aut, before, after }) => {
            let status = terminal.write(&aut, Status::Wanted);
            if terminal.detail() != Detail::Quiet {
                let (states, transitions) = ((before.0, after.0), (before.1, after.1));
                terminal.complain(&format!(
                    "{} -> {} states, {} -> {} transitions\n",
                    states.0, states.1, transitions.0, transitions.1
                ));
            }
            status
        }
        Err(reason) => refused(&run, &reason, terminal),
    }
}
