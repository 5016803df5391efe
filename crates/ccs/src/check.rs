//! Names that mean nothing or two things, and recursion without an action.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_graph::components_of;
use servanda_syntax::{Code, Diagnostic, Span};

use crate::file::{File, Process};
use crate::term::{Action, Term};
use crate::words::Word;

/// Finds what is wrong with the definitions of a file.
pub(crate) fn check(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    repeated(file, diagnostics);
    unknown_processes(file, diagnostics);
    unknown_sets(file, diagnostics);
    unguarded(file, diagnostics);
}

/// The names of all actions of the file, without duplicates, in the order in which they first occur.
pub(crate) fn action_names(file: &File) -> Vec<Word> {
    let mut seen = FxHashSet::default();
    let mut names = Vec::new();
    let mut add = |word: Word| {
        if seen.insert(word) {
            names.push(word);
        }
    };
    for term in file.terms.iter() {
        match term {
            Term::Prefix(Action::Input(port) | Action::Output(port), _) => add(port.name),
            Term::Relabel(_, pairs) => pairs.iter().for_each(|(_, new)| add(*new)),
            _ => {}
        }
    }
    names
}

fn repeated(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    let mut first: FxHashMap<Word, Span> = FxHashMap::default();
    for process in &file.processes {
        let first = *first.entry(process.name).or_insert(process.span);
        if first != process.span {
            let message = format!("the process `{}` is defined twice", file.words.text(process.name));
            let error = Diagnostic::error(Code::DuplicateName, message, process.span);
            diagnostics.push(error.label(first, "first defined here"));
        }
    }
}

fn unknown_processes(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    let by_name = file.by_name();
    let known = || file.processes.iter().map(|process| file.words.text(process.name));
    let is_lower = |name: &str| name.starts_with(char::is_lowercase);
    let some_lower = known().any(is_lower);
    let mut actions: Option<FxHashSet<Word>> = None;
    // Looking for the nearest name takes a while; a file of unknown names need not wait for all.
    let mut suggestions = 1000;
    for reference in file.processes.iter().flat_map(|process| &process.references) {
        if by_name[reference.name.index()].is_some() {
            continue;
        }
        let name = file.words.text(reference.name);
        let message = format!("no process is called `{name}`");
        let error = Diagnostic::error(Code::UnknownName, message, reference.span);
        let actions = actions.get_or_insert_with(|| action_names(file).into_iter().collect());
        let looks_like_action = is_lower(name) && !some_lower;
        diagnostics.push(if looks_like_action || actions.contains(&reference.name) {
            error.help(format!("an action stands before a process: `{name}.nil`"))
        } else if suggestions > 0 {
            suggestions -= 1;
            error.suggest(name, known())
        } else {
            error
        });
    }
}

fn unknown_sets(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    if file.set_like.is_empty() {
        return;
    }
    let actions: FxHashSet<Word> = action_names(file).into_iter().collect();
    let mut sets: Vec<&str> = file.sets.keys().map(|name| file.words.text(*name)).collect();
    sets.sort_unstable();
    for (word, span) in &file.set_like {
        if !actions.contains(word) {
            let name = file.words.text(*word);
            diagnostics.push(Diagnostic::unknown("set", name, *span, sets.iter().copied()));
        }
    }
}

/// A process that can come back to itself without an action has no first step that could be found.
fn unguarded(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    let by_name = file.by_name();
    let edges = references(file, |reference| !reference.guarded);
    let components = components_of(&edges);
    let mut reported = FxHashSet::default();
    for (number, process) in file.processes.iter().enumerate() {
        let component = components.of[number];
        let back = process.references.iter().find(|reference| {
            let target = by_name[reference.name.index()];
            !reference.guarded && target.is_some_and(|target| components.of[target] == component)
        });
        let Some(back) = back else { continue };
        if !reported.insert(component) {
            continue;
        }
        let (name, next) = (file.words.text(process.name), file.words.text(back.name));
        let message = if process.name == back.name {
            format!("`{name}` comes back to itself without an action")
        } else {
            format!("`{name}` comes back to itself through `{next}` without an action")
        };
        let error = Diagnostic::error(Code::UnguardedRecursion, message, back.span);
        diagnostics.push(error.help(format!("put an action before it: `a.{next}`")));
    }
}

/// For every definition the numbers of the definitions it names, where the reference is of interest.
pub(crate) fn references(file: &File, wanted: impl Fn(&crate::file::Reference) -> bool) -> Vec<Vec<usize>> {
    let by_name = file.by_name();
    let targets = |process: &Process| {
        let of_interest = process.references.iter().filter(|reference| wanted(reference));
        of_interest.filter_map(|reference| by_name[reference.name.index()]).collect()
    };
    file.processes.iter().map(targets).collect()
}
