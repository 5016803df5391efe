//! `servanda convert`

use servanda::GraphFormat;
use servanda_report::{Status, diagnostics};

use super::args::{ConvertArguments, Target};
use super::input;
use super::terminal::Terminal;

/// Writes the model of the file in another language.
pub(crate) fn run(arguments: &ConvertArguments, terminal: &Terminal) -> Status {
    let converted = input::load(&arguments.file, &arguments.model).and_then(|loaded| match arguments.to {
        Target::Ispl => servanda::to_ispl(&loaded),
        Target::Dot => servanda::to_graph(&loaded, GraphFormat::Dot),
        Target::Svg => servanda::to_graph(&loaded, GraphFormat::Svg),
        Target::Json => servanda::to_graph(&loaded, GraphFormat::Json),
    });
    match converted {
        Ok(text) => terminal.write(&text, Status::Wanted),
        Err(findings) => {
            terminal.complain(&diagnostics::render_findings(&findings, terminal.error_style()));
            Status::Invalid
        }
    }
}
