//! A child process that does not outlive who asked for it.

use std::io;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStderr, ChildStdin, ChildStdout, Command};

use crate::{Program, resources};

/// How often it is looked at what a process uses.
const LOOK: Duration = Duration::from_millis(100);

/// How long what is left to be done after a process may take.
pub(crate) const LAST: Duration = Duration::from_millis(200);

/// How much of what a process complained about is told.
const TAIL: usize = 2000;

/// A process in a group of its own, so that the Ctrl-C that ends the server is not its business. It is killed, group and all, when this is dropped.
pub(crate) struct Child {
    process: tokio::process::Child,
    /// Nothing once it has ended.
    id: Option<u32>,
}

/// What is said to a child and by it.
pub(crate) struct Streams {
    pub(crate) input: ChildStdin,
    pub(crate) output: ChildStdout,
    pub(crate) complaints: Complaints,
}

impl Child {
    /// Starts a program in a directory.
    pub(crate) fn start(program: &Program, directory: &Path) -> io::Result<(Child, Streams)> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).current_dir(directory).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let mut process = command.spawn()?;
        let id = process.id();
        match (process.stdin.take(), process.stdout.take(), process.stderr.take()) {
            (Some(input), Some(output), Some(complaints)) => Ok((
                Child { process, id },
                Streams { input, output, complaints: Complaints::new(complaints) },
            )),
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Its number.
    pub(crate) fn id(&self) -> Option<u32> {
        self.id
    }

    /// Waits for its end.
    pub(crate) async fn ended(&mut self) -> io::Result<ExitStatus> {
        let status = self.process.wait().await?;
        self.id = None;
        Ok(status)
    }

    /// Kills it and waits for its end.
    pub(crate) async fn kill(&mut self) {
        self.kill_group();
        // It may have ended by itself meanwhile.
        let _ = self.process.start_kill();
        let _ = self.ended().await;
    }

    fn kill_group(&self) {
        #[cfg(unix)]
        if let Some(group) = self.id.and_then(|id| rustix::process::Pid::from_raw(id.cast_signed())) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // The process itself is killed by its own drop; until it has been waited for, its number is not given to another.
        self.kill_group();
    }
}

/// The limit that a process has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Time,
    Memory,
}

/// What a process may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowed {
    /// The time on the clock; none where only work counts.
    pub(crate) time: Option<Duration>,
    /// The work on one answer.
    pub(crate) work: Option<Duration>,
    /// In bytes.
    pub(crate) memory: u64,
}

/// Looks at a process until it has reached a limit. `spoken` counts what has been said to it: with each time the work begins anew.
pub(crate) async fn watch(id: u32, allowed: Allowed, spoken: impl Fn() -> usize) -> Reached {
    let started = Instant::now();
    let (mut heard, mut worked) = (spoken(), Duration::ZERO);
    let mut look = tokio::time::interval(LOOK);
    loop {
        look.tick().await;
        if resources::memory(id).is_some_and(|memory| memory > allowed.memory) {
            return Reached::Memory;
        }
        if allowed.time.is_some_and(|time| started.elapsed() > time) {
            return Reached::Time;
        }
        let Some(work) = allowed.work else { continue };
        let total = resources::time(id).unwrap_or_else(|| started.elapsed());
        if spoken() != heard {
            (heard, worked) = (spoken(), total);
        } else if total.saturating_sub(worked) > work {
            return Reached::Time;
        }
    }
}

/// What a process complains about, heard beside everything else; the last of it is kept.
pub(crate) struct Complaints(tokio::task::JoinHandle<Vec<u8>>);

impl Complaints {
    /// Hears them until the process has ended.
    pub(crate) fn new(mut stream: ChildStderr) -> Self {
        Complaints(tokio::spawn(async move {
            let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
            while let Ok(length @ 1..) = stream.read(&mut piece).await {
                kept.extend_from_slice(&piece[..length]);
                let over = kept.len().saturating_sub(TAIL);
                kept.drain(..over);
            }
            kept
        }))
    }

    /// All of them, once the process has ended.
    async fn heard(self) -> Vec<u8> {
        // What it started may still hold the stream open.
        let heard = tokio::time::timeout(LAST, self.0).await;
        heard.ok().and_then(Result::ok).unwrap_or_default()
    }
}

/// How a process ended that did not say so itself.
pub(crate) async fn crashed(status: ExitStatus, complaints: Complaints) -> String {
    let complaints = complaints.heard().await;
    let complaints = String::from_utf8_lossy(&complaints);
    match complaints.trim() {
        "" => format!("the process ended with {status}"),
        complaints => format!("the process ended with {status}: {complaints}"),
    }
}
