//! Checks on threads of their own: with limits, with progress, and with an end when the text changes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use serde_json::{Value, json};
use servanda_engine::{Budget, Progress, Stop};

use crate::{Bench, Checked, Simulated, Subject};

/// Progress is told at most so often.
const INTERVAL: Duration = Duration::from_millis(200);

/// Engines walk deep formulas.
const STACK: usize = 64 << 20;

/// What is done.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Check(Vec<String>),
    Explain(String),
    /// A walk by these choices, with a property to watch.
    Simulate(Option<String>, Vec<usize>),
}

/// What is under way.
pub(crate) struct Job {
    pub(crate) uri: String,
    pub(crate) request: RequestId,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) over: Arc<AtomicBool>,
}

/// What has come of a job: the text it was about, its version, and what was found.
pub(crate) type Result = (String, i32, Checked);

/// Where jobs leave their results.
pub(crate) type Results = Arc<Mutex<Vec<Result>>>;

/// Says something to the editor.
pub(crate) type Say = Arc<dyn Fn(Message) + Send + Sync>;

/// What a job needs.
pub(crate) struct Task {
    pub(crate) bench: Arc<dyn Bench>,
    pub(crate) subject: Subject,
    pub(crate) version: i32,
    pub(crate) work: Work,
    pub(crate) timeout: Duration,
    /// Where progress is told.
    pub(crate) token: Option<Value>,
}

/// Begins a job. Its answer goes to the editor when it is done.
pub(crate) fn start(task: Task, uri: &str, request: RequestId, say: &Say, results: &Results) -> Job {
    let (stop, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let job = Job { uri: uri.to_owned(), request: request.clone(), stop: stop.clone(), over: over.clone() };
    let (say, results, uri) = (Arc::clone(say), Arc::clone(results), uri.to_owned());
    let failed = (Arc::clone(&say), request.clone(), Arc::clone(&over));
    let run = move || {
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&task, &stop, &say)));
        let answer =
            answer.unwrap_or_else(|_| Err("the check failed: this is a mistake of servanda".to_owned()));
        let cancelled = stop.load(Ordering::Relaxed);
        let response = match answer {
            _ if cancelled => Response::new_err(
                request,
                ErrorCode::RequestCanceled as i32,
                "the check was ended".to_owned(),
            ),
            Ok((value, checked)) => {
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.extend(checked.map(|checked| (uri, task.version, checked)));
                Response::new_ok(request, value)
            }
            Err(message) => Response::new_err(request, ErrorCode::RequestFailed as i32, message),
        };
        over.store(true, Ordering::Release);
        say(response.into());
    };
    if let Err(error) = thread::Builder::new().stack_size(STACK).spawn(run) {
        let (say, request, over) = failed;
        over.store(true, Ordering::Release);
        say(Response::new_err(request, ErrorCode::RequestFailed as i32, error.to_string()).into());
    }
    job
}

/// What is answered, and what a check found if there was one.
type Answer = std::result::Result<(Value, Option<Checked>), String>;

fn work(task: &Task, stop: &AtomicBool, say: &Say) -> Answer {
    let what = match &task.work {
        Work::Check(names) if names.is_empty() => "Checking".to_owned(),
        Work::Check(names) => format!("Checking {}", names.join(", ")),
        Work::Explain(name) => format!("Explaining {name}"),
        Work::Simulate(..) => "Simulating".to_owned(),
    };
    let told = Mutex::new(Instant::now());
    let watcher =
        Watcher { stop, deadline: Instant::now().checked_add(task.timeout), token: &task.token, say, told };
    watcher.tell(json!({ "kind": "begin", "title": what, "cancellable": true }));
    let answer = match &task.work {
        Work::Check(names) => task
            .bench
            .check(&task.subject, names, &watcher)
            .map(|checked| (json!({ "verdicts": verdicts(&checked) }), Some(checked))),
        Work::Explain(name) => task.bench.explain(&task.subject, name, &watcher).map(|explained| {
            let place = |(file, line, column): &(String, usize, usize)| json!({ "file": file, "line": line, "column": column });
            let steps: Vec<Option<Value>> =
                explained.steps.iter().map(|step| step.as_ref().map(place)).collect();
            let verdicts = verdicts(&explained.checked);
            let (text, html) = (explained.text, explained.html);
            let answer = json!({ "text": text, "html": html, "steps": steps, "verdicts": verdicts });
            (answer, Some(explained.checked))
        }),
        Work::Simulate(name, choices) => task
            .bench
            .simulate(&task.subject, name.as_deref(), choices, &watcher)
            .map(|simulated| (simulation(&simulated), None)),
    };
    watcher.tell(json!({ "kind": "end" }));
    answer
}

fn verdicts(checked: &Checked) -> Vec<Value> {
    let one = |decided: &crate::Decided| {
        json!({
            "name": decided.name,
            "verdict": decided.word,
            "asWanted": decided.as_wanted,
            "engine": decided.engine,
            "seconds": decided.seconds,
        })
    };
    checked.verdicts.iter().map(one).collect()
}

fn simulation(simulated: &Simulated) -> Value {
    let choices: Vec<Value> = simulated
        .choices
        .iter()
        .map(|(label, changes)| json!({ "label": label, "changes": changes }))
        .collect();
    let watched: Vec<Value> =
        simulated.watched.iter().map(|(text, value)| json!({ "text": text, "value": value })).collect();
    json!({
        "state": simulated.state,
        "taken": simulated.taken,
        "choices": choices,
        "watched": watched,
        "isEnd": simulated.is_end,
        "trouble": simulated.trouble,
    })
}

/// Ends a job that is not wanted any more or takes too long, and tells how far it is.
struct Watcher<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    token: &'a Option<Value>,
    say: &'a Say,
    told: Mutex<Instant>,
}

impl Watcher<'_> {
    fn tell(&self, value: Value) {
        if let Some(token) = self.token {
            let params = json!({ "token": token, "value": value });
            (self.say)(Notification::new("$/progress".to_owned(), params).into());
        }
    }
}

impl Budget for Watcher<'_> {
    fn progress(&self, progress: Progress) -> std::result::Result<(), Stop> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Stop::Time);
        }
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if now.duration_since(*told) >= INTERVAL {
            *told = now;
            drop(told);
            let message = match progress {
                Progress::Exploring { states, .. } => format!("{states} states"),
                Progress::Deciding { nodes } => format!("{nodes} nodes"),
                Progress::Reading { lines } => format!("{lines} lines"),
            };
            self.tell(json!({ "kind": "report", "message": message }));
        }
        Ok(())
    }
}
