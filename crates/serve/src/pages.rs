//! Pages: the files of the workbench, and those about codes of findings for people who follow a link.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use pulldown_cmark::{Options, Parser, html};

use crate::server::{Shared, random};
use crate::{Refused, version};

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
        return Ok(([(header::CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response());
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
    let mut body = String::new();
    html::push_html(&mut body, Parser::new_ext(text, Options::ENABLE_TABLES));
    page(&headers, |_| {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{code} – Servanda</title>\n\
             <link rel=\"stylesheet\" href=\"/page.css\">\n</head>\n<body>\n<main>\n{body}</main>\n\
             <nav><a href=\"README\">All codes</a></nav>\n</body>\n</html>\n"
        )
    })
}

fn page(headers: &HeaderMap, text: impl FnOnce(&str) -> String) -> Result<Response, Refused> {
    let nonce =
        random().map_err(|error| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    // That it is one of ours has been looked at.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let told = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy(&nonce, host)),
    ];
    Ok((told, text(&nonce)).into_response())
}

/// How the pages about codes look.
const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem }
code, pre { font-family: ui-monospace, monospace; font-size: .9em }
pre { padding: .75rem 1rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .4rem; overflow-x: auto }
table { border-collapse: collapse } th, td { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
nav { margin-top: 2rem }
";
