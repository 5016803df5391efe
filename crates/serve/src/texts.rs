//! Texts that come with the program: examples, the library, pages about codes; and what the server says of itself.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};

use crate::server::Shared;
use crate::{LibraryEntry, Refused};

/// `GET /api/info`
pub(crate) async fn info(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let limits = shared.limits;
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "directory": shared.folder.root.display().to_string(),
        "limits": {
            "seconds": limits.time.as_secs(),
            "megabytes": limits.memory >> 20,
            "jobs": limits.jobs,
            "fileBytes": limits.file,
            "messageBytes": limits.message,
        },
    }))
}

/// `GET /api/gallery`
pub(crate) async fn gallery() -> Json<Vec<Value>> {
    let described = servanda_gallery::examples().into_iter().map(|example| {
        json!({
            "name": example.name,
            "title": example.title,
            "about": example.about,
            "language": example.language,
            "group": example.group.word(),
        })
    });
    Json(described.collect())
}

/// `GET /api/gallery/NAME`
pub(crate) async fn example(Path(name): Path<String>) -> Result<Json<Value>, Refused> {
    let found = servanda_gallery::example(&name);
    let example = found.ok_or_else(|| Refused::not_found(format!("there is no example {name}")))?;
    let beside = servanda_gallery::beside(&example);
    Ok(Json(json!({ "text": example.text, "language": example.language, "beside": beside })))
}

/// `GET /api/library`
pub(crate) async fn library(State(shared): State<Arc<Shared>>) -> Json<Vec<LibraryEntry>> {
    Json(shared.library.clone())
}

/// `GET /api/errors/CODE`
pub(crate) async fn error(Path(code): Path<String>) -> Result<Json<Value>, Refused> {
    let page = servanda_docs::error_page(&code).ok_or_else(|| no_page(&code))?;
    Ok(Json(json!({ "markdown": page })))
}

pub(crate) fn no_page(code: &str) -> Refused {
    Refused::not_found(format!("there is no page about {code}"))
}
