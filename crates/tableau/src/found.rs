//! The states found, in one table for all threads.
//!
//! A state of one word is kept in the table itself, one of a few words in a row to which the table leads. Of a wide one the parts are kept
//! that states have in common, as a tree ([`servanda_space::Tree`]), whose root is one word and kept as such.

mod folded;
mod rows;
mod table;
#[cfg(test)]
mod tests;
mod words;

use std::ops::ControlFlow;

use servanda_engine::{Budget, Halt};
use servanda_space::{Shape, WIDE};

pub(crate) use folded::Folded;
use rows::{OpenRows, RowRoom, Rows};
use table::{Mark, OpenTables, Room};
use words::{OpenWords, Words};

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
        folded.fold(states.chunks_exact(self.found.words), shape, nodes, room)
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
