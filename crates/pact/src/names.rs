//! Which kind of thing each name of a formula stands for, known before anything is computed.
//!
//! Variables, propositions, parameters, commitments and enumeration literals share one name space, since all of them
//! are written alike in formulas.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_syntax::{Code, Diagnostic, Span};

use crate::ast::{DomainItem, Item, ItemKind, LabelItem};

/// What a name of the shared name space stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    Variable,
    Proposition,
    Parameter,
    Commitment,
    Literal,
}

impl NameKind {
    /// With an article, as messages refer to it.
    pub(crate) fn described(self) -> &'static str {
        match self {
            NameKind::Variable => "a variable",
            NameKind::Proposition => "a proposition",
            NameKind::Parameter => "a parameter",
            NameKind::Commitment => "a commitment",
            NameKind::Literal => "a value of an enumeration",
        }
    }
}

/// The shared name space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    known: FxHashMap<Arc<str>, (NameKind, Span)>,
}

impl Names {
    /// What is declared under a name, without its indices.
    pub(crate) fn kind(&self, name: &str) -> Option<NameKind> {
        self.known.get(name).map(|(kind, _)| *kind)
    }

    /// All names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(|name| &**name)
    }

    /// All names of one kind.
    pub(crate) fn of_kind(&self, wanted: NameKind) -> impl Iterator<Item = &str> {
        self.known.iter().filter(move |(_, (kind, _))| *kind == wanted).map(|(name, _)| &**name)
    }
}

/// Operators and constants of the logic that cannot be names in formulas.
const RESERVED: [&str; 21] = [
    "A", "E", "X", "F", "G", "U", "W", "R", "Y", "S", "P", "H", "K", "O", "true", "false", "in", "so", "and",
    "or", "not",
];

/// Collects the names that statements declare and reports clashes and reserved names.
pub(crate) fn collect(items: &[Item], diagnostics: &mut Vec<Diagnostic>) -> Names {
    let mut collector = Collector { names: Names::default(), diagnostics };
    collector.items(items);
    collector.names
}

struct Collector<'a> {
    names: Names,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Collector<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Param { name, .. } => self.declare(&name.text, name.span, NameKind::Parameter),
                ItemKind::Variables(variables) => {
                    for name in &variables.names {
                        self.declare(&name.name, name.span, NameKind::Variable);
                    }
                    self.literals(&variables.domain);
                }
                ItemKind::Clock { names, domain } => {
                    for name in names {
                        self.declare(&name.name, name.span, NameKind::Variable);
                    }
                    self.literals(domain);
                }
                ItemKind::Type { domain, .. } => self.literals(domain),
                ItemKind::Message(message) => {
                    self.check_reserved(&message.name.name, message.name.span, "a message");
                    message.parameters.iter().for_each(|(_, domain)| self.literals(domain));
                }
                ItemKind::Proposition { name, .. } => {
                    self.declare(&name.name, name.span, NameKind::Proposition)
                }
                ItemKind::Commitment { name, .. } => {
                    self.declare(&name.name, name.span, NameKind::Commitment)
                }
                ItemKind::Transition(transition) => {
                    if let LabelItem::Message(said) = &transition.label {
                        self.check_reserved(&said.name.name, said.name.span, "a message");
                    }
                }
                ItemKind::For { index, body, .. } => {
                    self.check_reserved(&index.text, index.span, "an index");
                    self.items(&body.items);
                }
                ItemKind::Machine { body, .. } => self.items(&body.items),
                _ => {}
            }
        }
    }

    fn literals(&mut self, domain: &DomainItem) {
        if let DomainItem::Enumeration(literals) = domain {
            for literal in literals {
                self.declare(&literal.text, literal.span, NameKind::Literal);
            }
        }
    }

    fn declare(&mut self, name: &Arc<str>, span: Span, kind: NameKind) {
        // An enumeration value stands beside a comparison or an assignment, where a letter is read as a name.
        if kind != NameKind::Literal || name.len() > 1 {
            self.check_reserved(name, span, kind.described());
        }
        match self.names.known.get(name) {
            None => {
                self.names.known.insert(name.clone(), (kind, span));
            }
            // Two declarations in one kind may be elements of one array; that is checked element by element.
            Some((first, _)) if *first == kind => {}
            Some((first, first_span)) => {
                let message = format!("`{name}` is already {}", first.described());
                let error = Diagnostic::error(Code::DuplicateName, message, span);
                self.diagnostics.push(error.label(*first_span, "declared here").help(
                    "variables, propositions, parameters, commitments and enumeration values need different names",
                ));
            }
        }
    }

    fn check_reserved(&mut self, name: &str, span: Span, what: &str) {
        if RESERVED.contains(&name) {
            let message = format!("`{name}` is an operator of the logic and cannot be the name of {what}");
            self.diagnostics.push(Diagnostic::error(Code::ReservedName, message, span));
        }
    }
}
