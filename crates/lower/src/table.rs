//! Values without duplicates, each with a number.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
struct Rows<T, A> {
    rows: Vec<(T, A)>,
    numbers: FxHashMap<T, u32>,
}

impl<T, A> Default for Rows<T, A> {
    fn default() -> Self {
        Rows { rows: Vec::new(), numbers: FxHashMap::default() }
    }
}

/// A table of values with what is known of each. Clones share the rows that were there when [`Table::share`] was called last;
/// what one of them adds later is its own.
#[derive(Clone, Debug)]
pub(crate) struct Table<T, A = ()> {
    shared: Arc<Rows<T, A>>,
    own: Rows<T, A>,
}

impl<T, A> Default for Table<T, A> {
    fn default() -> Self {
        Table { shared: Arc::default(), own: Rows::default() }
    }
}

impl<T: Clone + Eq + Hash, A: Clone> Table<T, A> {
    pub(crate) fn len(&self) -> usize {
        self.shared.rows.len() + self.own.rows.len()
    }

    /// A value, and what is known of it.
    pub(crate) fn get(&self, number: usize) -> &(T, A) {
        match number.checked_sub(self.shared.rows.len()) {
            None => &self.shared.rows[number],
            Some(own) => &self.own.rows[own],
        }
    }

    pub(crate) fn find(&self, value: &T) -> Option<u32> {
        self.shared.numbers.get(value).or_else(|| self.own.numbers.get(value)).copied()
    }

    /// Adds a value that is not there.
    pub(crate) fn push(&mut self, value: T, known: A) -> u32 {
        let number = self.len() as u32;
        self.own.rows.push((value.clone(), known));
        self.own.numbers.insert(value, number);
        number
    }

    /// Adds a value unless it is there.
    pub(crate) fn number(&mut self, value: T, known: A) -> u32 {
        self.find(&value).unwrap_or_else(|| self.push(value, known))
    }

    /// Do both share the same rows?
    pub(crate) fn shares_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// The shared rows alone.
    pub(crate) fn shared(&self) -> Self {
        Table { shared: Arc::clone(&self.shared), own: Rows::default() }
    }

    /// From now on clones share all rows there are.
    pub(crate) fn share(&mut self) {
        let own = std::mem::take(&mut self.own);
        if !own.rows.is_empty() {
            let shared = Arc::make_mut(&mut self.shared);
            shared.rows.extend(own.rows);
            shared.numbers.extend(own.numbers);
        }
    }
}
