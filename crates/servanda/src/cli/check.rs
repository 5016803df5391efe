//! `servanda check`

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use servanda::{CheckOptions, Loaded, NoClock, Question, Traces, Watch};
use servanda_engine::{Budget, Progress, Stop};
use servanda_report::{CheckReport, Finding, Status};
use servanda_syntax::{Code, Diagnostic, Severity, Span};

use super::args::{CheckArguments, EngineArguments, LimitArguments, ModelArguments, ReadingArguments};
use super::certificates;
use super::exit;
use super::input;
use super::limits::{FileLimits, Limits, Verdicts};
use super::memory;
use super::merge::Merge as _;
use super::project::{self, Asked, Project};
use super::results::Results;
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
            let chosen = arguments.engine.chosen(&arguments.limits);
            let mut report = CheckReport::new(path.display().to_string(), chosen.usual_engine(None));
            report.run.reject(findings);
            Stopwatch::start().enter_into(&mut report.run);
            let mut results = results(arguments, terminal);
            let text = results.add(report) + &results.end();
            terminal.write(&text, results.status())
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
    let results = Arc::new(Mutex::new(results(arguments, terminal)));
    let mut status = Status::Wanted;
    for (index, job) in jobs.iter().enumerate() {
        let among =
            if jobs.len() > 1 { format!("file {} of {}, ", index + 1, jobs.len()) } else { String::new() };
        let file_limits = limits.within(&job.own_limits, among);
        let report = check_file(job, arguments, &file_limits, (&results, terminal));
        limits.clear_progress();
        let shown = known(&results).add(report);
        status = status.max(terminal.write(&shown, known(&results).status()));
    }
    let document = known(&results).end();
    terminal.write(&document, status)
}

fn results(arguments: &CheckArguments, terminal: &Terminal) -> Results {
    Results::new(arguments.format, arguments.engine.statistics(), terminal)
}

/// Nobody panics while holding them.
fn known(results: &Mutex<Results>) -> MutexGuard<'_, Results> {
    results.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A budget of a run that is over.
struct Over(Stop);

impl Budget for Over {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Err(self.0.clone())
    }
}

/// Where results go: what is known so far, and the terminal.
type Destination<'a> = (&'a Arc<Mutex<Results>>, &'a Terminal);

/// If the run has to be ended while a file is checked, what was found before is written, and `report` of this file.
fn leave_last_words(
    (results, terminal): Destination<'_>,
    limits: &FileLimits<'_>,
    report: impl FnOnce(Stop) -> CheckReport + Send + 'static,
) {
    let (results, terminal) = (Arc::clone(results), terminal.clone());
    limits.run.last_words(move |stop| {
        let report = report(stop);
        let mut results = known(&results);
        let text = results.add(report) + &results.end();
        exit::number(terminal.write_last(&text, results.status().max(Status::Undecided)))
    });
}

/// The report of a file that was not even read when the run was ended.
fn unread(name: &str, engine: &'static str, stop: Stop) -> CheckReport {
    let mut report = CheckReport::new(name, engine);
    let note = Diagnostic::new(
        Severity::Note,
        Code::NotKnown,
        format!("nothing is decided: {stop}"),
        Span::default(),
    );
    report.run.findings.push(Finding::general(note));
    report
}

/// The report of a file that was being checked: what is known so far, and the rest is undecided.
fn unfinished(
    loaded: &Loaded,
    questions: &[Question],
    options: CheckOptions,
    verdicts: &Verdicts,
    stop: Stop,
) -> CheckReport {
    let watch = Watch { budget: &Over(stop), clock: &NoClock };
    let mut report = servanda::check(loaded, questions, options, watch);
    for (number, engine, verdict) in verdicts.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        if let Some(property) = report.properties.get_mut(number) {
            (property.engine, property.verdict) = (engine, verdict);
        }
    }
    report
}

fn check_file(
    job: &Job,
    arguments: &CheckArguments,
    limits: &FileLimits<'_>,
    destination: Destination<'_>,
) -> CheckReport {
    let chosen = job.engine.chosen(&job.own_limits.or(&job.run_limits));
    let mut stopwatch = Stopwatch::start();
    let language = input::language(&job.file, job.model.input.input);
    let (name, usual_engine) = (input::shown_name(&job.file), chosen.usual_engine(language));
    leave_last_words(destination, limits, {
        let name = name.to_owned();
        move |stop| unread(&name, usual_engine, stop)
    });
    let asked = input::load(&job.file, &job.model).and_then(|loaded| {
        let questions = questions(job, &loaded, arguments)?;
        Ok((Arc::new(loaded), Arc::new(questions)))
    });
    stopwatch.loaded();
    let mut report = match asked {
        Ok((loaded, questions)) => {
            let watch = Watch { budget: limits, clock: limits };
            let mut options = job.readings.options(loaded.usual_validity(), chosen);
            leave_last_words(destination, limits, {
                let (loaded, questions, verdicts) =
                    (Arc::clone(&loaded), Arc::clone(&questions), limits.verdicts());
                move |stop| unfinished(&loaded, &questions, options, &verdicts, stop)
            });
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
            let mut report = CheckReport::new(name, usual_engine);
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
