//! `reproduce` sets what the five papers print beside what the program gives.

use std::io::Write;
use std::process::ExitCode;

use servanda_reproduce::{Servanda, list, model, project, write};

const USAGE: &str = "\
usage: reproduce [--servanda PROGRAM] [--output FILE]   write the page
       reproduce family NAME N                          print a model
       reproduce families                               list the families";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["families"] => print(&list()),
        ["family", name, size] => match model(name, size) {
            Ok(text) => print(&text),
            Err(message) => fail(&message),
        },
        [] => page("servanda", "docs/reproduction.md"),
        ["--servanda", program] => page(program, "docs/reproduction.md"),
        ["--output", file] => page("servanda", file),
        ["--servanda", program, "--output", file] => page(program, file),
        _ => fail(USAGE),
    }
}

/// Writes the page and the project of the printed formulas; what is not as it should be is a failure.
fn page(program: &str, file: &str) -> ExitCode {
    let made = match write(&Servanda { program: program.into() }) {
        Ok(made) => made,
        Err(message) => return fail(&message),
    };
    if let Err(error) = std::fs::write(file, made.text) {
        return fail(&format!("{file}: {error}"));
    }
    let files = match project() {
        Ok(files) => files,
        Err(message) => return fail(&message),
    };
    for (name, text) in files {
        if let Err(error) = std::fs::write(format!("examples/papers/{name}"), text) {
            return fail(&format!("{name}: {error}"));
        }
    }
    for problem in &made.problems {
        let _ = writeln!(std::io::stderr(), "not as it should be: {problem}");
    }
    let _ = writeln!(std::io::stderr(), "{file} is written");
    if made.problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn print(text: &str) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn fail(message: &str) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "{message}");
    ExitCode::from(2)
}
