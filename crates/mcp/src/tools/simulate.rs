//! `simulate`

mod walk;

use rmcp::model::{CallToolResult, JsonObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use servanda_messages::{SimulatorNode, StateData, ValueChange, Word};

use crate::answer::{self, Finding, Line, Outline, Status, are_wrong};
use crate::arguments;
use crate::desk::{Allowed, Call, Desk};
use crate::subject::{Subject, Texts};
use walk::{Walk, walk};

/// So many random steps can be asked for.
const MOST_STEPS: usize = 200;

/// So many steps of the run, and so many choices, are told.
const STEPS: usize = 24;
const CHOICES: usize = 16;

/// The way to go.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct Arguments {
    #[serde(flatten)]
    subject: Subject,
    /// The steps to take from the initial state on: each the label of a step, or its number among the choices, as an earlier call told them.
    take: Vec<Take>,
    /// Then this many random steps.
    #[schemars(range(max = 200))]
    random: usize,
    /// Where chance begins: the same number gives the same run.
    seed: Option<u64>,
    /// Which initial state, from 0, where there are several.
    initial: Option<usize>,
    /// Formulas whose values in the last state are told.
    watch: Vec<String>,
    #[serde(flatten)]
    allowed: Allowed,
}

/// A step to take.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Take {
    /// Its number among the choices.
    Number(usize),
    /// Its label.
    Label(String),
}

/// Where the run led.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(crate) struct Answer {
    status: Status,
    /// The last steps of the run.
    steps: Vec<Step>,
    /// How many steps before these are not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// The state that the run ends in.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
    /// What can happen next.
    choices: Vec<Choice>,
    /// The values of the watched formulas.
    watched: Vec<Watched>,
    /// Several initial states: choose one with `initial`.
    initial: Vec<State>,
    findings: Vec<Finding>,
}

/// What happened.
#[derive(Debug, Serialize, JsonSchema)]
struct Step {
    /// From 1.
    number: usize,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    to: Vec<String>,
    /// What is another one after it, with its new value.
    changes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Line>,
}

/// What can happen.
#[derive(Debug, Serialize, JsonSchema)]
struct Choice {
    /// What to say in `take`.
    number: usize,
    label: String,
    /// What it changes.
    changes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Line>,
}

/// A state.
#[derive(Debug, Serialize, JsonSchema)]
struct State {
    /// As in `in owed` and `count = 2`.
    values: Vec<String>,
    /// The commitments in force.
    in_force: Vec<String>,
    /// Nothing can happen, and nothing says that this is an end.
    is_deadlock: bool,
    /// This is an end.
    is_final: bool,
}

/// A formula in the last state.
#[derive(Debug, Serialize, JsonSchema)]
struct Watched {
    formula: String,
    value: Word,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Goes a way through the model.
pub(crate) async fn answered(
    given: Option<JsonObject>,
    desk: &Desk,
    call: &Call,
) -> Result<Answer, Vec<Finding>> {
    let arguments: Arguments = arguments::read(given)?;
    let mut wrong = Vec::new();
    if arguments.random > MOST_STEPS {
        wrong.push(Finding::error(format!("`random` is at most {MOST_STEPS}")));
    }
    let read = arguments.subject.clone().read_unless(wrong, &desk.folder)?;
    let request = json!({ "kind": "simulate", "subject": read.request(), "seed": arguments.seed });
    let allowed = arguments.allowed;
    let (walked, trouble) = desk.run(call, (request, allowed), |talk| walk(talk, arguments)).await?;
    Ok(judged(walked, trouble, &read.texts(&desk.folder)))
}

pub(crate) fn invalid(findings: Vec<Finding>) -> Answer {
    Answer { status: answer::refused(&findings), findings, ..Answer::default() }
}

fn judged(walked: Walk, trouble: Option<Finding>, texts: &Texts<'_>) -> Answer {
    let mut findings = answer::findings(walked.findings, texts);
    findings.splice(0..0, walked.wrong);
    findings.splice(0..0, trouble);
    let mut steps: Vec<Step> = Vec::new();
    for (number, node) in (1..).zip(walked.nodes.iter().filter(|node| node.step.is_some())) {
        let Some(step) = &node.step else { continue };
        steps.push(Step {
            number,
            label: step.label.clone(),
            from: step.from.clone(),
            to: step.to.clone(),
            changes: changes(node),
            at: step.places.first().map(|place| Line::new(place, texts)),
        });
    }
    let left_out = steps.len().saturating_sub(STEPS);
    steps.drain(..left_out);
    let last = walked.nodes.last();
    let choices = last.into_iter().flat_map(|node| &node.choices).map(|choice| Choice {
        number: choice.index,
        label: choice.step.label.clone(),
        changes: choice.changes.iter().map(change).collect(),
        at: choice.step.places.first().map(|place| Line::new(place, texts)),
    });
    let choices = choices.collect();
    let initial = last.and_then(|node| node.initial.as_ref());
    Answer {
        status: if are_wrong(&findings) { Status::Invalid } else { Status::Ok },
        steps,
        left_out: (left_out > 0).then_some(left_out),
        state: last.filter(|node| node.initial.is_none()).map(|node| State::new(&node.state)),
        choices,
        watched: walked
            .watched
            .into_iter()
            .map(|one| Watched { formula: one.text, value: one.value, reason: one.reason })
            .collect(),
        initial: initial.into_iter().flatten().map(State::new).collect(),
        findings,
    }
}

/// What a step changed, with the new values.
fn changes(node: &SimulatorNode) -> Vec<String> {
    let new = |name: &String| match node.state.values.iter().find(|value| value.name == *name) {
        Some(value) => assigned(name, &value.value),
        None if node.state.in_force.iter().any(|one| one.name == *name) => format!("{name} in force"),
        None => format!("{name} no longer in force"),
    };
    node.changed.iter().map(new).collect()
}

fn change(change: &ValueChange) -> String {
    match (change.from.as_str(), change.to.as_str()) {
        (_, "in force") => format!("{} in force", change.name),
        ("in force", _) => format!("{} no longer in force", change.name),
        (_, to) => assigned(&change.name, to),
    }
}

fn assigned(name: &str, value: &str) -> String {
    if name == "in" { format!("in {value}") } else { format!("{name} = {value}") }
}

impl State {
    fn new(state: &StateData) -> Self {
        State {
            values: state.values.iter().map(|value| assigned(&value.name, &value.value)).collect(),
            in_force: state.in_force.iter().map(|one| format!("{}: {}", one.name, one.text)).collect(),
            is_deadlock: state.is_deadlock,
            is_final: state.is_final,
        }
    }

    fn told(&self) -> String {
        let mut words = self.values.join(", ");
        if self.is_deadlock {
            words += " (deadlock: nothing can happen)";
        } else if self.is_final {
            words += " (final)";
        }
        words
    }
}

pub(crate) fn told(answer: Answer) -> CallToolResult {
    let mut text = Outline::default();
    let gone = answer.left_out.unwrap_or(0) + answer.steps.len();
    text.line(format!("{}: {gone} steps", answer.status.word()));
    text.findings(&answer.findings);
    if let Some(left_out) = answer.left_out {
        text.line(format!("… {left_out} steps before these"));
    }
    for step in &answer.steps {
        let at = step.at.as_ref().map_or_else(String::new, |at| format!("   {}:{}", at.file, at.line));
        let who = match (&step.from, step.to.as_slice()) {
            (Some(from), []) => format!("{from}: "),
            (Some(from), to) => format!("{from} → {}: ", to.join(", ")),
            (None, _) => String::new(),
        };
        let changes =
            if step.changes.is_empty() { "nothing changes".to_owned() } else { step.changes.join(", ") };
        text.line(format!("{:3}  {who}{}   [{changes}]{at}", step.number, step.label));
    }
    if let Some(state) = &answer.state {
        text.line(format!("now: {}", state.told()));
        state.in_force.iter().for_each(|one| text.line(format!("     in force: {one}")));
    }
    for one in &answer.watched {
        let reason = one.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        text.line(format!("     `{}` is {}{reason}", one.formula, one.value.word()));
    }
    if !answer.choices.is_empty() {
        text.line("next, to be given in `take`:");
    }
    for choice in answer.choices.iter().take(CHOICES) {
        let at = choice.at.as_ref().map_or_else(String::new, |at| format!("   {}:{}", at.file, at.line));
        text.line(format!("  {}  {}   [{}]{at}", choice.number, choice.label, choice.changes.join(", ")));
    }
    if answer.choices.len() > CHOICES {
        text.line(format!("  … and {} more", answer.choices.len() - CHOICES));
    }
    for (number, state) in answer.initial.iter().enumerate().take(CHOICES) {
        text.line(format!("  initial state {number}: {}", state.told()));
    }
    answer::result(&answer, &text, answer.status, &answer.findings)
}
