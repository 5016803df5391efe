//! One job: a process that is asked once, may be spoken to, and tells events until it ends or is ended.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::{mpsc, oneshot};

use crate::child::{self, Allowed, Child, Reached, Streams};
use crate::lines::Texts;
use crate::{Limits, Program};

/// A job keeps its limits itself and can say more about it than we can; it is ended from outside when it is so much over them.
const GRACE: Duration = Duration::from_secs(2);

/// The exit statuses of a job: it was asked what makes no sense, or it reached a limit.
const NO_SENSE: i32 = 2;
const OVER_TIME: i32 = 3;
const OVER_MEMORY: i32 = 4;

/// How a job came to its end, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// It has done what was asked.
    Finished,
    /// It was stopped.
    Stopped,
    /// It reached its limit of time.
    Time,
    /// It reached its limit of memory.
    Memory,
    /// It ended by itself, and should not have.
    Crashed,
    /// What was asked makes no sense.
    Refused,
}

/// How a job came to its end.
#[derive(Debug, Serialize)]
pub struct End {
    /// In one word.
    pub reason: Reason,
    /// In a sentence, where there is more to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl End {
    pub(crate) fn new(reason: Reason) -> Self {
        End { reason, message: None }
    }

    pub(crate) fn with(reason: Reason, message: impl Into<String>) -> Self {
        End { reason, message: Some(message.into()) }
    }
}

/// Where jobs are done, and with what.
#[derive(Clone, Copy, Debug)]
pub struct Workplace<'w> {
    /// What a job is started with ([`crate::Settings::job`]).
    pub program: &'w Program,
    /// The directory that it is started in.
    pub directory: &'w Path,
    /// The size of a line that it tells, in bytes.
    pub message: usize,
}

/// What a job is asked, with the limits that it has: those that were asked for, where they are below the server's.
pub struct Asked {
    line: String,
    allowed: Allowed,
    time: Duration,
    memory: u64,
}

impl Asked {
    /// A request with its limits, as in `web/src/protocol.ts`.
    pub fn new(mut request: Value, limits: &Limits) -> Self {
        let number = |name: &str| request.get("limits")?.get(name)?.as_f64().filter(|number| *number > 0.0);
        let time = number("seconds").and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let time = time.map_or(limits.time, |time| time.min(limits.time));
        let memory = number("megabytes").map(|megabytes| (megabytes * f64::from(1 << 20)) as u64);
        let memory = memory.map_or(limits.memory, |memory| memory.min(limits.memory));
        // Conversations wait for people most of the time.
        let converses = matches!(request.get("kind").and_then(Value::as_str), Some("simulate" | "graph"));
        let total = Some(time + GRACE);
        let allowed = Allowed {
            time: total.filter(|_| !converses),
            work: total.filter(|_| converses),
            memory: memory + memory / 8,
        };
        if let Some(request) = request.as_object_mut() {
            let limits = json!({ "seconds": time.as_secs_f64(), "megabytes": memory >> 20 });
            request.insert("limits".to_owned(), limits);
        }
        Asked { line: request.to_string(), allowed, time, memory }
    }
}

/// Runs a job to its end, which comes at once when this is dropped. Events are given away as they come, each a line of JSON; while they are
/// not taken, the job waits.
pub async fn run<F: Future<Output = ()>>(
    place: Workplace<'_>,
    asked: Asked,
    says: mpsc::Receiver<String>,
    stop: oneshot::Receiver<()>,
    tell: impl Fn(String) -> F,
) -> End {
    let (mut child, streams) = match Child::start(place.program, place.directory) {
        Ok(started) => started,
        Err(error) => return End::with(Reason::Crashed, format!("the job did not start: {error}")),
    };
    let Some(id) = child.id() else { return End::with(Reason::Crashed, "the job ended at once") };
    let Streams { input, output, complaints } = streams;
    let spoken = AtomicUsize::new(0);
    let mut texts = Texts::new(output, place.message);
    let work = async {
        while let Some(line) = texts.line().await.map_err(|error| error.to_string())? {
            match serde_json::from_str::<IgnoredAny>(&line) {
                Ok(_) => tell(line).await,
                Err(_) => return Err(format!("it said what is no event: {}", start_of(&line))),
            }
        }
        child.ended().await.map_err(|error| error.to_string())
    };
    let outcome = tokio::select! {
        ended = work => Outcome::Ended(ended),
        reached = child::watch(id, asked.allowed, || spoken.load(Ordering::Relaxed)) => Outcome::Reached(reached),
        // Also where whoever could stop it is gone.
        _ = stop => Outcome::Stopped,
        never = speak(input, &asked.line, says, &spoken) => never,
    };
    child.kill().await;
    let outcome = match outcome {
        Outcome::Ended(Ok(status)) if status.code() == Some(OVER_TIME) => Outcome::Reached(Reached::Time),
        Outcome::Ended(Ok(status)) if status.code() == Some(OVER_MEMORY) => Outcome::Reached(Reached::Memory),
        other => other,
    };
    match outcome {
        Outcome::Ended(Ok(status)) if status.success() => End::new(Reason::Finished),
        Outcome::Ended(Ok(status)) if status.code() == Some(NO_SENSE) => {
            End::with(Reason::Refused, "the request for the job cannot be understood")
        }
        Outcome::Ended(Ok(status)) => End::with(Reason::Crashed, child::crashed(status, complaints).await),
        Outcome::Ended(Err(message)) => End::with(Reason::Crashed, message),
        Outcome::Stopped => End::new(Reason::Stopped),
        Outcome::Reached(Reached::Time) => {
            End::with(Reason::Time, format!("ended after {} s", asked.time.as_secs_f64()))
        }
        Outcome::Reached(Reached::Memory) => {
            End::with(Reason::Memory, format!("ended when it used more than {} MB", asked.memory >> 20))
        }
    }
}

enum Outcome {
    Ended(Result<std::process::ExitStatus, String>),
    Reached(Reached),
    Stopped,
}

/// Tells a job what it is asked, and what is said to it later. Its input stays open: at its end it would end.
async fn speak(
    mut input: ChildStdin,
    request: &str,
    mut says: mpsc::Receiver<String>,
    spoken: &AtomicUsize,
) -> Outcome {
    let mut line = request.to_owned();
    loop {
        line.push('\n');
        // A job that does not listen any more will end, and that is waited for elsewhere.
        if input.write_all(line.as_bytes()).await.is_err() || input.flush().await.is_err() {
            return std::future::pending().await;
        }
        match says.recv().await {
            Some(said) => line = said,
            None => return std::future::pending().await,
        }
        spoken.fetch_add(1, Ordering::Relaxed);
    }
}

/// The beginning of a text.
fn start_of(text: &str) -> String {
    text.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_given_up_to_the_limit() {
        let limits = Limits::default();
        let asked =
            Asked::new(json!({ "kind": "check", "limits": { "seconds": 2.5, "megabytes": 100 } }), &limits);
        assert_eq!(asked.allowed.time, Some(Duration::from_millis(4500)));
        assert!(asked.line.contains(r#""limits":{"megabytes":100,"seconds":2.5}"#), "{}", asked.line);
        for limits_asked in [
            json!({ "seconds": 1e300, "megabytes": 1e300 }),
            json!({ "seconds": -1, "megabytes": "x" }),
            json!(7),
        ] {
            let asked = Asked::new(json!({ "kind": "graph", "limits": limits_asked }), &limits);
            assert_eq!((asked.allowed.time, asked.allowed.work), (None, Some(limits.time + GRACE)));
            assert_eq!(asked.memory, limits.memory);
        }
    }
}
