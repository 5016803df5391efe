//! The states of a worker that are in memory, numbered in the order of their discovery: as rows of words, or where they are wide as trees,
//! which keep once what states have in common.

use std::cell::RefCell;
use std::ops::Range;

use servanda_model::{StateId, StateStore};
use servanda_space::{Numbers, Shape, Tree, WIDE, word_in};

/// So many numbers, or words, may be sorted at once.
const SORTED: u32 = 1 << 22;

/// States without duplicates.
pub(crate) enum Kept {
    Rows(StateStore),
    Trees(Box<Trees>),
}

/// States as the roots of their trees.
pub(crate) struct Trees {
    shape: Shape,
    /// The tree of the state that was entered last, and that of the one that was looked for last.
    tree: Tree,
    sought: RefCell<Tree>,
    /// Words and pairs, each with the number by which it stands in pairs.
    nodes: StateStore,
    roots: StateStore,
    /// The roots of states that are entered together. Kept to save its allocation.
    folded: Vec<u64>,
}

/// Numbers of nodes that are there.
struct Known<'a>(&'a StateStore);

impl Numbers for Known<'_> {
    fn number(&mut self, word: u64) -> Option<u32> {
        self.0.find(&[word]).map(|id| id.0)
    }
}

impl Kept {
    /// No states of so many words yet.
    pub(crate) fn new(words: usize) -> Self {
        if words < WIDE {
            return Kept::Rows(StateStore::new(words));
        }
        let shape = Shape::new(words);
        Kept::Trees(Box::new(Trees {
            tree: Tree::new(&shape),
            sought: RefCell::new(Tree::new(&shape)),
            nodes: StateStore::new(1),
            roots: StateStore::new(1),
            folded: Vec::new(),
            shape,
        }))
    }

    /// The number of states.
    pub(crate) fn len(&self) -> usize {
        match self {
            Kept::Rows(rows) => rows.len(),
            Kept::Trees(trees) => trees.roots.len(),
        }
    }

    /// Bytes held, for reports.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Kept::Rows(rows) => rows.bytes(),
            Kept::Trees(trees) => trees.nodes.bytes() + trees.roots.bytes(),
        }
    }

    /// Bytes that are in use, whatever else is set aside.
    pub(crate) fn used_bytes(&self) -> usize {
        match self {
            Kept::Rows(rows) => rows.used_bytes(),
            Kept::Trees(trees) => trees.nodes.used_bytes() + trees.roots.used_bytes(),
        }
    }

    /// So many bytes more are held for a moment when the tables grow, if they will before so many more states are in them.
    #[inline]
    pub(crate) fn growth(&self, states: usize) -> usize {
        match self {
            Kept::Rows(rows) => rows.growth(states),
            Kept::Trees(trees) => trees.nodes.growth(states) + trees.roots.growth(states),
        }
    }

    /// Makes room for so many more states and not for many more, as far as `may` allows.
    ///
    /// # Errors
    ///
    /// What `may` says.
    pub(crate) fn make_little_room<E>(
        &mut self,
        states: usize,
        may: impl Fn(usize) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Kept::Rows(rows) => rows.make_little_room(states, may),
            Kept::Trees(trees) => {
                trees.nodes.make_little_room(states, &may)?;
                trees.roots.make_little_room(states, may)
            }
        }
    }

    /// The greatest number that a state, or what it is made of, may have when so many states of so many words have come.
    #[inline]
    pub(crate) fn numbers_with(&self, states: usize, words: usize) -> usize {
        match self {
            Kept::Rows(rows) => rows.len() + states,
            Kept::Trees(trees) => (trees.roots.len() + states).max(trees.nodes.len() + 2 * words * states),
        }
    }

    /// The bytes that are held for a moment when states are put in order, as a checkpoint has them.
    pub(crate) fn sorting_bytes(&self, words: usize) -> usize {
        let states = self.len().min(self.sorted_at_once(words) as usize);
        match self {
            Kept::Rows(_) => states * size_of::<StateId>(),
            Kept::Trees(_) => states * (words * size_of::<u64>() + size_of::<usize>()),
        }
    }

    /// Adds a state unless it is there, and says whether it was not.
    pub(crate) fn insert(&mut self, state: &[u64]) -> bool {
        match self {
            Kept::Rows(rows) => rows.insert(state).1,
            Kept::Trees(trees) => {
                let root = trees.fold(state);
                trees.roots.insert(&[root]).1
            }
        }
    }

    /// Adds the states of so many words that are not there, one after the other, and tells of each whether it is new.
    pub(crate) fn insert_all(&mut self, words: usize, states: &[u64], mut each: impl FnMut(&[u64], bool)) {
        match self {
            Kept::Rows(rows) => rows.insert_all(states, each),
            Kept::Trees(trees) => {
                let mut folded = std::mem::take(&mut trees.folded);
                folded.clear();
                folded.extend(states.chunks_exact(words).map(|state| trees.fold(state)));
                let mut entered = states.chunks_exact(words);
                trees.roots.insert_all(&folded, |_, is_new| {
                    if let Some(state) = entered.next() {
                        each(state, is_new);
                    }
                });
                trees.folded = folded;
            }
        }
    }

    /// A state by its number, which may be written into `room`.
    #[inline]
    pub(crate) fn get<'s>(&'s self, number: u32, room: &'s mut Vec<u64>) -> &'s [u64] {
        match self {
            Kept::Rows(rows) => rows.get(StateId(number)),
            Kept::Trees(trees) => {
                trees.shape.unfold(trees.roots.get(StateId(number))[0], word_in(&trees.nodes), room);
                room
            }
        }
    }

    /// Puts a state into a place of its own.
    #[inline]
    pub(crate) fn copy(&self, number: u32, to: &mut Vec<u64>) {
        if let Kept::Rows(rows) = self {
            to.clear();
            to.extend_from_slice(rows.get(StateId(number)));
        } else {
            self.get(number, to);
        }
    }

    /// The number of a state that is there.
    pub(crate) fn find(&self, state: &[u64]) -> Option<u32> {
        let id = match self {
            Kept::Rows(rows) => rows.find(state),
            Kept::Trees(trees) => {
                let root = trees.sought.borrow_mut().fold(state, Known(&trees.nodes))?;
                trees.roots.find(&[root])
            }
        };
        id.map(|id| id.0)
    }

    /// Has something done with the states as rows; where they are trees they become rows, and stay so. What goes to disk is sorted, and
    /// in memory only until there is enough of it.
    pub(crate) fn with_rows<T>(&mut self, words: usize, act: impl FnOnce(&mut StateStore) -> T) -> T {
        let mut rows = match std::mem::replace(self, Kept::Rows(StateStore::new(words))) {
            Kept::Rows(rows) => rows,
            trees => {
                let (mut rows, mut room) = (StateStore::new(words), Vec::new());
                for number in 0..trees.len() as u32 {
                    rows.insert(trees.get(number, &mut room));
                }
                rows
            }
        };
        let done = act(&mut rows);
        *self = Kept::Rows(rows);
        done
    }

    /// How many states may be sorted at once where they stay in memory meanwhile: what they are sorted as takes memory too.
    pub(crate) fn sorted_at_once(&self, words: usize) -> u32 {
        match self {
            Kept::Rows(_) => SORTED,
            Kept::Trees(_) => (SORTED / words as u32).max(1),
        }
    }

    /// The states of a range of numbers in ascending order, each with its number.
    pub(crate) fn for_each_sorted<E>(
        &self,
        words: usize,
        numbers: Range<u32>,
        mut each: impl FnMut(u32, &[u64]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Kept::Rows(rows) = self {
            let sorted = rows.sorted(StateId(numbers.start), StateId(numbers.end));
            return sorted.into_iter().try_for_each(|id| each(id.0, rows.get(id)));
        }
        let (mut unfolded, mut room) = (Vec::with_capacity(numbers.len() * words), Vec::new());
        numbers.clone().for_each(|number| unfolded.extend_from_slice(self.get(number, &mut room)));
        let row = |index: usize| &unfolded[index * words..][..words];
        let mut sorted: Vec<usize> = (0..numbers.len()).collect();
        sorted.sort_unstable_by_key(|index| row(*index));
        sorted.into_iter().try_for_each(|index| each(numbers.start + index as u32, row(index)))
    }
}

impl Trees {
    /// The root of a state, whose parts are entered where they are not there.
    fn fold(&mut self, state: &[u64]) -> u64 {
        // There is always room, so there is a root.
        self.tree.fold(state, &mut self.nodes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of so many words that have much in common; some occur again.
    fn states(words: usize) -> Vec<Vec<u64>> {
        let state = |turn: u64| (0..words as u64).map(|word| (turn % 3000 * 77) >> word).collect();
        (0..4000).map(state).collect()
    }

    #[test]
    fn trees_are_what_rows_are() {
        for words in [WIDE, WIDE + 1, 13, 16, 40] {
            let (mut rows, mut trees) = (Kept::Rows(StateStore::new(words)), Kept::new(words));
            assert!(matches!(trees, Kept::Trees(_)));
            let (mut room, mut place) = (Vec::new(), Vec::new());
            let states = states(words);
            let (first, others) = states.split_at(1000);
            for state in first {
                assert_eq!(trees.find(state), rows.find(state));
                assert_eq!(trees.insert(state), rows.insert(state));
                assert_eq!(trees.find(state), rows.find(state));
            }
            let told = |kept: &mut Kept| {
                let mut told = Vec::new();
                kept.insert_all(words, &others.concat(), |state, is_new| told.push((state.to_vec(), is_new)));
                told
            };
            assert_eq!(told(&mut trees), told(&mut rows));
            assert!(rows.len() > 1000 && trees.len() == rows.len() && trees.used_bytes() <= trees.bytes());
            assert_eq!(trees.find(&vec![17; words]), None);
            let all = 0..rows.len() as u32;
            for number in all.clone() {
                let expected = rows.get(number, &mut room).to_vec();
                assert_eq!(trees.get(number, &mut room), expected);
                trees.copy(number, &mut place);
                assert_eq!(place, expected);
                assert_eq!(trees.find(&expected), Some(number));
            }
            let sorted = |kept: &Kept, numbers| {
                let mut sorted = Vec::new();
                let each = |number, state: &[u64]| -> Result<(), ()> {
                    sorted.push((number, state.to_vec()));
                    Ok(())
                };
                kept.for_each_sorted(words, numbers, each).map(|()| sorted)
            };
            for numbers in [0..0, 7..8, 100..900, all] {
                assert_eq!(sorted(&trees, numbers.clone()), sorted(&rows, numbers));
            }
            let drained = trees.with_rows(words, |store| store.len());
            assert!(drained == rows.len() && matches!(trees, Kept::Rows(_)));
        }
    }
}
