//! `servanda check`

use std::path::Path;

use servanda::{Loaded, Question, Traces, Watch};
use servanda_report::{CheckReport, Finding, Status, github, json, junit, sarif, text};
use servanda_syntax::{Code, Diagnostic, Severity, Span};

use super::args::{
    CheckArguments, CheckFormat, EngineArguments, LimitArguments, ModelArguments, ReadingArguments,
};
use super::certificates;
use super::input;
use super::limits::Limits;
use super::memory;
use super::merge::Merge as _;
use super::project::{self, Asked, Project};
use super::stopwatch::Stopwatch;
use super::terminal::Terminal;

/// One file to check, and how.
struct Job {
    file: String,
    model: ModelArguments,
    engine: EngineArguments,
    /// The limits of the whole run.
    run_limits: LimitArguments,
    /// Limits of this file alone.
    own_limits: LimitArguments,
    readings: ReadingArguments,
    /// What the project asks; `None`: what the command line asks.
    asked: Option<Asked>,
}

/// Checks the files, or the project, one after the other and gives the worst status.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Status {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return terminal.fail("standard input can be read only once");
    }
    if let Some(mistake) = arguments.engine.mistake() {
        return terminal.fail(mistake);
    }
    if !arguments.files.is_empty() {
        let jobs = arguments.files.iter().map(|file| of_file(file, arguments)).collect();
        return check(jobs, &arguments.limits, arguments, terminal);
    }
    let path = match project::find(arguments.project.as_deref()) {
        Ok(path) => path,
        Err(message) => return terminal.fail(&message),
    };
    match project::open(&path) {
        Ok(project) => {
            let limits = arguments.limits.or(&project.limits);
            check(of_project(project, &limits, arguments), &limits, arguments, terminal)
        }
        Err(findings) => {
            let means = arguments.engine.means(&arguments.limits);
            let mut report = CheckReport::new(path.display().to_string(), means.usual_engine(None));
            report.run.reject(findings);
            Stopwatch::start().enter_into(&mut report.run);
            let status = report.status();
            show_all(&[report], status, arguments, terminal)
        }
    }
}

fn of_file(file: &str, arguments: &CheckArguments) -> Job {
    Job {
        file: file.to_owned(),
        model: arguments.model.clone(),
        engine: arguments.engine.clone(),
        run_limits: arguments.limits.clone(),
        own_limits: LimitArguments::default(),
        readings: arguments.readings.clone(),
        asked: None,
    }
}

/// What the command line says goes before what the project says.
fn of_project(project: Project, limits: &LimitArguments, arguments: &CheckArguments) -> Vec<Job> {
    let given = &arguments.model;
    let asks = !arguments.property.is_empty() || !arguments.formula.is_empty();
    let job = |model: project::Model| Job {
        file: model.file,
        model: ModelArguments {
            input: if given.input.input.is_some() { given.input.clone() } else { model.model.input },
            // The last value of a parameter counts.
            param: [model.model.param, given.param.clone()].concat(),
            process: given.process.clone().or(model.model.process),
        },
        engine: arguments.engine.or(&model.engine),
        run_limits: limits.clone(),
        own_limits: LimitArguments {
            timeout: model.limits.timeout.filter(|_| arguments.limits.timeout.is_none()),
            memory: model.limits.memory.filter(|_| arguments.limits.memory.is_none()),
        },
        readings: arguments.readings.or(&model.readings),
        asked: (!asks).then_some(model.asked),
    };
    project.models.into_iter().map(job).collect()
}

fn check(jobs: Vec<Job>, limits: &LimitArguments, arguments: &CheckArguments, terminal: &Terminal) -> Status {
    let limits = match Limits::start(limits, terminal.spinner()) {
        Ok(limits) => limits,
        Err(message) => return terminal.fail(&message),
    };
    if jobs.iter().any(|job| job.own_limits.memory.is_some()) && memory::resident().is_none() {
        return terminal.fail(&format!("{}: {}", project::FILE_NAME, memory::UNKNOWN));
    }
    let mut status = Status::Wanted;
    let mut reports = Vec::new();
    for (index, job) in jobs.iter().enumerate() {
        let report = check_file(job, arguments, &limits);
        limits.clear_progress();
        status = status.max(report.status());
        match arguments.format {
            // A file's verdicts are shown as soon as they are known.
            CheckFormat::Text => status = show(&report, index, status, arguments, terminal),
            _ => reports.push(report),
        }
    }
    match arguments.format {
        CheckFormat::Text => status,
        _ => show_all(&reports, status, arguments, terminal),
    }
}

fn check_file(job: &Job, arguments: &CheckArguments, limits: &Limits) -> CheckReport {
    let means = job.engine.means(&job.own_limits.or(&job.run_limits));
    let limits = limits.within(&job.own_limits);
    let mut stopwatch = Stopwatch::start();
    let asked = input::load(&job.file, &job.model).and_then(|loaded| {
        let questions = questions(job, &loaded, arguments)?;
        Ok((loaded, questions))
    });
    stopwatch.loaded();
    let mut report = match asked {
        Ok((loaded, questions)) => {
            let watch = Watch { monitor: &limits, clock: &limits };
            let mut options = job.readings.options(loaded.usual_validity(), means);
            options.traces = if arguments.trace { Traces::Shown } else { Traces::Hidden };
            let mut report = servanda::check(&loaded, &questions, options, watch);
            keep_if_engines_disagree(&loaded, &mut report);
            if let Some(directory) = &arguments.certificate {
                let readings = options.readings;
                certificates::write(directory, &loaded, &questions, readings, watch, &mut report);
            }
            report
        }
        Err(findings) => {
            let language = input::language(&job.file, job.model.input.input);
            let mut report = CheckReport::new(input::shown_name(&job.file), means.usual_engine(language));
            report.run.reject(findings);
            report
        }
    };
    stopwatch.enter_into(&mut report.run);
    report
}

/// An input on which engines disagree is worth more than the run: it is kept, for the report of the mistake.
fn keep_if_engines_disagree(loaded: &Loaded, report: &mut CheckReport) {
    if !report.run.findings.iter().any(|finding| finding.diagnostic.code == Code::EnginesDisagree) {
        return;
    }
    let name = Path::new(loaded.source.name()).file_name().and_then(|name| name.to_str());
    let kept = format!("servanda-disagreement-{}", name.unwrap_or("input"));
    let message = match std::fs::write(&kept, loaded.source.text()) {
        Ok(()) => format!("the input is kept in {kept}"),
        Err(error) => format!("the input cannot be kept in {kept}: {error}"),
    };
    let note = Diagnostic::new(Severity::Note, Code::InputKept, message, Span::default());
    report.run.findings.push(Finding::general(note));
}

fn questions(job: &Job, loaded: &Loaded, arguments: &CheckArguments) -> Result<Vec<Question>, Vec<Finding>> {
    match &job.asked {
        None => loaded.questions(&arguments.property, &arguments.formula),
        Some(asked) => asked.questions(loaded),
    }
}

/// One report among several, as text.
fn show(
    report: &CheckReport,
    index: usize,
    status: Status,
    arguments: &CheckArguments,
    terminal: &Terminal,
) -> Status {
    terminal.complain(&text::errors(&report.run, terminal.error_style()));
    let shown = text::check(report, terminal.output_style(arguments.engine.statistics()));
    let gap = if index > 0 && !shown.is_empty() { "\n" } else { "" };
    terminal.write(&format!("{gap}{shown}"), status)
}

/// All reports of a run in one document.
fn show_all(
    reports: &[CheckReport],
    status: Status,
    arguments: &CheckArguments,
    terminal: &Terminal,
) -> Status {
    let document = match arguments.format {
        CheckFormat::Text => {
            let shown = reports.iter().enumerate();
            return shown
                .fold(status, |status, (index, report)| show(report, index, status, arguments, terminal));
        }
        CheckFormat::Json => json::check(reports, arguments.engine.statistics()),
        CheckFormat::Junit => junit::check(reports),
        CheckFormat::Sarif => sarif::check(reports),
        CheckFormat::Github => github::check(reports, terminal.detail()),
    };
    terminal.write(&document, status)
}
