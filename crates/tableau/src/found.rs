//! The states found, in one table for all threads.
//!
//! A state of one word is kept in the table itself, one of a few words in a row to which the table leads. Of a wide one the parts are kept
//! that states have in common, as a tree ([`servanda_space::Tree`]), whose root is one word and kept as such.

mod rows;
mod table;
mod words;

use std::ops::ControlFlow;

use servanda_engine::{Budget, Halt};
use servanda_model::StateStore;
use servanda_space::{Numbers, Shape, Tree};

use rows::{OpenRows, RowRoom, Rows};
use table::{Mark, OpenTables, Room};
use words::{OpenWords, Words};

/// States of so many words are kept as trees. Of narrower ones the parts have less in common than it takes time to look them up.
const WIDE: usize = 8;

/// Nobody is asked for fewer bytes.
const LARGE: usize = 1 << 20;

/// The states found, and room for more.
pub(crate) struct Found {
    words: usize,
    threads: usize,
    kept: Kept,
}

/// Says whether so many more bytes may be held.
type May<'a> = &'a dyn Fn(usize) -> Result<(), Halt>;

/// How states are kept.
enum Kept {
    Words(Words),
    Rows(Rows),
    Trees { shape: Shape, nodes: Rows, roots: Words },
}

/// What became of a state that was to be entered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entered {
    New,
    Known,
    /// It was not entered, and can be when the threads have met.
    NoRoom,
}

/// The states found, while no table grows.
pub(crate) struct Open<'f> {
    found: &'f Found,
    kept: OpenKept<'f>,
}

enum OpenKept<'f> {
    Words(OpenWords<'f>),
    Rows(OpenRows<'f>),
    Trees { shape: &'f Shape, nodes: OpenRows<'f>, roots: OpenWords<'f> },
}

/// What one thread may still enter before the threads meet.
pub(crate) struct Share {
    kept: KeptShare,
    told: usize,
}

enum KeptShare {
    Words(Room),
    Rows(RowRoom),
    Trees { nodes: RowRoom, roots: Room },
}

/// What one thread folds states with, and into.
#[derive(Default)]
pub(crate) struct Folded {
    tree: Option<Tree>,
    /// Nodes that were looked up a moment ago with their numbers, each at the place its hash says.
    recent: Vec<(u64, u32)>,
    kept: Vec<u64>,
    hashes: Vec<u64>,
}

/// How many nodes are remembered.
const RECENT: usize = 1 << 12;

impl Found {
    /// Nothing is found yet.
    pub(crate) fn new(words: usize, threads: usize) -> Self {
        let kept = match words {
            1 => Kept::Words(Words::new(threads)),
            WIDE.. => Kept::Trees {
                shape: Shape::new(words),
                nodes: Rows::new(1, threads),
                roots: Words::new(threads),
            },
            _ => Kept::Rows(Rows::new(words, threads)),
        };
        Found { words, threads, kept }
    }

    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How many words of a state whoever wants to find it again has to keep.
    pub(crate) fn kept_words(&self) -> usize {
        if self.folds() { 1 } else { self.words }
    }

    /// Are states folded before they are entered?
    pub(crate) fn folds(&self) -> bool {
        matches!(self.kept, Kept::Trees { .. })
    }

    /// Makes room for more, as far as it is the business of one thread. No thread may have the states open.
    pub(crate) fn make_room(&self, thread: usize, budget: &dyn Budget) -> Result<(), Halt> {
        let states = self.len() as u64;
        let may = |bytes: usize| {
            let asked = if bytes < LARGE { Ok(()) } else { budget.room(bytes) };
            asked.map_err(|stop| Halt::Stopped { stop, states, transitions: 0 })
        };
        match &self.kept {
            Kept::Words(words) => words.make_room(thread, &may),
            Kept::Rows(rows) => rows.make_room(thread, &may),
            Kept::Trees { nodes, roots, .. } => {
                nodes.make_room(thread, &may)?;
                roots.make_room(thread, &may)
            }
        }
    }

    /// The states, to look up and to enter.
    pub(crate) fn open(&self) -> Open<'_> {
        let kept = match &self.kept {
            Kept::Words(words) => OpenKept::Words(words.open()),
            Kept::Rows(rows) => OpenKept::Rows(rows.open()),
            Kept::Trees { shape, nodes, roots } => {
                OpenKept::Trees { shape, nodes: nodes.open(), roots: roots.open() }
            }
        };
        Open { found: self, kept }
    }

    /// Counts what a thread has entered. It may not have the states open.
    pub(crate) fn settle(&self, share: &Share) {
        match (&self.kept, &share.kept) {
            (Kept::Words(words), KeptShare::Words(room)) => words.open().tables().settle(room),
            (Kept::Rows(rows), KeptShare::Rows(room)) => rows.settle(room),
            (Kept::Trees { nodes, roots, .. }, KeptShare::Trees { nodes: own, roots: room, .. }) => {
                nodes.settle(own);
                roots.open().tables().settle(room);
            }
            _ => unreachable!("a share is of the states it was taken of"),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self.open().kept {
            OpenKept::Words(words) => words.len(),
            OpenKept::Rows(rows) => rows.tables().len(),
            OpenKept::Trees { roots, .. } => roots.len(),
        }
    }

    /// Bytes held, for reports.
    pub(crate) fn bytes(&self) -> usize {
        let words = match self.open().kept {
            OpenKept::Words(words) => words.tables().words(),
            OpenKept::Rows(rows) => rows.words(),
            OpenKept::Trees { nodes, roots, .. } => nodes.words() + roots.tables().words(),
        };
        words * size_of::<u64>()
    }

    /// Visits every state, in no particular order.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(&[u64])) {
        let _: ControlFlow<()> = self.try_for_each(|state| {
            visit(state);
            ControlFlow::Continue(())
        });
    }

    /// The same until the visitor has seen enough.
    pub(crate) fn try_for_each<B>(&self, mut visit: impl FnMut(&[u64]) -> ControlFlow<B>) -> ControlFlow<B> {
        let (open, mut state) = (self.open(), Vec::new());
        match &open.kept {
            OpenKept::Words(words) => words.iter().try_for_each(|word| visit(&[word])),
            OpenKept::Rows(rows) => rows.tables().marks().try_for_each(|mark| {
                state.clear();
                state.extend(rows.row(mark as u32));
                visit(&state)
            }),
            OpenKept::Trees { roots, .. } => {
                roots.iter().try_for_each(|root| visit(open.unfold(&[root], &mut state)))
            }
        }
    }
}

impl Open<'_> {
    /// An equal share of what is free for each thread.
    pub(crate) fn share(&self, thread: usize) -> Share {
        let kept = match &self.kept {
            OpenKept::Words(words) => KeptShare::Words(words.tables().room()),
            OpenKept::Rows(rows) => KeptShare::Rows(rows.room(thread)),
            OpenKept::Trees { nodes, roots, .. } => {
                KeptShare::Trees { nodes: nodes.room(thread), roots: roots.tables().room() }
            }
        };
        Share { kept, told: 0 }
    }

    /// States as they are kept, and their hashes: as they are, or folded, as many of them as there is room for.
    #[inline]
    pub(crate) fn fold<'s>(
        &self,
        states: &'s [u64],
        hashes: &'s [u64],
        share: &mut Share,
        folded: &'s mut Folded,
    ) -> (&'s [u64], &'s [u64]) {
        let (OpenKept::Trees { shape, nodes, .. }, KeptShare::Trees { nodes: room, .. }) =
            (&self.kept, &mut share.kept)
        else {
            return (states, hashes);
        };
        let tree = folded.tree.get_or_insert_with(|| Tree::new(shape));
        if folded.recent.is_empty() {
            folded.recent.resize(RECENT, (0, 0));
        }
        let mut numbers = Nodes { nodes, room, recent: &mut folded.recent };
        folded.kept.clear();
        for state in states.chunks_exact(self.found.words) {
            let Some(root) = tree.fold(state, &mut numbers) else { break };
            folded.kept.push(root);
        }
        folded.hashes.clear();
        folded.hashes.extend(folded.kept.iter().map(|root| StateStore::hash(&[*root])));
        (&folded.kept, &folded.hashes)
    }

    /// The state that is kept so.
    #[inline]
    pub(crate) fn unfold<'s>(&self, kept: &'s [u64], state: &'s mut Vec<u64>) -> &'s [u64] {
        match (&self.kept, kept) {
            (OpenKept::Trees { shape, nodes, .. }, [root]) => {
                shape.unfold(*root, |number| nodes.row(number).next().unwrap_or_default(), state);
                state
            }
            _ => kept,
        }
    }

    /// A look at the place of a state, so that it is near when it is needed.
    #[inline]
    pub(crate) fn look(&self, hash: u64) -> u64 {
        self.tables().look(hash)
    }

    fn tables(&self) -> &OpenTables<'_> {
        match &self.kept {
            OpenKept::Words(words) => words.tables(),
            OpenKept::Rows(rows) => rows.tables(),
            OpenKept::Trees { roots, .. } => roots.tables(),
        }
    }

    /// Enters a state as it is kept.
    #[inline]
    pub(crate) fn enter(&self, kept: &[u64], hash: u64, share: &mut Share) -> Entered {
        match (&self.kept, &mut share.kept, kept) {
            (OpenKept::Words(words), KeptShare::Words(room), [word]) => words.enter(*word, hash, room),
            (OpenKept::Trees { roots, .. }, KeptShare::Trees { roots: room, .. }, [root]) => {
                roots.enter(*root, hash, room)
            }
            (OpenKept::Rows(rows), KeptShare::Rows(room), _) => match rows.enter(kept, hash, room) {
                Mark::New(_) => Entered::New,
                Mark::Known(_) => Entered::Known,
                Mark::NoRoom => Entered::NoRoom,
            },
            _ => unreachable!("a share is of the states it was taken of"),
        }
    }
}

/// The nodes of trees, to look up and to enter.
struct Nodes<'a, 'f> {
    nodes: &'a OpenRows<'f>,
    room: &'a mut RowRoom,
    recent: &'a mut [(u64, u32)],
}

impl Numbers for &mut Nodes<'_, '_> {
    #[inline]
    fn number(&mut self, word: u64) -> Option<u32> {
        let hash = StateStore::hash(&[word]);
        // No row has the number 0.
        let recent = &mut self.recent[(hash >> 32) as usize % RECENT];
        if recent.0 == word && recent.1 != 0 {
            return Some(recent.1);
        }
        match self.nodes.enter(&[word], hash, self.room) {
            Mark::New(mark) | Mark::Known(mark) => {
                *recent = (word, mark as u32);
                Some(mark as u32)
            }
            Mark::NoRoom => None,
        }
    }
}

impl Share {
    /// How many states were entered since this was last asked.
    pub(crate) fn not_yet_told(&mut self) -> u64 {
        let entered = self.states().entered();
        let told = std::mem::replace(&mut self.told, entered);
        (entered - told) as u64
    }

    fn states(&self) -> &Room {
        match &self.kept {
            KeptShare::Words(room) | KeptShare::Trees { roots: room, .. } => room,
            KeptShare::Rows(room) => &room.room,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every thread enters all states of a sequence with repetitions; gives how many each found to be new.
    fn enter_from_all(found: &Found, states: &[Vec<u64>]) -> usize {
        let mut left: Vec<Vec<&Vec<u64>>> = vec![states.iter().collect(); found.threads()];
        let mut new = 0;
        while left.iter().any(|left| !left.is_empty()) {
            (0..found.threads())
                .try_for_each(|thread| found.make_room(thread, &servanda_engine::NoLimits))
                .expect("few states");
            let enter = |(thread, left): (usize, &mut Vec<&Vec<u64>>)| {
                let open = found.open();
                let mut share = open.share(thread);
                let mut new = 0;
                let mut folded = Folded::default();
                while let Some(state) = left.last() {
                    let hash = [StateStore::hash(state)];
                    let (kept, [hash]) = open.fold(state, &hash, &mut share, &mut folded) else { break };
                    match open.enter(kept, *hash, &mut share) {
                        Entered::New => new += 1,
                        Entered::Known => {}
                        Entered::NoRoom => break,
                    }
                    left.pop();
                }
                drop(open);
                found.settle(&share);
                new
            };
            new += std::thread::scope(|scope| {
                let threads = left.iter_mut().enumerate();
                let threads: Vec<_> = threads.map(|own| scope.spawn(move || enter(own))).collect();
                threads.into_iter().map(|thread| thread.join().expect("no panic")).sum::<usize>()
            });
        }
        new
    }

    fn sorted(found: &Found) -> Vec<Vec<u64>> {
        let mut states = Vec::new();
        found.for_each(|state| states.push(state.to_vec()));
        states.sort_unstable();
        states
    }

    #[test]
    fn each_state_is_new_once_however_many_threads_enter_it() {
        for words in [1, 2, 3, 4, 5, 9, 16] {
            for threads in 1..=3 {
                let found = Found::new(words, threads);
                let state =
                    |k: u64| (0..words as u64).map(|w| (k % 5000).wrapping_mul(w * w + 1) << 9).collect();
                let states: Vec<Vec<u64>> = (0..20_000).map(state).collect();
                assert_eq!(enter_from_all(&found, &states), 5000, "{words} words, {threads} threads");
                assert_eq!(found.len(), 5000);
                let mut expected = states[..5000].to_vec();
                expected.sort_unstable();
                assert_eq!(sorted(&found), expected);
            }
        }
    }

    #[test]
    fn words_at_both_ends_are_states_like_others() {
        let found = Found::new(1, 2);
        let states: Vec<Vec<u64>> = [0, 1, u64::MAX - 1, u64::MAX, 0, u64::MAX].map(|word| vec![word]).into();
        assert_eq!(enter_from_all(&found, &states), 4);
        assert_eq!(found.len(), 4);
        assert_eq!(sorted(&found), [[0], [1], [u64::MAX - 1], [u64::MAX]]);
    }

    #[test]
    fn a_share_is_never_exceeded() {
        let found = Found::new(1, 1);
        let open = found.open();
        let mut share = open.share(0);
        let room = share.states().places()[0];
        let mut enter = |word: u64| open.enter(&[word], StateStore::hash(&[word]), &mut share);
        assert!((0..room as u64).all(|word| enter(word) == Entered::New));
        assert!(enter(room as u64) == Entered::NoRoom);
        assert!(enter(0) == Entered::Known, "what is there is found without room");
    }
}
