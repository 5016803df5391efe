//! Between a client on our standard streams and a server that is our child, as MCP has it: one message per line.

use std::io::Write;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, Semaphore};

use crate::lines::{Lines, Piece};
use crate::refusal::request_id;
use crate::{Observer, Side, Tape};

/// How a conversation is listened to.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What the conversation is called in records.
    pub session: String,
    /// Requests that break the protocol are answered instead of being passed on.
    pub enforce: bool,
    /// Longer lines are passed on and not kept.
    pub longest_line: usize,
}

/// What is read at once.
const CHUNK: usize = 64 << 10;

/// Answers of ours that wait for a side that does not read; more are not given.
const ANSWERS: usize = 256;

/// A stream that whole lines are written to, by the other side and by us. A side that is gone is told by `None`.
type Out<S> = Arc<Mutex<Option<S>>>;

/// Starts the command and passes on what it and the client say until the command has ended, or is asked to.
///
/// # Errors
///
/// The command cannot be started or waited for, or does not end when it is asked to.
pub async fn run<C, D, W>(
    command: std::process::Command,
    (client_in, client_out): (C, D),
    tape: Arc<Tape<W>>,
    observer: Arc<dyn Observer>,
    (terms, stop): (Terms, impl Future<Output = ()>),
) -> std::io::Result<ExitStatus>
where
    C: AsyncRead + Send + Unpin + 'static,
    D: AsyncWrite + Send + Unpin + 'static,
    W: Write + Send + 'static,
{
    let mut command = Command::from(command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut child: Child = command.spawn()?;
    let (Some(server_in), Some(server_out)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(std::io::Error::other("the command has no streams"));
    };
    let to_client = Arc::new(Mutex::new(Some(client_out)));
    let to_server = Arc::new(Mutex::new(Some(server_in)));
    let there = Way { from: Side::Client, to: to_server.clone(), back: to_client.clone() };
    let back = Way { from: Side::Server, to: to_client, back: to_server.clone() };
    let listener = Listener { tape, observer, terms, answers: Arc::new(Semaphore::new(ANSWERS)) };
    // What the client says goes its own way: a server that does not read does not keep what it writes from the client. The way there is
    // not waited for: where the server has ended, nobody is left to say something to, and standard input may stay open for long.
    let task = tokio::spawn(there.carry(client_in, listener.clone()));
    let end = async {
        back.carry(server_out, listener).await;
        child.wait().await
    };
    tokio::pin!(end);
    let status = tokio::select! {
        status = &mut end => Some(status),
        () = stop => {
            // A server that is asked to end is told so in the way it knows: its input ends.
            if let Ok(mut to_server) = to_server.try_lock() {
                to_server.take();
            }
            tokio::time::timeout(GRACE, &mut end).await.ok()
        }
    };
    task.abort();
    match status {
        Some(status) => status,
        // What is left is ended with the child, which goes when it is dropped.
        None => Err(std::io::Error::new(
            std::io::ErrorKind::TimedOut,
            "the command did not end when it was asked to",
        )),
    }
}

/// So long a server may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(2);

struct Listener<W> {
    tape: Arc<Tape<W>>,
    observer: Arc<dyn Observer>,
    terms: Terms,
    answers: Arc<Semaphore>,
}

impl<W> Clone for Listener<W> {
    fn clone(&self) -> Self {
        Listener {
            tape: self.tape.clone(),
            observer: self.observer.clone(),
            terms: self.terms.clone(),
            answers: self.answers.clone(),
        }
    }
}

/// One direction.
struct Way<T, B> {
    from: Side,
    to: Out<T>,
    back: Out<B>,
}

impl<T, B> Way<T, B>
where
    T: AsyncWrite + Send + Unpin + 'static,
    B: AsyncWrite + Send + Unpin + 'static,
{
    async fn carry<W: Write + Send + 'static>(
        self,
        mut source: impl AsyncRead + Unpin,
        listener: Listener<W>,
    ) {
        let mut lines = Lines::new(listener.terms.longest_line);
        let mut chunk = vec![0; CHUNK];
        let mut pieces = Vec::new();
        loop {
            let count = source.read(&mut chunk).await.unwrap_or(0);
            lines.feed(&chunk[..count], |piece| pieces.push(piece));
            if count == 0 {
                pieces.extend(lines.finish());
            }
            for piece in pieces.drain(..) {
                self.pass(piece, &listener).await;
            }
            if count == 0 {
                break;
            }
        }
        listener
            .tape
            .end_of_file(&listener.terms.session, self.from, |record| listener.observer.passed(record));
        drop(self.to.lock().await.take());
    }

    /// A message is recorded before it goes on, so that no answer can stand before its question.
    async fn pass<W: Write>(&self, piece: Piece, listener: &Listener<W>) {
        let Listener { tape, observer, terms, .. } = listener;
        let session = &terms.session;
        match piece {
            Piece::Part(bytes) => write(&self.to, &bytes).await,
            Piece::Long(bytes, length) => {
                tape.long(session, self.from, length, |record| observer.passed(record));
                write(&self.to, &bytes).await;
            }
            Piece::Line(line) if line.trim_ascii().is_empty() => write(&self.to, &line).await,
            Piece::Line(line) => {
                let request = if terms.enforce { request_id(&line) } else { None };
                let Some(id) = request else {
                    tape.message(session, self.from, &line, |record| observer.passed(record));
                    return write(&self.to, &line).await;
                };
                match tape.message(session, self.from, &line, |record| observer.may_pass(record)).await {
                    Ok(Err(refusal)) => self.answer(refusal.answer(&id) + "\n", listener),
                    Ok(Ok(())) | Err(_) => write(&self.to, &line).await,
                }
            }
        }
    }
}

impl<T, B: AsyncWrite + Send + Unpin + 'static> Way<T, B> {
    /// Answers who asked, without waiting for him: what he says goes on meanwhile.
    fn answer<W: Write>(&self, answer: String, listener: &Listener<W>) {
        let Listener { tape, observer, terms, .. } = listener;
        tape.refused(&terms.session, self.from.other(), answer.as_bytes(), |record| {
            observer.answered(record)
        });
        let Ok(permit) = listener.answers.clone().try_acquire_owned() else { return };
        let back = self.back.clone();
        tokio::spawn(async move {
            write(&back, answer.as_bytes()).await;
            drop(permit);
        });
    }
}

/// Whoever is gone is not written to again; the other direction goes on.
async fn write<S: AsyncWrite + Unpin>(out: &Out<S>, bytes: &[u8]) {
    let mut out = out.lock().await;
    let Some(stream) = out.as_mut() else { return };
    let written = match stream.write_all(bytes).await {
        Ok(()) => stream.flush().await,
        Err(error) => Err(error),
    };
    if written.is_err() {
        *out = None;
    }
}
