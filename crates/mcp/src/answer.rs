//! What every tool answers with: a status, findings with the lines to change, and the same in a few lines of text.

use rmcp::model::{CallToolResult, ContentBlock, Resource};
use schemars::JsonSchema;
use serde::Serialize;

use servanda_messages::{self as events, Event, Place, Severity};

use crate::subject::Texts;

/// Findings beyond so many are counted and not told.
const MOST_FINDINGS: usize = 12;

/// A line of a text is told up to so many characters.
const LONGEST: usize = 200;

servanda_syntax::named! {
    /// How a call came out.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum Status {
        /// All is as wanted. Nothing else counts as a pass.
        Ok = "ok",
        /// Something is not as wanted.
        Failed = "FAILED",
        /// Nothing speaks against it, but not all of it was decided.
        #[default]
        Undecided = "UNDECIDED",
        /// What was asked has no meaning; nothing was decided.
        Invalid = "INVALID",
    }
}

/// A line of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Line {
    /// The file.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// What stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

impl Line {
    pub(crate) fn new(place: &Place, texts: &Texts<'_>) -> Self {
        Line::of(&place.path, place.line, texts)
    }

    pub(crate) fn of(file: &str, line: usize, texts: &Texts<'_>) -> Self {
        let text = texts.line(file, line).map(|line| clipped(line.trim_end()));
        Line { file: file.to_owned(), line, text }
    }

    /// The lines of places, each once and in order.
    pub(crate) fn all(places: &[Place], texts: &Texts<'_>) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for place in places {
            if !lines.iter().any(|line| line.file == place.path && line.line == place.line) {
                lines.push(Line::new(place, texts));
            }
        }
        lines
    }

    pub(crate) fn told(&self) -> String {
        match &self.text {
            Some(text) => format!("{}:{}: {}", self.file, self.line, text.trim_start()),
            None => format!("{}:{}", self.file, self.line),
        }
    }
}

/// Something found in what was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Finding {
    /// How bad it is.
    pub(crate) severity: Severity,
    /// What sort of finding it is; `describe_error` explains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    /// What is wrong.
    pub(crate) message: String,
    /// The line to change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Line>,
    /// The column in it, from 1, in UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<usize>,
    /// The valid name that is nearest to a wrong one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nearest: Option<String>,
    /// What else helps.
    pub(crate) help: Vec<String>,
    /// The resource that explains the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) page: Option<String>,
}

/// The status of a call that was not worked on: there is nothing to correct where only a place was lacking.
pub(crate) fn refused(findings: &[Finding]) -> Status {
    if are_wrong(findings) { Status::Invalid } else { Status::Undecided }
}

impl Finding {
    /// Something wrong with what was asked.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Finding {
            severity: Severity::Error,
            code: None,
            message: message.into(),
            at: None,
            column: None,
            nearest: None,
            help: Vec::new(),
            page: None,
        }
    }

    /// With the nearest valid name.
    pub(crate) fn near(self, nearest: Option<&str>) -> Self {
        Finding { nearest: nearest.map(str::to_owned), ..self }
    }

    /// With a word of help.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    pub(crate) fn new(found: events::Finding, texts: &Texts<'_>) -> Self {
        let meant = |help: &String| Some(help.strip_prefix("did you mean `")?.split_once('`')?.0.to_owned());
        let nearest = found.help.iter().find_map(meant);
        Finding {
            severity: found.severity,
            page: servanda_docs::error_page(&found.code).map(|_| crate::resources::error(&found.code)),
            code: Some(found.code),
            message: found.message,
            column: found.place.as_ref().map(|place| place.column),
            at: found.place.map(|place| Line::new(&place, texts)),
            help: found.help.into_iter().filter(|help| meant(help).is_none()).collect(),
            nearest,
        }
    }

    fn told(&self, into: &mut Outline) {
        let code = self.code.as_ref().map_or_else(String::new, |code| format!("[{code}]"));
        let at = self.at.as_ref().map_or_else(String::new, |at| {
            let column = self.column.map_or_else(String::new, |column| format!(":{column}"));
            format!(" {}:{}{column}", at.file, at.line)
        });
        into.line(format!("{}{code}{at}: {}", self.severity.word(), self.message));
        if let Some(at) = &self.at
            && let Some(text) = &at.text
        {
            into.line(format!("    {} | {text}", at.line));
        }
        if let Some(nearest) = &self.nearest {
            into.line(format!("    did you mean `{nearest}`?"));
        }
        for help in &self.help {
            into.line(format!("    {help}"));
        }
    }
}

/// What a job says of the text it was given, and why it does not do what it was asked.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) findings: Vec<events::Finding>,
    pub(crate) refused: Option<String>,
}

impl Said {
    /// Keeps an event that is about the text; any other is given back.
    pub(crate) fn keep(&mut self, event: Event) -> Option<Event> {
        match event {
            Event::Findings { findings } => self.findings = findings,
            Event::Refused { message, findings } => {
                self.findings.extend(findings);
                self.refused = Some(message);
            }
            event => return Some(event),
        }
        None
    }

    /// All that was said, in the order of how bad it is.
    pub(crate) fn told(self, texts: &Texts<'_>) -> Vec<Finding> {
        let mut findings = findings(self.findings, texts);
        if let (Some(refused), false) = (self.refused, are_wrong(&findings)) {
            findings.insert(0, Finding::error(refused));
        }
        findings
    }
}

/// Findings in the order of how bad they are, the first of them, and how many there are.
pub(crate) fn findings(found: Vec<events::Finding>, texts: &Texts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = found.into_iter().map(|found| Finding::new(found, texts)).collect();
    findings.sort_by_key(|finding| finding.severity);
    let all = findings.len();
    if all > MOST_FINDINGS {
        findings.truncate(MOST_FINDINGS);
        let rest = all - MOST_FINDINGS;
        let mut more = Finding::error(format!("and {rest} more findings; correct these first"));
        more.severity = Severity::Note;
        findings.push(more);
    }
    findings
}

/// Is any of them an error?
pub(crate) fn are_wrong(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// A text of few lines.
#[derive(Default)]
pub(crate) struct Outline {
    lines: Vec<String>,
}

impl Outline {
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push(clipped(line.as_ref()));
    }

    pub(crate) fn text(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line.trim_end()));
    }

    pub(crate) fn findings(&mut self, findings: &[Finding]) {
        findings.iter().for_each(|finding| finding.told(self));
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(crate) fn joined(&self) -> String {
        self.lines.join("\n")
    }
}

/// The first lines of a text; what is left out is counted, with a word on how to get it.
pub(crate) fn first_lines(text: &str, most: usize, more: &str) -> String {
    let all = text.lines().count();
    if all <= most {
        return text.trim_end().to_owned();
    }
    let shown: Vec<&str> = text.lines().take(most).collect();
    format!("{}\n… {} more lines: {more}", shown.join("\n"), all - most)
}

/// The beginning of a line.
fn clipped(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The result of a call: the structure, the text, and links to the pages about what was found.
pub(crate) fn result(
    structure: &impl Serialize,
    text: &Outline,
    status: Status,
    findings: &[Finding],
) -> CallToolResult {
    let mut content = vec![ContentBlock::text(text.joined())];
    let mut pages: Vec<(&str, &str)> = Vec::new();
    for finding in findings.iter().filter(|finding| finding.severity != Severity::Note) {
        if let (Some(page), Some(code)) = (&finding.page, &finding.code)
            && !pages.contains(&(page, code))
        {
            pages.push((page, code));
        }
    }
    for (page, code) in pages {
        let link = Resource::new(page, code).with_mime_type("text/markdown");
        content.push(ContentBlock::resource_link(link));
    }
    let mut result = if status == Status::Invalid {
        CallToolResult::error(content)
    } else {
        CallToolResult::success(content)
    };
    // Only keys that are no strings make this fail, and there are none.
    result.structured_content = serde_json::to_value(structure).ok();
    result
}
