//! Connections: at most so many, none of them slow for ever, and nobody kept out by those who only wait.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use crate::Limits;

/// How long to wait where the system gives no more connections.
const PAUSE: Duration = Duration::from_millis(50);

/// The requests that a connection works on; a socket counts as one.
#[derive(Clone, Default)]
pub(crate) struct Busy(Arc<AtomicUsize>);

impl Busy {
    fn is_busy(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }

    /// Busy as long as this is kept.
    pub(crate) fn begin(&self) -> Working {
        self.0.fetch_add(1, Ordering::Relaxed);
        Working(self.0.clone())
    }
}

/// A request that is worked on. It holds the place of its connection.
pub(crate) struct Working(Arc<AtomicUsize>);

impl Drop for Working {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A connection that is open.
struct Open {
    busy: Busy,
    task: AbortHandle,
}

impl Open {
    /// A socket outlives the task that read its first request.
    fn is_gone(&self) -> bool {
        self.task.is_finished() && !self.busy.is_busy()
    }
}

/// The connections that are open, the oldest first.
#[derive(Clone, Default)]
struct Table(Arc<Mutex<VecDeque<Open>>>);

impl Table {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a place for one more: those that ended leave, then who has waited longest without a request.
    fn has_place(&self, most: usize) -> bool {
        let mut table = self.lock();
        if table.len() >= most {
            table.retain(|open| !open.is_gone());
        }
        if table.len() < most {
            return true;
        }
        drop(table);
        self.sends_away()
    }

    /// Closes the connection that has waited longest without a request.
    fn sends_away(&self) -> bool {
        let mut table = self.lock();
        let idle = table.iter().position(|open| !open.busy.is_busy());
        let open = idle.and_then(|at| table.remove(at));
        open.inspect(|open| open.task.abort()).is_some()
    }
}

/// Takes connections for ever.
pub async fn accept(listener: TcpListener, router: Router, limits: Limits) {
    let table = Table::default();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // No more files may be open, most often. Who only waits makes way.
            Err(_) => {
                table.lock().retain(|open| !open.is_gone());
                let pause = if table.sends_away() { Duration::from_millis(1) } else { PAUSE };
                tokio::time::sleep(pause).await;
                continue;
            }
        };
        if !table.has_place(limits.connections) {
            continue;
        }
        let busy = Busy::default();
        let task = tokio::spawn(answer(stream, router.clone(), busy.clone(), limits));
        table.lock().push_back(Open { busy, task: task.abort_handle() });
    }
}

/// Answers the requests of one connection.
async fn answer(stream: TcpStream, router: Router, busy: Busy, limits: Limits) {
    // Answers are small and waited for.
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        let working = busy.begin();
        request.extensions_mut().insert(busy.clone());
        let answered = inner.call(request);
        async move {
            let _working = working;
            answered.await
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.request).max_buf_size(64 << 10);
    let mut connection = pin!(builder.serve_connection(TokioIo::new(stream), service).with_upgrades());
    if tokio::time::timeout(limits.life, connection.as_mut()).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(limits.request, connection).await;
    }
}
