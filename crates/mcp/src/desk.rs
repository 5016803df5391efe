//! What calls share: the directory, the places for jobs, and how a job is run for a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use servanda_messages::{Event, Progress, Severity};
use servanda_serve::job::{self, End, Reason, Workplace};
use servanda_serve::{Folder, Limits, Program};
use tokio::sync::{Mutex, Semaphore, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use crate::answer::Finding;

/// Without a word about it a call may take so long.
const USUAL: Duration = Duration::from_secs(60);

/// So many calls wait for a place for each job that may run.
const WAITING: usize = 8;

/// What may be used by a call.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Allowed {
    /// Give up after so many seconds; 60 unless said, and never more than the server allows.
    #[schemars(range(min = 0))]
    pub(crate) timeout: Option<f64>,
    /// Give up when more than so many megabytes are held; never more than the server allows.
    #[schemars(range(min = 1))]
    pub(crate) memory: Option<u64>,
}

/// What all calls share.
pub(crate) struct Desk {
    pub(crate) folder: Folder,
    program: Program,
    limits: Limits,
    jobs: Semaphore,
    waiting: AtomicUsize,
    /// The other side, or the server, is at its end.
    pub(crate) over: CancellationToken,
}

impl Desk {
    pub(crate) fn new(folder: Folder, program: Program, limits: Limits) -> Self {
        let jobs = Semaphore::new(limits.jobs);
        Desk { folder, program, limits, jobs, waiting: AtomicUsize::new(0), over: CancellationToken::new() }
    }

    /// Runs a job for a call; `converse` hears what it tells and may speak to it. Says also why the job did not come to its end, if it did not.
    /// Where this is dropped the job ends.
    ///
    /// # Errors
    ///
    /// Too many calls wait already, or what is allowed makes no sense.
    pub(crate) async fn run<T, F: Future<Output = T>>(
        &self,
        call: &Call,
        (request, allowed): (Value, Allowed),
        converse: impl FnOnce(Talk) -> F,
    ) -> Result<(T, Option<Finding>), Vec<Finding>> {
        let asked = self.asked(request, allowed).map_err(|wrong| vec![*wrong])?;
        let _place = self.place(call).await.map_err(|wrong| vec![wrong])?;
        let (tell, events) = mpsc::channel(4);
        let (says, heard) = mpsc::channel(4);
        let (stop, stopped) = oneshot::channel();
        let place =
            Workplace { program: &self.program, directory: &self.folder.root, message: self.limits.message };
        let work = job::run(place, asked, heard, stopped, move |event| {
            let tell = tell.clone();
            // Who does not listen any more has stopped it.
            async move { drop(tell.send(event).await) }
        });
        let talk = Talk { call: call.clone(), events, says, _stop: stop };
        let (end, heard) = tokio::join!(work, converse(talk));
        Ok((heard, trouble(&end)))
    }

    fn asked(&self, mut request: Value, allowed: Allowed) -> Result<job::Asked, Box<Finding>> {
        let seconds = allowed.timeout.unwrap_or(USUAL.as_secs_f64());
        if !(seconds > 0.0 && seconds.is_finite()) || allowed.memory == Some(0) {
            return Err(Box::new(Finding::error("`timeout` and `memory` are greater than 0")));
        }
        let mut limits = json!({ "seconds": seconds });
        if let Some(memory) = allowed.memory {
            limits["megabytes"] = memory.into();
        }
        request["limits"] = limits;
        Ok(job::Asked::new(request, &self.limits))
    }

    /// A place for a job, when there is one.
    async fn place(&self, call: &Call) -> Result<tokio::sync::SemaphorePermit<'_>, Finding> {
        if let Ok(place) = self.jobs.try_acquire() {
            return Ok(place);
        }
        let _waits = Waits::new(&self.waiting);
        let jobs = self.limits.jobs;
        if self.waiting.load(Ordering::Relaxed) > jobs * WAITING {
            let busy =
                format!("the limit of {jobs} calls at a time is reached, and {} are waiting", jobs * WAITING);
            let busy = Finding { severity: Severity::Warning, ..Finding::error(busy) };
            return Err(busy.help("call again later, or with a shorter `timeout`"));
        }
        call.say(0.0, format!("waiting: the limit of {jobs} calls at a time is reached")).await;
        let ended = |_| Finding::error("the server is shutting down");
        self.jobs.acquire().await.map_err(ended)
    }
}

/// One more waits as long as this is kept.
struct Waits<'w>(&'w AtomicUsize);

impl<'w> Waits<'w> {
    fn new(waiting: &'w AtomicUsize) -> Self {
        waiting.fetch_add(1, Ordering::Relaxed);
        Waits(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A call, and who wants to know how far it has come.
#[derive(Clone)]
pub(crate) struct Call {
    peer: Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// What was told last: it only ever grows.
    last: Arc<Mutex<f64>>,
}

impl Call {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Call { peer: context.peer.clone(), token, last: Arc::new(Mutex::new(-1.0)) }
    }

    async fn say(&self, seconds: f64, message: String) {
        let Some(token) = &self.token else { return };
        let mut last = self.last.lock().await;
        if seconds <= *last {
            return;
        }
        *last = seconds;
        let progress = ProgressNotificationParam::new(token.clone(), seconds).with_message(message);
        // Who is gone does not want to know.
        let _ = self.peer.notify_progress(progress).await;
    }
}

/// How far work has come, in words.
fn words(progress: &Progress) -> String {
    let Progress { phase, states, nodes, rate, decided, of, .. } = progress;
    let mut words = phase.clone();
    let (count, unit) = match (states, nodes) {
        _ if phase == "reading" => (Some(*decided as u64), "lines"),
        (Some(states), _) if phase == "exploring" => (Some(*states), "states"),
        (_, Some(nodes)) => (Some(*nodes), "nodes"),
        (Some(states), None) => (Some(*states), "states"),
        (None, None) => (None, ""),
    };
    if let Some(count) = count {
        words += &format!(": {count} {unit}");
    }
    if let Some(rate) = rate.filter(|rate| *rate >= 1.0) {
        words += &format!(", {rate:.0} a second");
    }
    match phase.as_str() {
        "reading" => words + &format!(", of {of}"),
        _ => words + &format!("; {decided} of {of} decided"),
    }
}

/// The conversation with a job. When it is dropped the job ends.
pub(crate) struct Talk {
    call: Call,
    events: mpsc::Receiver<String>,
    says: mpsc::Sender<String>,
    _stop: oneshot::Sender<()>,
}

impl Talk {
    /// What the job tells next; how far it has come is passed on. `None` at its end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        loop {
            match serde_json::from_str(&self.events.recv().await?) {
                Ok(Event::Progress(progress)) => {
                    self.call.say(progress.seconds, words(&progress)).await;
                }
                Ok(event) => return Some(event),
                // What is no event is not for assistants.
                Err(_) => {}
            }
        }
    }

    /// Hears the job to its end; what it tells is kept in one value.
    pub(crate) async fn keep_all<T: Default>(mut self, keep: impl Fn(&mut T, Event)) -> T {
        let mut kept = T::default();
        while let Some(event) = self.next().await {
            keep(&mut kept, event);
        }
        kept
    }

    /// Says something to a job that converses.
    pub(crate) async fn say(&self, said: &Value) {
        // Where it has ended, that is what is heard next.
        let _ = self.says.send(said.to_string()).await;
    }
}

/// Why a job did not come to its end; nothing where it did.
fn trouble(end: &End) -> Option<Finding> {
    let message = end.message.clone().unwrap_or_default();
    match end.reason {
        Reason::Finished | Reason::Stopped => None,
        Reason::Time => Some(Finding::error(format!("out of time: {message}")).help(
            "give a longer `timeout`, smaller `parameters`, another `engine`, or ask for one property only",
        )),
        Reason::Memory => Some(
            Finding::error(format!("out of memory: {message}"))
                .help("give more `memory`, smaller `parameters`, or the engine `bdd`"),
        ),
        Reason::Crashed => Some(Finding::error(format!("the job crashed: {message}"))),
        Reason::Refused => Some(Finding::error(message)),
    }
}
