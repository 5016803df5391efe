//! The printed formulas as a project, in the papers' spelling: `servanda check --project examples/papers` decides them all.

use std::fmt::Write;

use crate::formulas::{Printed, printed};
use crate::run::{Model, place};

const HEAD: &str = "\
# Every formula of formulas.txt in the spelling of its paper: `servanda check --project examples/papers` decides them all.
# Written by bench/reproduce.
";

/// The files of `examples/papers` that are made of the list: names and texts, `servanda.toml` first.
pub fn project() -> Result<Vec<(String, String)>, String> {
    let mut text = HEAD.to_owned();
    let mut models: Vec<(String, String)> = Vec::new();
    let entries = printed()?;
    for group in entries.chunk_by(|one, other| (&one.model, &one.options) == (&other.model, &other.options)) {
        let (name, process) = match group[0].model.split_once(':') {
            Some((name, process)) => (name, Some(process)),
            None => (&*group[0].model, None),
        };
        let file = match name.strip_prefix("family ") {
            Some(family) => {
                let model = Model::named(name)?;
                let file = format!("{}.{}", family.replace(' ', "-"), model.language);
                if models.iter().all(|(known, _)| *known != file) {
                    models.push((file.clone(), model.text));
                }
                file
            }
            None => place(name)?,
        };
        let _ = write!(text, "\n[[model]]\nfile = \"{file}\"\nproperties = []\n");
        if let Some(process) = process {
            let _ = writeln!(text, "process = \"{process}\"");
        }
        for pair in group[0].options.chunks(2) {
            let _ = writeln!(text, "{} = \"{}\"", pair[0].trim_start_matches('-'), pair[1..].join(" "));
        }
        text += "[model.formulas]\n";
        for entry in group {
            let _ = writeln!(
                text,
                "{} = {{ formula = '{}', expect = {} }}",
                key(&entry.paper),
                entry.formula,
                expected(entry)
            );
        }
    }
    models.insert(0, ("servanda.toml".to_owned(), text));
    Ok(models)
}

/// What the printed spelling gives.
fn expected(entry: &Printed) -> &str {
    if entry.read.is_empty() { &entry.verdict } else { &entry.read }
}

/// A place in a paper as a name: `ACTL*, Section 7.1, (2)` is `actl_section_7_1_2`.
fn key(paper: &str) -> String {
    let plain = paper.to_lowercase().replace('*', "").replace("=>", "implication");
    let words: Vec<&str> = plain.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join("_")
}
