//! `servanda completions` and `servanda man`: what is made from the description of the command line.

use std::path::Path;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use servanda_report::Status;

use super::args::Arguments;
use super::terminal::{Ended, Terminal};

/// Writes a completion script.
pub(crate) fn completions(shell: Shell, terminal: &Terminal) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "servanda", &mut script);
    Ok(terminal.write(&String::from_utf8_lossy(&script), Status::Wanted))
}

/// Writes the manual page of the program or of one command.
pub(crate) fn man(command: Option<&str>, terminal: &Terminal) -> Ended {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let described = match command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| terminal.fail(&unknown_command(name, &program)))?
        }
    };
    let mut page = Vec::new();
    Man::new(described).render(&mut page).map_err(|error| terminal.fail(&error.to_string()))?;
    Ok(terminal.write(&String::from_utf8_lossy(&page), Status::Wanted))
}

/// Writes the manual pages of the program and of all its commands, each into a file of its name.
pub(crate) fn manual(directory: &Path, terminal: &Terminal) -> Ended {
    let written = std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(Arguments::command(), directory));
    written.map_err(|error| terminal.fail(&format!("{}: {error}", directory.display())))?;
    Ok(Status::Wanted)
}

fn unknown_command(name: &str, program: &clap::Command) -> String {
    let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    match servanda_syntax::nearest(name, names.iter().copied()) {
        Some(best) => format!("there is no command `{name}`; did you mean `{best}`?"),
        None => format!("there is no command `{name}`; there are {}", names.join(", ")),
    }
}
