//! The examples of the repository, as texts in the program.
//!
//! What an example is about is taken from the comment that it begins with; those without one, and titles that the name of the file does not
//! give, are in a small table.

mod table;

use std::collections::BTreeMap;

static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Where an example belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Protocols that people use.
    Protocols,
    /// Models of the papers, in their notation.
    Papers,
    /// One construct of the language each.
    Language,
}

impl Group {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Group::Protocols => "protocols",
            Group::Papers => "papers",
            Group::Language => "language",
        }
    }
}

/// An example: a model that can be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its path below the directory of examples, as in `part2/use.pact`.
    pub name: &'static str,
    /// What it is called.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// The language it is written in, which is the ending of its name.
    pub language: &'static str,
    /// Where it belongs.
    pub group: Group,
    /// The text itself.
    pub text: &'static str,
}

/// All examples, in the order in which they are shown.
pub fn examples() -> Vec<Example> {
    let models = FILES.iter().filter(|(name, _)| ending(name) != "acts");
    let mut examples: Vec<Example> = models.filter_map(|(name, _)| example(name)).collect();
    examples.sort_by_key(|example| (example.group as usize, table::rank(example.name), example.name));
    examples
}

/// The example with a name.
pub fn example(name: &str) -> Option<Example> {
    let (name, text) = file(name).filter(|(name, _)| ending(name) != "acts")?;
    let (title, about) = table::described(name);
    let group = match name.split_once('/') {
        Some(("part2", _)) => Group::Language,
        Some(_) => Group::Papers,
        None => Group::Protocols,
    };
    Some(Example {
        name,
        title: title.map_or_else(|| in_words(name), str::to_owned),
        about: about.map_or_else(|| first_sentence(text), str::to_owned),
        language: ending(name),
        group,
        text,
    })
}

/// The texts that an example needs, by their names: those it uses, and the acts file beside it.
pub fn beside(example: &Example) -> BTreeMap<&'static str, &'static str> {
    let mut found = BTreeMap::new();
    let mut open = vec![example.name];
    while let Some(name) = open.pop() {
        let Some((_, text)) = file(name) else { continue };
        let directory = name.rsplit_once('/').map_or("", |(directory, _)| directory);
        let uses = text.lines().filter_map(|line| line.trim_start().strip_prefix("use \""));
        let uses = uses.filter_map(|rest| rest.split('"').next());
        let acts = name.rsplit_once('.').map(|(stem, _)| format!("{stem}.acts"));
        let named = uses.map(|path| format!("{directory}/{path}").trim_start_matches('/').to_owned());
        for (name, text) in named.chain(acts).filter_map(|name| file(&name)) {
            if name != example.name && found.insert(name, text).is_none() {
                open.push(name);
            }
        }
    }
    found
}

fn file(name: &str) -> Option<(&'static str, &'static str)> {
    let index = FILES.binary_search_by_key(&name, |&(name, _)| name).ok()?;
    let (name, bytes) = FILES[index];
    // That all of them are texts is tested below.
    std::str::from_utf8(bytes).ok().map(|text| (name, text))
}

fn ending(name: &'static str) -> &'static str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// `part2/shared-secret.pact` is `Shared secret`.
fn in_words(name: &str) -> String {
    let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut letters = stem.chars().map(|letter| if matches!(letter, '-' | '_') { ' ' } else { letter });
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The first sentence of the comment that a text begins with.
fn first_sentence(text: &str) -> String {
    let comment = |line| ["//", "--", "*"].iter().find_map(|mark| str::strip_prefix(line, mark));
    let lines = text.lines().map_while(comment);
    let whole = lines.map(str::trim).collect::<Vec<_>>().join(" ");
    let end = whole.match_indices(". ").map(|(at, _)| at + 1).next();
    whole[..end.unwrap_or(whole.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_of_the_directory_is_an_example_with_a_title_and_a_sentence() {
        let examples = examples();
        let models = FILES.iter().filter(|(name, _)| ending(name) != "acts").count();
        assert_eq!(examples.len(), models);
        for example in &examples {
            assert!(!example.title.is_empty() && example.title.len() < 60, "{example:?}");
            assert!(
                example.about.len() > 10 && example.about.ends_with('.'),
                "{}: {}",
                example.name,
                example.about
            );
            assert!(["pact", "ispl", "ccs"].contains(&example.language), "{example:?}");
        }
        assert!(FILES.iter().all(|(_, bytes)| std::str::from_utf8(bytes).is_ok()));
        assert!(table::names().all(|name| example(name).is_some()), "a row without a file");
    }

    #[test]
    fn what_an_example_needs_comes_with_it() {
        let beside = |name: &str| beside(&example(name).unwrap()).into_keys().collect::<Vec<_>>();
        assert_eq!(beside("part2/use.pact"), ["part2/payment.pact"]);
        assert_eq!(beside("pnaws.ccs"), ["pnaws.acts"]);
        assert!(beside("tunnel.pact").is_empty());
        assert!(example("pnaws.acts").is_none() && example("../README.md").is_none());
    }

    #[test]
    fn titles_and_sentences_are_taken_from_names_and_comments() {
        assert_eq!(in_words("part2/shared-secret.pact"), "Shared secret");
        assert_eq!(first_sentence("// A b,\n// c. And more.\nroles A\n"), "A b, c.");
        assert_eq!(first_sentence("roles A\n"), "");
    }
}
