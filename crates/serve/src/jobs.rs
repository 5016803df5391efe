//! `WS /api/jobs`: many jobs on one socket, ended when it closes.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::connections::Busy;
use crate::job::{self, Asked, End, Reason, Workplace};
use crate::server::Shared;
use crate::socket::{self, Over, Socket};

/// So much can be said to a job that does not listen just now.
const SAYS: usize = 256;

/// So many messages wait for a page that is slow; then jobs wait.
const WAITING: usize = 4;

/// What a page says.
#[derive(Deserialize)]
struct FromPage {
    id: u64,
    start: Option<Value>,
    say: Option<Value>,
    stop: Option<bool>,
}

/// What jobs have for the page.
enum FromJob {
    Event(u64, String),
    End(u64, End),
}

impl FromJob {
    fn text(&self) -> String {
        match self {
            // The event is JSON as it stands.
            FromJob::Event(id, event) => format!("{{\"id\":{id},\"event\":{event}}}"),
            FromJob::End(id, end) => json!({ "id": id, "end": end }).to_string(),
        }
    }

    /// What was said to a job makes no sense; the job goes on.
    fn refused(id: u64, message: &str) -> Self {
        FromJob::Event(id, json!({ "event": "refused", "message": message }).to_string())
    }
}

/// A job that runs.
struct Running {
    says: mpsc::Sender<String>,
    /// Nothing once it has been stopped.
    stop: Option<oneshot::Sender<()>>,
}

/// Opens a socket for jobs.
pub(crate) async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(busy): Extension<Busy>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let limits = shared.limits;
    socket::upgrade(upgrade, &busy, &limits, move |socket| async move {
        // The other side is gone, which is how it ends; jobs ended with it.
        let _ = Desk::new(shared).converse(socket).await;
    })
}

/// The jobs of one socket.
struct Desk {
    shared: Arc<Shared>,
    running: HashMap<u64, Running>,
    /// Ends its tasks, and with them their processes, when it is dropped.
    tasks: JoinSet<()>,
    out: mpsc::Sender<FromJob>,
    waiting: mpsc::Receiver<FromJob>,
}

impl Desk {
    fn new(shared: Arc<Shared>) -> Self {
        let (out, waiting) = mpsc::channel(WAITING);
        Desk { shared, running: HashMap::new(), tasks: JoinSet::new(), out, waiting }
    }

    async fn converse(mut self, mut socket: Socket) -> Result<(), Over> {
        loop {
            tokio::select! {
                Some(told) = self.waiting.recv() => {
                    if let FromJob::End(id, _) = told {
                        self.running.remove(&id);
                    }
                    socket.say(told.text()).await?;
                }
                Some(_) = self.tasks.join_next() => {}
                heard = socket.hear() => match serde_json::from_str::<FromPage>(&heard?) {
                    Ok(said) => {
                        if let Some(answer) = self.hear(said) {
                            socket.say(answer.text()).await?;
                        }
                    }
                    Err(error) => {
                        socket.close(1008, &format!("not understood: {error}")).await;
                        return Err(Over);
                    }
                }
            }
        }
    }

    /// Does what a page says; the answer is what is wrong with it.
    fn hear(&mut self, said: FromPage) -> Option<FromJob> {
        let id = said.id;
        match (said.start, said.say, said.stop) {
            (Some(request), None, None) => self.start(id, request),
            (None, Some(said), None) => {
                // A job may have ended while this was on its way.
                let running = self.running.get(&id)?;
                let full = running.says.try_send(said.to_string()).is_err();
                full.then(|| {
                    FromJob::refused(id, "the job is not listening: too much was said to it at once")
                })
            }
            (None, None, Some(true)) => {
                let stop = self.running.get_mut(&id)?.stop.take()?;
                // It may have ended meanwhile.
                let _ = stop.send(());
                None
            }
            _ => Some(FromJob::refused(id, "one of start, say and stop is expected")),
        }
    }

    fn start(&mut self, id: u64, request: Value) -> Option<FromJob> {
        let refused = |message: &str| Some(FromJob::End(id, End::with(Reason::Refused, message)));
        if self.running.contains_key(&id) {
            return Some(FromJob::refused(id, "a job with this number is running"));
        }
        if !request.is_object() {
            return refused("what is asked of a job is an object");
        }
        let Ok(place) = self.shared.jobs.clone().try_acquire_owned() else {
            let jobs = self.shared.limits.jobs;
            return refused(&format!("{jobs} jobs are running, which is the limit; stop one of them"));
        };
        let (says, heard) = mpsc::channel(SAYS);
        let (stop, stopped) = oneshot::channel();
        self.running.insert(id, Running { says, stop: Some(stop) });
        let asked = Asked::new(request, &self.shared.limits);
        let (shared, out) = (self.shared.clone(), self.out.clone());
        self.tasks.spawn(async move {
            let workplace = Workplace {
                program: &shared.job,
                directory: &shared.folder.root,
                message: shared.limits.message,
            };
            // Where nobody takes it any more, this job is about to be ended.
            let tell = |event| {
                let told = out.send(FromJob::Event(id, event));
                async { drop(told.await) }
            };
            let end = job::run(workplace, asked, heard, stopped, tell).await;
            drop(place);
            // Where nobody takes it any more, this task is about to be ended.
            let _ = out.send(FromJob::End(id, end)).await;
        });
        None
    }
}
