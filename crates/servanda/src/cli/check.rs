//! `servanda check`

use std::cell::RefCell;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use servanda::host::store;
use servanda::{CheckOptions, EmptyModel, EngineOptions, Loaded, Mesh, NoClock, Question, Traces, Watch};
use servanda_engine::{Budget, Progress, Stop};
use servanda_report::{CheckReport, Finding, Run, Space, Status};
use servanda_syntax::{Code, SourceFile};

use super::args::{CheckArguments, DemandArguments, LimitArguments, ModelArguments};
use super::certificates;
use super::company::{Company, Voice, voice};
use super::exit;
use super::fleet::{self, Decided, Fleet, NOT_SO_FAR, NOT_YET, News, Part, Sending};
use super::input;
use super::limits::{Explored, FileLimits, Limits, Verdicts};
use super::memory;
use super::next;
use super::plot;
use super::project::{self, Model, Project};
use super::results::Results;
use super::setting::{self, Setting};
use super::stopwatch::measured;
use super::terminal::{Ended, Terminal};

/// Checks the files, or the project, and gives the worst status.
pub(crate) fn run(arguments: &CheckArguments, terminal: &Terminal) -> Ended {
    check_all(arguments, None, terminal)
}

/// Checks one part of them, for another process.
pub(crate) fn run_part(arguments: &CheckArguments, part: Part, terminal: &Terminal) -> Ended {
    check_all(arguments, Some(part), terminal)
}

fn check_all(arguments: &CheckArguments, part: Option<Part>, terminal: &Terminal) -> Ended {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(terminal.fail("standard input can be read only once"));
    }
    let mistake = arguments.engine.mistake().or_else(|| arguments.storage.mistake(&arguments.engine));
    if let Some(mistake) = mistake {
        return Err(terminal.fail(mistake));
    }
    if let Some(mistake) = arguments.cluster.mistake(&arguments.engine, &arguments.model) {
        return Err(terminal.fail(&mistake));
    }
    if arguments.cluster.processes.is_some() && arguments.files.iter().any(|file| file == "-") {
        return Err(terminal.fail("--processes: standard input can be read by one process only"));
    }
    if !arguments.files.is_empty() {
        let models = arguments.files.iter().map(|file| of_file(file, arguments)).collect();
        return check(models, &arguments.limits, (arguments, part), terminal);
    }
    let path = project::find(arguments.project.as_deref()).map_err(|message| terminal.fail(&message))?;
    match project::open(&path) {
        Ok(Project { limits, models }) => {
            let models = models.into_iter().map(|model| of_project(model, arguments)).collect();
            check(models, &arguments.limits.or(&limits), (arguments, part), terminal)
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
            process: if given.process.is_empty() { model.model.process } else { given.process.clone() },
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
    (arguments, part): (&CheckArguments, Option<Part>),
    terminal: &Terminal,
) -> Ended {
    let limits = &match part {
        Some(part) => LimitArguments { timeout: part.left, memory: limits.memory },
        None => limits.clone(),
    };
    let run_limits = terminal.limits(limits)?;
    let settings = settings(&models, arguments).map_err(|mistake| terminal.fail(&mistake))?;
    let several = settings.iter().any(|settings| settings.len() > 1);
    let company = Company::meet(&arguments.cluster, &arguments.engine, &run_limits, terminal)?;
    // Whose models are spread over hosts.
    let hosts = company.mesh().filter(|_| arguments.cluster.spreads_models());
    if let Some(mesh) = hosts.filter(|mesh| mesh.process() > 0) {
        return Ok(fleet::serve(mesh, &run_limits, terminal));
    }
    // Those of a fleet are no more than there is work for.
    let parts = settings.iter().map(Vec::len).sum();
    let together = part.map_or(1, |part| part.jobs.min(parts)).max(company.here());
    let results = Arc::new(Mutex::new(Results::new(arguments, terminal)));
    let to_come = all_to_come(&models, &settings, limits);
    let certificates = RefCell::<certificates::Names>::default();
    to_come.iter().for_each(|report| certificates.borrow_mut().reserve(&report.run));
    let work = (models.as_slice(), settings.as_slice(), to_come.as_slice());
    let fleet = match part {
        Some(_) => None,
        None => fleet(work, (arguments, hosts), &run_limits, (&results, terminal)),
    };
    known(&results).expect(to_come.into());
    save_now_and_then(&results, &run_limits);
    let (mut status, mut number) = (Status::Wanted, 0);
    for (index, (model, settings)) in models.iter().zip(&settings).enumerate() {
        let limits = (model.limits.or(limits), &run_limits);
        let workers = (Some(&company).filter(|_| hosts.is_none()), together);
        let chosen = chosen(model, arguments, limits, workers).map_err(|message| terminal.fail(&message))?;
        let sweeps = settings.len() > 1;
        if sweeps {
            known(&results).begin_sweep();
        }
        let end = number + settings.len();
        for param in settings {
            number += 1;
            if part.is_some_and(|part| part.number + 1 != number) {
                continue;
            }
            if sweeps {
                memory::forget_peak();
            }
            let task = task((index, models.len()), param.as_slice(), sweeps);
            let file_limits = run_limits.within(&model.limits, task);
            let subject = ModelArguments { param: param.clone(), ..model.model.clone() };
            let place = number - 1;
            let job =
                Job { model, subject: &subject, chosen, counted: sweeps, place, certificates: &certificates };
            let destination = (&results, terminal);
            tell(destination, |results| results.turn(place));
            let sent = fleet.as_ref().and_then(|fleet| {
                let last_words = fleet.last_words(number - 1, if several { end } else { models.len() });
                leave_last_words(destination, &file_limits, move |stop, _| last_words(&stop));
                fleet.report(number - 1)
            });
            let report = sent.unwrap_or_else(|| check_file(job, arguments, &file_limits, destination));
            run_limits.clear_progress();
            // Whoever ends the run from outside keeps others from writing and asks then: nobody waits for that while results are held.
            let so_far = terminal.write_made(|| {
                let mut results = known(&results);
                (results.add(report), results.status)
            });
            status = status.max(so_far);
        }
        let shown = known(&results).end_sweep();
        status = terminal.write(&shown, status);
    }
    let ended = end(&results, arguments, status, terminal);
    if let Some(mesh) = hosts {
        mesh.dismiss(exit::number(ended.unwrap_or_else(|status| status)));
    }
    ended
}

/// Has what is known written into files while the run goes on.
fn save_now_and_then(results: &Arc<Mutex<Results>>, limits: &Limits) {
    let results = Arc::clone(results);
    // Who is just writing will do it.
    limits.now_and_then(move || drop(results.try_lock().map(|mut results| results.save())));
}

/// Writes what is written when all is known.
fn end(results: &Mutex<Results>, arguments: &CheckArguments, status: Status, terminal: &Terminal) -> Ended {
    let (document, so_far) = {
        let mut results = known(results);
        (results.end(), results.status)
    };
    let status = terminal.write(&document, status.max(so_far));
    if let Some(way_on) = arguments.storage.way_on(status)
        && voice(&arguments.cluster) == Voice::Full
    {
        terminal.complain(&way_on);
    }
    match &arguments.plot.plot {
        Some(path) => plot::write(path, &known(results).points, terminal).map(|()| status),
        None => Ok(status),
    }
}

/// All settings of a model's parameters.
type Settings = Vec<Vec<Setting>>;

/// Those of all models, or why these cannot be checked like this.
fn settings(models: &[Model], arguments: &CheckArguments) -> Result<Vec<Settings>, String> {
    if models.iter().any(|model| model.limits.memory.is_some()) && memory::resident().is_none() {
        return Err(format!("{}: {}", project::FILE_NAME, memory::UNKNOWN));
    }
    let settings = models.iter().map(|model| setting::combinations(&model.model.param));
    let settings: Vec<Settings> = settings.collect::<Result<_, _>>()?;
    if let Some(mistake) = arguments.storage.mistake_of_many(settings.iter().map(Vec::len).sum()) {
        return Err(mistake.to_owned());
    }
    if arguments.plot.plot.is_some() && settings.iter().all(|settings| settings.len() <= 1) {
        return Err(plot::ONE_VALUE.to_owned());
    }
    Ok(settings)
}

/// The processes that the work is spread over, if it is.
fn fleet(
    (models, settings, to_come): (&[Model], &[Settings], &[CheckReport]),
    (arguments, hosts): (&CheckArguments, Option<&'static Mesh>),
    limits: &Arc<Limits>,
    (results, terminal): Destination<'_>,
) -> Option<Fleet> {
    let jobs = arguments.most_jobs().min(to_come.len());
    if jobs < 2 && hosts.is_none() {
        return None;
    }
    let each = models.iter().zip(settings).flat_map(|(model, settings)| settings.iter().map(move |_| model));
    let runs = each.zip(to_come).map(|(model, report)| {
        let sending = if input::is_file(&model.file) { Sending::Possible } else { Sending::Impossible };
        let run = Run { findings: Vec::new(), ..report.run.clone() };
        (run, sending)
    });
    let (results, terminal, told) = (Arc::clone(results), terminal.clone(), Arc::clone(limits));
    let hears = move |number: usize, news: News<'_>| match news {
        News::Begun(report) => tell_begun(number, *report, (&results, &terminal)),
        News::Decided(run, decided) => {
            told.make_way();
            told.tell(&tell_decided(number, run, decided, (&results, &terminal)));
        }
    };
    // Where no process can be started, everything is done by this one.
    Fleet::start(runs.collect(), (jobs, hosts), limits, hears).ok()
}

/// Writes what is to be written now. What cannot be written is no success.
fn tell((results, terminal): Destination<'_>, make: impl FnOnce(&mut Results) -> String) {
    let written = terminal.write_made(|| (make(&mut known(results)), Status::Wanted));
    if written != Status::Wanted {
        let mut results = known(results);
        results.status = results.status.max(written);
    }
}

/// Tells that a model has been read. `report` is what is known of it.
fn tell_begun(number: usize, report: CheckReport, destination: Destination<'_>) {
    tell(destination, |results| results.begun(number, report));
}

/// Tells a verdict that is just known, and gives a line for who watches.
fn tell_decided(number: usize, run: &Run, decided: &Decided, (results, terminal): Destination<'_>) -> String {
    tell((results, terminal), |results| results.decided(number, run, decided));
    let line = decided.shown();
    terminal.log(&line);
    line
}

/// The reports of models whose turns have not come, one for each setting of their parameters.
fn all_to_come(models: &[Model], settings: &[Settings], limits: &LimitArguments) -> Vec<CheckReport> {
    let of_model = |(model, settings): (&_, &Settings)| {
        let each = settings.iter().map(|param| to_come(model, param, limits));
        each.collect::<Vec<_>>()
    };
    models.iter().zip(settings).flat_map(of_model).collect()
}

/// With what a model is checked: in what company, unless models are spread over that, where so many processes share a machine.
fn chosen(
    model: &Model,
    arguments: &CheckArguments,
    (limits, run_limits): (LimitArguments, &Arc<Limits>),
    (company, together): (Option<&Company>, usize),
) -> Result<EngineOptions, String> {
    let chosen = model.engine.chosen(&limits);
    let chosen = company.map_or(chosen, |company| company.applied(chosen));
    arguments.storage.chosen(chosen, &limits, run_limits, together)
}

/// Which of the models is at hand, where there are several, and with which values of its parameters, where it is checked with several.
fn task((index, models): (usize, usize), param: &[Setting], sweeps: bool) -> String {
    let model = if models == 1 { String::new() } else { format!("file {} of {models}, ", index + 1) };
    match sweeps {
        true => format!("{model}{}, ", servanda_report::setting(&setting::parameters(param))),
        false => model,
    }
}

/// The report of a model whose turn has not come.
fn to_come(model: &Model, param: &[Setting], limits: &LimitArguments) -> CheckReport {
    let language = input::language(&model.file, model.model.input.input);
    let chosen = model.engine.chosen(&model.limits.or(limits));
    let mut report = CheckReport::new(input::shown_name(&model.file), chosen.usual_engine(language));
    report.run.parameters = setting::parameters(param);
    report.leave_unread(NOT_SO_FAR.to_owned());
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
    /// The number of its report.
    place: usize,
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

/// If the run has to be ended while a file is checked, what was found before is written, and `reports` of this file and of those that
/// were checked beside it.
fn leave_last_words(
    (results, terminal): Destination<'_>,
    limits: &FileLimits<'_>,
    reports: impl FnOnce(Stop, Explored) -> Vec<CheckReport> + Send + 'static,
) {
    let (results, terminal) = (Arc::clone(results), terminal.clone());
    limits.run.last_words(move |stop, explored| {
        let reports = reports(stop, explored);
        let mut results = known(&results);
        let text: String = reports.into_iter().map(|report| results.add(report)).collect();
        let text = text + &results.end();
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
    Job { model: job, subject, chosen, counted, place, certificates: names }: Job<'_>,
    arguments: &CheckArguments,
    limits: &FileLimits<'_>,
    destination: Destination<'_>,
) -> CheckReport {
    let language = input::language(&job.file, subject.input.input);
    let (name, usual_engine) = (input::shown_name(&job.file), chosen.usual_engine(language));
    leave_last_words(destination, limits, {
        let mut report = CheckReport::new(name, usual_engine);
        report.run.parameters = setting::parameters(&subject.param);
        move |stop, _| vec![unread(report, &stop)]
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
                options.empty = if arguments.allow_empty { EmptyModel::Allowed } else { EmptyModel::Refused };
                options.level = job.demands.level.map_or_else(Default::default, |level| level.0);
                leave_last_words(destination, limits, {
                    let (loaded, questions, verdicts) =
                        (Arc::clone(&loaded), Arc::clone(&questions), Arc::clone(&limits.verdicts));
                    move |stop, explored| {
                        vec![unfinished((&loaded, &questions), options, &verdicts, (stop, explored))]
                    }
                });
                let nothing = (Verdicts::default(), (NOT_YET, Explored::default()));
                let begun = unfinished((&loaded, &questions), options, &nothing.0, nothing.1);
                tell_begun(place, begun, destination);
                let mut run = Run::new(name, usual_engine);
                run.parameters = setting::parameters(&subject.param);
                tell_each((place, run), &questions, limits, destination);
                options.counted |= counted;
                options.traces = if arguments.trace { Traces::Shown } else { Traces::Hidden };
                let mut report = servanda::check(&loaded, &questions, options, watch);
                keep_if_engines_disagree(&loaded, &mut report);
                report.next = next::command(&report, &questions, &loaded, (job, subject));
                if let Some(directory) = arguments.certificate.as_ref().filter(|_| destination.1.reports()) {
                    let target = (directory.as_path(), &mut *names.borrow_mut());
                    let asked = (&*loaded, questions.as_slice(), options.readings);
                    certificates::write(target, asked, watch, &mut report);
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

/// Tells each verdict of a file when it is known.
fn tell_each(
    (place, run): (usize, Run),
    questions: &Arc<Vec<Question>>,
    limits: &FileLimits<'_>,
    (results, terminal): Destination<'_>,
) {
    let (results, terminal, questions) = (Arc::clone(results), terminal.clone(), Arc::clone(questions));
    limits.tell_decided(move |number, engine, verdict, seconds| {
        let Question { property, .. } = questions.get(number)?;
        let decided = Decided {
            number,
            name: property.name.clone(),
            formula: property.text.clone(),
            wanted: property.expected.unwrap_or(true),
            engine,
            verdict: verdict.clone(),
            seconds,
        };
        Some(tell_decided(place, &run, &decided, (&results, &terminal)))
    });
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
