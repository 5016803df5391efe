//! `WS /api/language`: a language server for one page, each message a text frame of the socket.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;

use crate::Refused;
use crate::child::{self, Allowed, Child, Streams};
use crate::connections::Busy;
use crate::lines::Texts;
use crate::server::Shared;
use crate::socket::{self, Socket};

/// So many messages wait for the language server; then the page waits.
const WAITING: usize = 64;

/// Opens a socket for the language server.
pub(crate) async fn open(
    State(shared): State<Arc<Shared>>,
    Extension(busy): Extension<Busy>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(place) = shared.languages.clone().try_acquire_owned() else {
        let message = format!("{} language servers are running, which is the limit", shared.limits.languages);
        return Refused::new(StatusCode::SERVICE_UNAVAILABLE, message).into_response();
    };
    let limits = shared.limits;
    socket::upgrade(upgrade, &busy, &limits, move |socket| async move {
        converse(&shared, socket).await;
        drop(place);
    })
}

async fn converse(shared: &Shared, mut socket: Socket) {
    let (mut child, streams) = match Child::start(&shared.language, &shared.folder.root) {
        Ok(started) => started,
        Err(error) => {
            return socket.close(1011, &format!("the language server did not start: {error}")).await;
        }
    };
    let Some(id) = child.id() else { return socket.close(1011, "the language server ended at once").await };
    let Streams { input, output, complaints } = streams;
    let allowed = Allowed { time: None, work: None, memory: shared.limits.memory };
    let (said, heard) = mpsc::channel(WAITING);
    let mut texts = Texts::new(output, shared.limits.message);
    let over = {
        let conversation = async {
            loop {
                tokio::select! {
                    // Nothing is heard as long as the language server has not taken what was said before.
                    (place, text) = async { (said.reserve().await, socket.hear().await) } => match (place, text) {
                        (Ok(place), Ok(text)) => place.send(text),
                        (_, Err(_)) => return None,
                        // It does not listen any more: it is about to end, or has.
                        (Err(_), _) => return Some(String::new()),
                    },
                    frame = texts.frame() => match frame {
                        Ok(Some(text)) => if socket.say(text).await.is_err() { return None },
                        Ok(None) => return Some(String::new()),
                        Err(error) => return Some(error.to_string()),
                    },
                }
            }
        };
        tokio::select! {
            over = conversation => over,
            _ = child::watch(id, allowed, || 0) => Some("it used too much memory".to_owned()),
            never = write(input, heard) => never,
        }
    };
    let status = tokio::time::timeout(child::LAST, child.ended()).await;
    child.kill().await;
    match (over, status) {
        // The page is gone.
        (None, _) => {}
        (Some(reason), Ok(Ok(status))) if reason.is_empty() => {
            let reason = if status.success() {
                "the language server ended".to_owned()
            } else {
                child::crashed(status, complaints).await
            };
            socket.close(if status.success() { 1000 } else { 1011 }, &reason).await;
        }
        (Some(reason), _) => socket.close(1011, &format!("the language server was ended: {reason}")).await,
    }
}

/// Says to the language server what the page says.
async fn write(mut input: ChildStdin, mut heard: mpsc::Receiver<String>) -> Option<String> {
    while let Some(text) = heard.recv().await {
        let frame = format!("Content-Length: {}\r\n\r\n{text}", text.len());
        if input.write_all(frame.as_bytes()).await.is_err() || input.flush().await.is_err() {
            break;
        }
    }
    // That it ends is noticed elsewhere.
    drop(heard);
    std::future::pending().await
}
