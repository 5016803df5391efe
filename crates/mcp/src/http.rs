//! The protocol over HTTP: one address, for who has the token.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use servanda_serve::{Limits, Names, Refused, accept, dress, is_same, listen, one, origin};

use crate::handler::Handler;

/// Where it answers.
const PATH: &str = "/mcp";

/// How long what has been begun may take when the server ends.
const LAST: Duration = Duration::from_secs(1);

/// A stream of events may be as long as a working day.
const LIFE: Duration = Duration::from_secs(12 * 3600);

/// A server that listens already and answers once it runs.
pub struct Http {
    listener: TcpListener,
    address: SocketAddr,
    gate: Arc<Gate>,
    handler: Handler,
    limits: Limits,
}

/// Who may ask.
struct Gate {
    names: Names,
    token: String,
}

impl Http {
    pub(crate) fn new(handler: Handler, limits: Limits, (told, token): (&str, String)) -> io::Result<Http> {
        let listener = listen(told)?;
        let address = listener.local_addr()?;
        let gate = Arc::new(Gate { names: Names::new(told, address), token });
        Ok(Http { listener, address, gate, handler, limits: Limits { life: LIFE, ..limits } })
    }

    /// What it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What assistants are to be told.
    pub fn link(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// What they are to send with every request, as `Authorization: Bearer ..`.
    pub fn token(&self) -> &str {
        &self.gate.token
    }

    /// Answers until told to end; then everything that was begun ends too, jobs included.
    ///
    /// # Errors
    ///
    /// The system does not let it work.
    pub fn run(self, until: impl Future<Output = ()>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build()?;
        let ended = runtime.block_on(async {
            let over = self.handler.desk.over.clone();
            let config = StreamableHttpServerConfig::default()
                // Names and pages are looked at by the gate, which knows the port too.
                .disable_allowed_hosts()
                .with_max_request_body_bytes(self.limits.message)
                .with_cancellation_token(over.child_token());
            let handler = self.handler;
            let service = StreamableHttpService::new(
                move || Ok(handler.clone()),
                Arc::new(LocalSessionManager::default()),
                config,
            );
            let router =
                Router::new().route_service(PATH, service).layer(from_fn_with_state(self.gate, pass));
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = accept(listener, router, self.limits) => {}
                () = until => {}
            }
            over.cancel();
            Ok(())
        });
        // Tasks are dropped here, and with each job its process is ended.
        runtime.shutdown_timeout(LAST);
        ended
    }
}

/// Lets a request in, or not.
async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let mut response = match gate.check(request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    if response.status() == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    dress(&mut response);
    response
}

impl Gate {
    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        origin(&self.names, uri, headers)?;
        let given = one(headers, &header::AUTHORIZATION)?.unwrap_or_default();
        let given = given.split_once(' ').filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
        match given {
            Some((_, token)) if is_same(token.trim().as_bytes(), self.token.as_bytes()) => Ok(()),
            _ => {
                let message = "the token is missing or wrong: send the header `Authorization: Bearer TOKEN`";
                Err(Refused::new(StatusCode::UNAUTHORIZED, message))
            }
        }
    }
}
