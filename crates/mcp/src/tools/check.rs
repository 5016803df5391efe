//! `check`

mod property;

use rmcp::model::{CallToolResult, JsonObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use servanda_messages::{Asked, Event, Level, ModelSize, Severity, Verdict};

use crate::answer::{self, Finding, Outline, Said, Status, are_wrong};
use crate::arguments;
use crate::desk::{Allowed, Call, Desk, Talk};
use crate::subject::{Subject, Texts};
use property::{Property, Shown};

/// So many verdicts that are not as wanted are shown with a run.
const SHOWN: usize = 3;

/// The lines of the text.
const LINES: usize = 58;

/// So many properties are listed.
const LISTED: usize = 100;

/// What is to be decided.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    #[serde(flatten)]
    subject: Subject,
    /// Decide only these properties of the model.
    properties: Vec<String>,
    /// Decide these formulas too; without `properties`, only these. As in `AG (in owed -> AF in done)`.
    formulas: Vec<String>,
    /// `auto` (the default), `tableau`, `bdd`, `sat` or `enumerate`.
    engine: Option<String>,
    /// A verdict that is not as wanted is a failure at this level and above; `must` unless said.
    level: Option<Level>,
    #[serde(flatten)]
    allowed: Allowed,
}

/// The verdicts.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    status: Status,
    /// The verdicts, those that are not as wanted first.
    properties: Vec<Property>,
    /// How large the model is, where that was found out.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<Size>,
    findings: Vec<Finding>,
}

/// How large a model is; numbers may be long.
#[derive(Debug, Serialize, JsonSchema)]
struct Size {
    states: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    transitions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlocks: Option<String>,
}

/// What a job told.
#[derive(Default)]
struct Heard {
    said: Said,
    asked: Vec<Asked>,
    verdicts: Vec<Verdict>,
    shown: Vec<Shown>,
    size: Option<ModelSize>,
}

/// Decides properties.
pub(crate) async fn answered(
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Result<Answer, Vec<Finding>> {
    let arguments: Arguments = arguments::read(given)?;
    let read = arguments.subject.read(&desk.folder)?;
    let request = json!({
        "kind": "check",
        "subject": read.request(),
        "properties": arguments.properties,
        "formulas": arguments.formulas,
        "engine": arguments.engine,
        "explain": SHOWN,
    });
    let hear = |talk: Talk| talk.keep_all(Heard::keep);
    let (heard, trouble) = desk.run(call, (request, arguments.allowed), hear).await?;
    let level = arguments.level.unwrap_or(Level::Must);
    Ok(judged(heard, trouble, level, &read.texts(&desk.folder)))
}

impl Heard {
    fn keep(&mut self, event: Event) {
        let Some(event) = self.said.keep(event) else { return };
        match event {
            Event::Asked { properties } => self.asked = properties,
            Event::Verdict { verdict } => {
                self.verdicts.retain(|other| other.name != verdict.name);
                self.verdicts.push(verdict);
            }
            Event::Model(size) => self.size = Some(size),
            Event::Evidence { evidence, verdict, chart, .. } => {
                let places = evidence.map(|evidence| evidence.places()).unwrap_or_default();
                self.shown.push(Shown { name: verdict.name, chart, places });
            }
            _ => {}
        }
    }
}

pub(crate) fn invalid(findings: Vec<Finding>) -> Answer {
    Answer { status: answer::refused(&findings), properties: Vec::new(), model: None, findings }
}

/// What follows from what was told. What was not decided is unknown, whatever the reason.
fn judged(heard: Heard, trouble: Option<Finding>, level: Level, texts: &Texts<'_>) -> Answer {
    let refused = heard.said.refused.is_some();
    let mut findings = heard.said.told(texts);
    if refused || are_wrong(&findings) {
        findings.splice(0..0, trouble);
        return invalid(findings);
    }
    let cut = trouble.as_ref().map(|trouble| trouble.message.clone());
    let is_cut = trouble.is_some();
    findings.splice(0..0, trouble);
    let mut shown = heard.shown;
    let mut properties: Vec<Property> = Vec::new();
    for asked in heard.asked {
        let verdict = heard.verdicts.iter().find(|verdict| verdict.name == asked.name);
        let shown = shown.iter().position(|shown| shown.name == asked.name).map(|at| shown.swap_remove(at));
        properties.push(Property::new(asked, verdict, shown, (cut.as_deref(), texts)));
    }
    properties.sort_by_key(Property::rank);
    let demanded = properties.iter().filter(|property| property.level <= level);
    let status = match demanded.map(Property::rank).min() {
        Some(0) => Status::Failed,
        Some(1) => Status::Undecided,
        // Nobody asked anything, or all that was asked is below the level: the first has not passed.
        _ if is_cut || properties.is_empty() => Status::Undecided,
        _ => Status::Ok,
    };
    let model = heard.size.map(|size| Size {
        states: size.states,
        transitions: size.transitions,
        deadlocks: size.deadlocks,
    });
    Answer { status, properties, model, findings }
}

pub(crate) fn told(mut answer: Answer) -> CallToolResult {
    let mut text = Outline::default();
    text.line(head(&answer));
    text.findings(&answer.findings);
    let (all, mut good) = (answer.properties.len(), 0);
    for (index, property) in answer.properties.iter().enumerate() {
        if text.len() >= LINES - 2 {
            text.line(format!("… and {} more properties", all - index));
            break;
        }
        if property.rank() == 2 && all > 12 {
            good += 1;
        } else {
            property.told(&mut text);
        }
    }
    if good > 0 {
        text.line(format!("✓ {good} properties are as wanted"));
    }
    answer.properties.truncate(LISTED);
    answer::result(&answer, &text, answer.status, &answer.findings)
}

/// The whole in one line.
fn head(answer: &Answer) -> String {
    let count = |rank| answer.properties.iter().filter(|property| property.rank() == rank).count();
    let (bad, unknown, good) = (count(0), count(1), count(2));
    let size = answer.model.as_ref().map_or_else(String::new, |size| {
        let part = |count: &Option<String>, what| {
            count.as_ref().map_or_else(String::new, |count| format!(", {count} {what}"))
        };
        format!(
            " ({} states{}{})",
            size.states,
            part(&size.transitions, "transitions"),
            part(&size.deadlocks, "deadlocks")
        )
    });
    let errors = answer.findings.iter().filter(|found| found.severity == Severity::Error).count();
    let words = match answer.status {
        Status::Invalid => format!("nothing was decided, {errors} to correct"),
        Status::Undecided if answer.model.is_none() && bad + unknown + good == 0 => {
            "nothing was decided".to_owned()
        }
        Status::Undecided if bad + unknown + good == 0 => {
            "no mistakes found, but there are no properties, so nothing was decided".to_owned()
        }
        Status::Ok if bad + unknown == 0 => format!("{good} as wanted"),
        Status::Ok => {
            format!("{bad} not as wanted and {unknown} unknown, below the level asked for, {good} as wanted")
        }
        _ => format!("{bad} not as wanted, {unknown} unknown, {good} as wanted"),
    };
    format!("{}: {words}{size}", answer.status.word())
}
