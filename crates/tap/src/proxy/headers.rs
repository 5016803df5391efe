//! What of the heads of requests and answers goes on, and what of it is recorded.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use hyper::Uri;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::http::uri::Authority;
use serde_json::Value;

/// The headers that are recorded. Everything else may be a secret and is not.
const RECORDED: [&str; 5] =
    ["a2a-version", "a2a-extensions", "mcp-protocol-version", "accept", "content-type"];

/// Sessions beyond so many are recorded without a name.
const SESSIONS: usize = 1_000_000;

/// The header that says which session of MCP a request belongs to. It lets in whoever knows it.
const SESSION: &str = "mcp-session-id";

/// What belongs to one connection and not to the message (RFC 9110, 7.6.1).
const HOP_BY_HOP: [&str; 8] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
];

/// Names for sessions, in the order in which they appear: records have `s1` where the header has a secret.
#[derive(Debug, Default)]
pub(super) struct Sessions(Mutex<HashMap<Vec<u8>, usize>>);

impl Sessions {
    /// The field of a record that names the session; empty where there is none.
    pub(super) fn field(&self, headers: &HeaderMap) -> String {
        headers.get(SESSION).map_or_else(String::new, |secret| self.name(secret.as_bytes()))
    }

    /// The same for a request, whose address may say it: with server-sent events of 2024-11-05 there is no header.
    pub(super) fn of_request(&self, headers: &HeaderMap, address: &Uri) -> String {
        let given = self.field(headers);
        match address.query().and_then(session_in).filter(|_| given.is_empty()) {
            Some(secret) => self.name(secret.as_bytes()),
            None => given,
        }
    }

    /// Where an event of a stream says to which address the session posts: the address without its query, and the field.
    pub(super) fn announced(&self, data: &[u8]) -> Option<(String, String)> {
        let text = std::str::from_utf8(data.trim_ascii()).ok()?;
        let address: Uri = text.parse().ok()?;
        let secret = session_in(address.query()?)?;
        Some((address.path().to_owned(), self.name(secret.as_bytes())))
    }

    fn name(&self, secret: &[u8]) -> String {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = names.len() + 1;
        if next > SESSIONS && !names.contains_key(secret) {
            return String::new();
        }
        let number = *names.entry(secret.to_vec()).or_insert(next);
        format!(",\"session\":\"s{number}\"")
    }
}

/// The session that a query names: `sessionId` of the TypeScript SDK, `session_id` of the Python SDK.
fn session_in(query: &str) -> Option<&str> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let is_session = |name: &str| name.replace(['_', '-'], "").eq_ignore_ascii_case("sessionid");
    pairs.into_iter().find(|(name, value)| is_session(name) && !value.is_empty()).map(|(_, value)| value)
}

/// Removes what is not to go on.
pub(super) fn strip(headers: &mut HeaderMap) {
    let named: Vec<String> = headers
        .get_all("connection")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(|name| name.trim().to_ascii_lowercase()))
        .collect();
    for name in HOP_BY_HOP.iter().copied().chain(named.iter().map(String::as_str)) {
        headers.remove(name);
    }
    // How long a body is and how it is cut is found out anew.
    headers.remove("transfer-encoding");
}

/// What the target is told differently: who it is, and that answers are to be readable.
pub(super) fn aim(headers: &mut HeaderMap, target: &Authority) {
    strip(headers);
    if let Ok(host) = HeaderValue::from_str(target.as_str()) {
        headers.insert("host", host);
    }
    headers.insert(HeaderName::from_static("accept-encoding"), HeaderValue::from_static("identity"));
}

/// The `http` object of a record: these fields, then the headers that are harmless.
pub(super) fn recorded(first: &str, headers: &HeaderMap) -> String {
    let mut text = format!(",\"http\":{{{first}");
    for name in RECORDED {
        if let Some(value) = headers.get(name).and_then(|value| value.to_str().ok()) {
            let _ = write!(text, ",\"{name}\":{}", Value::from(value));
        }
    }
    text.push('}');
    text
}

/// The address of a target: how it is spoken to, and where it is.
///
/// # Errors
///
/// What to write instead.
pub fn address(text: &str) -> Result<Uri, String> {
    let help = |rest: &str| format!("http:// or https:// goes before it: write http://{rest}");
    if text.contains("://") {
        let uri: Uri = text.parse().map_err(|error| format!("{error}"))?;
        let known = matches!(uri.scheme_str(), Some("http" | "https"));
        let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
        return if known && uri.authority().is_some() { Ok(uri) } else { Err(help(rest)) };
    }
    Err(help(text.trim_start_matches('/')))
}

/// Is this a name by which the proxy may be addressed? Where it listens on loopback only, pages of foreign sites could otherwise reach it
/// under their own name (DNS rebinding), and the target would be told that all is well.
pub(super) fn is_ours(headers: &HeaderMap, hosts: &[String]) -> bool {
    if hosts.is_empty() {
        return true;
    }
    let Some(host) = headers.get("host").and_then(|value| value.to_str().ok()) else { return false };
    let Ok(authority) = host.parse::<Authority>() else { return false };
    let name = authority.host().trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let is_loopback =
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    is_loopback || hosts.iter().any(|host| host.eq_ignore_ascii_case(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn secrets_are_not_recorded() {
        let all = headers(&[
            ("authorization", "Bearer abc"),
            ("cookie", "abc"),
            ("x-api-key", "abc"),
            ("mcp-session-id", "abc"),
            ("accept", "application/json"),
        ]);
        let text = recorded("\"method\":\"POST\"", &all);
        assert_eq!(text, ",\"http\":{\"method\":\"POST\",\"accept\":\"application/json\"}");
        let sessions = Sessions::default();
        assert_eq!(sessions.field(&all), ",\"session\":\"s1\"");
        assert_eq!(sessions.field(&headers(&[("mcp-session-id", "other")])), ",\"session\":\"s2\"");
        assert_eq!(sessions.field(&all), ",\"session\":\"s1\"");
        assert_eq!(sessions.field(&HeaderMap::new()), "");
    }

    #[test]
    fn a_session_may_stand_in_the_query() {
        let sessions = Sessions::default();
        let asked = |text: &str| sessions.of_request(&HeaderMap::new(), &text.parse().unwrap());
        let (path, field) = sessions.announced(b"/messages/?session_id=abc").unwrap();
        assert_eq!((path.as_str(), field.as_str()), ("/messages/", ",\"session\":\"s1\""));
        assert_eq!(asked("/messages/?session_id=abc"), field);
        assert_eq!(asked("/messages?x=1&sessionId=other"), ",\"session\":\"s2\"");
        assert_eq!(asked("/messages?token=abc"), "");
        let header = headers(&[("mcp-session-id", "third")]);
        assert_eq!(sessions.of_request(&header, &"/m?sessionId=abc".parse().unwrap()), ",\"session\":\"s3\"");
        for data in [&b"{\"id\":1}"[..], b"/messages", b"hello there", b"\xff"] {
            assert!(sessions.announced(data).is_none());
        }
    }

    #[test]
    fn what_belongs_to_a_connection_does_not_go_on() {
        let mut all = headers(&[
            ("connection", "close, X-Mine"),
            ("x-mine", "1"),
            ("te", "trailers"),
            ("x-other", "2"),
        ]);
        aim(&mut all, &"agent.example:81".parse().unwrap());
        assert_eq!(all.len(), 3);
        assert_eq!(all["host"], "agent.example:81");
        assert_eq!(all["x-other"], "2");
    }

    #[test]
    fn foreign_names_are_not_ours() {
        let ours = |host: &str| is_ours(&headers(&[("host", host)]), &["proxy.example".to_owned()]);
        assert!(ours("127.0.0.1:8080") && ours("localhost") && ours("[::1]:99") && ours("Proxy.Example:1"));
        assert!(!ours("evil.example:8080") && !ours("127.0.0.1.evil.example") && !ours(""));
        assert!(!is_ours(&HeaderMap::new(), &["localhost".to_owned()]));
        assert!(is_ours(&headers(&[("host", "any.example")]), &[]));
    }

    #[test]
    fn a_target_without_its_scheme_is_told_what_to_write() {
        assert!(address("http://localhost:80/a").is_ok() && address("https://agent.example").is_ok());
        for text in ["localhost:80", "//localhost:80", "ftp://localhost:80"] {
            let error = address(text).unwrap_err();
            assert!(error.ends_with("write http://localhost:80"), "{text}: {error}");
        }
        assert!(address("http://").is_err() && address("http:// a").is_err());
    }
}
