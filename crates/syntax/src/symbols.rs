//! What the names of a text stand for, as editors want to know it: where each is declared, where it is used, and how a text is made up.

use std::sync::Arc;

use crate::{Span, Token};

crate::named! {
    /// What a name stands for, in whatever language.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum SymbolKind {
        /// A protocol as a whole.
        Protocol = "protocol",
        /// A number that the user may set.
        Parameter = "parameter",
        /// A role or agent.
        Role = "role",
        /// Several of them.
        Group = "group",
        /// A variable.
        Variable = "variable",
        /// A clock.
        Clock = "clock",
        /// A value of an enumeration.
        Value = "value",
        /// A named type.
        Type = "type",
        /// A message.
        Message = "message",
        /// A channel.
        Channel = "channel",
        /// A named formula.
        Proposition = "proposition",
        /// A named commitment.
        Commitment = "commitment",
        /// A machine.
        Machine = "machine",
        /// A control state.
        State = "control state",
        /// A property.
        Property = "property",
        /// A scenario.
        Scenario = "scenario",
        /// A protocol made elsewhere.
        Part = "part",
        /// A name of a part: the scope is what the part is called here.
        Foreign = "name of a part",
        /// An index of a repetition.
        Index = "index",
        /// An action.
        Action = "action",
        /// A process.
        Process = "process",
        /// A set of names.
        Set = "set of names",
        /// A value of a line of a log.
        Field = "field",
        /// A named expression of a mapping.
        Definition = "definition",
        /// What a mapping stores.
        Table = "table",
        /// A view of a log.
        View = "view",
        /// A key of a table.
        Key = "key",
        /// A function.
        Function = "function",
    }
}

/// A name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The name, without indices.
    pub name: Arc<str>,
    /// What it stands for.
    pub kind: SymbolKind,
    /// Names with the same scope and kind are the same: empty for the whole text, otherwise a machine, an agent, a part, a repetition.
    pub scope: Arc<str>,
    /// Where the name stands, without indices.
    pub span: Span,
    /// Is it declared here?
    pub declares: bool,
    /// The statement around it.
    pub statement: Span,
}

impl Occurrence {
    /// Do both stand for the same?
    pub fn is_same(&self, other: &Occurrence) -> bool {
        self.kind == other.kind && self.name == other.name && self.scope == other.scope
    }
}

/// A part of a text that has a name.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// The name as written.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where the name stands.
    pub name_span: Span,
    /// All of it.
    pub span: Span,
    /// What is in it.
    pub children: Vec<Outlined>,
}

/// A property or a scenario as it is written.
#[derive(Clone, Debug)]
pub struct Stated {
    /// Its name, without indices.
    pub name: Arc<str>,
    /// Where the name stands.
    pub name_span: Span,
    /// All of it.
    pub span: Span,
    /// What its author expects, and where that is said.
    pub expected: Option<(bool, Span)>,
    /// Where that would be said.
    pub expect_at: u32,
    /// Is it a scenario?
    pub is_scenario: bool,
}

/// What is known of the names of a text, mistakes or not.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    /// The tokens; comments stand between them.
    pub tokens: Vec<Token>,
    /// The names, in the order of the text.
    pub occurrences: Vec<Occurrence>,
    /// How the text is made up.
    pub outline: Vec<Outlined>,
    /// What can be folded away: from the line of the start to that of the end.
    pub folds: Vec<Span>,
    /// Properties and scenarios.
    pub stated: Vec<Stated>,
    /// The parts with the files that they are made in, as written.
    pub parts: Vec<(Arc<str>, String)>,
    /// The words that begin statements.
    pub keywords: &'static [&'static str],
}

impl Symbols {
    /// Puts the names into the order of the text; of several readings of one place the first stays.
    pub fn in_order(mut self) -> Self {
        self.occurrences.sort_by_key(|found| (found.span.start, !found.declares));
        self.occurrences.dedup_by_key(|found| found.span.start);
        self
    }

    /// The name at an offset; right after it counts too.
    pub fn at(&self, offset: u32) -> Option<&Occurrence> {
        let after = self.occurrences.partition_point(|found| found.span.start <= offset);
        self.occurrences[..after].last().filter(|found| offset <= found.span.end)
    }

    /// All places where what is meant at one of them is named.
    pub fn same<'s>(&'s self, one: &'s Occurrence) -> impl Iterator<Item = &'s Occurrence> {
        self.occurrences.iter().filter(|other| other.is_same(one))
    }

    /// Where something is declared; the first place that names it where nothing says so.
    pub fn declaration<'s>(&'s self, one: &'s Occurrence) -> Option<&'s Occurrence> {
        self.same(one).find(|other| other.declares).or_else(|| self.same(one).next())
    }
}
