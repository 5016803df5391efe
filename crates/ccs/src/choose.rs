//! Which process of a file is meant.

use servanda_syntax::{Code, Diagnostic, Span};

use crate::file::File;

/// How many names a message lists.
const MOST_LISTED: usize = 12;

/// The number of the process that is meant: the one with the given name, else the only one that no other uses.
pub(crate) fn choose(file: &File, wanted: Option<&str>) -> Result<usize, Box<Diagnostic>> {
    let by_name = file.by_name();
    let name = |number: usize| file.words.text(file.processes[number].name);
    if let Some(wanted) = wanted {
        let found = file.words.find(wanted).and_then(|word| by_name[word.index()]);
        return found.ok_or_else(|| {
            let message = format!("no process is called `{wanted}`");
            let error = Diagnostic::error(Code::UnknownName, message, Span::default());
            let all: Vec<&str> = (0..file.processes.len()).map(name).collect();
            Box::new(match servanda_syntax::nearest(wanted, all.iter().copied()) {
                Some(best) => error.help(format!("did you mean `{best}`?")),
                None => error.help(format!("the file defines {}", listed(&all))),
            })
        });
    }
    let candidates = candidates(file);
    match candidates.as_slice() {
        [] => {
            let error = Diagnostic::error(Code::NoProcess, "the file defines no process", Span::default());
            Err(Box::new(error.help("a definition is `proc NAME = P`")))
        }
        [only] => Ok(*only),
        [one, ..] => {
            let names: Vec<&str> = candidates.iter().map(|number| name(*number)).collect();
            let message = format!("several processes could be meant: {}", listed(&names));
            let error =
                Diagnostic::error(Code::WhichProcess, message, file.processes[*one].span).at_span("this one");
            let others = candidates.iter().take(MOST_LISTED).skip(1);
            let error =
                others.fold(error, |error, other| error.label(file.processes[*other].span, "or this one"));
            Err(Box::new(error.help(format!("say which one, for example --process {}", names[0]))))
        }
    }
}

/// The processes that could be meant where none is named: those that no other uses, or all.
pub(crate) fn candidates(file: &File) -> Vec<usize> {
    let by_name = file.by_name();
    let mut used = vec![false; file.processes.len()];
    for process in &file.processes {
        for reference in process.references.iter().filter(|reference| reference.name != process.name) {
            if let Some(number) = by_name[reference.name.index()] {
                used[number] = true;
            }
        }
    }
    let first = |number: &usize| by_name[file.processes[*number].name.index()] == Some(*number);
    let all: Vec<usize> = (0..file.processes.len()).filter(first).collect();
    let unused: Vec<usize> = all.iter().copied().filter(|number| !used[*number]).collect();
    if unused.is_empty() { all } else { unused }
}

fn listed(names: &[&str]) -> String {
    match names.len().checked_sub(MOST_LISTED) {
        None | Some(0) => names.join(", "),
        Some(others) => format!("{} and {others} others", names[..MOST_LISTED].join(", ")),
    }
}
