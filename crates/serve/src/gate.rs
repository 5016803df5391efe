//! Who may ask, decided for every request before anything else is done, and what browsers are told about every answer.
//!
//! - The name that the server was called by must be its own: a page elsewhere whose name was made to point here (DNS rebinding) has another.
//! - What comes from a page must come from ours; sockets are opened by pages only.
//! - Everything below `/api` needs the token of the printed address.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::Refused;
use crate::server::Shared;

/// The header with the token.
const TOKEN: &str = "x-servanda-token";

/// What all answers say unless they say something else themselves.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets a request in, or not.
pub(crate) async fn pass(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match check(&shared, request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    dress(&mut response);
    response
}

/// Adds what browsers are told about every answer.
pub fn dress(response: &mut Response) {
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
}

/// The page that a request comes from, where it comes from one, and it is ours; none, where it comes from no page.
///
/// # Errors
///
/// The server was called by a name that is not its own, or the request comes from another page.
pub fn origin<'h>(names: &Names, uri: &Uri, headers: &'h HeaderMap) -> Result<Option<&'h str>, Refused> {
    let host = one(headers, &header::HOST)?.unwrap_or_default();
    if !names.are_ours(host) {
        return Err(Refused::new(StatusCode::MISDIRECTED_REQUEST, "this server has another name"));
    }
    if uri.authority().is_some_and(|authority| !names.are_ours(authority.as_str())) {
        return Err(Refused::new(StatusCode::MISDIRECTED_REQUEST, "this server is no proxy"));
    }
    match one(headers, &header::ORIGIN)? {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            Err(Refused::forbidden("the request comes from another page"))
        }
        origin => Ok(origin),
    }
}

fn check(shared: &Shared, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
    let origin = origin(&shared.names, uri, headers)?;
    let is_socket = headers.contains_key(header::UPGRADE);
    if is_socket && origin.is_none() {
        return Err(Refused::forbidden("a socket needs an Origin"));
    }
    if !uri.path().starts_with("/api") {
        return Ok(());
    }
    let in_address = || uri.query()?.split('&').find_map(|part| part.strip_prefix("token="));
    let given = match one(headers, &HeaderName::from_static(TOKEN))? {
        None if is_socket => in_address().unwrap_or_default(),
        given => given.unwrap_or_default(),
    };
    if is_same(given.as_bytes(), shared.token.as_bytes()) {
        return Ok(());
    }
    let message = "the token is missing or wrong: open the address that `servanda serve` printed";
    Err(Refused::new(StatusCode::UNAUTHORIZED, message))
}

/// A header that must not be there twice.
///
/// # Errors
///
/// It is, or it is no text.
pub fn one<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, Refused> {
    let mut values = headers.get_all(name).iter();
    let bad = || Refused::new(StatusCode::BAD_REQUEST, format!("the header {name} is not readable"));
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| bad()),
        _ => Err(bad()),
    }
}

/// Whether two texts are the same, found in a time that does not depend on where they differ.
pub fn is_same(given: &[u8], wanted: &[u8]) -> bool {
    let differs = given.iter().zip(wanted).fold(0, |differs, (a, b)| std::hint::black_box(differs | (a ^ b)));
    given.len() == wanted.len() && differs == 0
}

/// What the server may be called: the address that it listens on, with its port.
pub struct Names {
    names: Vec<String>,
    /// The port, where every address of the machine is listened on.
    anywhere: Option<u16>,
}

impl Names {
    /// The names of a server that was told to listen on one address, which turned out to be another.
    pub fn new(told: &str, address: std::net::SocketAddr) -> Self {
        let port = address.port();
        let mut names = vec![address.to_string()];
        if let Some((host, _)) = told.rsplit_once(':') {
            names.push(format!("{}:{port}", host.to_ascii_lowercase()));
        }
        if address.ip().is_loopback() || address.ip().is_unspecified() {
            names.push(format!("localhost:{port}"));
        }
        let anywhere = address.ip().is_unspecified().then_some(port);
        Names { names, anywhere }
    }

    /// Whether a request for this name is for us. Where every address is listened on, every address is ours, and still no name is: addresses
    /// cannot be made to point elsewhere.
    pub fn are_ours(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let is_address =
            |port: u16| host.parse::<std::net::SocketAddr>().is_ok_and(|host| host.port() == port);
        // Browsers leave the port out where it is the usual one.
        let full = || format!("{host}:80");
        self.names.iter().any(|name| *name == host || *name == full())
            || self.anywhere.is_some_and(is_address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_knows_its_names() {
        let names = Names::new("127.0.0.1:0", "127.0.0.1:4711".parse().unwrap());
        for ours in ["127.0.0.1:4711", "localhost:4711", "LOCALHOST:4711"] {
            assert!(names.are_ours(ours), "{ours}");
        }
        for other in [
            "",
            "127.0.0.1",
            "127.0.0.1:4712",
            "evil.example:4711",
            "localhost.evil.example:4711",
            "127.0.0.1:4711 ",
        ] {
            assert!(!names.are_ours(other), "{other}");
        }
        let anywhere = Names::new("0.0.0.0:80", "0.0.0.0:80".parse().unwrap());
        assert!(anywhere.are_ours("192.0.2.1:80") && anywhere.are_ours("localhost"));
        assert!(!anywhere.are_ours("evil.example:80") && !anywhere.are_ours("192.0.2.1:81"));
        let named = Names::new("Bench:8000", "192.0.2.1:8000".parse().unwrap());
        assert!(
            named.are_ours("bench:8000")
                && named.are_ours("192.0.2.1:8000")
                && !named.are_ours("localhost:8000")
        );
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same(b"abc", b"abc"));
        for other in ["", "ab", "abd", "abcd", "xbc"] {
            assert!(!is_same(other.as_bytes(), b"abc"), "{other}");
        }
    }
}
