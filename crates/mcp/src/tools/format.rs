//! `format`

use rmcp::model::{CallToolResult, JsonObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use servanda_messages::{self as events, Event};

use crate::answer::{self, Finding, Outline, Status, are_wrong};
use crate::arguments;
use crate::desk::{Allowed, Call, Desk, Talk};
use crate::subject::Subject;

/// What is to be formatted.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    #[serde(flatten)]
    subject: Subject,
    #[serde(flatten)]
    allowed: Allowed,
}

/// The text in standard form.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    status: Status,
    /// The text in standard form.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Is it another one than was given?
    changed: bool,
    findings: Vec<Finding>,
}

/// Formats a model.
pub(crate) async fn answered(
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Result<Answer, Vec<Finding>> {
    let arguments: Arguments = arguments::read(given)?;
    let read = arguments.subject.read(&desk.folder)?;
    let request = json!({ "kind": "format", "subject": read.request() });
    let hear = |talk: Talk| talk.keep_all(keep);
    let ((formatted, findings), trouble) = desk.run(call, (request, arguments.allowed), hear).await?;
    let mut findings = answer::findings(findings, &read.texts(&desk.folder));
    findings.splice(0..0, trouble);
    let text = formatted.filter(|_| !are_wrong(&findings)).ok_or_else(|| std::mem::take(&mut findings))?;
    let changed = text != read.text();
    Ok(Answer { status: Status::Ok, text: Some(text), changed, findings })
}

fn keep((formatted, found): &mut (Option<String>, Vec<events::Finding>), event: Event) {
    match event {
        Event::Formatted { text } => *formatted = Some(text),
        Event::Findings { findings } => *found = findings,
        _ => {}
    }
}

pub(crate) fn invalid(findings: Vec<Finding>) -> Answer {
    Answer { status: answer::refused(&findings), text: None, changed: false, findings }
}

pub(crate) fn told(answer: Answer) -> CallToolResult {
    let mut text = Outline::default();
    let words = match (answer.status, answer.changed) {
        (Status::Ok, false) => "it is in standard form already",
        (Status::Ok, true) => "the text in standard form is `text` of the structured content",
        _ => "it cannot be formatted before this is corrected",
    };
    text.line(format!("{}: {words}", answer.status.word()));
    text.findings(&answer.findings);
    let mut result = answer::result(&answer, &text, answer.status, &answer.findings);
    if let (Some(formatted), true) = (&answer.text, answer.changed) {
        // Whoever does not read the structure gets the text as it is, in a block of its own.
        result.content[0] = rmcp::model::ContentBlock::text("ok: the text in standard form");
        result.content.insert(1, rmcp::model::ContentBlock::text(formatted.as_str()));
    }
    result
}
