//! Lists of numbers, each kept once and known by a number of its own.

use std::hash::{BuildHasher as _, Hasher as _};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Interned lists.
#[derive(Default)]
pub(crate) struct Sets {
    starts: Vec<usize>,
    members: Vec<u32>,
    /// By hash, the numbers of the lists that have it.
    by_hash: FxHashMap<u64, Vec<u32>>,
}

impl Sets {
    /// The number of a list, if it has one.
    pub(crate) fn find(&self, list: &[u32]) -> Option<u32> {
        self.find_by(hash(list), list)
    }

    fn find_by(&self, hash: u64, list: &[u32]) -> Option<u32> {
        let same = self.by_hash.get(&hash).into_iter().flatten();
        same.copied().find(|number| self.get(*number) == list)
    }

    /// The number of a list, which is added if it is new.
    pub(crate) fn number(&mut self, list: &[u32]) -> u32 {
        let hash = hash(list);
        if let Some(known) = self.find_by(hash, list) {
            return known;
        }
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        let number = self.len() as u32;
        self.members.extend_from_slice(list);
        self.starts.push(self.members.len());
        self.by_hash.entry(hash).or_default().push(number);
        number
    }

    /// The list with a number.
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let at = number as usize;
        &self.members[self.starts[at]..self.starts[at + 1]]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

fn hash(list: &[u32]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    list.iter().for_each(|member| hasher.write_u32(*member));
    hasher.write_usize(list.len());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_list_has_one_number() {
        let mut sets = Sets::default();
        let (none, some, other) = (sets.number(&[]), sets.number(&[1, 2]), sets.number(&[2, 1]));
        assert_eq!((sets.number(&[]), sets.number(&[1, 2]), sets.number(&[2, 1])), (none, some, other));
        assert_eq!((sets.len(), sets.get(some), sets.get(none)), (3, &[1, 2][..], &[][..]));
    }
}
