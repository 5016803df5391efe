//! `servanda convert`

use servanda::Watch;
use servanda_report::{Run, Status, diagnostics};

use super::args::{ConvertArguments, Target};
use super::input;
use super::limits::Limits;
use super::terminal::Terminal;
use super::writing::{refused, with_model};

/// Writes the model of the file in another language.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    match arguments.to {
        Target::Ispl => to_ispl(arguments, terminal),
        Target::Aut => to_aut(arguments, terminal),
    }
}

fn to_ispl(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    let converted =
        input::load(&arguments.file, &arguments.model).and_then(|loaded| servanda::to_ispl(&loaded));
    match converted {
        Ok(text) => terminal.write(&text, Status::Wanted),
        Err(findings) => {
            terminal.complain(&diagnostics::render_findings(&findings, terminal.error_style()));
            Status::Invalid
        }
    }
}

/// Exploring takes its time, so there are limits.
fn to_aut(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    let limits = match Limits::start(&arguments.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let watch = Watch { monitor: &limits, clock: &limits };
    let loaded = input::load(&arguments.file, &arguments.model);
    let mut run = Run::new(input::shown_name(&arguments.file), "convert");
    let text = with_model(loaded, &mut run, |loaded, run| servanda::to_aut(loaded, watch, run));
    limits.clear_progress();
    match text {
        Ok(text) => terminal.write(&text, Status::Wanted),
        Err(reason) => refused(&run, &reason, terminal),
    }
}
