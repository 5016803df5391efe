//! Names that nothing else has.

use rustc_hash::{FxHashMap, FxHashSet};

/// Gives out names, each once.
#[derive(Debug, Default)]
pub(crate) struct Fresh {
    taken: FxHashSet<String>,
    /// The number to try next, by name.
    next: FxHashMap<String, usize>,
}

impl Fresh {
    /// Keeps a name from being given out for something else.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The name itself, or with the first free number from 2 on.
    pub(crate) fn name(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        self.numbered(wanted, 2)
    }

    /// The name with the first free number.
    pub(crate) fn numbered(&mut self, base: &str, from: usize) -> String {
        let mut number = self.next.get(base).copied().unwrap_or(from);
        loop {
            let name = format!("{base}_{number}");
            number += 1;
            if self.taken.insert(name.clone()) {
                self.next.insert(base.to_owned(), number);
                return name;
            }
        }
    }
}
