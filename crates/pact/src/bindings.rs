//! The values of loop indices at one place.

use std::sync::Arc;

/// Loop indices and their values, innermost last; inner names hide outer ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bindings {
    values: Vec<(Arc<str>, i64)>,
}

impl Bindings {
    /// The value of an index.
    pub(crate) fn get(&self, name: &str) -> Option<i64> {
        self.values.iter().rev().find(|(known, _)| &**known == name).map(|(_, value)| *value)
    }

    /// These and one more.
    pub(crate) fn with(&self, name: &Arc<str>, value: i64) -> Bindings {
        let mut values = self.values.clone();
        values.push((name.clone(), value));
        Bindings { values }
    }

    pub(crate) fn push(&mut self, name: &Arc<str>, value: i64) {
        self.values.push((name.clone(), value));
    }

    pub(crate) fn pop(&mut self) {
        self.values.pop();
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| &**name)
    }

    /// The values, outermost first.
    pub(crate) fn values(&self) -> Vec<i64> {
        self.values.iter().map(|(_, value)| *value).collect()
    }
}
