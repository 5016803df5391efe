//! What the sockets of pages have in common: how large messages are, and when somebody is taken to be gone.

use std::time::{Duration, Instant};

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;

use crate::Limits;
use crate::connections::{Busy, Working};

/// How often the other side is asked whether it is there.
const ASK: Duration = Duration::from_secs(20);

/// Who has not answered for so long is gone.
const GONE: Duration = Duration::from_secs(65);

/// Who has not taken a message for so long is gone.
const SLOW: Duration = Duration::from_secs(30);

/// Longer reasons for an end do not fit into the frame that says it.
const REASON: usize = 120;

/// The conversation is over.
pub(crate) struct Over;

/// A socket to a page.
pub(crate) struct Socket {
    inner: WebSocket,
    heard: Instant,
    ask: tokio::time::Interval,
    /// The connection counts as long as the socket is open.
    _working: Working,
}

/// Answers a request for a socket; what happens on it is up to the caller.
pub(crate) fn upgrade<F: Future<Output = ()> + Send + 'static>(
    upgrade: WebSocketUpgrade,
    busy: &Busy,
    limits: &Limits,
    converse: impl FnOnce(Socket) -> F + Send + 'static,
) -> Response {
    let working = busy.begin();
    let upgrade = upgrade.max_message_size(limits.message).max_frame_size(limits.message);
    upgrade.on_upgrade(move |inner| {
        let ask = tokio::time::interval(ASK);
        converse(Socket { inner, heard: Instant::now(), ask, _working: working })
    })
}

impl Socket {
    /// The next text that the page says. To give up waiting loses nothing.
    pub(crate) async fn hear(&mut self) -> Result<String, Over> {
        loop {
            tokio::select! {
                message = self.inner.recv() => {
                    self.heard = Instant::now();
                    match message {
                        Some(Ok(Message::Text(text))) => return Ok(text.as_str().to_owned()),
                        Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                        // Nothing that we refer to is said in bytes.
                        Some(Ok(Message::Binary(_) | Message::Close(_)) | Err(_)) | None => return Err(Over),
                    }
                }
                _ = self.ask.tick() => {
                    if self.heard.elapsed() > GONE {
                        return Err(Over);
                    }
                    self.send(Message::Ping(bytes::Bytes::new())).await?;
                }
            }
        }
    }

    /// Says a text to the page.
    pub(crate) async fn say(&mut self, text: String) -> Result<(), Over> {
        self.send(Message::text(text)).await
    }

    /// Says why it is over.
    pub(crate) async fn close(mut self, code: u16, reason: &str) {
        let end = (0..=reason.len().min(REASON)).rev().find(|end| reason.is_char_boundary(*end));
        let reason = reason[..end.unwrap_or(0)].into();
        let _ = self.send(Message::Close(Some(CloseFrame { code, reason }))).await;
    }

    async fn send(&mut self, message: Message) -> Result<(), Over> {
        match tokio::time::timeout(SLOW, self.inner.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Over),
        }
    }
}
