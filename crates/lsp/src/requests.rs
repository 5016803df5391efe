//! Requests: who answers what.

use std::sync::Arc;

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, ExecuteCommandParams, ReferenceParams, RenameParams, TextDocumentPositionParams,
};
use serde_json::{Value, json};
use servanda_service::{Language, Position};
use servanda_syntax::Span;

use crate::documents::Document;
use crate::jobs::{self, Task, Work};
use crate::server::Server;
use crate::{answers, names};

impl Server {
    pub(crate) fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        if method == "workspace/executeCommand" {
            if let Err((code, message)) = self.execute(id.clone(), params) {
                (self.say)(Response::new_err(id, code as i32, message).into());
            }
            return;
        }
        let response = match self.answer(&method, params) {
            Ok(answer) => Response::new_ok(id, answer),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        (self.say)(response.into());
    }

    fn answer(&self, method: &str, params: Value) -> Result<Value, Refused> {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let Some(document) = self.documents.open.get(&uri) else {
            // An editor may ask about what it has just closed.
            return if method.starts_with("textDocument/") { Ok(Value::Null) } else { Err(unknown(method)) };
        };
        let at = |params: &Value| -> Result<u32, Refused> {
            let place: TextDocumentPositionParams =
                serde_json::from_value(params.clone()).map_err(malformed)?;
            Ok(offset(document, place.position))
        };
        Ok(match method {
            "textDocument/documentSymbol" => answers::symbols(document),
            "textDocument/foldingRange" => answers::folds(document),
            "textDocument/formatting" => answers::formatted(document),
            "textDocument/semanticTokens/full" => answers::semantic_tokens(document),
            "textDocument/codeLens" => answers::lenses(document),
            "textDocument/inlayHint" => answers::hints(document),
            "textDocument/definition" => names::definition(&self.documents, document, at(&params)?),
            "textDocument/documentHighlight" => names::highlights(document, at(&params)?),
            "textDocument/hover" => answers::hovered(document, at(&params)?),
            "textDocument/completion" => {
                // What begins texts and tables begins them in mappings only.
                let sign = params["context"]["triggerCharacter"].as_str().unwrap_or_default();
                if document.language != Language::Mapping && matches!(sign, "\"" | "'" | "{" | "[") {
                    return Ok(json!([]));
                }
                answers::completion(document, at(&params)? as usize)
            }
            "textDocument/prepareRename" => names::prepare_rename(document, at(&params)?),
            "textDocument/references" => {
                let asked: ReferenceParams = serde_json::from_value(params).map_err(malformed)?;
                let place = offset(document, asked.text_document_position.position);
                names::references(&self.documents, document, place, asked.context.include_declaration)
            }
            "textDocument/rename" => {
                let asked: RenameParams = serde_json::from_value(params).map_err(malformed)?;
                let place = offset(document, asked.text_document_position.position);
                let renamed = names::rename(&self.documents, document, place, &asked.new_name);
                renamed.map_err(|message| (ErrorCode::RequestFailed, message))?
            }
            "textDocument/codeAction" => {
                let asked: CodeActionParams = serde_json::from_value(params).map_err(malformed)?;
                let (start, end) = (offset(document, asked.range.start), offset(document, asked.range.end));
                answers::actions(document, Span { start, end })
            }
            _ => return Err(unknown(method)),
        })
    }

    fn execute(&mut self, id: RequestId, params: Value) -> Result<(), Refused> {
        let asked: ExecuteCommandParams = serde_json::from_value(params.clone()).map_err(malformed)?;
        let argument = |at: usize| asked.arguments.get(at).and_then(Value::as_str).map(str::to_owned);
        let missing = || (ErrorCode::InvalidParams, "the arguments are a document and a property".to_owned());
        let uri = argument(0).ok_or_else(missing)?;
        let document = self.documents.open.get(&uri).ok_or_else(missing)?;
        let work = match (asked.command.as_str(), argument(1)) {
            ("servanda.check", None) => Work::Check(Vec::new()),
            ("servanda.check", Some(name)) => Work::Check(ground(document, &name)),
            ("servanda.explain", Some(name)) => {
                Work::Explain(ground(document, &name).into_iter().next().unwrap_or(name))
            }
            ("servanda.explain", None) => return Err(missing()),
            ("servanda.simulate", name) => {
                let name = name.map(|name| ground(document, &name).into_iter().next().unwrap_or(name));
                Work::Simulate(name, chosen(asked.arguments.get(2))?)
            }
            (command, _) => return Err(unknown(command)),
        };
        let (version, subject) = (document.version, self.documents.subject(&uri).ok_or_else(missing)?);
        let token = match params.get("workDoneToken").filter(|token| !token.is_null()) {
            Some(token) => Some(token.clone()),
            None if self.shows_progress => {
                self.asked += 1;
                let token = json!(format!("servanda-{}", self.asked));
                let create = "window/workDoneProgress/create".to_owned();
                let request = Request::new(RequestId::from(self.asked), create, json!({ "token": token }));
                (self.say)(request.into());
                Some(token)
            }
            None => None,
        };
        let bench = Arc::clone(&self.documents.bench);
        let task = Task { bench, subject, version, work, timeout: self.timeout, token };
        self.jobs.push(jobs::start(task, &uri, id, &self.say, &self.results));
        Ok(())
    }
}

/// Why something is not answered.
type Refused = (ErrorCode, String);

fn unknown(method: &str) -> Refused {
    (ErrorCode::MethodNotFound, format!("`{method}` is not offered"))
}

fn malformed(error: serde_json::Error) -> Refused {
    (ErrorCode::InvalidParams, error.to_string())
}

/// The numbers of what was chosen in a walk.
fn chosen(argument: Option<&Value>) -> Result<Vec<usize>, Refused> {
    match argument {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(numbers) => serde_json::from_value(numbers.clone()).map_err(malformed),
    }
}

fn offset(document: &Document, at: lsp_types::Position) -> u32 {
    document.text.offset(Position { line: at.line, character: at.character }) as u32
}

/// The properties that a name as written means: those of a repetition have numbers.
fn ground(document: &Document, name: &str) -> Vec<String> {
    let stated = document.analysis.symbols.stated.iter().find(|stated| &*stated.name == name);
    let names: Vec<String> = stated
        .map(|stated| document.analysis.properties_of(stated).into_iter().map(str::to_owned).collect())
        .unwrap_or_default();
    if names.is_empty() { vec![name.to_owned()] } else { names }
}
