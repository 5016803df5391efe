//! A file as it is written.

use std::ops::Range;
use std::sync::Arc;

use servanda_logic::Binary;
use servanda_model::Arithmetic;
use servanda_syntax::{Diagnostic, Span};

/// A name with its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Name {
    pub(crate) text: Arc<str>,
    pub(crate) span: Span,
}

/// A whole file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) semantics: Option<Semantics>,
    pub(crate) agents: Vec<Agent>,
    pub(crate) evaluation: Vec<Proposition>,
    pub(crate) initial: Option<Term>,
    pub(crate) groups: Vec<Group>,
    /// Formulas as ranges of tokens: how they are read depends on the names that are declared.
    pub(crate) fairness: Vec<Range<usize>>,
    pub(crate) formulae: Vec<Range<usize>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Where statements stand that could not be read; the names in them are not unknown.
    pub(crate) broken: Vec<Span>,
}

/// How the lines of an evolution work together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Semantics {
    /// One line of the agent is chosen.
    MultiAssignment,
    /// One line of every variable is chosen.
    SingleAssignment,
}

/// One `Agent` block.
#[derive(Debug, Default)]
pub(crate) struct Agent {
    pub(crate) name: Name,
    /// Environment variables that this agent observes.
    pub(crate) observed: Vec<Name>,
    pub(crate) variables: Vec<Variable>,
    /// The local states of the 2005 dialect, and where the word stands.
    pub(crate) local_states: Option<(Vec<Name>, Span)>,
    /// The correct ones of them.
    pub(crate) green: Option<Vec<Name>>,
    pub(crate) red: Vec<Term>,
    pub(crate) actions: Vec<Name>,
    pub(crate) protocol: Vec<ProtocolLine>,
    pub(crate) evolution: Vec<EvolutionLine>,
}

/// A declaration of a variable.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: Name,
    pub(crate) domain: Domain,
    pub(crate) observability: Observability,
}

/// The section a variable is declared in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observability {
    /// `Obsvars`
    Everybody,
    /// `Vars`
    Owner,
}

/// The values of a variable.
#[derive(Debug)]
pub(crate) enum Domain {
    Boolean,
    Range(i64, i64),
    Enumeration(Vec<Name>),
}

/// A line of a protocol.
#[derive(Debug)]
pub(crate) struct ProtocolLine {
    /// `None`: `Other`.
    pub(crate) condition: Option<Term>,
    pub(crate) actions: Vec<Name>,
    pub(crate) span: Span,
}

/// A line of an evolution.
#[derive(Debug)]
pub(crate) struct EvolutionLine {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) guard: Term,
    pub(crate) span: Span,
}

/// `target = value`; in the 2005 dialect the value alone.
#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) target: Option<Term>,
    pub(crate) value: Term,
}

/// A line of `Evaluation`.
#[derive(Debug)]
pub(crate) struct Proposition {
    pub(crate) name: Name,
    pub(crate) condition: Term,
}

/// A line of `Groups`.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: Name,
    pub(crate) members: Vec<Name>,
}

/// A condition or a value. Small, since files hold millions: names are left in the text.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) kind: TermKind,
    pub(crate) span: Span,
    /// Nodes on the longest way down.
    pub(crate) height: u32,
}

/// What stands at a node of a [`Term`].
#[derive(Clone, Debug)]
pub(crate) enum TermKind {
    Truth(bool),
    Number(i64),
    /// A variable of the agent itself, an enumeration literal, or the name of an action: what stands at the place.
    Name,
    /// `Environment.x`, `Other.Action`: the names stand at the beginning and at the end of the place, and are so long.
    Dotted {
        agent: u32,
        name: u32,
    },
    Not(Box<Term>),
    And(Vec<Term>),
    Or(Vec<Term>),
    Compare(Binary, Box<[Term; 2]>),
    Bits(BitOperator, Box<[Term; 2]>),
    Complement(Box<Term>),
    Arithmetic(Arithmetic, Box<[Term; 2]>),
    Minus(Box<Term>),
}

/// Operators on booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitOperator {
    And,
    Or,
    Xor,
}

impl Term {
    /// A node at a place.
    pub(crate) fn new(kind: TermKind, span: Span) -> Self {
        let below = match &kind {
            TermKind::Truth(_) | TermKind::Number(_) | TermKind::Name | TermKind::Dotted { .. } => 0,
            TermKind::Not(a) | TermKind::Complement(a) | TermKind::Minus(a) => a.height,
            TermKind::And(parts) | TermKind::Or(parts) => parts.iter().map(|a| a.height).max().unwrap_or(0),
            TermKind::Compare(_, sides) | TermKind::Bits(_, sides) | TermKind::Arithmetic(_, sides) => {
                sides[0].height.max(sides[1].height)
            }
        };
        Term { kind, span, height: below + 1 }
    }
}
