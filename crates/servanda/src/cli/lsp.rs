//! `servanda lsp`

mod files;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use servanda::workbench::Files as _;
use servanda::{
    ActsFile, CheckOptions, Choices, Clock, Drawing, Language, Loaded, Question, Watch, check, explain,
    joined,
};
use servanda_engine::{Budget, Options, Progress, Stop};
use servanda_lsp::{Bench, Checked, Connection, Decided, Explained, Simulated, Subject};
use servanda_report::{CheckReport, Finding, Input, Origin, Status};
use servanda_sim::{Change, Simulation};
use servanda_syntax::Diagnostic;

use super::args::{LimitArguments, LspArguments};
use super::job::files::Below;
use super::terminal::{Ended, Terminal};
use super::{input, memory};

/// The width of charts in characters.
const WIDTH: usize = 100;

/// Memory is looked at once in so many reports of progress.
const REPORTS: u64 = 64;

/// Serves one editor over standard input and output.
pub(crate) fn run(arguments: &LspArguments, terminal: &Terminal) -> Ended {
    if arguments.limits.memory.is_some() && memory::resident().is_none() {
        return Err(terminal.fail(memory::UNKNOWN));
    }
    let within = arguments.within.is_some();
    if let Some(directory) = &arguments.within {
        // All names are relative to it then, and so are those in findings.
        std::env::set_current_dir(directory)
            .map_err(|error| terminal.fail(&format!("--within {directory}: {error}")))?;
    }
    let (connection, threads) = Connection::stdio();
    let desk = Desk { limits: arguments.limits.clone(), within };
    let served = servanda_lsp::serve(&connection, Arc::new(desk));
    served.map_err(|error| terminal.fail(&format!("the editor is gone: {error}")))?;
    drop(connection);
    threads.join().map_err(|error| terminal.fail(&format!("the editor is gone: {error}")))?;
    Ok(Status::Wanted)
}

/// Reads files and asks engines.
struct Desk {
    limits: LimitArguments,
    /// Is nothing read but what is below the present directory?
    within: bool,
}

impl Desk {
    fn load(&self, subject: &Subject) -> Result<Loaded, String> {
        let language = match subject.language {
            servanda_service::Language::Pact => Language::Pact,
            servanda_service::Language::Ispl => Language::Ispl,
            servanda_service::Language::Ccs => Language::Ccs,
            servanda_service::Language::Mapping => {
                return Err("a mapping has no properties: audit a log with it".to_owned());
            }
        };
        let find = |user: &str, path: &str| {
            let name = joined(user, path);
            match subject.open.iter().find(|(open, _)| *open == name) {
                Some((_, text)) => Ok((name, text.clone())),
                None => self.find(user, path),
            }
        };
        let acts = match language.front_end().has_acts {
            true if self.within => Below.acts(&subject.name),
            true => input::acts_beside(&subject.name),
            false => Ok(None),
        };
        let acts = acts.map_err(|findings| words(&findings))?;
        let acts = acts.as_ref().map(|(name, text)| ActsFile { name, text, is_given: false });
        let choices = Choices { acts, find: Some(&find), ..Choices::default() };
        Loaded::read(language, subject.name.as_str(), subject.text.as_str(), choices)
            .map_err(|findings| words(&findings))
    }

    fn asked(&self, subject: &Subject, names: &[String]) -> Result<(Loaded, Vec<Question>), String> {
        let loaded = self.load(subject)?;
        let questions = loaded.questions(names, &[]).map_err(|findings| words(&findings))?;
        if questions.is_empty() {
            return Err("there is no property to decide".to_owned());
        }
        Ok((loaded, questions))
    }

    fn watched<T>(&self, budget: &dyn Budget, work: impl FnOnce(Watch<'_>) -> T) -> T {
        let started = Instant::now();
        let deadline = self.limits.timeout.and_then(|timeout| started.checked_add(timeout));
        let guard = Guard { budget, deadline, memory: self.limits.memory, reports: AtomicU64::new(0) };
        work(Watch { budget: &guard, clock: &Started(started) })
    }
}

/// What is wrong, in words.
fn words(findings: &[Finding]) -> String {
    let errors = findings.iter().filter(|finding| finding.diagnostic.is_error());
    let messages: Vec<&str> = errors.map(|finding| finding.diagnostic.message.as_str()).collect();
    format!("nothing is decided: {}", messages.join("; "))
}

fn options(loaded: &Loaded) -> CheckOptions {
    let readings = Options { validity: loaded.usual_validity(), ..Options::default() };
    CheckOptions { readings, ..CheckOptions::default() }
}

fn checked(report: &CheckReport, loaded: &Loaded) -> Checked {
    let verdicts = report.properties.iter().map(|property| Decided {
        name: property.name.clone(),
        verdict: property.verdict.clone(),
        word: property.word(),
        as_wanted: property.verdict.decided() == Some(property.expected.unwrap_or(true)),
        engine: property.engine,
        seconds: property.seconds,
    });
    // What the text itself gives cause to say is shown already.
    let known: Vec<&Diagnostic> = loaded.findings.iter().map(|finding| &finding.diagnostic).collect();
    let findings = report.run.findings.iter().map(|finding| &finding.diagnostic);
    let findings = findings.filter(|found| !known.contains(found)).cloned().collect();
    Checked { verdicts: verdicts.collect(), findings }
}

/// Where the input is to blame nothing counts as decided.
fn good(report: &CheckReport) -> Result<(), String> {
    if report.run.input == Input::Bad { Err(words(&report.run.findings)) } else { Ok(()) }
}

impl Bench for Desk {
    fn name(&self, path: &str) -> String {
        if self.within { joined("", path.trim_start_matches('/')) } else { path.to_owned() }
    }

    fn place(&self, name: &str) -> String {
        if self.within { format!("/{name}") } else { name.to_owned() }
    }

    fn neighbours(&self, name: &str, folders: &[String]) -> Vec<(String, String)> {
        match (self.within, folders) {
            (true, _) => files::pact_files(&[String::new()]),
            (false, []) => {
                let beside = Path::new(name).parent().filter(|beside| beside.is_absolute());
                files::pact_files(&Vec::from_iter(beside.map(|beside| beside.to_string_lossy().into_owned())))
            }
            (false, folders) => files::pact_files(folders),
        }
    }

    fn path(&self, user: &str, path: &str) -> String {
        joined(user, path)
    }

    fn find(&self, user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
        if self.within { Below.find(user, path) } else { input::beside(user, path) }
    }

    fn check(&self, subject: &Subject, names: &[String], budget: &dyn Budget) -> Result<Checked, String> {
        let (loaded, questions) = self.asked(subject, names)?;
        let report = self.watched(budget, |watch| check(&loaded, &questions, options(&loaded), watch));
        good(&report)?;
        Ok(checked(&report, &loaded))
    }

    fn explain(&self, subject: &Subject, name: &str, budget: &dyn Budget) -> Result<Explained, String> {
        let (loaded, questions) = self.asked(subject, &[name.to_owned()])?;
        let question = &questions[0];
        let explained = self.watched(budget, |watch| explain(&loaded, question, options(&loaded), watch));
        good(&explained.report)?;
        let draw = |drawing| explained.draw(&loaded, drawing, WIDTH).map_err(|findings| words(&findings));
        let (text, html) = (draw(Drawing::Text)?, draw(Drawing::Html)?);
        // Of a round the first of the lines that make it.
        let place = |step: &Vec<Origin>| {
            let place = &step.first()?.location;
            Some((place.file.clone(), place.line, place.column))
        };
        let steps = explained.origins.iter().map(place).collect();
        Ok(Explained { checked: checked(&explained.report, &loaded), text, html, steps })
    }

    fn simulate(
        &self,
        subject: &Subject,
        name: Option<&str>,
        choices: &[usize],
        budget: &dyn Budget,
    ) -> Result<Simulated, String> {
        let loaded = self.load(subject)?;
        let watched = match name {
            Some(name) => loaded.questions(&[name.to_owned()], &[]).map_err(|findings| words(&findings))?,
            None => Vec::new(),
        };
        self.watched(budget, |watch| {
            let mut simulation =
                Simulation::new(loaded.model(), watch.budget).map_err(|halt| halt.to_string())?;
            for question in &watched {
                simulation.watch(&question.property.text, &question.property.formula);
            }
            for (position, choice) in choices.iter().enumerate() {
                let at_start = simulation.state().is_none();
                let went = if at_start { simulation.start(*choice) } else { simulation.take(*choice) };
                if !went {
                    return Err(format!("choice {}: there is no number {choice} here", position + 1));
                }
            }
            Ok(simulated(&simulation))
        })
    }
}

fn simulated(simulation: &Simulation<'_>) -> Simulated {
    let joined = |changes: &[Change]| changes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let state = simulation.state();
    let choices = match state {
        Some(_) => {
            let choices = simulation.choices().iter();
            choices.map(|choice| (choice.label.clone(), joined(&choice.changes))).collect()
        }
        None => simulation.starts().0.iter().map(|start| (start.to_string(), String::new())).collect(),
    };
    let watched = simulation.watched().into_iter().flat_map(|observed| observed.parts).collect();
    Simulated {
        state: state.map(|state| state.to_string()),
        taken: simulation.labels().to_vec(),
        choices,
        watched,
        is_end: simulation.is_at_end(),
        trouble: simulation.trouble().map(str::to_owned),
    }
}

/// The limits of the command line within those of the editor.
struct Guard<'b> {
    budget: &'b dyn Budget,
    deadline: Option<Instant>,
    memory: Option<u64>,
    reports: AtomicU64,
}

impl Budget for Guard<'_> {
    fn progress(&self, progress: Progress) -> Result<(), Stop> {
        self.budget.progress(progress)?;
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(Stop::Time);
        }
        let look = self.reports.fetch_add(1, Ordering::Relaxed).is_multiple_of(REPORTS);
        match self.memory {
            Some(most) if look && memory::resident().unwrap_or(0) > most => Err(Stop::Memory),
            _ => Ok(()),
        }
    }
}

/// A clock that began to run when a check did.
struct Started(Instant);

impl Clock for Started {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
