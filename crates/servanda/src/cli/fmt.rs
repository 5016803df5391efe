//! `servanda fmt`

use std::sync::Arc;

use servanda::host::store;
use servanda_report::{Detail, Finding, Status, visible};
use servanda_syntax::SourceFile;

use super::args::FmtArguments;
use super::input;
use super::terminal::{Ended, Terminal};

/// Formats the files one after the other and gives the worst status.
pub(crate) fn run(arguments: &FmtArguments, terminal: &Terminal) -> Ended {
    if arguments.write && arguments.files.iter().any(|file| file == "-") {
        return Err(terminal.fail("--write: standard input cannot be rewritten"));
    }
    let statuses = arguments.files.iter().map(|file| format_file(file, arguments, terminal));
    Ok(statuses.max().unwrap_or(Status::Wanted))
}

fn format_file(file: &str, arguments: &FmtArguments, terminal: &Terminal) -> Status {
    let (name, shown) = (input::shown_name(file), visible(input::shown_name(file)));
    let formatted = input::read(file, arguments.input.input).and_then(|(language, text)| {
        let front_end = language.front_end();
        let Some(form) = front_end.standard_form else {
            let what =
                format!("there is a standard form of Pact files only, not of {} files", front_end.name.1);
            return Err(input::pact_only(name, &what));
        };
        let standard = form(&text).map_err(|diagnostics| {
            Finding::all_placed(diagnostics, &Arc::new(SourceFile::new(name, text.as_str())))
        })?;
        Ok((text, standard))
    });
    let (text, standard) = match formatted {
        Ok(formatted) => formatted,
        Err(findings) => return terminal.refuse(&findings),
    };
    let changed = text != standard;
    if arguments.check {
        match (changed, terminal.detail) {
            (false, _) => Status::Wanted,
            (true, Detail::Quiet) => Status::Unwanted,
            (true, _) => terminal.write(&format!("{shown}\n"), Status::Unwanted),
        }
    } else if arguments.write {
        if terminal.detail == Detail::Verbose {
            let what = if changed { "rewritten" } else { "in standard form" };
            terminal.complain(&format!("{shown}: {what}\n"));
        }
        match if changed { store::write(file, standard) } else { Ok(()) } {
            Ok(()) => Status::Wanted,
            Err(error) => terminal.fail(&format!("{shown} cannot be written: {error}")),
        }
    } else {
        terminal.write(&standard, Status::Wanted)
    }
}
