//! What a file says, before its names are looked up.

use rustc_hash::FxHashMap;
use servanda_syntax::Span;

use crate::term::{TermId, Terms};
use crate::words::{Word, Words};

/// A file as it is written.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    pub(crate) words: Words,
    pub(crate) terms: Terms,
    /// The definitions of processes, those that are repeated included.
    pub(crate) processes: Vec<Process>,
    /// The sets by name; of several with one name the first.
    pub(crate) sets: FxHashMap<Word, Set>,
    /// Every place where names are restricted or relabelled.
    pub(crate) closures: Vec<Closure>,
    /// Names after `\` that look like names of sets and are none.
    pub(crate) set_like: Vec<(Word, Span)>,
}

/// `proc NAME = P`
#[derive(Clone, Debug)]
pub(crate) struct Process {
    pub(crate) name: Word,
    /// The place of the name.
    pub(crate) span: Span,
    /// `None` if it could not be read.
    pub(crate) body: Option<TermId>,
    /// The processes it names.
    pub(crate) references: Vec<Reference>,
}

/// A process named in a definition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) name: Word,
    pub(crate) span: Span,
    /// Does an action come first?
    pub(crate) guarded: bool,
    /// The innermost parallel composition, restriction or relabelling around it.
    pub(crate) inside: Option<Span>,
}

/// `set NAME = {a, b}`
#[derive(Clone, Debug)]
pub(crate) struct Set {
    /// The place of the name.
    pub(crate) span: Span,
    pub(crate) names: Vec<Word>,
}

/// A restriction or relabelling, for which names of the process are of interest.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// The process inside.
    pub(crate) inner: TermId,
    /// The names it takes away, with their places.
    pub(crate) names: Vec<(Word, Span)>,
    /// What is done to them.
    pub(crate) what: &'static str,
}

impl File {
    /// The definitions by name; of several with one name the first.
    pub(crate) fn by_name(&self) -> Vec<Option<usize>> {
        let mut by_name = vec![None; self.words.len()];
        for (number, process) in self.processes.iter().enumerate().rev() {
            by_name[process.name.index()] = Some(number);
        }
        by_name
    }
}
