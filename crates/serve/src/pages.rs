//! Pages: the files of the workbench, and the documentation for people who follow a link.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::server::{Shared, token};
use crate::{Refused, markdown, version};

/// What a page may load. Styles that a script makes carry the nonce.
fn policy(nonce: &str, host: &str) -> String {
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self' ws://{host}; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The files of the workbench with the tags by which browsers ask whether they have changed.
pub(crate) struct Pages {
    tags: HashMap<&'static str, String>,
}

impl Pages {
    pub(crate) fn new() -> Self {
        let tag = |file: servanda_web::File| (file.path, format!("\"{}\"", version::of(file.bytes)));
        Pages { tags: servanda_web::files().map(tag).collect() }
    }
}

/// Any address that is nothing else: `/` and the files of the workbench.
pub(crate) async fn file(
    State(shared): State<Arc<Shared>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Refused> {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    if path == "page.css" {
        return Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], markdown::STYLE).into_response());
    }
    if let Some(text) = servanda_docs::page(path) {
        return page(&headers, |_| markdown::page(path, text));
    }
    let file = servanda_web::file(path).ok_or_else(|| Refused::not_found(format!("there is no /{path}")))?;
    if path == "index.html" {
        return page(&headers, |nonce| String::from_utf8_lossy(file.bytes).replace("{{nonce}}", nonce));
    }
    let tag = shared.pages.tags.get(file.path).cloned().unwrap_or_default();
    let has_it = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let told = [
        (header::CONTENT_TYPE, file.content_type.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag),
    ];
    match has_it {
        true => Ok((StatusCode::NOT_MODIFIED, told).into_response()),
        false => Ok((told, file.bytes).into_response()),
    }
}

/// `/errors/CODE`: the page about a code of a finding.
pub(crate) async fn error(Path(code): Path<String>, headers: HeaderMap) -> Result<Response, Refused> {
    // The pages name each other as files.
    let code = code.trim_end_matches(".md");
    let text = servanda_docs::error_page(code).ok_or_else(|| crate::texts::no_page(code))?;
    page(&headers, |_| markdown::page(code, text))
}

fn page(headers: &HeaderMap, text: impl FnOnce(&str) -> String) -> Result<Response, Refused> {
    let nonce =
        token().map_err(|error| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    // That it is one of ours has been looked at.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let told = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy(&nonce, host)),
    ];
    Ok((told, text(&nonce)).into_response())
}
