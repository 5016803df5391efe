//! Files over HTTP: `/api/files` and `/api/file`.

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cap_std::fs::Dir;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Refused;
use crate::folder::{Contents, Written, is_plain};
use crate::server::Shared;

/// What is listed at most: files, directories that are looked into, and how deep.
const FILES: usize = 5000;
const DIRECTORIES: usize = 2000;
const DEPTH: usize = 12;

/// The header with the version that was read.
const VERSION: &str = "x-servanda-version";

/// The address of a file.
#[derive(Deserialize)]
pub(crate) struct Address {
    path: String,
}

/// A file of the list.
#[derive(Debug, Serialize)]
pub(crate) struct Entry {
    path: String,
    language: &'static str,
    bytes: u64,
}

/// What a file is for the workbench; nothing where it is not listed.
fn language(path: &str) -> Option<&'static str> {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    Some(match ending.as_str() {
        "pact" => "pact",
        "ispl" => "ispl",
        "ccs" => "ccs",
        "log" | "jsonl" | "ndjson" | "csv" => "log",
        "toml" if file.ends_with(".audit.toml") => "mapping",
        "acts" | "aut" | "toml" | "json" | "txt" | "md" => "other",
        _ => return None,
    })
}

fn described(path: String, contents: Contents) -> Json<serde_json::Value> {
    let language = language(&path).unwrap_or("other");
    Json(json!({ "path": path, "text": contents.text, "version": contents.version, "language": language }))
}

/// Runs what waits for the disk where nobody else has to wait for it.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Refused::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

/// `GET /api/files`
pub(crate) async fn list(State(shared): State<Arc<Shared>>) -> Result<Json<Vec<Entry>>, Refused> {
    let entries = apart(move || {
        let mut entries = Vec::new();
        let mut left = DIRECTORIES;
        collect(&shared.folder.dir, "", DEPTH, &mut left, &mut entries);
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        entries
    });
    Ok(Json(entries.await?))
}

/// What is below a directory. What cannot be read is left out; of links those to files within the directory are shown.
fn collect(dir: &Dir, above: &str, depth: usize, left: &mut usize, entries: &mut Vec<Entry>) {
    let Ok(found) = dir.entries() else { return };
    let mut below = Vec::new();
    for entry in found.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| is_plain(name)) else { continue };
        let path = format!("{above}{name}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !matches!(name, "node_modules" | "target") => {
                below.push(name.to_owned())
            }
            Ok(kind) if kind.is_dir() => {}
            _ => {
                let Some(language) = language(&path) else { continue };
                let file = dir.metadata(name).ok().filter(|file| file.is_file());
                let Some(bytes) = file.map(|file| file.len()) else { continue };
                entries.push(Entry { path, language, bytes });
            }
        }
        if entries.len() >= FILES {
            return;
        }
    }
    below.sort();
    for name in below {
        if depth == 0 || *left == 0 || entries.len() >= FILES {
            return;
        }
        *left -= 1;
        if let Ok(dir) = dir.open_dir(&name) {
            collect(&dir, &format!("{above}{name}/"), depth - 1, left, entries);
        }
    }
}

/// `GET /api/file?path=P`
pub(crate) async fn read(
    State(shared): State<Arc<Shared>>,
    Query(Address { path }): Query<Address>,
) -> Result<Response, Refused> {
    let (path, contents) = apart(move || {
        let contents = shared.folder.read(&path);
        (path, contents)
    })
    .await?;
    Ok(described(path, contents?).into_response())
}

/// `PUT /api/file?path=P`
pub(crate) async fn write(
    State(shared): State<Arc<Shared>>,
    Query(Address { path }): Query<Address>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Refused> {
    crate::folder::allowed(&path)?;
    let version = headers.get(VERSION).and_then(|version| version.to_str().ok());
    let version = version.map(str::to_owned).ok_or_else(|| {
        let message = format!("the header {VERSION} says which version was read, or `new`");
        Refused::new(StatusCode::PRECONDITION_REQUIRED, message)
    })?;
    let text = received(&shared, &headers, body).await?;
    let written = apart(move || {
        let read = Some(version.as_str()).filter(|version| *version != "new");
        let written = shared.folder.write(&path, &text, read);
        (path, written)
    });
    let (path, written) = written.await?;
    Ok(match written? {
        Written::Done(version) => Json(json!({ "version": version })).into_response(),
        Written::Conflict(contents) => (StatusCode::CONFLICT, described(path, contents)).into_response(),
    })
}

/// The body of a request, if it is a text of the size that is allowed and comes in time.
async fn received(shared: &Shared, headers: &HeaderMap, body: Body) -> Result<String, Refused> {
    let most = shared.limits.file;
    let too_large = || Refused::too_large(format!("a file has at most {most} bytes"));
    let length =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(shared.limits.request, axum::body::to_bytes(body, most)).await;
    let late = || Refused::new(StatusCode::REQUEST_TIMEOUT, "the text did not come in time");
    let bytes = bytes.map_err(|_| late())?.map_err(|_| too_large())?;
    String::from_utf8(bytes.into())
        .map_err(|_| Refused::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "this is not a text in UTF-8"))
}
