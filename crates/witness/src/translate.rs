//! Core formulas of one arena in another.

use rustc_hash::FxHashMap;
use servanda_lower::{Arena, Core, CoreId, Goal};

/// Copies formulas from one arena into another, each once.
pub(crate) struct Translation<'a> {
    from: &'a Arena,
    known: FxHashMap<CoreId, CoreId>,
}

impl<'a> Translation<'a> {
    pub(crate) fn new(from: &'a Arena) -> Self {
        Translation { from, known: FxHashMap::default() }
    }

    /// What a formula that was copied is called in the other arena.
    pub(crate) fn known(&self, id: CoreId) -> Option<CoreId> {
        self.known.get(&id).copied()
    }

    /// Copies a formula; one that is no formula of the first arena is none.
    pub(crate) fn copy(&mut self, id: CoreId, to: &mut Arena) -> Option<CoreId> {
        if id.index() >= self.from.len() {
            return None;
        }
        if let Some(known) = self.known.get(&id) {
            return Some(*known);
        }
        let copied = match self.from.node(id).clone() {
            Core::True => to.truth(),
            Core::Proposition(proposition) => to.proposition(self.from.proposition_expr(proposition).clone()),
            Core::Does(set) => to.does(self.from.labels(set).to_vec()),
            Core::Acts { agent, action } => to.add(Core::Acts { agent, action }),
            Core::Not(a) => {
                let a = self.copy(a, to)?;
                to.not(a)
            }
            Core::And(a, b) => {
                let (a, b) = (self.copy(a, to)?, self.copy(b, to)?);
                to.add(Core::And(a, b))
            }
            Core::Or(a, b) => {
                let (a, b) = (self.copy(a, to)?, self.copy(b, to)?);
                to.add(Core::Or(a, b))
            }
            Core::Until(a, b) => {
                let (a, b) = (self.copy(a, to)?, self.copy(b, to)?);
                to.add(Core::Until(a, b))
            }
            Core::Since(a, b) => {
                let (a, b) = (self.copy(a, to)?, self.copy(b, to)?);
                to.add(Core::Since(a, b))
            }
            Core::Exists(a) => {
                let a = self.copy(a, to)?;
                to.add(Core::Exists(a))
            }
            Core::Next(a) => {
                let a = self.copy(a, to)?;
                to.add(Core::Next(a))
            }
            Core::Previous(a) => {
                let a = self.copy(a, to)?;
                to.add(Core::Previous(a))
            }
            Core::SomePrevious(a) => {
                let a = self.copy(a, to)?;
                to.add(Core::SomePrevious(a))
            }
            Core::SomePast(a) => {
                let a = self.copy(a, to)?;
                to.add(Core::SomePast(a))
            }
            Core::Committed { debtor, creditor, limit, body } => {
                let body = self.copy(body, to)?;
                to.add(Core::Committed { debtor, creditor, limit, body })
            }
            Core::Knows { relation, correct, body } => {
                let body = self.copy(body, to)?;
                to.add(Core::Knows { relation, correct, body })
            }
            Core::Able { group, goal } => {
                let goal = match goal {
                    Goal::Next(a) => Goal::Next(self.copy(a, to)?),
                    Goal::Globally(a) => Goal::Globally(self.copy(a, to)?),
                    Goal::Until(a, b) => Goal::Until(self.copy(a, to)?, self.copy(b, to)?),
                };
                to.add(Core::Able { group, goal })
            }
        };
        self.known.insert(id, copied);
        Some(copied)
    }
}
