//! Why a verdict is what it is.

use servanda_evidence::EvidenceKind;
use servanda_messages::{Event, Subject};
use servanda_report::Finding;

use super::check::Observer;
use super::desk::Desk;
use super::draw::WIDTH;
use super::evidence;
use super::scribe::Scribe;
use super::subject;
use super::survey::Survey;
use crate::{CheckOptions, Drawing, Explained, Loaded, Question, as_it_is, explain};

/// Says why the verdict of a property, or of a formula, is what it is.
pub(super) fn run(
    subject: &Subject,
    asked: (Option<&String>, Option<&String>),
    is_drawn: bool,
    desk: Desk<'_>,
) {
    let Some(loaded) = subject::load(subject, desk) else { return };
    let Some(question) = subject::one_question(&loaded, asked, desk) else { return };
    tell(&loaded, &question, desk.options(&loaded), (is_drawn, &[]), desk);
}

/// Says why the verdict of a question is what it is, beside the findings that are known already.
pub(super) fn tell(
    loaded: &Loaded,
    question: &Question,
    options: CheckOptions,
    (is_drawn, known): (bool, &[Finding]),
    desk: Desk<'_>,
) {
    let questions = std::slice::from_ref(question);
    let observer = Observer::new(loaded, questions, options.readings, desk).of_progress();
    let (explained, evidence) = observer.while_telling(|watch| {
        let explained = explain(loaded, question, options, watch);
        let evidence = shown(&explained, loaded, question, Desk { watch, ..desk });
        (explained, evidence)
    });
    let is_known = |found: &&Finding| known.iter().any(|other| other.diagnostic == found.diagnostic);
    let news = explained.report.run.findings.iter().filter(|found| !is_known(found));
    let all: Vec<Finding> = known.iter().chain(news).cloned().collect();
    desk.tell_findings(&all);
    let Some(property) = explained.report.properties.first() else {
        return desk.refuse("it was not decided");
    };
    let mut verdict = observer.verdict(question, property);
    verdict.has_evidence = evidence.is_some();
    let why = match &explained.explanation {
        Some(explanation) => Some(explanation.summary.join(" ")).filter(|why| !why.is_empty()),
        None => verdict.reason.clone(),
    };
    // A chart in characters can always be drawn.
    let chart = is_drawn.then(|| explained.draw(loaded, Drawing::Text, WIDTH).unwrap_or_default());
    let chart = chart.filter(|chart| !chart.is_empty());
    desk.page.tell(Event::Evidence { evidence, verdict, why, chart });
}

/// The evidence, where there is some.
fn shown(
    explained: &Explained,
    loaded: &Loaded,
    question: &Question,
    desk: Desk<'_>,
) -> Option<servanda_messages::Evidence> {
    let evidence = explained.evidence.as_deref()?;
    let property = &question.property;
    let word = explained.report.properties.first().map_or("", |property| property.word());
    let title = match (&property.scenario, evidence.kind) {
        (Some(_), _) if word == "possible" => format!("A run that has the scenario {}", property.name),
        (Some(_), _) => format!("As far as runs get in the scenario {}", property.name),
        (None, EvidenceKind::Counterexample) => format!("A run that shows that `{}` is false", property.text),
        (None, EvidenceKind::Witness) => format!("A run that shows that `{}` is true", property.text),
    };
    // Scenarios are about the model as it is, and so is what is known on their runs.
    let (bare, own) = as_it_is(loaded, desk.options(loaded));
    let (model, options) = match (&property.scenario, &bare) {
        (Some(_), Some(bare)) => (bare.model(), own),
        _ => (loaded.model(), desk.options(loaded)),
    };
    let mut survey = Survey::new(model, options.readings, desk.watch);
    survey.note(&property.formula, desk.watch);
    let mut scribe = Scribe::new(loaded);
    Some(evidence::shown(evidence, title, (&mut scribe, &mut survey), desk.watch))
}
