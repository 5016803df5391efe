//! A rule that was broken.

use schemars::JsonSchema;
use serde::Serialize;
use servanda_messages::{AuditFinding, Level};

use crate::answer::{Line, Outline};
use crate::subject::Texts;

/// A rule that was broken.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Broken {
    pub(super) level: Level,
    /// False where lines that came in another order would not break it.
    is_certain: bool,
    code: String,
    message: String,
    /// The line of the log; none: its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Line>,
    /// Where it began: of a commitment, the line that created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<Line>,
    /// The conversation.
    conversation: String,
    /// Where the rule stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    citation: Option<String>,
    /// The line of the model that says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<Line>,
    /// What could have happened instead.
    possible: Vec<String>,
    /// The cheapest explanation of what happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<String>,
}

impl Broken {
    pub(super) fn new(found: &AuditFinding, log: &str, texts: &Texts<'_>) -> Self {
        let place = |line: u64| {
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            Line::of(log, line, texts)
        };
        // Labels name their roles.
        let possible = found.possible.iter().flat_map(|possible| possible.labels.clone());
        Broken {
            level: found.level,
            is_certain: found.is_certain,
            code: found.code.clone(),
            message: found.message.clone(),
            at: (found.line > 0).then(|| place(found.line)),
            since: found.since.map(place),
            conversation: format!("{} {}", found.view, found.key).trim().to_owned(),
            citation: found.citation.clone(),
            rule: found.rule.as_ref().map(|place| Line::new(place, texts)),
            possible: possible.collect(),
            explanation: found.explanation.clone(),
        }
    }

    pub(super) fn told(&self, into: &mut Outline) {
        let doubt = if self.is_certain { "" } else { " (not certain: in another order it would be kept)" };
        let (level, code) = (self.level.word(), &self.code);
        into.line(format!("{level} {code} in {}: {}{doubt}", self.conversation, self.message));
        into.line(match &self.at {
            Some(at) => format!("    {}", at.told()),
            None => "    at the end of the log".to_owned(),
        });
        let (since, rule) = (self.since.as_ref().map(Line::told), self.rule.as_ref().map(Line::told));
        let parts = [
            ("since", since.as_ref()),
            ("rule", rule.as_ref()),
            ("stands in", self.citation.as_ref()),
            ("explained", self.explanation.as_ref()),
        ];
        for (what, part) in parts {
            if let Some(part) = part {
                into.line(format!("    {what}: {part}"));
            }
        }
        if !self.possible.is_empty() {
            into.line(format!("    possible there: {}", self.possible.join("; ")));
        }
    }
}
