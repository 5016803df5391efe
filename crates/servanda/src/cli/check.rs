//! `servanda check`

use servanda::{Traces, Watch};
use servanda_report::{CheckReport, Status, json, text};

use super::args::{CheckArguments, Format};
use super::input;
use super::limits::Limits;
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// Checks the files one after the other and gives the worst status.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Status {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return terminal.fail("standard input can be read only once");
    }
    let limits = match Limits::start(&arguments.limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    let statistics = arguments.engine.statistics();

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
    let means = arguments.engine.means(&arguments.limits);
    let mut stopwatch = Stopwatch::start();
    let asked = input::load(file, &arguments.model).and_then(|loaded| {
        let questions = loaded.questions(&arguments.property, &arguments.formula)?;
        Ok((loaded, questions))
    });
    stopwatch.loaded();
    let mut report = match asked {
        Ok((loaded, questions)) => {
            let watch = Watch { monitor: limits, clock: limits };
            let mut options = arguments.readings.options(loaded.usual_validity(), means);
            options.traces = if arguments.trace { Traces::Shown } else { Traces::Hidden };
            servanda::check(&loaded, &questions, options, watch)
        }
        Err(findings) => {
            let language = input::language(file, arguments.model.input.input);
            let mut report = CheckReport::new(input::shown_name(file), means.usual_engine(language));
            report.run.reject(findings);
            report
        }
    };
    stopwatch.enter_into(&mut report.run);
    report
}
