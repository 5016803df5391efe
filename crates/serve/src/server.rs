//! The server as a whole: what it listens on, what is asked where, and how it ends.

use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get};
use tokio::sync::Semaphore;

use crate::folder::Folder;
use crate::gate::{self, Names};
use crate::pages::Pages;
use crate::{Limits, Program, Settings, connections, files, jobs, language, pages, texts};

/// How long what has been begun may take when the server ends.
const LAST: Duration = Duration::from_secs(2);

/// Connections that wait to be taken.
#[cfg(unix)]
const QUEUE: i32 = 1024;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) folder: Folder,
    pub(crate) token: String,
    pub(crate) names: Names,
    pub(crate) pages: Pages,
    pub(crate) limits: Limits,
    pub(crate) job: Program,
    pub(crate) language: Program,
    pub(crate) library: Vec<crate::LibraryEntry>,
    /// Places for jobs.
    pub(crate) jobs: Arc<Semaphore>,
    /// Places for language servers.
    pub(crate) languages: Arc<Semaphore>,
}

/// A server that listens already and answers once it runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Opens the directory and begins to listen. The error says what is wrong with which of them.
    pub fn new(settings: Settings) -> io::Result<Server> {
        let Settings { directory, listen, job, language, library, limits } = settings;
        let folder = Folder::open(&directory, limits.file)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", directory.display())))?;
        let listener = self::listen(&listen)?;
        let address = listener.local_addr()?;
        let shared = Shared {
            folder,
            token: token()?,
            names: Names::new(&listen, address),
            pages: Pages::new(),
            limits,
            job,
            language,
            library,
            jobs: Arc::new(Semaphore::new(limits.jobs)),
            languages: Arc::new(Semaphore::new(limits.languages)),
        };
        Ok(Server { listener, address, shared: Arc::new(shared) })
    }

    /// What it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What a browser is to open, token included.
    pub fn link(&self) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            // Nobody can be asked at "any address"; at this machine's own one they can.
            address.set_ip(if address.is_ipv4() {
                [127, 0, 0, 1].into()
            } else {
                std::net::Ipv6Addr::LOCALHOST.into()
            });
        }
        format!("http://{address}/?token={}", self.shared.token)
    }

    /// Answers until told to end; then everything that was begun ends too, jobs included.
    pub fn run(self, until: impl Future<Output = ()>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build()?;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = router(self.shared.clone());
            tokio::select! {
                () = connections::accept(listener, router, self.shared.limits) => {}
                () = until => {}
            }
            Ok(())
        });
        // Tasks are dropped here, and with each job its process is ended.
        runtime.shutdown_timeout(LAST);
        ended
    }
}

/// Listens on an address, as in `127.0.0.1:0`.
///
/// # Errors
///
/// Nobody can listen there; the error says where.
pub fn listen(address: &str) -> io::Result<TcpListener> {
    let listener = TcpListener::bind(address)
        .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
    listener.set_nonblocking(true)?;
    // Who finds the queue full tries again after a second only.
    #[cfg(unix)]
    rustix::net::listen(&listener, QUEUE)?;
    Ok(listener)
}

/// Ctrl-C, or being told to terminate.
pub async fn interrupted() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/info", get(texts::info))
        .route("/api/files", get(files::list))
        .route("/api/file", get(files::read).put(files::write))
        .route("/api/gallery", get(texts::gallery))
        .route("/api/gallery/{*name}", get(texts::example))
        .route("/api/library", get(texts::library))
        .route("/api/errors/{code}", get(texts::error))
        .route("/api/jobs", any(jobs::open))
        .route("/api/language", any(language::open))
        .route("/errors/{code}", get(pages::error))
        .fallback(get(pages::file))
        .layer(from_fn_with_state(shared.clone(), gate::pass))
        .with_state(shared)
}

/// Something that nobody can guess, in hexadecimal digits.
///
/// # Errors
///
/// The system has no randomness.
pub fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}
