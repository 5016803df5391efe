//! `servanda convert`

use servanda::{GraphFormat, Loaded, Watch};
use servanda_report::{Finding, Run, Status, diagnostics};

use super::args::{ConvertArguments, Target};
use super::input;
use super::limits::Limits;
use super::terminal::Terminal;
use super::writing::{refused, with_model};

/// Writes the model of the file in another language.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    match arguments.to {
        Target::Ispl => write(arguments, terminal, servanda::to_ispl),
        Target::Aiger => write(arguments, terminal, servanda::to_aiger),
        Target::Smv => write(arguments, terminal, servanda::to_smv),
        Target::Dot => write(arguments, terminal, |loaded| servanda::to_graph(loaded, GraphFormat::Dot)),
        Target::Svg => write(arguments, terminal, |loaded| servanda::to_graph(loaded, GraphFormat::Svg)),
        Target::Json => write(arguments, terminal, |loaded| servanda::to_graph(loaded, GraphFormat::Json)),
        Target::Aut => to_aut(arguments, terminal),
    }
}

/// Writes what a loaded model is in another language.
fn write(
    arguments: &ConvertArguments,
    terminal: &Terminal,
    convert: fn(&Loaded) -> Result<String, Vec<Finding>>,
) -> Status {
    let converted = input::load(&arguments.file, &arguments.model).and_then(|loaded| convert(&loaded));
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
