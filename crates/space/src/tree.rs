//! Wide states as trees of pairs (Laarman, van de Pol and Weber 2011): what states have in common is kept once.
//!
//! The words of a state are the leaves of a binary tree. Every leaf and every pair of numbers is itself given a number, the same one
//! whenever it occurs again, so that a state is the one word in which the numbers below its root stand side by side. Whoever folds states
//! that follow each other looks up what changed and no more.

use servanda_model::{StateId, StateStore};

/// States of so many words are worth keeping as trees. Of narrower ones the parts have less in common than it takes time to look them up.
pub const WIDE: usize = 8;

/// Gives words numbers, each word the same number for ever.
pub trait Numbers {
    /// The number of a word, which gets one if it has none; `None` where there is no room now.
    fn number(&mut self, word: u64) -> Option<u32>;
}

impl Numbers for &mut StateStore {
    fn number(&mut self, word: u64) -> Option<u32> {
        Some(self.insert(&[word]).0.0)
    }
}

/// How many nodes the levels of a tree have, the leaves first; the last level has the two below the root.
#[derive(Clone, Debug)]
pub struct Shape(Vec<usize>);

impl Shape {
    /// For states of so many words, of which there must be two at least.
    pub fn new(words: usize) -> Self {
        let mut levels = vec![words.max(2)];
        while let Some(&last) = levels.last()
            && last > 2
        {
            levels.push(last.div_ceil(2));
        }
        Shape(levels)
    }

    /// The state of a root. `word` says of which word a number is.
    pub fn unfold(&self, root: u64, word: impl Fn(u32) -> u64, state: &mut Vec<u64>) {
        state.clear();
        state.extend([root >> 32, root & u64::from(u32::MAX)]);
        // From the top down, in place: what is below a node is written from the end, so that no node is overwritten before it is read.
        for &below in self.0.iter().rev().skip(1) {
            let above = state.len();
            state.resize(below, 0);
            for node in (0..above).rev() {
                let (number, left) = (state[node], 2 * node);
                if left + 1 < below {
                    let pair = word(number as u32);
                    (state[left], state[left + 1]) = (pair >> 32, pair & u64::from(u32::MAX));
                } else {
                    state[left] = number;
                }
            }
        }
        for leaf in state {
            *leaf = word(*leaf as u32);
        }
    }
}

/// Folds states, and knows the tree of the one that was folded last.
#[derive(Debug)]
pub struct Tree {
    last: Vec<u64>,
    /// The numbers of the nodes, level by level.
    numbers: Vec<Vec<u32>>,
    /// Is that the tree of the last state? Otherwise there was no room for all of it.
    is_whole: bool,
    /// The nodes of a level that are not those of the last state. Kept to save its allocation.
    changed: Vec<usize>,
}

impl Tree {
    /// Nothing was folded yet.
    pub fn new(shape: &Shape) -> Self {
        let Shape(levels) = shape;
        Tree {
            last: vec![0; levels[0]],
            numbers: levels.iter().map(|nodes| vec![0; *nodes]).collect(),
            is_whole: false,
            changed: Vec::new(),
        }
    }

    /// The root of a state; `None` where there was no room for all of its nodes. What has got a number by then has it the next time.
    pub fn fold(&mut self, state: &[u64], mut numbers: impl Numbers) -> Option<u64> {
        self.changed.clear();
        for (leaf, (last, word)) in self.last.iter_mut().zip(state).enumerate() {
            if *last != *word || !self.is_whole {
                *last = *word;
                self.changed.push(leaf);
            }
        }
        self.is_whole = false;
        for leaf in &self.changed {
            self.numbers[0][*leaf] = numbers.number(self.last[*leaf])?;
        }
        for level in 1..self.numbers.len() {
            self.changed.iter_mut().for_each(|node| *node /= 2);
            self.changed.dedup();
            let (below, above) = self.numbers.split_at_mut(level);
            for node in &self.changed {
                let below = &below[level - 1][2 * node..];
                above[0][*node] = match *below {
                    [only] => only,
                    [left, right, ..] => numbers.number(pair(left, right))?,
                    [] => 0,
                };
            }
        }
        self.is_whole = true;
        match self.numbers.last()?[..] {
            [left, right] => Some(pair(left, right)),
            _ => None,
        }
    }
}

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

/// The word of a number that a store has given.
pub fn word_in(store: &StateStore) -> impl Fn(u32) -> u64 + '_ {
    |number| store.get(StateId(number))[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives numbers, but only so many new ones.
    struct Scarce<'a>(&'a mut StateStore, usize);

    impl Numbers for &mut Scarce<'_> {
        fn number(&mut self, word: u64) -> Option<u32> {
            let known = self.0.find(&[word]);
            if known.is_none() {
                self.1 = self.1.checked_sub(1)?;
            }
            (&mut *self.0).number(word)
        }
    }

    /// States of so many words that change in a few places from one to the next.
    fn states(words: usize, count: u64) -> Vec<Vec<u64>> {
        let mut state = vec![0_u64; words];
        let mut seed = 88_172_645_463_325_252_u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        (0..count)
            .map(|_| {
                for _ in 0..next() % 3 {
                    state[next() as usize % words] = next() % 7;
                }
                state.clone()
            })
            .collect()
    }

    #[test]
    fn states_are_the_same_exactly_when_their_roots_are() {
        for words in 2..=17 {
            let (shape, mut store) = (Shape::new(words), StateStore::new(1));
            let (mut tree, mut unfolded) = (Tree::new(&shape), Vec::new());
            let mut roots = std::collections::HashMap::new();
            for state in states(words, 2000) {
                let root = tree.fold(&state, &mut store).expect("there is room");
                shape.unfold(root, word_in(&store), &mut unfolded);
                assert_eq!(unfolded, state, "{words} words");
                assert_eq!(*roots.entry(state).or_insert(root), root, "{words} words");
            }
        }
    }

    #[test]
    fn what_there_was_no_room_for_is_folded_when_there_is() {
        for words in [2, 3, 5, 8, 13] {
            let (shape, mut store) = (Shape::new(words), StateStore::new(1));
            let (mut tree, mut unfolded) = (Tree::new(&shape), Vec::new());
            for (turn, state) in states(words, 3000).iter().enumerate() {
                let root = loop {
                    match tree.fold(state, &mut Scarce(&mut store, 1 + turn % 2)) {
                        Some(root) => break root,
                        // Somebody may give up, and fold another one first.
                        None if turn % 3 == 0 => {
                            let _ = tree.fold(&vec![turn as u64; words], &mut Scarce(&mut store, 1));
                        }
                        None => {}
                    }
                };
                shape.unfold(root, word_in(&store), &mut unfolded);
                assert_eq!(&unfolded, state, "{words} words");
            }
        }
    }
}
