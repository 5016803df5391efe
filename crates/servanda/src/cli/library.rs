//! `servanda library`

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use servanda::entry;
use servanda::host::store;
use servanda_report::Status;

use super::args::LibraryCommand;
use super::terminal::{Ended, Terminal};

/// Lists, shows or copies.
pub(crate) fn run(command: &LibraryCommand, terminal: &Terminal) -> Ended {
    match command {
        LibraryCommand::List => Ok(terminal.write(&list(), Status::Wanted)),
        LibraryCommand::Show { name } => {
            let entry = entry(name).map_err(|message| terminal.fail(&message))?;
            Ok(terminal.write(entry.page.text, Status::Wanted))
        }
        LibraryCommand::Copy { name, directory } => {
            let entry = entry(name).map_err(|message| terminal.fail(&message))?;
            let written = copy(entry, directory).map_err(|message| terminal.fail(&message))?;
            Ok(terminal.write(&written, Status::Wanted))
        }
    }
}

fn list() -> String {
    let entries = servanda_library::entries();
    let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in entries {
        let sources: Vec<&str> = entry.mappings.iter().map(|mapping| mapping.source).collect();
        let _ = writeln!(text, "{:width$}  {} ({})", entry.name, entry.title, sources.join(", "));
    }
    text
}

/// Writes the files of an entry as they lie in the library. Nothing is overwritten.
fn copy(entry: &servanda_library::Entry, directory: &Path) -> Result<String, String> {
    let texts = entry.texts();
    let taken = texts.iter().map(|text| directory.join(text.path)).find(|path| path.exists());
    if let Some(taken) = taken {
        return Err(format!("{} exists already; nothing was written", taken.display()));
    }
    let mut told = String::new();
    for text in texts {
        let path = directory.join(text.path);
        let failed = |error: std::io::Error| format!("{} cannot be written: {error}", path.display());
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        store::write(&path, text.text).map_err(failed)?;
        let _ = writeln!(told, "{}", path.display());
    }
    Ok(told)
}
