//! `servanda audit init`

use servanda_audit::propose::Survey;
use servanda_report::{Status, visible};

use super::super::args::AuditInitArguments;
use super::super::input;
use super::super::terminal::{Ended, Terminal};
use super::logs::{self, Failure, Item};

/// Writes a mapping that suits a log, as far as can be told from its lines.
pub(super) fn run(arguments: &AuditInitArguments, terminal: &Terminal) -> Ended {
    let mut survey = Survey::default();
    let read = logs::read(
        &[super::named(&arguments.log)],
        false,
        || Ok(()),
        |_, item| match item {
            Item::Line(number, _) if number > arguments.lines => Err(()),
            Item::Line(_, Some(text)) => {
                survey.line(text);
                Ok(())
            }
            Item::Line(_, None) | Item::Idle => Ok(()),
        },
    );
    if let Err(Failure::Log(_, error)) = read {
        return Err(
            terminal.fail(&format!("{} cannot be read: {error}", visible(input::shown_name(&arguments.log))))
        );
    }
    let proposed = survey.proposal(input::shown_name(&arguments.log), &arguments.model_name);
    let proposed = proposed.map_err(|message| terminal.fail(&message))?;
    let text = if arguments.model { proposed.model } else { proposed.mapping };
    Ok(terminal.write(&text, Status::Wanted))
}
