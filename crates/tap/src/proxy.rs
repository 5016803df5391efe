//! Between programs that talk over HTTP: JSON-RPC and plain JSON, answers whole or as server-sent events.

mod body;
mod exchange;
mod headers;

use std::convert::Infallible;
use std::future::Future;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::Uri;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::{Observer, Tape};
use exchange::Exchange;
use headers::Sessions;
pub use headers::address;

/// How a proxy works.
#[derive(Clone, Debug)]
pub struct Terms {
    /// Where everything goes: `https://agent.example/base`.
    pub target: Uri,
    /// Requests that break the protocol are answered instead of being passed on.
    pub enforce: bool,
    /// Longer bodies of requests are refused; of answers they are passed on and not kept.
    pub longest_body: usize,
    /// More connections than so many wait.
    pub most_connections: usize,
    /// The names by which clients may address the proxy, beside its address; empty: whatever they like.
    pub hosts: Vec<String>,
}

/// Clients that take longer to say what they want are let go.
const PATIENCE: Duration = Duration::from_secs(30);

/// After a failure to accept (no descriptors left, say) so long a rest.
const REST: Duration = Duration::from_millis(50);

/// A proxy that listens.
pub struct Proxy<W> {
    listener: TcpListener,
    shared: Arc<Shared<W>>,
}

/// What all exchanges use.
struct Shared<W> {
    terms: Terms,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    tape: Arc<Tape<W>>,
    observer: Arc<dyn Observer>,
    exchanges: AtomicU64,
    sessions: Sessions,
}

impl<W: Write + Send + 'static> Proxy<W> {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// The address is taken, the target is no address of HTTP, or the certificates of the system cannot be read.
    pub async fn bind(
        address: SocketAddr,
        terms: Terms,
        tape: Arc<Tape<W>>,
        observer: Arc<dyn Observer>,
    ) -> io::Result<Self> {
        let scheme = terms.target.scheme_str();
        if !matches!(scheme, Some("http" | "https")) || terms.target.host().is_none() {
            let message = format!("`{}` is no address that begins with http:// or https://", terms.target);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let connector = connector(scheme == Some("https"))?;
        let client = Client::builder(TokioExecutor::new()).pool_idle_timeout(PATIENCE).build(connector);
        let listener = TcpListener::bind(address).await?;
        let sessions = Sessions::default();
        let shared = Shared { terms, client, tape, observer, exchanges: AtomicU64::new(0), sessions };
        Ok(Proxy { listener, shared: Arc::new(shared) })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// The system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is told to stop; what is under way then is cut off.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let mut tasks = tokio::task::JoinSet::new();
        let places = Arc::new(Semaphore::new(self.shared.terms.most_connections));
        tokio::pin!(stop);
        loop {
            let accepted = async {
                let place = places.clone().acquire_owned().await;
                (self.listener.accept().await, place)
            };
            let (accepted, place) = tokio::select! {
                () = &mut stop => return,
                accepted = accepted => accepted,
                Some(_) = tasks.join_next(), if !tasks.is_empty() => continue,
            };
            let Ok((stream, _)) = accepted else {
                tokio::time::sleep(REST).await;
                continue;
            };
            // Small messages go at once.
            let _ = stream.set_nodelay(true);
            let shared = self.shared.clone();
            tasks.spawn(async move {
                let service = service_fn(|request| {
                    let exchange = Exchange::begin(shared.clone());
                    async move { Ok::<_, Infallible>(exchange.answer(request).await) }
                });
                let mut server = http1::Builder::new();
                server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
                // A client that breaks off is its own business.
                let _ = server.serve_connection(TokioIo::new(stream), service).await;
                drop(place);
            });
        }
    }
}

/// Connects to the target. Certificates of the system are asked for only where they are needed.
fn connector(is_secure: bool) -> io::Result<HttpsConnector<HttpConnector>> {
    let mut roots = RootCertStore::empty();
    if is_secure {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        if roots.is_empty() {
            let why = found.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
            return Err(io::Error::other(format!("this system has no certificates to trust{why}")));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(io::Error::other)?.with_root_certificates(roots).with_no_client_auth();
    let connector = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(config);
    Ok(match is_secure {
        true => connector.https_only().enable_http1().build(),
        false => connector.https_or_http().enable_http1().build(),
    })
}
