//! `servanda serve`

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use servanda_report::{Detail, Status};
use servanda_serve::{LibraryEntry, Limits, Program, Server, Settings, interrupted};

use super::args::{JobLimitArguments, ServeArguments};
use super::terminal::{Ended, Terminal};

/// Serves the workbench until it is told to end.
pub(crate) fn run(arguments: &ServeArguments, terminal: &Terminal) -> Ended {
    let shown = arguments.directory.display();
    if !arguments.directory.is_dir() {
        let is_there = arguments.directory.exists();
        let reason = if is_there { "is not a directory" } else { "there is no such directory" };
        let help = if is_there { "; serve the directory that it is in" } else { "" };
        return Err(terminal.fail(&format!("{shown}: {reason}{help}")));
    }
    let server = settings(arguments).and_then(Server::new).map_err(|error| {
        let listen = &arguments.listen;
        terminal.fail(&match error.kind() {
            ErrorKind::AddrInUse => {
                format!("{listen}: another program listens there; with `--listen 127.0.0.1:0` any free port is taken")
            }
            _ => error.to_string(),
        })
    })?;
    let link = server.link();
    if terminal.detail != Detail::Quiet {
        terminal.complain(&format!("Serving {shown}; Ctrl-C ends it.\n"));
    }
    warn_if_reachable(server.address(), terminal);
    let status = terminal.write(&format!("{link}\n"), Status::Wanted);
    if arguments.open {
        open(&link, terminal);
    }
    server.run(interrupted()).map_err(|error| terminal.fail(&error.to_string()))?;
    Ok(status)
}

/// Who listens not for this machine alone says so.
pub(super) fn warn_if_reachable(address: SocketAddr, terminal: &Terminal) {
    if !address.ip().is_loopback() {
        terminal
            .complain("warning: it can be reached from other machines, and what is said is not encrypted\n");
    }
}

/// What jobs may use, and how many of them there may be.
pub(super) fn limits(own: &JobLimitArguments, jobs: usize) -> Limits {
    Limits { time: own.timeout, memory: own.memory, jobs, ..Limits::default() }
}

/// Jobs and language servers are this program again.
fn settings(arguments: &ServeArguments) -> std::io::Result<Settings> {
    let path = env::current_exe()?;
    let program = |words: &[&str]| Program {
        path: path.clone(),
        arguments: words.iter().map(OsString::from).collect(),
    };
    Ok(Settings {
        directory: arguments.directory.clone(),
        listen: arguments.listen.clone(),
        job: program(&["job"]),
        // They are started in the directory.
        language: program(&["lsp", "--within", "."]),
        library: servanda_library::entries().iter().map(entry).collect(),
        limits: limits(&arguments.limits, arguments.jobs),
    })
}

/// A protocol of the library, as the page lists it.
fn entry(entry: &servanda_library::Entry) -> LibraryEntry {
    LibraryEntry {
        name: entry.name.to_owned(),
        title: entry.title.to_owned(),
        about: entry.about.to_owned(),
        sources: entry.mappings.iter().map(|mapping| mapping.source.to_owned()).collect(),
    }
}

/// Opens the address in the browser of the user.
fn open(link: &str, terminal: &Terminal) {
    let (program, before): (&str, &[&str]) = match env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(before).arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        terminal.complain(&format!("{program} did not open a browser ({error}); open the address above\n"));
    }
}
