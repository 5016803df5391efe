//! Warnings of names that are restricted or relabelled in a process that never uses them.

use rustc_hash::FxHashSet;
use servanda_syntax::{Code, Diagnostic};

use crate::file::File;
use crate::term::{Action, Term, TermId};
use crate::words::Word;

/// How many terms are looked at for the sake of warnings.
const MOST_LOOKED_AT: usize = 2_000_000;

/// Warns of names that are restricted or relabelled to no effect.
pub(crate) fn warn(file: &File, diagnostics: &mut Vec<Diagnostic>) {
    let by_name = file.by_name();
    let mut looked_at = 0;
    for closure in &file.closures {
        let Some(used) = names_in(file, &by_name, closure.inner, &mut looked_at) else { return };
        let mut warned = FxHashSet::default();
        for (word, span) in &closure.names {
            if used.contains(word) || !warned.insert(word) {
                continue;
            }
            let name = file.words.text(*word);
            let message = format!("`{name}` is {} here, but this process never uses it", closure.what);
            let mut near: Vec<&str> = used.iter().map(|word| file.words.text(*word)).collect();
            near.sort_unstable();
            diagnostics.push(Diagnostic::warning(Code::UnusedName, message, *span).suggest(name, near));
        }
    }
}

/// The names that a process may use, at least; `None` when that takes too long.
fn names_in(
    file: &File,
    by_name: &[Option<usize>],
    term: TermId,
    looked_at: &mut usize,
) -> Option<FxHashSet<Word>> {
    let mut names = FxHashSet::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::from_iter([term]);
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        *looked_at += 1;
        if *looked_at > MOST_LOOKED_AT {
            return None;
        }
        let mut go_on = |inner: TermId| {
            if seen.insert(inner) {
                open.push(inner);
            }
        };
        match file.terms.get(term) {
            Term::Nil => {}
            Term::Prefix(action, inner) => {
                if let Action::Input(port) | Action::Output(port) = action {
                    names.insert(port.name);
                }
                go_on(*inner);
            }
            Term::Sum(parts) | Term::Parallel(parts) => parts.iter().copied().for_each(go_on),
            Term::Restrict(inner, _) => go_on(*inner),
            Term::Relabel(inner, pairs) => {
                names.extend(pairs.iter().map(|(_, new)| *new));
                go_on(*inner);
            }
            Term::Constant(name) => {
                let body = by_name[name.index()].and_then(|number| file.processes[number].body);
                body.into_iter().for_each(go_on);
            }
        }
    }
    Some(names)
}
