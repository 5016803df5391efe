//! `servanda check`

use servanda::{ENGINE, Watch};
use servanda_report::{CheckReport, Statistics, Status, json, text};

use super::args::{CheckArguments, Engine, Format};
use super::input;
use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// Checks the files one after the other and gives the worst status.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Status {
    match arguments.engine {
        // There is one engine in this version, so there is nothing to choose between.
        Engine::Auto | Engine::Enumerate => {}
    }
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return terminal.fail("standard input can be read only once");
    }
    let limits = match Limits::start(&arguments.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let statistics = if arguments.stats { Statistics::Shown } else { Statistics::Hidden };

    let mut status = Status::Wanted;
    let mut reports = Vec::new();
    for (index, file) in arguments.files.iter().enumerate() {
        let report = check_file(file, arguments, &limits);
        limits.clear_progress();
        status = status.max(report.status());
        match arguments.output.format {
            // A file's verdicts are shown as soon as they are known.
            Format::Text => {
                terminal.complain(&text::errors(&report.run, terminal.error_style()));
                let shown = text::check(&report, terminal.output_style(statistics));
                let gap = if index > 0 && !shown.is_empty() { "\n" } else { "" };
                status = terminal.write(&format!("{gap}{shown}"), status);
            }
            Format::Json => reports.push(report),
        }
    }
    match arguments.output.format {
        Format::Text => status,
        Format::Json => terminal.write(&json::check(&reports, statistics), status),
    }
}

fn check_file(file: &str, arguments: &CheckArguments, limits: &Limits) -> CheckReport {
    let mut stopwatch = Stopwatch::start();
    let asked = input::load(file, &arguments.model).and_then(|loaded| {
        let questions = loaded.questions(&arguments.property, &arguments.formula)?;
        Ok((loaded, questions))
    });
    stopwatch.loaded();
    let mut report = match asked {
        Ok((loaded, questions)) => {
            let watch = Watch { monitor: limits, clock: limits };
            servanda::check(&loaded, &questions, arguments.readings.options(), watch)
        }
        Err(findings) => {
            let mut report = CheckReport::new(input::shown_name(file), ENGINE);
            report.run.reject(findings);
            report
        }
    };
    stopwatch.enter_into(&mut report.run);
    report
}
