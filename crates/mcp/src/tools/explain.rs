//! `explain`

use rmcp::model::{CallToolResult, JsonObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use servanda_messages::{Event, Place, Verdict, Word};

use crate::answer::{self, Finding, Line, Outline, Said, Status, are_wrong, first_lines};
use crate::arguments;
use crate::desk::{Allowed, Call, Desk, Talk};
use crate::subject::{Subject, Texts};

/// The lines of a chart, unless said otherwise, and at most.
const USUAL: usize = 44;
const MOST: usize = 1000;

/// What is to be explained.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    #[serde(flatten)]
    subject: Subject,
    /// The property or scenario of the model. Give this or `formula`.
    property: Option<String>,
    /// A formula, as in `AG (in owed -> AF in done)`. Give this or `property`.
    formula: Option<String>,
    /// So many lines of the chart are answered; 44 unless said.
    #[schemars(range(min = 1, max = 1000))]
    lines: Option<usize>,
    #[serde(flatten)]
    allowed: Allowed,
}

/// Why a verdict is what it is.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// `ok` where it is explained, whatever the verdict.
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Word>,
    /// Is it what the model expects, or true where it expects nothing?
    #[serde(skip_serializing_if = "Option::is_none")]
    as_wanted: Option<bool>,
    /// Which engine decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine: Option<String>,
    /// In a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// A run that shows it, as a message chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    chart: Option<String>,
    /// The lines that the steps of this run are written in: candidates for a change.
    lines: Vec<Line>,
    findings: Vec<Finding>,
}

/// What a job told.
#[derive(Default)]
struct Heard {
    said: Said,
    verdict: Option<Verdict>,
    why: Option<String>,
    chart: Option<String>,
    places: Vec<Place>,
}

/// Explains a verdict.
pub(crate) async fn answered(
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Result<Answer, Vec<Finding>> {
    let arguments: Arguments = arguments::read(given)?;
    let mut wrong = Vec::new();
    if arguments.property.is_some() == arguments.formula.is_some() {
        wrong.push(Finding::error("name one `property`, or give one `formula`"));
    }
    let read = arguments.subject.read_unless(wrong, &desk.folder)?;
    let request = json!({
        "kind": "explain",
        "subject": read.request(),
        "property": arguments.property,
        "formula": arguments.formula,
        "chart": true,
    });
    let lines = arguments.lines.unwrap_or(USUAL).clamp(1, MOST);
    let hear = |talk: Talk| talk.keep_all(Heard::keep);
    let (heard, trouble) = desk.run(call, (request, arguments.allowed), hear).await?;
    Ok(judged(heard, trouble, lines, &read.texts(&desk.folder)))
}

impl Heard {
    fn keep(&mut self, event: Event) {
        if let Some(Event::Evidence { evidence, verdict, why, chart }) = self.said.keep(event) {
            self.places = evidence.map(|evidence| evidence.places()).unwrap_or_default();
            (self.verdict, self.why, self.chart) = (Some(verdict), why, chart);
        }
    }
}

pub(crate) fn invalid(findings: Vec<Finding>) -> Answer {
    Answer { status: answer::refused(&findings), findings, ..Answer::default() }
}

fn judged(heard: Heard, trouble: Option<Finding>, lines: usize, texts: &Texts<'_>) -> Answer {
    let mut findings = heard.said.told(texts);
    if are_wrong(&findings) {
        findings.splice(0..0, trouble);
        return invalid(findings);
    }
    let decided = heard.verdict.as_ref().filter(|verdict| verdict.verdict != Word::Unknown);
    let status = if decided.is_some() && trouble.is_none() { Status::Ok } else { Status::Undecided };
    findings.splice(0..0, trouble);
    let more = "call again with more `lines`";
    Answer {
        status,
        verdict: heard.verdict.as_ref().map(|verdict| verdict.verdict).or(Some(Word::Unknown)),
        as_wanted: heard.verdict.as_ref().map(|verdict| verdict.as_wanted),
        engine: heard.verdict.map(|verdict| verdict.engine).filter(|engine| !engine.is_empty()),
        why: heard.why,
        chart: heard.chart.map(|chart| first_lines(&chart, lines, more)),
        lines: Line::all(&heard.places, texts),
        findings,
    }
}

pub(crate) fn told(answer: Answer) -> CallToolResult {
    let mut text = Outline::default();
    let verdict = answer.verdict.map_or("nothing was decided", Word::word);
    text.line(format!("{}: {verdict}", answer.status.word()));
    text.findings(&answer.findings);
    match (&answer.chart, &answer.why) {
        (Some(chart), _) => text.text(chart),
        (None, Some(why)) => text.line(why),
        (None, None) => {}
    }
    if !answer.lines.is_empty() {
        text.line("The run goes through these lines:");
        answer.lines.iter().take(12).for_each(|line| text.line(format!("  {}", line.told())));
    }
    answer::result(&answer, &text, answer.status, &answer.findings)
}
