//! `servanda check`

use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use servanda::host::store;
use servanda::{CheckOptions, EmptyModel, EngineOptions, Loaded, NoClock, Question, Traces, Watch};
use servanda_engine::{Budget, Progress, Stop};
use servanda_report::{CheckReport, Finding, Run, Space, Status};
use servanda_syntax::{Code, SourceFile};

use super::args::{CheckArguments, DemandArguments, LimitArguments, ModelArguments};
use super::certificates;
use super::exit;
use super::input;
use super::limits::{Explored, FileLimits, Verdicts};
use super::memory;
use super::next;
use super::plot;
use super::project::{self, Model, Project};
use super::results::Results;
use super::setting::{self, Setting};
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Checks the files, or the project, one after the other and gives the worst status.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Ended {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(terminal.fail("standard input can be read only once"));
    }
    let mistake = arguments.engine.mistake().or_else(|| arguments.storage.mistake(&arguments.engine));
    if let Some(mistake) = mistake {
        return Err(terminal.fail(mistake));
    }
    if !arguments.files.is_empty() {
        let models = arguments.files.iter().map(|file| of_file(file, arguments)).collect();
        return check(models, &arguments.limits, arguments, terminal);
    }
    let path = project::find(arguments.project.as_deref()).map_err(|message| terminal.fail(&message))?;
    match project::open(&path) {
        Ok(Project { limits, models }) => {
            let models = models.into_iter().map(|model| of_project(model, arguments)).collect();
            check(models, &arguments.limits.or(&limits), arguments, terminal)
        }
        Err(findings) => {
            let chosen = arguments.engine.chosen(&arguments.limits);
            let mut report = CheckReport::new(path.display().to_string(), chosen.usual_engine(None));
            report.run.reject(findings);
            let report = measured(|| (), |()| report, |report| &mut report.run);
            let mut results = Results::new(arguments, terminal);
            let text = results.add(report) + &results.end();
            Ok(terminal.write(&text, results.status))
        }
    }
}

fn of_file(file: &str, arguments: &CheckArguments) -> Model {
    Model {
        file: file.to_owned(),
        model: arguments.model.clone(),
        engine: arguments.storage.engine(&arguments.engine),
        limits: LimitArguments::default(),
        readings: arguments.readings.clone(),
        demands: arguments.demands.clone(),
        asked: None,
    }
}

/// What the command line says goes before what the project says.
fn of_project(model: Model, arguments: &CheckArguments) -> Model {
    let given = &arguments.model;
    let asks = !arguments.property.is_empty() || !arguments.formula.is_empty();
    Model {
        file: model.file,
        model: ModelArguments {
            input: if given.input.input.is_some() { given.input.clone() } else { model.model.input },
            // The last value of a parameter counts.
            param: [model.model.param, given.param.clone()].concat(),
            process: given.process.clone().or(model.model.process),
            acts_file: given.acts_file.clone().or(model.model.acts_file),
        },
        engine: arguments.storage.engine(&arguments.engine.or(&model.engine)),
        limits: LimitArguments {
            timeout: model.limits.timeout.filter(|_| arguments.limits.timeout.is_none()),
            memory: model.limits.memory.filter(|_| arguments.limits.memory.is_none()),
        },
        readings: arguments.readings.or(&model.readings),
        demands: DemandArguments { level: arguments.demands.level.or(model.demands.level) },
        asked: model.asked.filter(|_| !asks),
    }
}

/// Checks the models within the limits of the whole run.
fn check(
    models: Vec<Model>,
    limits: &LimitArguments,
    arguments: &CheckArguments,
    terminal: &Terminal,
) -> Ended {
    let run_limits = terminal.limits(limits)?;
    if models.iter().any(|model| model.limits.memory.is_some()) && memory::resident().is_none() {
        return Err(terminal.fail(&format!("{}: {}", project::FILE_NAME, memory::UNKNOWN)));
    }
    let settings = models.iter().map(|model| setting::combinations(&model.model.param));
    let settings: Vec<Vec<Vec<Setting>>> =
        settings.collect::<Result<_, _>>().map_err(|message| terminal.fail(&message))?;
    let runs = settings.iter().map(Vec::len).sum();
    if let Some(mistake) = arguments.storage.mistake_of_many(runs) {
        return Err(terminal.fail(mistake));
    }
    let several = settings.iter().any(|settings| settings.len() > 1);
    if arguments.plot.plot.is_some() && !several {
        return Err(terminal.fail(plot::ONE_VALUE));
    }
    let results = Arc::new(Mutex::new(Results::new(arguments, terminal)));
    known(&results).expect(|| {
        let each = models.iter().zip(&settings);
        each.flat_map(|(model, settings)| settings.iter().map(|param| to_come(model, param, limits)))
            .collect()
    });
    run_limits.now_and_then({
        let results = Arc::clone(&results);
        // Who is just writing will do it.
        move || drop(results.try_lock().map(|mut results| results.save()))
    });
    let certificates = RefCell::default();
    let mut status = Status::Wanted;
    for (index, (model, settings)) in models.iter().zip(&settings).enumerate() {
        let among = if models.len() > 1 {
            format!("file {} of {}, ", index + 1, models.len())
        } else {
            String::new()
        };
        let file_limits = model.limits.or(limits);
        let chosen = model.engine.chosen(&file_limits);
        let chosen = arguments.storage.chosen(chosen, &file_limits, &run_limits);
        let chosen = chosen.map_err(|message| terminal.fail(&message))?;
        if settings.len() > 1 {
            known(&results).begin_sweep();
        }
        for param in settings {
            if settings.len() > 1 {
                memory::forget_peak();
            }
            let task = if settings.len() > 1 {
                format!("{among}{}, ", servanda_report::setting(&setting::parameters(param)))
            } else {
                among.clone()
            };
            let file_limits = run_limits.within(&model.limits, task);
            let subject = ModelArguments { param: param.clone(), ..model.model.clone() };
            let counted = settings.len() > 1;
            let job = Job { model, subject: &subject, chosen, counted, certificates: &certificates };
            let report = check_file(job, arguments, &file_limits, (&results, terminal));
            run_limits.clear_progress();
            // Whoever ends the run from outside writes first and asks then: nothing is written while the results are held.
            let (shown, so_far) = {
                let mut results = known(&results);
                (results.add(report), results.status)
            };
            status = status.max(terminal.write(&shown, so_far));
        }
        let shown = known(&results).end_sweep();
        status = terminal.write(&shown, status);
    }
    let (document, so_far) = {
        let mut results = known(&results);
        (results.end(), results.status)
    };
    status = terminal.write(&document, status.max(so_far));
    match &arguments.plot.plot {
        Some(path) => plot::write(path, &known(&results).points, terminal).map(|()| status),
        None => Ok(status),
    }
}

/// The report of a model whose turn has not come.
fn to_come(model: &Model, param: &[Setting], limits: &LimitArguments) -> CheckReport {
    let language = input::language(&model.file, model.model.input.input);
    let chosen = model.engine.chosen(&model.limits.or(limits));
    let mut report = CheckReport::new(input::shown_name(&model.file), chosen.usual_engine(language));
    report.run.parameters = setting::parameters(param);
    report.leave_unread("the run has not come so far".to_owned());
    report
}

/// One model with one value for each of its parameters.
#[derive(Clone, Copy)]
struct Job<'j> {
    model: &'j Model,
    subject: &'j ModelArguments,
    chosen: EngineOptions,
    /// Are its states counted even where that is not needed?
    counted: bool,
    /// The names of the certificates so far.
    certificates: &'j RefCell<certificates::Names>,
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
    report: impl FnOnce(Stop, Explored) -> CheckReport + Send + 'static,
) {
    let (results, terminal) = (Arc::clone(results), terminal.clone());
    limits.run.last_words(move |stop, explored| {
        let report = report(stop, explored);
        let mut results = known(&results);
        let text = results.add(report) + &results.end();
        exit::number(terminal.write_last(&text, results.status.max(Status::Undecided)))
    });
}

/// The report of a file that was not even read when the run was ended.
fn unread(mut report: CheckReport, stop: &Stop) -> CheckReport {
    report.leave_unread(stop.to_string());
    report
}

/// The report of a file that was being checked: what is known so far, and the rest is undecided.
fn unfinished(
    (loaded, questions): (&Loaded, &[Question]),
    options: CheckOptions,
    verdicts: &Verdicts,
    (stop, explored): (Stop, Explored),
) -> CheckReport {
    let watch = Watch { budget: &Over(stop), clock: &NoClock };
    let mut report = servanda::check(loaded, questions, options, watch);
    if let Some(Space::Part { states, transitions, .. }) = report.model.as_mut().map(|model| &mut model.space)
    {
        (*states, *transitions) = (*states, *transitions).max(explored);
    }
    for (number, engine, verdict) in verdicts.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        if let Some(property) = report.properties.get_mut(number) {
            (property.engine, property.verdict) = (engine, verdict);
        }
    }
    report
}

fn check_file(
    Job { model: job, subject, chosen, counted, certificates: names }: Job<'_>,
    arguments: &CheckArguments,
    limits: &FileLimits<'_>,
    destination: Destination<'_>,
) -> CheckReport {
    let language = input::language(&job.file, subject.input.input);
    let (name, usual_engine) = (input::shown_name(&job.file), chosen.usual_engine(language));
    leave_last_words(destination, limits, {
        let mut report = CheckReport::new(name, usual_engine);
        report.run.parameters = setting::parameters(&subject.param);
        move |stop, _| unread(report, &stop)
    });
    let load = || {
        let loaded = input::load(&job.file, subject)?;
        let questions = match &job.asked {
            None => loaded.questions(&arguments.property, &arguments.formula)?,
            Some(asked) => asked.questions(&loaded)?,
        };
        Ok::<_, Vec<Finding>>((Arc::new(loaded), Arc::new(questions)))
    };
    measured(
        load,
        |asked| match asked {
            Ok((loaded, questions)) => {
                let watch = limits.watch();
                let mut options = job.readings.options(loaded.usual_validity(), chosen);
                leave_last_words(destination, limits, {
                    let (loaded, questions, verdicts) =
                        (Arc::clone(&loaded), Arc::clone(&questions), Arc::clone(&limits.verdicts));
                    move |stop, explored| {
                        unfinished((&loaded, &questions), options, &verdicts, (stop, explored))
                    }
                });
                limits.tell_decided({
                    let ((results, terminal), mut run) = (destination, Run::new(name, usual_engine));
                    let (results, terminal) = (Arc::clone(results), terminal.clone());
                    let questions = Arc::clone(&questions);
                    run.parameters = setting::parameters(&subject.param);
                    move |number, engine, verdict, seconds| {
                        let Question { property, .. } = questions.get(number)?;
                        let (name, wanted) = (property.name.as_str(), property.expected.unwrap_or(true));
                        let by = (engine, verdict, seconds);
                        let shown = known(&results).decided(&run, (name, &property.text), by);
                        if !shown.is_empty() {
                            terminal.write(&shown, Status::Wanted);
                        }
                        let mark = if verdict.decided() == Some(wanted) { "✓" } else { "✗" };
                        let line = format!("{mark} {}  {}", servanda_report::visible(name), verdict.word());
                        terminal.log(&line);
                        Some(line)
                    }
                });
                options.counted |= counted;
                options.empty = if arguments.allow_empty { EmptyModel::Allowed } else { EmptyModel::Refused };
                options.level = job.demands.level.map_or_else(Default::default, |level| level.0);
                options.traces = if arguments.trace { Traces::Shown } else { Traces::Hidden };
                let mut report = servanda::check(&loaded, &questions, options, watch);
                keep_if_engines_disagree(&loaded, &mut report);
                report.next = next::command(&report, &questions, &loaded, (job, subject));
                if let Some(directory) = &arguments.certificate {
                    let place = (directory.as_path(), &mut *names.borrow_mut());
                    let asked = (&*loaded, questions.as_slice(), options.readings);
                    certificates::write(place, asked, watch, &mut report);
                }
                report
            }
            Err(findings) => {
                let mut report = CheckReport::new(name, usual_engine);
                report.run.parameters = setting::parameters(&subject.param);
                report.run.reject(findings);
                report
            }
        },
        |report| &mut report.run,
    )
}

/// An input on which engines disagree is worth more than the run: it is kept, for the report of the mistake.
fn keep_if_engines_disagree(loaded: &Loaded, report: &mut CheckReport) {
    if !report.run.findings.iter().any(|finding| finding.diagnostic.code == Code::EnginesDisagree) {
        return;
    }
    let name = Path::new(loaded.source.name()).file_name().and_then(|name| name.to_str());
    let kept = format!("servanda-disagreement-{}", name.unwrap_or("input"));
    let message = match store::write(&kept, loaded.source.text()) {
        Ok(()) => {
            let used: Vec<&str> = loaded.source.texts().skip(1).map(SourceFile::name).collect();
            let files =
                if used.is_empty() { String::new() } else { format!("; it uses {}", used.join(", ")) };
            format!("the input is kept in {kept}{files}")
        }
        Err(error) => format!("the input cannot be kept in {kept}: {error}"),
    };
    report.run.findings.push(Finding::note(Code::InputKept, message));
}
