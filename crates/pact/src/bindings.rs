//! The values of loop indices at one place, and the names that stand for what is received there.

use std::sync::Arc;

/// Loop indices and their values, innermost last; inner names hide outer ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bindings {
    values: Vec<(Arc<str>, i64)>,
    /// Names that stand for values received by the transition: not constants, but not declared either.
    received: Vec<Arc<str>>,
}

impl Bindings {
    /// The value of an index.
    pub(crate) fn get(&self, name: &str) -> Option<i64> {
        self.values.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| *value)
    }

    /// Does the name stand for what is received?
    pub(crate) fn is_received(&self, name: &str) -> bool {
        self.received.iter().any(|known| &**known == name)
    }

    /// These and one more.
    pub(crate) fn with(&self, name: &Arc<str>, value: i64) -> Bindings {
        let mut longer = self.clone();
        longer.push(name, value);
        longer
    }

    /// These and names for what is received.
    pub(crate) fn receiving(&self, names: Vec<Arc<str>>) -> Bindings {
        Bindings { values: self.values.clone(), received: names }
    }

    pub(crate) fn push(&mut self, name: &Arc<str>, value: i64) {
        self.values.push((name.clone(), value));
    }

    pub(crate) fn pop(&mut self) {
        self.values.pop();
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| &**name).chain(self.received.iter().map(|name| &**name))
    }

    /// The values, outermost first.
    pub(crate) fn values(&self) -> Vec<i64> {
        self.values.iter().map(|(_, value)| *value).collect()
    }
}
