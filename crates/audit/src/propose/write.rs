//! A survey as a mapping and a model.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{MOST_KINDS, Proposal, Survey, last};

/// Somebody of whom the log does not say who he is.
const SOMEBODY: &str = "Somebody";

pub(super) fn proposal(survey: &Survey, log: &str, model: &str) -> Proposal {
    let names = names(survey);
    let labels = labels(survey);
    let mut text = format!(
        "# How the lines of {} become events of a model: a proposal, made from {} lines.\nversion = 1\n\n[source]\nformat = \"{}\"\n",
        one_line(log),
        survey.lines,
        survey.read.as_ref().map_or("jsonl", |(format, _)| format.word()),
    );
    if let Some(time) = survey.time() {
        let _ = writeln!(text, "time   = {}", quoted(time));
    }
    text.push_str("\n[fields]\n");
    let width = names.values().map(String::len).max().unwrap_or(0);
    for (pointer, seen) in &survey.fields {
        let name = &names[pointer.as_str()];
        let values = match seen.values.len() {
            1 => format!("always {}", shown(&seen.example)),
            count => format!("{count} values, such as {}", shown(&seen.example)),
        };
        let _ = writeln!(text, "{name:width$} = {}   # in {} lines, {values}", quoted(pointer), seen.lines);
    }
    let keys = survey.keys();
    text.push_str("\n# What may cut the log into slices, the likeliest first");
    match keys.is_empty() {
        true => text.push_str(": nothing found, so the log is one slice.\n"),
        false => {
            let known: Vec<&str> = keys.iter().map(|key| names[*key].as_str()).collect();
            let _ = writeln!(text, ": {}.", known.join(", "));
        }
    }
    let key = keys.first().map_or("'\"log\"'".to_owned(), |key| quoted(&names[*key]));
    let _ = write!(
        text,
        "[[view]]\nname  = \"conversation\"\nmodel = {}\nkey   = [{key}]\nevent = [\n",
        quoted(model)
    );
    for (condition, label) in rules(survey, &names, &labels) {
        let _ = writeln!(text, "  {{ when = {condition}, label = {} }},", quoted(&label));
    }
    text.push_str("]\n");
    Proposal { mapping: text, model: protocol(&labels) }
}

/// Who says what, as far as lines tell.
fn labels(survey: &Survey) -> BTreeSet<(Option<String>, Option<String>)> {
    let (role, word) = (survey.role(), survey.word());
    let mut found = BTreeSet::new();
    for row in &survey.rows {
        let of = |pointer: Option<&str>| pointer.and_then(|pointer| row.get(pointer).cloned());
        let pair = (of(role), of(word));
        if pair != (None, None) && found.len() < MOST_KINDS {
            found.insert(pair);
        }
    }
    found
}

/// The condition of each label, the most special first.
fn rules(
    survey: &Survey,
    names: &BTreeMap<&str, String>,
    labels: &BTreeSet<(Option<String>, Option<String>)>,
) -> Vec<(String, String)> {
    let field = |pointer: Option<&str>| pointer.and_then(|pointer| names.get(pointer));
    let (role, word) = (field(survey.role()), field(survey.word()));
    let equal = |name: Option<&String>, value: &Option<String>| {
        let (name, value) = (name?, value.as_ref()?);
        Some(format!("{name} = {}", in_expression(value)))
    };
    let mut labels: Vec<_> = labels.iter().collect();
    labels.sort_by_key(|(role, word)| (word.is_none(), role.is_none()));
    let mut rules: Vec<(String, String)> = labels
        .into_iter()
        .map(|(who, what)| {
            let parts: Vec<String> = [equal(role, who), equal(word, what)].into_iter().flatten().collect();
            (literal(&parts.join(" & ")), label(who.as_deref(), what.as_deref()))
        })
        .collect();
    if rules.is_empty() {
        rules.push(("'true'".to_owned(), label(None, None)));
    }
    rules
}

fn label(who: Option<&str>, what: Option<&str>) -> String {
    let who = who.map_or(SOMEBODY.to_owned(), role_name);
    format!("{who}: {}", what.map_or("says".to_owned(), word_name))
}

/// Everything that was said is possible, in any order.
fn protocol(labels: &BTreeSet<(Option<String>, Option<String>)>) -> String {
    let said: BTreeSet<(String, String)> = match labels.is_empty() {
        true => BTreeSet::from([(SOMEBODY.to_owned(), "says".to_owned())]),
        false => labels
            .iter()
            .map(|(who, what)| {
                let who = who.as_deref().map_or(SOMEBODY.to_owned(), role_name);
                (who, what.as_deref().map_or("says".to_owned(), word_name))
            })
            .collect(),
    };
    let roles: BTreeSet<&str> = said.iter().map(|(who, _)| who.as_str()).collect();
    let roles: Vec<&str> = roles.into_iter().collect();
    let mut text = String::from(
        "// What was said in the log, all of it possible at any time: the beginning of a protocol. Give its moments names of their own\n// and let transitions lead from one to the next, then nothing else is in order.\nprotocol Conversation\n",
    );
    let _ = write!(text, "roles {}\n\nstart talking\n\n", roles.join(", "));
    for (who, what) in &said {
        let _ = writeln!(text, "talking -- {who}: {what} --> talking");
    }
    text
}

/// Names for fields: the last part of a pointer, with what stands before it where that is needed.
fn names(survey: &Survey) -> BTreeMap<&str, String> {
    let mut taken = BTreeSet::new();
    let mut names = BTreeMap::new();
    for pointer in survey.fields.keys() {
        let parts: Vec<&str> = pointer.split('/').skip(1).collect();
        let mut name = String::new();
        for count in 1..=parts.len() {
            name = parts[parts.len() - count..].iter().map(|part| plain(part)).collect::<Vec<_>>().join("_");
            if !taken.contains(&name) {
                break;
            }
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.insert(pointer.as_str(), name);
    }
    names
}

/// Words that mean something in expressions.
const RESERVED: [&str; 12] =
    ["if", "true", "false", "has", "first", "recall", "matches", "each", "and", "or", "not", "in"];

fn plain(text: &str) -> String {
    let mut name: String =
        text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) || RESERVED.contains(&name.as_str()) {
        name.insert(0, 'f');
    }
    name
}

fn role_name(text: &str) -> String {
    let name = plain(text);
    let mut letters = name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name: String = first.into_iter().chain(letters).collect();
    // One capital letter alone may be an operator of the logic.
    if name.len() == 1 { format!("{name}_") } else { name }
}

fn word_name(text: &str) -> String {
    let name = plain(last(text));
    let whole = plain(text);
    // `notifications/progress` is `notifications_progress`: another method may have the same last part.
    let name = if whole == name { name } else { whole };
    format!("{}{}", &name[..1].to_ascii_lowercase(), &name[1..])
}

/// A string in an expression.
fn in_expression(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text in TOML.
fn quoted(text: &str) -> String {
    toml_string(text)
}

/// An expression in TOML: as it is, where it can be.
fn literal(text: &str) -> String {
    if text.contains('\'') || text.chars().any(char::is_control) {
        toml_string(text)
    } else {
        format!("'{text}'")
    }
}

fn toml_string(text: &str) -> String {
    // The strings of JSON are strings of TOML, but for one character.
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn shown(text: &str) -> String {
    one_line(&format!("{text:?}"))
}

fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use servanda_syntax::SourceFile;

    use super::super::Survey;
    use crate::mapping::Mapping;

    /// JSON allows U+007F in strings, TOML does not.
    #[test]
    fn fields_may_have_any_name() {
        let mut survey = Survey::default();
        let name: String = (0..0x300).filter_map(char::from_u32).collect();
        let line = serde_json::json!({ name: "a", "from": "b\u{7f}" });
        survey.line(line.to_string().as_bytes());
        let proposal = survey.proposal("log\u{7f}", "model.pact").unwrap();
        let (mapping, found) = Mapping::read(&SourceFile::new("proposed", proposal.mapping.as_str()));
        assert!(mapping.is_some(), "{found:?}\n{}", proposal.mapping);
    }
}
