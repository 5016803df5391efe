//! The conversation with an editor.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use lsp_types::{DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams};
use serde_json::{Value, json};
use servanda_service::Position;

use crate::documents::Documents;
use crate::jobs::{Job, Results, Say};
use crate::{Bench, answers, places};

/// So long findings may be late while what was typed meanwhile is taken in.
const LATEST: Duration = Duration::from_millis(200);

/// How often the results of checks are looked for.
const LOOK: Duration = Duration::from_millis(30);

/// What the editor may ask to be done.
const COMMANDS: [&str; 3] = ["servanda.check", "servanda.explain", "servanda.simulate"];

/// A check may take so long unless the editor says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Talks to an editor until it says goodbye.
///
/// # Errors
///
/// The editor does not keep to the protocol, or is gone.
pub fn serve(connection: &Connection, bench: Arc<dyn Bench>) -> Result<(), Box<dyn Error + Send + Sync>> {
    let capabilities = json!({
        "textDocumentSync": { "openClose": true, "change": 2 },
        "documentSymbolProvider": true,
        "foldingRangeProvider": true,
        "documentFormattingProvider": true,
        "semanticTokensProvider": {
            "legend": { "tokenTypes": answers::COLOURS, "tokenModifiers": [] },
            "full": true,
        },
        "definitionProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "renameProvider": { "prepareProvider": true },
        "completionProvider": { "triggerCharacters": [" ", ".", "(", ":", "\"", "'", "{", "["] },
        "hoverProvider": true,
        "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        "codeLensProvider": {},
        "inlayHintProvider": true,
        "executeCommandProvider": { "commands": COMMANDS, "workDoneProgress": true },
    });
    let (id, params) = connection.initialize_start()?;
    let info = json!({ "name": "servanda", "version": env!("CARGO_PKG_VERSION") });
    connection.initialize_finish(id, json!({ "capabilities": capabilities, "serverInfo": info }))?;
    let options = &params["initializationOptions"];
    let timeout = options["timeoutSeconds"].as_u64().map_or(TIMEOUT, Duration::from_secs);
    let can = &params["capabilities"];
    let sender = connection.sender.clone();
    let mut server = Server {
        documents: Documents { open: BTreeMap::new(), folders: folders(&params, &*bench), bench },
        // An editor that is gone hears nothing.
        say: Arc::new(move |message| drop(sender.send(message))),
        jobs: Vec::new(),
        results: Results::default(),
        changed: None,
        timeout,
        pages: options["errorPages"].as_str().map(str::to_owned),
        shows_progress: can["window"]["workDoneProgress"].as_bool().unwrap_or(false),
        refreshes: can["workspace"]["inlayHint"]["refreshSupport"].as_bool().unwrap_or(false),
        asked: 0,
    };
    server.converse(connection)
}

/// The folders that an editor works in.
fn folders(params: &Value, bench: &dyn Bench) -> Vec<String> {
    let several = params["workspaceFolders"].as_array().into_iter().flatten().map(|folder| &folder["uri"]);
    let mut all: Vec<String> = several
        .chain([&params["rootUri"]])
        .filter_map(|uri| places::path(uri.as_str()?))
        .map(|path| bench.name(&path))
        .collect();
    all.sort();
    all.dedup();
    all
}

pub(crate) struct Server {
    pub(crate) documents: Documents,
    pub(crate) say: Say,
    pub(crate) jobs: Vec<Job>,
    pub(crate) results: Results,
    /// Since when there is a text that was not read again.
    changed: Option<Instant>,
    pub(crate) timeout: Duration,
    /// Where the pages about findings are.
    pages: Option<String>,
    pub(crate) shows_progress: bool,
    refreshes: bool,
    /// How many requests the editor was sent.
    pub(crate) asked: i32,
}

impl Server {
    fn converse(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        loop {
            let wait = match (self.changed, self.jobs.is_empty()) {
                // What has come already is taken in first; then the text is read at once.
                (Some(_), _) => Duration::ZERO,
                (None, false) => LOOK,
                (None, true) => Duration::from_secs(3600),
            };
            let message = connection.receiver.recv_timeout(wait);
            self.collect();
            let late = self.changed.is_some_and(|since| since.elapsed() >= LATEST);
            match message {
                Ok(Message::Request(request)) => {
                    if connection.handle_shutdown(&request)? {
                        self.jobs.iter().for_each(|job| job.stop.store(true, Ordering::Relaxed));
                        return Ok(());
                    }
                    self.publish();
                    self.request(request);
                }
                Ok(Message::Notification(notification)) => {
                    self.notification(notification);
                    if late {
                        self.publish();
                    }
                }
                Ok(Message::Response(_)) => {}
                Err(error) if error.is_timeout() => self.publish(),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Takes over what checks have found.
    fn collect(&mut self) {
        self.jobs.retain(|job| !job.over.load(Ordering::Acquire));
        let found = std::mem::take(&mut *self.results.lock().unwrap_or_else(PoisonError::into_inner));
        for (uri, version, checked) in found {
            if self.documents.checked(&uri, version, checked) {
                self.show(&uri);
                if self.refreshes {
                    self.asked += 1;
                    let id = RequestId::from(self.asked);
                    let refresh = Request::new(id, "workspace/inlayHint/refresh".to_owned(), Value::Null);
                    (self.say)(refresh.into());
                }
            }
        }
    }

    /// Reads what has changed and shows what is found.
    fn publish(&mut self) {
        if self.changed.take().is_some() {
            for uri in self.documents.refresh() {
                self.show(&uri);
            }
        }
    }

    fn show(&self, uri: &str) {
        let Some(document) = self.documents.open.get(uri) else { return };
        let all = document.analysis.diagnostics.iter().chain(&document.found);
        let shown: Vec<Value> = all
            .map(|found| places::diagnostic(&self.documents, document, found, self.pages.as_deref()))
            .collect();
        let params = json!({ "uri": uri, "version": document.version, "diagnostics": shown });
        (self.say)(Notification::new("textDocument/publishDiagnostics".to_owned(), params).into());
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(DidOpenTextDocumentParams { text_document: opened }) = serde_json::from_value(params)
                else {
                    return;
                };
                let uri = opened.uri.as_str().to_owned();
                if self.documents.open(&uri, &opened.language_id, opened.version, opened.text).is_some() {
                    self.touched(&uri);
                }
            }
            "textDocument/didChange" => {
                let Ok(changed) = serde_json::from_value::<DidChangeTextDocumentParams>(params) else {
                    return;
                };
                let uri = changed.text_document.uri.as_str().to_owned();
                for change in changed.content_changes {
                    let place = |at: lsp_types::Position| Position { line: at.line, character: at.character };
                    let range = change.range.map(|range| (place(range.start), place(range.end)));
                    self.documents.edit(&uri, range, &change.text);
                }
                if let Some(document) = self.documents.open.get_mut(&uri) {
                    document.version = changed.text_document.version;
                }
                self.documents.changed(&uri);
                self.touched(&uri);
            }
            "textDocument/didClose" => {
                let Ok(closed) = serde_json::from_value::<DidCloseTextDocumentParams>(params) else { return };
                let uri = closed.text_document.uri.as_str().to_owned();
                self.touched(&uri);
                self.documents.changed(&uri);
                self.documents.open.remove(&uri);
                let params = json!({ "uri": uri, "diagnostics": [] });
                (self.say)(Notification::new("textDocument/publishDiagnostics".to_owned(), params).into());
            }
            "$/cancelRequest" => {
                let id = match &params["id"] {
                    Value::String(id) => RequestId::from(id.clone()),
                    id => RequestId::from(id.as_i64().and_then(|id| i32::try_from(id).ok()).unwrap_or(-1)),
                };
                for job in self.jobs.iter().filter(|job| job.request == id) {
                    job.stop.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        }
    }

    /// A text is another one now: what was asked about it is not wanted any more.
    fn touched(&mut self, uri: &str) {
        for job in self.jobs.iter().filter(|job| job.uri == uri) {
            job.stop.store(true, Ordering::Relaxed);
        }
        self.changed.get_or_insert_with(Instant::now);
    }
}
