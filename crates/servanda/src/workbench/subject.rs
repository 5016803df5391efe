//! From what the page sends to a model and questions about it.

use servanda_messages::{Asked, Event, Subject};
use servanda_report::Finding;
use servanda_syntax::Code;

use super::desk::Desk;
use super::places;
use crate::{ActsFile, Choices, Language, Loaded, Question, joined};

/// Reads the text of a job and tells what is found in it; `None` where it has no meaning.
pub(super) fn load(subject: &Subject, desk: Desk<'_>) -> Option<Loaded> {
    match read(subject, desk) {
        Ok(loaded) => {
            desk.tell_findings(&loaded.findings);
            Some(loaded)
        }
        Err(findings) => {
            desk.tell_findings(&findings);
            None
        }
    }
}

/// Reads the text of a job: the texts that came with it go before files.
pub(super) fn read(subject: &Subject, desk: Desk<'_>) -> Result<Loaded, Vec<Finding>> {
    let language = language(subject.language);
    let front_end = language.front_end();
    let (article, name) = front_end.name;
    let refused = |code, message: String| Err(vec![Finding::error(code, message)]);
    if !front_end.has_parameters && !subject.parameters.is_empty() {
        return refused(
            Code::NoParameters,
            format!("{}: {article} {name} file has no parameters", subject.path),
        );
    }
    if let Some(process) = subject.process.as_ref().filter(|_| !front_end.has_processes) {
        let message = format!("{}: only CCS files have processes, and `{process}` is named", subject.path);
        return refused(Code::NoProcesses, message);
    }
    let acts = if front_end.has_acts { acts(subject, desk)? } else { None };
    let acts = acts.as_ref().map(|(name, text)| ActsFile { name, text, is_given: false });
    let parameters: Vec<(String, i64)> =
        subject.parameters.iter().map(|(name, value)| (name.clone(), *value)).collect();
    let find = |user: &str, path: &str| {
        let name = joined(user, path);
        match subject.open.get(&name) {
            Some(text) => Ok((name, text.clone())),
            None => desk.files.find(user, path),
        }
    };
    let process = subject.process.as_deref();
    let choices = Choices { parameters: &parameters, process, acts, find: Some(&find) };
    Loaded::read(language, subject.path.as_str(), subject.text.as_str(), choices)
}

/// As front ends call it.
pub(super) fn language(language: servanda_messages::Language) -> Language {
    match language {
        servanda_messages::Language::Pact => Language::Pact,
        servanda_messages::Language::Ispl => Language::Ispl,
        servanda_messages::Language::Ccs => Language::Ccs,
    }
}

/// The acts file beside the text, with what stands in it.
fn acts(subject: &Subject, desk: Desk<'_>) -> Result<Option<(String, String)>, Vec<Finding>> {
    let name = std::path::Path::new(&subject.path).with_extension("acts").to_string_lossy().into_owned();
    match subject.open.get(&name) {
        Some(text) => Ok(Some((name, text.clone()))),
        None => desk.files.acts(&subject.path),
    }
}

/// What will be decided, told as soon as it is known.
pub(super) fn tell_asked(questions: &[Question], desk: Desk<'_>) {
    let asked = |question: &Question| {
        let property = &question.property;
        Asked {
            name: property.name.clone(),
            formula: property.text.clone(),
            level: Some(places::level(property.level)),
            is_scenario: property.scenario.is_some(),
            place: places::written(&question.source, property.span),
        }
    };
    desk.page.tell(Event::Asked { properties: questions.iter().map(asked).collect() });
}

/// The one question of a job that explains.
pub(super) fn one_question(
    loaded: &Loaded,
    (property, formula): (Option<&String>, Option<&String>),
    desk: Desk<'_>,
) -> Option<Question> {
    let (names, formulas): (Vec<String>, Vec<String>) =
        (property.into_iter().cloned().collect(), formula.into_iter().cloned().collect());
    if names.len() + formulas.len() != 1 {
        desk.refuse("name one property or give one formula");
        return None;
    }
    match loaded.questions(&names, &formulas) {
        Ok(questions) => questions.into_iter().next(),
        Err(findings) => {
            desk.refuse_for("what is asked has no meaning in this model", &findings);
            None
        }
    }
}
