//! `describe_error`

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Resource};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use servanda_syntax::nearest;

use crate::answer::{self, Finding, Outline, Status};
use crate::{arguments, resources};

/// Which code.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    /// The code of a finding, as in `unknown-name`.
    #[schemars(required)]
    code: String,
}

/// What a code means.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    status: Status,
    code: String,
    /// What it means, with an example, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The resource with the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
    findings: Vec<Finding>,
}

/// Explains the code of a finding.
pub(crate) fn call(given: Option<JsonObject>) -> CallToolResult {
    let Arguments { code } = match arguments::read(given) {
        Ok(arguments) => arguments,
        Err(findings) => return refused(String::new(), findings),
    };
    // As it stands in a text: `error[unknown-name]`.
    let code = code.trim().trim_start_matches("error").trim_start_matches("warning");
    let code = code.trim_matches(['[', ']', '`']).to_lowercase();
    let Some(page) =
        servanda_docs::error_page(&code).filter(|_| servanda_docs::codes().any(|one| one == code))
    else {
        let finding = Finding::error(format!("no finding has the code `{code}`"));
        let near = nearest(&code, servanda_docs::codes());
        let finding = match near {
            Some(_) => finding.near(near),
            None => finding.help("all codes are listed in servanda://docs/errors/README.md"),
        };
        return refused(code, vec![finding]);
    };
    let uri = resources::error(&code);
    let answer = Answer {
        status: Status::Ok,
        text: Some(page.to_owned()),
        page: Some(uri.clone()),
        findings: Vec::new(),
        code: code.clone(),
    };
    let mut text = Outline::default();
    text.text(page);
    let mut result = answer::result(&answer, &text, Status::Ok, &[]);
    result
        .content
        .push(ContentBlock::resource_link(Resource::new(uri, code).with_mime_type("text/markdown")));
    result
}

fn refused(code: String, findings: Vec<Finding>) -> CallToolResult {
    let mut text = Outline::default();
    text.line("INVALID: nothing is described");
    text.findings(&findings);
    let answer = Answer { status: Status::Invalid, code, text: None, page: None, findings };
    answer::result(&answer, &text, Status::Invalid, &answer.findings)
}
