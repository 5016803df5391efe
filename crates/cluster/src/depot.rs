//! What a worker has on disk, if anything, and how the rest of it goes on as if all was in memory.

use std::io;
use std::sync::Arc;

use servanda_disk::Place;
use servanda_engine::Halt;
use servanda_model::StateStore;

use crate::board::{Board, Trouble};
use crate::checkpoint::Keeper;
use crate::complaint::complaint;
use crate::fabric::{Fabric, Lost};
use crate::kept::Kept;
use crate::shard::{Search, Shard};
use crate::spill::{Spill, Unfinished};
use crate::storage::Storage;

/// After so many states in memory it is asked whether to go on.
const ASK_EVERY: u32 = 1 << 10;

/// What is set aside for the states that come with the last one for which there is room: a part of it, and so many.
const MORE: (usize, usize) = (16, 1 << 13);

/// At least so many states are in memory.
const FEWEST: usize = 16;

/// What is said of questions that need the transitions between states that are on disk.
pub(crate) const ON_DISK: &str =
    "the states did not fit into memory; on disk only counts, deadlocks and reachable states are looked for";

/// What a worker has on disk, and may put there.
#[derive(Default)]
pub(crate) struct Depot {
    /// Where states go that do not fit into memory, and how many fit.
    room: Option<(Arc<Place>, usize)>,
    /// Those that did not fit.
    pub(crate) spill: Option<Spill>,
    /// Where checkpoints go.
    pub(crate) keeper: Option<Keeper>,
    /// Why nothing can be written or read any more.
    pub(crate) broken: Option<String>,
    /// May something be put on disk? The same for all workers, whatever becomes of it.
    is_used: bool,
}

impl Depot {
    /// Where states go that do not fit into memory, and how many fit.
    pub(crate) fn room(&self) -> Option<&(Arc<Place>, usize)> {
        self.room.as_ref()
    }

    /// Remembers why files cannot be used, the first time.
    fn fail(&mut self, error: &io::Error) {
        let place =
            self.room.as_ref().map_or_else(String::new, |(place, _)| place.path().display().to_string());
        self.broken.get_or_insert_with(|| format!("the states on disk cannot be used ({place}): {error}"));
    }
}

impl Shard<'_> {
    /// States may go to disk from now on.
    pub(crate) fn open_depot(&mut self, storage: &Storage) {
        self.depot.is_used = storage.spill.is_some() || storage.checkpoint.is_some();
        let Some(within) = &storage.spill else { return };
        let words = self.layout.words();
        match Place::new(within) {
            Ok(place) => {
                let most = StateStore::states_in(words, storage.memory);
                let most = (most - most / MORE.0).saturating_sub(MORE.1).max(most / 2).max(FEWEST);
                self.depot.room = Some((Arc::new(place), most));
                let (mut store, mut room) = (self.empty_store(), Vec::new());
                for number in 0..self.len() {
                    store.insert(self.store.get(number, &mut room));
                }
                self.store = store;
                self.make_room();
            }
            Err(error) => {
                self.depot.broken = Some(format!("nothing can be put into {}: {error}", within.display()));
            }
        }
    }

    /// A store with room for as many states as are kept in memory.
    pub(crate) fn empty_store(&self) -> Kept {
        let words = self.layout.words();
        match &self.depot.room {
            // What may go to disk is in rows: how many fit is known beforehand, and they can be sorted where they are.
            Some((_, most)) => Kept::Rows(StateStore::with_room(words, most + most / MORE.0 + MORE.1)),
            None => Kept::new(words),
        }
    }

    /// Bytes that the states take in memory, and on disk where some are there.
    pub(crate) fn bytes(&self) -> u64 {
        match (&self.depot.room, &self.depot.spill) {
            (None, _) => self.store.bytes() as u64,
            (Some(_), None) => self.store.used_bytes() as u64,
            (Some(_), Some(spill)) => spill.bytes(),
        }
    }

    /// Where the states in memory are as many as can be, they go to disk.
    pub(crate) fn make_room(&mut self) {
        let Some((place, most)) = &self.depot.room else { return };
        if self.store.len() < *most || self.depot.broken.is_some() {
            return;
        }
        let words = self.layout.words();
        let made = match &mut self.depot.spill {
            Some(spill) => self.store.with_rows(words, |rows| spill.flush(rows)),
            None => match Spill::new((place, words), &self.store, &self.levels, self.next, || {
                self.purse.is_over()
            }) {
                Ok(spill) => {
                    // The old one is given back before there is a new one.
                    self.store = Kept::new(words);
                    self.store = self.empty_store();
                    self.depot.spill = Some(spill);
                    Ok(())
                }
                Err(error) => Err(error.into()),
            },
        };
        if let Err(Unfinished::Failed(error)) = made {
            self.depot.fail(&error);
        }
    }

    /// Puts the next state of this distance that is not expanded yet into its place; `false` where there is none.
    pub(crate) fn peek(&mut self, state: &mut Vec<u64>) -> bool {
        let Some(spill) = &mut self.depot.spill else {
            let is_left = self.next < *self.levels.last().unwrap_or(&0);
            if is_left {
                self.store.copy(self.next, state);
            }
            return is_left;
        };
        let shown = spill.peek(state);
        shown.map_err(|error| self.depot.fail(&error)).unwrap_or(false)
    }

    /// The state that was shown is expanded.
    pub(crate) fn pass(&mut self) {
        self.expanded += 1;
        match &mut self.depot.spill {
            Some(spill) => {
                if let Err(error) = spill.pass() {
                    self.depot.fail(&error);
                }
            }
            None => self.next += 1,
        }
        self.make_room();
    }

    /// How many states of this distance are not expanded yet.
    pub(crate) fn left(&self) -> u64 {
        let in_memory = || u64::from(*self.levels.last().unwrap_or(&0) - self.next);
        self.depot.spill.as_ref().map_or_else(in_memory, Spill::left)
    }

    /// Finds out which of the states that were found from this level are new, where that is not known, and looks at those.
    pub(crate) fn settle(&mut self, board: &Board, search: &mut Search<'_>) -> Result<(), Unfinished> {
        let Shard { store, stack, depot, layout, .. } = self;
        let Some(spill) = &mut depot.spill else { return Ok(()) };
        store.with_rows(layout.words(), |rows| {
            spill.settle(rows, || board.is_stopped(), |state| search.look(state, stack))
        })
    }

    /// The states that were found are expanded next.
    pub(crate) fn begin_level(&mut self, board: &Board) {
        self.levels.push(if self.depot.spill.is_some() { 0 } else { self.len() });
        self.expanded = 0;
        if let Some(keeper) = &mut self.depot.keeper {
            keeper.begun = self.tally.clone();
        }
        if let Some(spill) = &mut self.depot.spill {
            spill.begin_level();
            if let Err(error) = spill.tidy(|| board.is_stopped()) {
                self.depot.fail(&error);
            }
        }
    }

    /// Something was done by all workers, or by none.
    ///
    /// # Errors
    ///
    /// When it was not done by some worker.
    pub(crate) fn agree(&mut self, fabric: &mut Fabric, own: Result<(), Unfinished>) -> Result<(), Trouble> {
        let is_stopped = matches!(own, Err(Unfinished::Stopped));
        if let Err(Unfinished::Failed(error)) = own {
            self.depot.fail(&error);
        }
        let [stopped, broken] = fabric.sum([is_stopped, self.depot.broken.is_some()].map(u64::from))?;
        match (broken, stopped) {
            (0, 0) => Ok(()),
            (0, _) => Err(Trouble::Stopped),
            _ => Err(self.complain(fabric)?),
        }
    }

    /// Why somebody cannot use files any more.
    pub(crate) fn complain(&mut self, fabric: &mut Fabric) -> Result<Trouble, Lost> {
        let said = complaint(fabric, self.depot.broken.as_deref())?;
        Ok(Trouble::Halt(Halt::TooLarge(said.unwrap_or_default())))
    }

    /// The same as [`Shard::agree`] at the end of a level, which is often: where nothing is ever put on disk all is well.
    pub(crate) fn agree_on_level(
        &mut self,
        fabric: &mut Fabric,
        own: Result<(), Unfinished>,
    ) -> Result<(), Trouble> {
        if self.depot.is_used { self.agree(fabric, own) } else { Ok(()) }
    }

    /// The distance of a state that is known.
    pub(crate) fn level_of(&self, state: &[u64]) -> Result<Option<u64>, Unfinished> {
        match &self.depot.spill {
            Some(spill) => Ok(spill.level_of(state)?),
            None => {
                let number = self.store.find(state);
                Ok(number.map(|number| self.levels.partition_point(|begin| *begin <= number) as u64 - 1))
            }
        }
    }

    /// Shows all states up to this distance, each with its own.
    pub(crate) fn for_each_known(
        &self,
        board: &Board,
        each: impl FnMut(u64, &[u64]),
    ) -> Result<(), Unfinished> {
        known_at(None, (&self.store, &self.levels, &self.depot), board, each)
    }
}

/// Shows the states of one distance, or of all up to the last.
pub(crate) fn known_at(
    level: Option<u64>,
    (store, levels, depot): (&Kept, &[u32], &Depot),
    board: &Board,
    mut each: impl FnMut(u64, &[u64]),
) -> Result<(), Unfinished> {
    if let Some(spill) = &depot.spill {
        return spill.for_each(level, || board.is_stopped(), each);
    }
    let mut room = Vec::new();
    for (at, bounds) in levels.windows(2).enumerate() {
        if level.is_some_and(|level| level != at as u64) {
            continue;
        }
        for number in bounds[0]..bounds[1] {
            if number.is_multiple_of(ASK_EVERY) && board.is_stopped() {
                return Err(Unfinished::Stopped);
            }
            each(at as u64, store.get(number, &mut room));
        }
    }
    Ok(())
}
