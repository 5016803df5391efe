//! The command that says why a verdict is not as wanted.

use clap::ValueEnum;
use servanda::{Loaded, Question};
use servanda_report::{CheckReport, Outcome, Status};

use super::args::{ModelArguments, ReadingArguments, Uniform};
use super::project::Model;
use super::setting;

/// `servanda explain` for the first verdict that is a failure, with all that the check was told of the model.
pub(crate) fn command(
    report: &CheckReport,
    questions: &[Question],
    loaded: &Loaded,
    (job, subject): (&Model, &ModelArguments),
) -> Option<String> {
    if report.status() != Status::Unwanted {
        return None;
    }
    let wrong = |index: &usize| {
        let property = &report.properties[*index];
        report.demands(property) && property.outcome() == Outcome::Unwanted
    };
    let index = (0..report.properties.len()).find(wrong)?;
    let asked = &questions.get(index)?.property;
    let declared = loaded.properties().iter().any(|property| property.name == asked.name);
    let mut words = vec!["servanda".to_owned(), "explain".to_owned(), quoted(&job.file)];
    let mut option = |name: &str, value: &str| words.extend([format!("--{name}"), quoted(value)]);
    match declared {
        true => option("property", &asked.name),
        false => option("formula", &asked.text),
    }
    for (name, value) in setting::parameters(&subject.param) {
        option("param", &format!("{name}={value}"));
    }
    if let Some(process) = subject.process.last() {
        option("process", process);
    }
    if let Some(file) = &subject.acts_file {
        option("acts-file", file);
    }
    if let Some(kind) = subject.input.input {
        option("input", &word(kind));
    }
    words.extend(readings(&job.readings));
    Some(words.join(" "))
}

fn readings(readings: &ReadingArguments) -> Vec<String> {
    let ReadingArguments { acts, past, validity, deadlock, uniform, recall } = readings;
    let valued = [
        ("acts", acts.map(word)),
        ("past", past.map(word)),
        ("validity", validity.map(word)),
        ("deadlock", deadlock.map(word)),
        ("recall", recall.map(|steps| steps.to_string())),
    ];
    let given = valued.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let mut words: Vec<String> = given.flat_map(|(name, value)| [format!("--{name}"), value]).collect();
    match uniform {
        None => {}
        Some(Uniform::Objective) => words.push("--uniform".to_owned()),
        Some(Uniform::Subjective) => words.push("--uniform=subjective".to_owned()),
    }
    words
}

/// The word for the value of an option.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// A word as shells read it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn what_shells_would_take_apart_is_quoted() {
        assert_eq!(quoted("examples/a.pact"), "examples/a.pact");
        assert_eq!(quoted("may_win[3]"), "'may_win[3]'");
        assert_eq!(quoted("AG p -> 'a"), r"'AG p -> '\''a'");
        assert_eq!(quoted(""), "''");
    }
}
