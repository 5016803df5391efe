//! The protocol over a pair of streams: a message a line.
//!
//! The transport of the SDK leaves lines that it cannot read without an answer. Whoever waits for one waits for ever then, so here they are
//! answered: with the number of the request where it can be read.

use std::io;
use std::time::Duration;

use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::{RoleServer, model::JsonRpcMessage};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

type Received = RxJsonRpcMessage<RoleServer>;
type Sent = TxJsonRpcMessage<RoleServer>;

/// So many messages wait to be written; then who has more waits.
const WAITING: usize = 16;

/// When the other side says nothing more, what is being done may go on so long.
const GRACE: Duration = Duration::from_secs(1);

/// A line to write, and who wants to know that it is written.
type Line = (Vec<u8>, Option<oneshot::Sender<io::Result<()>>>);

/// Two streams.
pub(crate) struct Pipe<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The line is longer than allowed: its rest is passed over.
    is_long: bool,
    /// The longest line, in bytes.
    most: usize,
    /// Has anything been asked? Before that there is nothing to be told.
    is_begun: bool,
    output: Option<mpsc::Sender<Line>>,
    writer: Option<JoinHandle<()>>,
    /// Cancelled soon after the other side has said its last word.
    over: CancellationToken,
}

impl<R: AsyncRead + Send + Unpin + 'static> Pipe<R> {
    pub(crate) fn new<W>((input, output): (R, W), most: usize, over: CancellationToken) -> Self
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, lines) = mpsc::channel(WAITING);
        Pipe {
            input: BufReader::new(input),
            line: Vec::new(),
            is_long: false,
            most,
            is_begun: false,
            output: Some(sender),
            writer: Some(tokio::spawn(write(output, lines))),
            over,
        }
    }

    /// Reads a line; `None` at the end. To give up waiting loses nothing.
    async fn read(&mut self) -> Option<Result<(), Wrong>> {
        loop {
            let available = self.input.fill_buf().await.ok()?;
            if available.is_empty() {
                // A last line without its end.
                return (!self.line.is_empty()).then_some(Ok(()));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + taken > self.most {
                self.is_long = true;
            }
            if !self.is_long {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.input.consume(taken);
            if end.is_some() {
                return Some(match std::mem::take(&mut self.is_long) {
                    true => Err(Wrong::TooLong),
                    false => Ok(()),
                });
            }
        }
    }

    /// The next message; `None` at the end.
    async fn message(&mut self) -> Option<Received> {
        loop {
            // Asked for first, so that nothing is lost where this is dropped while the other side does not read.
            let place = self.output.as_ref()?.clone().reserve_owned().await.ok()?;
            let read = self.read().await?;
            let line = std::mem::take(&mut self.line);
            let understood = match read {
                Ok(()) if line.trim_ascii().is_empty() => continue,
                Ok(()) => understood(line.trim_ascii()),
                Err(wrong) => Err((wrong, None)),
            };
            match understood {
                Ok(message) if self.is_begun || matches!(message, JsonRpcMessage::Request(_)) => {
                    self.is_begun = true;
                    return Some(message);
                }
                // There is nobody yet to be told.
                Ok(_) => {}
                Err((wrong, id)) => {
                    let answer: Sent = JsonRpcMessage::error(wrong.error(), id);
                    place.send((bytes(&answer), None));
                }
            }
        }
    }
}

/// Why a line is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    TooLong,
    NoJson,
    NoMessage,
}

impl Wrong {
    fn error(self) -> ErrorData {
        let (code, message) = match self {
            Wrong::TooLong => (ErrorCode::PARSE_ERROR, "the line is too long"),
            Wrong::NoJson => (ErrorCode::PARSE_ERROR, "the line is no JSON, or nested too deeply"),
            Wrong::NoMessage => (ErrorCode::INVALID_REQUEST, "the line is no message of JSON-RPC 2.0"),
        };
        ErrorData::new(code, message, None)
    }
}

/// A message; or why it is none, and what number it has nevertheless.
fn understood(line: &[u8]) -> Result<Received, (Wrong, Option<RequestId>)> {
    serde_json::from_slice(line).map_err(|_| match serde_json::from_slice::<Value>(line) {
        Ok(value) => {
            let id = value.get("id").cloned().and_then(|id| serde_json::from_value(id).ok());
            (Wrong::NoMessage, id)
        }
        Err(_) => (Wrong::NoJson, None),
    })
}

/// A message as a line.
fn bytes(message: &Sent) -> Vec<u8> {
    // Only keys that are no strings make this fail, and there are none.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Writes lines until there are no more, or nobody reads them.
async fn write(mut output: impl AsyncWrite + Unpin, mut lines: mpsc::Receiver<Line>) {
    while let Some((line, written)) = lines.recv().await {
        let result = match output.write_all(&line).await {
            Ok(()) => output.flush().await,
            Err(error) => Err(error),
        };
        let failed = result.is_err();
        if let Some(written) = written {
            // Who does not want to know any more is gone.
            let _ = written.send(result);
        }
        if failed {
            return;
        }
    }
}

impl<R: AsyncRead + Send + Unpin + 'static> Transport<RoleServer> for Pipe<R> {
    type Error = io::Error;

    fn send(&mut self, item: Sent) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
            let (tell, written) = oneshot::channel();
            let output = output.ok_or_else(closed)?;
            output.send((bytes(&item), Some(tell))).await.map_err(|_| closed())?;
            drop(output);
            written.await.map_err(|_| closed())?
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        let message = self.message().await;
        if message.is_none() {
            let over = self.over.clone();
            tokio::spawn(async move {
                tokio::time::sleep(GRACE).await;
                over.cancel();
            });
        }
        message
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output = None;
        if let Some(writer) = self.writer.take() {
            // What was said last is read soon, or never.
            let _ = tokio::time::timeout(GRACE, writer).await;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(line: &str) -> (Wrong, Option<RequestId>) {
        understood(line.as_bytes()).unwrap_err()
    }

    #[test]
    fn what_is_no_message_is_told_with_its_number() {
        assert!(understood(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).is_ok());
        assert_eq!(wrong("{"), (Wrong::NoJson, None));
        assert_eq!(wrong(&"[".repeat(100_000)), (Wrong::NoJson, None));
        assert_eq!(wrong("[]"), (Wrong::NoMessage, None));
        assert_eq!(wrong("42"), (Wrong::NoMessage, None));
        assert_eq!(wrong(r#"{"id":7,"method":"ping"}"#), (Wrong::NoMessage, Some(RequestId::Number(7))));
    }
}
