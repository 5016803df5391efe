//! One request and its answer.

use std::io::Write;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode, Uri};
use serde_json::Value;

use super::Shared;
use super::body::{Answer, Passing};
use super::headers;
use crate::refusal::request_id;
use crate::{Recorded, Refusal, Side};

/// A request under way, with its number in records.
pub(super) struct Exchange<W> {
    pub(super) shared: Arc<Shared<W>>,
    number: u64,
}

/// What is answered by the proxy itself.
fn own(status: StatusCode, content_type: &'static str, text: String) -> Response<Answer> {
    let mut response = Response::new(Answer::Own(Full::from(text)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}

fn failed(status: StatusCode, message: &str) -> Response<Answer> {
    own(status, "text/plain; charset=utf-8", format!("{message}\n"))
}

impl<W: Write + Send + 'static> Exchange<W> {
    pub(super) fn begin(shared: Arc<Shared<W>>) -> Self {
        let number = shared.exchanges.fetch_add(1, Ordering::Relaxed) + 1;
        Exchange { shared, number }
    }

    /// Passes a request on and its answer back.
    pub(super) async fn answer(self, request: Request<Incoming>) -> Response<Answer> {
        if !headers::is_ours(request.headers(), &self.shared.terms.hosts) {
            return failed(StatusCode::MISDIRECTED_REQUEST, "this proxy is not known by that name");
        }
        let (parts, body) = request.into_parts();
        let most = self.shared.terms.longest_body;
        if body.size_hint().lower() > most as u64 {
            return failed(StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than this proxy passes on");
        }
        let body = match Limited::new(body, most).collect().await {
            Ok(body) => body.to_bytes(),
            Err(error) if error.is::<http_body_util::LengthLimitError>() => {
                return failed(StatusCode::PAYLOAD_TOO_LARGE, "the body is longer than this proxy passes on");
            }
            Err(_) => return failed(StatusCode::BAD_REQUEST, "the body broke off"),
        };
        let session = self.shared.sessions.of_request(&parts.headers, &parts.uri);
        // A query may hold secrets.
        let first = format!(
            "\"method\":{},\"path\":{}",
            Value::from(parts.method.as_str()),
            Value::from(parts.uri.path())
        );
        let http = headers::recorded(&first, &parts.headers);
        let message = Recorded::Message(&body);
        if self.shared.terms.enforce {
            let ask = |record: &[u8]| self.shared.observer.may_pass(record);
            let answer = self.record(&session, Side::Client, &http, message, ask);
            if let Ok(Err(refusal)) = answer.await {
                return self.refused(&session, &refusal, &body);
            }
        } else {
            self.tell(&session, Side::Client, &http, message);
        }
        match self.forward(parts, body).await {
            Ok(response) => self.back(session, response).await,
            Err(message) => {
                self.tell(&session, Side::Server, &failure(&message), Recorded::Nothing);
                failed(StatusCode::BAD_GATEWAY, &format!("the target does not answer: {message}"))
            }
        }
    }

    async fn forward(&self, mut parts: Parts, body: Bytes) -> Result<Response<Incoming>, String> {
        let target = &self.shared.terms.target;
        let (Some(scheme), Some(authority)) = (target.scheme(), target.authority()) else {
            return Err("the target has no address".to_owned());
        };
        let asked = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let path = format!("{}{asked}", target.path().trim_end_matches('/'));
        let uri = Uri::builder().scheme(scheme.clone()).authority(authority.clone()).path_and_query(path);
        parts.uri = uri.build().map_err(|error| error.to_string())?;
        headers::aim(&mut parts.headers, authority);
        parts.version = hyper::Version::HTTP_11;
        let request = Request::from_parts(parts, Full::from(body));
        self.shared.client.request(request).await.map_err(|error| chain(&error))
    }

    /// An answer that is an event stream goes on as it comes; JSON goes on when it is whole and recorded; the rest as it comes.
    async fn back(self, session: String, response: Response<Incoming>) -> Response<Answer> {
        let (mut parts, body) = response.into_parts();
        headers::strip(&mut parts.headers);
        let given = self.shared.sessions.field(&parts.headers);
        let session = if given.is_empty() { session } else { given };
        let status = format!("\"status\":{}", parts.status.as_u16());
        let most = self.shared.terms.longest_body as u64;
        let is_short = body.size_hint().upper().is_some_and(|length| length <= most);
        if is(&parts.headers, "text/event-stream") {
            let http = format!(",\"http\":{{{status},\"sse\":true}}");
            return Response::from_parts(
                parts,
                Answer::Passing(Passing::events(body, self.line(session, http))),
            );
        }
        let http = headers::recorded(&status, &parts.headers);
        if !is_short {
            return Response::from_parts(
                parts,
                Answer::Passing(Passing::counted(body, self.line(session, http))),
            );
        }
        match body.collect().await {
            Ok(body) => {
                let bytes = body.to_bytes();
                self.tell(&session, Side::Server, &http, Recorded::Message(&bytes));
                Response::from_parts(parts, Answer::Own(Full::from(bytes)))
            }
            Err(error) => {
                let message = chain(&error);
                self.tell(&session, Side::Server, &failure(&message), Recorded::Nothing);
                failed(StatusCode::BAD_GATEWAY, &format!("the answer broke off: {message}"))
            }
        }
    }

    /// JSON-RPC is answered in its own words, whatever else with a status. The client hears it in the place of what the server would have
    /// said, and so it is recorded.
    fn refused(&self, session: &str, refusal: &Refusal, body: &[u8]) -> Response<Answer> {
        let (status, text) = match request_id(body) {
            Some(id) => (StatusCode::OK, refusal.answer(&id)),
            None => {
                let body =
                    serde_json::json!({ "error": { "code": refusal.code, "message": refusal.message } });
                (StatusCode::CONFLICT, body.to_string())
            }
        };
        let http = format!(",\"refused\":true,\"http\":{{\"status\":{}}}", status.as_u16());
        let message = Recorded::Message(text.as_bytes());
        self.record(session, Side::Server, &http, message, |record| self.shared.observer.answered(record));
        own(status, "application/json", text)
    }

    fn record<T>(
        &self,
        session: &str,
        from: Side,
        http: &str,
        message: Recorded<'_>,
        tell: impl FnOnce(&[u8]) -> T,
    ) -> T {
        let before = format!(",\"conn\":{}{session}", self.number);
        self.shared.tape.record((&before, http), from, message, tell)
    }

    /// Records something that goes on, and has it judged.
    fn tell(&self, session: &str, from: Side, http: &str, message: Recorded<'_>) {
        self.record(session, from, http, message, |record| self.shared.observer.passed(record));
    }

    /// Who records the parts of an answer, one by one.
    fn line(self, session: String, http: String) -> super::body::Line {
        let session = Mutex::new(session);
        Box::new(move |from, part| {
            let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
            // An event may say whose stream this is; the address that it gives is a secret but for its path.
            let announced = match &part {
                super::body::Part::Event(data) if session.is_empty() => self.shared.sessions.announced(data),
                _ => None,
            };
            let path = announced.map(|(path, field)| {
                *session = field;
                path
            });
            let (after, message) = match &part {
                super::body::Part::Event(data) => {
                    let data = path.as_ref().map_or(data.as_slice(), |path| path.as_bytes());
                    (http.clone(), Recorded::Message(data))
                }
                super::body::Part::Long(bytes) => (http.clone(), Recorded::Long(*bytes)),
                super::body::Part::End => (",\"end\":true".to_owned(), Recorded::Nothing),
                super::body::Part::Broken(why) => (failure(why), Recorded::Nothing),
            };
            self.tell(&session, from, &after, message);
        })
    }
}

fn failure(message: &str) -> String {
    format!(",\"failed\":{}", Value::from(message))
}

fn is(headers: &HeaderMap, content_type: &str) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(content_type))
}

/// What went wrong, with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
