//! Terms, each stored once: equal terms have equal numbers.

use rustc_hash::FxHashMap;
use servanda_syntax::Span;

use crate::words::Word;

/// A name with what is said there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Port {
    pub(crate) name: Word,
    pub(crate) content: Option<Word>,
}

/// An action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Action {
    Tau,
    Input(Port),
    Output(Port),
    Synchronised(Port),
}

impl Action {
    /// The name on which others can take part in it.
    pub(crate) fn open_name(self) -> Option<Word> {
        match self {
            Action::Input(port) | Action::Output(port) => Some(port.name),
            Action::Tau | Action::Synchronised(_) => None,
        }
    }

    /// The action under another name.
    pub(crate) fn renamed(self, name: Word) -> Action {
        match self {
            Action::Input(port) => Action::Input(Port { name, ..port }),
            Action::Output(port) => Action::Output(Port { name, ..port }),
            Action::Tau | Action::Synchronised(_) => self,
        }
    }

    /// Both sides at once, if these are the two sides of one name. The content is the sender's.
    pub(crate) fn with(self, other: Action) -> Option<Action> {
        match (self, other) {
            (Action::Output(sent), Action::Input(received))
            | (Action::Input(received), Action::Output(sent))
                if sent.name == received.name =>
            {
                Some(Action::Synchronised(sent))
            }
            _ => None,
        }
    }
}

/// A term of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TermId(u32);

impl TermId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A process as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Nil,
    Prefix(Action, TermId),
    Sum(Box<[TermId]>),
    Parallel(Box<[TermId]>),
    /// The names, in order.
    Restrict(TermId, Box<[Word]>),
    /// Old and new names, in the order of the old ones.
    Relabel(TermId, Box<[(Word, Word)]>),
    /// A defined process.
    Constant(Word),
}

/// All terms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    known: FxHashMap<Term, TermId>,
    facts: Vec<Facts>,
}

/// What is known of a term since it was made.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// How deeply parallel compositions, restrictions and relabellings are nested at its top.
    depth: u32,
    /// How many parts they have at the bottom.
    parts: u64,
    /// Where it was first written.
    span: Span,
}

impl Terms {
    /// The number of a term.
    pub(crate) fn add(&mut self, term: Term, span: Span) -> TermId {
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        let (depth, parts) = match &term {
            Term::Nil | Term::Prefix(..) | Term::Sum(_) | Term::Constant(_) => (0, 1),
            Term::Restrict(inner, _) | Term::Relabel(inner, _) => {
                (self.depth(*inner).saturating_add(1), self.parts(*inner))
            }
            Term::Parallel(parts) => {
                let deepest = parts.iter().map(|part| self.depth(*part)).max().unwrap_or(0);
                let all = parts.iter().fold(0u64, |all, part| all.saturating_add(self.parts(*part)));
                (deepest.saturating_add(1), all)
            }
        };
        let id = TermId(u32::try_from(self.terms.len()).unwrap_or(u32::MAX));
        self.facts.push(Facts { depth, parts, span });
        self.terms.push(term.clone());
        self.known.insert(term, id);
        id
    }

    pub(crate) fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// How deeply parallel compositions, restrictions and relabellings are nested at its top.
    pub(crate) fn depth(&self, id: TermId) -> u32 {
        self.facts[id.index()].depth
    }

    /// How many parts its parallel compositions have all together.
    pub(crate) fn parts(&self, id: TermId) -> u64 {
        self.facts[id.index()].parts
    }

    /// Where it was first written.
    pub(crate) fn span(&self, id: TermId) -> Span {
        self.facts[id.index()].span
    }

    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// All terms.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter()
    }
}
