//! The slice of a finding as a message chart.

use servanda_chart::{Chart, Explanation, Happening, Moment, Section, Step};
use servanda_model::Model;
use servanda_report::audit::AuditFinding;

/// What the slice did, up to the line that broke the rule.
pub(super) fn slice(model: &Model, finding: &AuditFinding) -> Explanation {
    let lifelines: Vec<String> = model.agents.iter().map(|agent| agent.name.clone()).collect();
    let lifelines = if lifelines.is_empty() { vec!["log".to_owned()] } else { lifelines };
    let step = |label: &str, fact: String, notes: Vec<String>| Step {
        happening: happening(label, &lifelines),
        full: label.to_owned(),
        after: Moment { facts: vec![fact], notes },
    };
    let place = |at: Option<&servanda_report::audit::LogLine>| match at {
        Some(at) => format!("line {}", at.line),
        None => "at the end".to_owned(),
    };
    let mut steps: Vec<Step> =
        finding.steps.iter().map(|(at, label)| step(label, place(Some(at)), Vec::new())).collect();
    let mut notes = vec![finding.message.clone()];
    notes.extend(finding.explanation.as_ref().map(|(text, _)| text.clone()));
    // What a line says that is not possible is no step of the slice.
    match (finding.kind, finding.labels.last()) {
        ("not-possible", Some(label)) => steps.push(step(label, place(finding.at.as_ref()), notes)),
        _ => {
            if let Some(last) = steps.last_mut() {
                last.after.notes = notes;
            }
        }
    }
    let title = match finding.key.join("/").as_str() {
        "" => finding.view.clone().unwrap_or_default(),
        key => format!("{} {key}", finding.view.as_deref().unwrap_or_default()),
    };
    let chart = Chart { number: 1, title, lifelines, steps, ..Chart::default() };
    Explanation {
        title: finding.code.clone(),
        formula: finding.message.clone(),
        sections: vec![Section::Chart(chart)],
        ..Explanation::default()
    }
}

/// Who says something, by the text of the label: `Client: ask`, `Cr(Responder, answer)`.
fn happening(label: &str, lifelines: &[String]) -> Happening {
    let at = |name: &str| lifelines.iter().position(|lifeline| lifeline == name.trim());
    let sender = label.split_once(':').and_then(|(name, rest)| Some((at(name)?, rest.trim())));
    let actor = label.split_once('(').and_then(|(_, rest)| at(rest.split([',', ')']).next()?));
    match (sender, actor) {
        (Some((from, label)), _) => {
            let to: Vec<usize> = (0..lifelines.len()).filter(|other| *other != from).collect();
            match to.is_empty() {
                true => Happening::Own { at: from, label: label.to_owned() },
                false => Happening::Message { from, to, label: label.to_owned() },
            }
        }
        (None, Some(at)) => Happening::Own { at, label: label.to_owned() },
        (None, None) => Happening::Nobody(label.to_owned()),
    }
}
