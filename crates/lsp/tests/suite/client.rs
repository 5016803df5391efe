//! An editor that remembers what it is told.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use servanda_engine::{Budget, Progress, Verdict};
use servanda_lsp::{Bench, Checked, Decided, Explained, Simulated, Subject, serve};
use servanda_syntax::{Code, Diagnostic, Span};

/// Decides everything to be false, at once or never.
pub(crate) struct Oracle {
    pub(crate) files: Vec<(&'static str, &'static str)>,
}

impl Bench for Oracle {
    fn path(&self, user: &str, path: &str) -> String {
        let directory = user.rsplit_once('/').map_or("", |(directory, _)| directory);
        format!("{directory}/{path}")
    }

    fn neighbours(&self, _: &str, _: &[String]) -> Vec<(String, String)> {
        self.files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    fn find(&self, user: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
        let name = self.path(user, path);
        match self.files.iter().find(|(file, _)| *file == name) {
            Some((_, text)) => Ok((name, (*text).to_owned())),
            None => Err(Box::new(Diagnostic::error(
                Code::CannotRead,
                format!("{name} is missing"),
                Span::default(),
            ))),
        }
    }

    fn check(&self, _: &Subject, names: &[String], budget: &dyn Budget) -> Result<Checked, String> {
        if names == ["endless"] {
            let mut states = 0;
            while budget.progress(Progress::Exploring { states, transitions: 0 }).is_ok() {
                states += 1;
                std::thread::sleep(Duration::from_millis(1));
            }
            return Err("ended".to_owned());
        }
        assert!(names != ["panics"], "as asked");
        let decided = |name: &String| Decided {
            name: name.clone(),
            verdict: Verdict::False,
            word: "false",
            as_wanted: false,
            engine: "oracle",
            seconds: 0.5,
        };
        let odd = Diagnostic::warning(Code::UnreachableState, "never reached", Span::new(0, 5));
        Ok(Checked { verdicts: names.iter().map(decided).collect(), findings: vec![odd] })
    }

    fn explain(&self, subject: &Subject, name: &str, budget: &dyn Budget) -> Result<Explained, String> {
        let checked = self.check(subject, &[name.to_owned()], budget)?;
        let steps = vec![Some((subject.name.clone(), 3, 1)), None];
        Ok(Explained { checked, text: "chart".to_owned(), html: "<html>".to_owned(), steps })
    }

    fn simulate(
        &self,
        _: &Subject,
        name: Option<&str>,
        choices: &[usize],
        _: &dyn Budget,
    ) -> Result<Simulated, String> {
        let taken = choices.iter().map(|choice| format!("step {choice}")).collect();
        let watched = name.map(|name| (name.to_owned(), "true".to_owned())).into_iter().collect();
        let choices = vec![("Ann: m".to_owned(), String::new())];
        Ok(Simulated { state: Some("in s".to_owned()), taken, choices, watched, ..Simulated::default() })
    }
}

/// The editor's side of a conversation.
pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<()>>,
    next: i32,
    version: i32,
    /// The last findings of each file, with the version they are about.
    pub(crate) shown: BTreeMap<String, (i64, Vec<Value>)>,
    pub(crate) progress: Vec<Value>,
}

impl Client {
    pub(crate) fn new() -> Self {
        Client::with(Oracle { files: Vec::new() }, json!({}))
    }

    pub(crate) fn with(bench: Oracle, options: Value) -> Self {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || serve(&other, Arc::new(bench)).expect("a good conversation"));
        let (shown, progress) = (BTreeMap::new(), Vec::new());
        let mut client = Client { connection, server: Some(server), next: 0, version: 0, shown, progress };
        let capabilities = json!({ "window": { "workDoneProgress": true } });
        let answer = client
            .ask("initialize", json!({ "capabilities": capabilities, "initializationOptions": options }));
        assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 2);
        client.tell("initialized", json!({}));
        client
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.to_owned(), params);
        self.connection.sender.send(message.into()).expect("the server listens");
    }

    pub(crate) fn begin(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.to_owned(), params);
        self.connection.sender.send(request.into()).expect("the server listens");
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn answer(&mut self, id: &RequestId) -> Result<Value, String> {
        loop {
            let message = self.connection.receiver.recv_timeout(Duration::from_secs(120)).expect("an answer");
            match message {
                Message::Response(response) if response.id == *id => {
                    return match response.error {
                        Some(error) => Err(error.message),
                        None => Ok(response.result.unwrap_or(Value::Null)),
                    };
                }
                other => self.hear(other),
            }
        }
    }

    fn hear(&mut self, message: Message) {
        let Message::Notification(Notification { method, params }) = message else { return };
        match method.as_str() {
            "textDocument/publishDiagnostics" => {
                let uri = params["uri"].as_str().expect("as the protocol says").to_owned();
                let found = params["diagnostics"].as_array().expect("as the protocol says").clone();
                self.shown.insert(uri, (params["version"].as_i64().unwrap_or(-1), found));
            }
            "$/progress" => self.progress.push(params["value"].clone()),
            _ => {}
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).expect("an answer without an error")
    }

    pub(crate) fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.begin(method, params);
        self.answer(&id)
    }

    pub(crate) fn open(&mut self, uri: &str, text: &str) {
        self.version += 1;
        let language = uri.rsplit('.').next().expect("as the protocol says");
        let document = json!({ "uri": uri, "languageId": language, "version": self.version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(crate) fn change(&mut self, uri: &str, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": uri, "version": self.version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The findings for the text as it is now.
    pub(crate) fn findings(&mut self, uri: &str) -> Vec<Value> {
        loop {
            if let Some((version, found)) = self.shown.get(uri)
                && *version == i64::from(self.version)
            {
                return found.clone();
            }
            let message = self.connection.receiver.recv_timeout(Duration::from_secs(120)).expect("findings");
            self.hear(message);
        }
    }

    pub(crate) fn at(&mut self, method: &str, uri: &str, (line, character): (u32, u32)) -> Value {
        let place = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": uri }, "position": place }))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().map(JoinHandle::join);
    }
}
