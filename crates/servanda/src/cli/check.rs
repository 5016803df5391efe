//! `servanda check`

use std::path::Path;

use servanda::{Loaded, Traces, Watch};
use servanda_report::{CheckReport, Finding, Status, json, text};
use servanda_syntax::{Diagnostic, Severity, Span};

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
            let mut report = servanda::check(&loaded, &questions, options, watch);
            keep_if_engines_disagree(&loaded, &mut report);
            report
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

/// An input on which engines disagree is worth more than the run: it is kept, for the report of the mistake.
fn keep_if_engines_disagree(loaded: &Loaded, report: &mut CheckReport) {
    if !report.run.findings.iter().any(|finding| finding.diagnostic.code == "engines-disagree") {
        return;
    }
    let name = Path::new(loaded.source.name()).file_name().and_then(|name| name.to_str());
    let kept = format!("servanda-disagreement-{}", name.unwrap_or("input"));
    let message = match std::fs::write(&kept, loaded.source.text()) {
        Ok(()) => format!("the input is kept in {kept}"),
        Err(error) => format!("the input cannot be kept in {kept}: {error}"),
    };
    let note = Diagnostic::new(Severity::Note, "input-kept", message, Span::default());
    report.run.findings.push(Finding::general(note));
}
