//! All reachable states, nearest first: each worker expands the states of a distance that are its own and sends every successor to the
//! worker whose own it is.

use servanda_engine::{Halt, Stop};
use servanda_model::StateStore;
use servanda_space::Wanted;

use crate::board::{Board, Trouble};
use crate::fabric::{Fabric, add};
use crate::shard::{Search, Shard, keep_least, least, owner};

/// A round expands so many states at most: then the workers agree whether to go on, and what has arrived is in its place.
const ROUND: u64 = 1 << 16;

/// After so many states a worker looks at what has arrived, and says how far it is.
const LOOK_EVERY: u64 = 1 << 10;

/// So many successors that are a worker's own are entered together.
const OWN: usize = 1 << 10;

/// After so many states, of all workers together, they tell each other how many each has: for who watches, and seldom enough to cost
/// nothing.
const SHARE_EVERY: u64 = 1 << 16;

/// What a search of all states ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// All states are known, and none of them is wanted.
    All,
    /// A wanted state at the least distance; of several the smallest.
    Wanted(Vec<u64>),
}

impl Shard<'_> {
    /// Goes on until all states are known, or one that is wanted.
    ///
    /// # Errors
    ///
    /// When a worker is gone, the program wants the work to end, or the model is at fault.
    pub(crate) fn explore(
        &mut self,
        fabric: &mut Fabric,
        board: &Board,
        wanted: Option<&Wanted<'_>>,
    ) -> Result<Found, Trouble> {
        let mut search = Search { wanted, ..Search::default() };
        if let Some(found) = self.look_at_known(fabric, board, &mut search)? {
            return Ok(Found::Wanted(found));
        }
        // Of those of this distance, so many were expanded when it was last looked.
        let mut before = 0;
        while !self.is_done {
            let [expanded, left, unexpanded, stopped, due, broken] =
                self.expand_some(fabric, board, &mut search)?;
            if broken > 0 {
                return Err(self.complain(fabric)?);
            }
            if left == 0 && expanded > 0 {
                self.end_level(fabric, board, &mut search)?;
                if (wanted.is_some() || unexpanded > 0)
                    && let Some(found) = self.judge(fabric, &mut search)?
                {
                    return Ok(Found::Wanted(found));
                }
                if due > 0 {
                    self.save(fabric)?;
                    board.is_saved();
                }
            } else if left == 0 {
                // Nobody had anything to expand.
                self.levels.pop();
                self.is_done = true;
            }
            self.tally.unshared += expanded.saturating_sub(before);
            before = if left == 0 { 0 } else { expanded };
            if self.tally.unshared >= SHARE_EVERY {
                self.tally.unshared = 0;
                board.tell_spread(self.spread(fabric)?);
            }
            if stopped > 0 && !self.is_done {
                return Err(Trouble::Stopped);
            }
        }
        Ok(Found::All)
    }

    /// One round: expands states of this distance that are this worker's own, and enters what arrives. Tells of all workers how many
    /// states of this distance are expanded, how many are left, how many cannot be expanded, how many workers want to stop, whether it is
    /// time for a checkpoint, and how many workers cannot use their disks.
    fn expand_some(
        &mut self,
        fabric: &mut Fabric,
        board: &Board,
        search: &mut Search<'_>,
    ) -> Result<[u64; 6], Trouble> {
        let mut state = std::mem::take(&mut self.expanding);
        let end = self.expanded + ROUND;
        while self.expanded < end && !board.is_stopped() && self.peek(&mut state) {
            if !self.expand(&state, fabric, board) {
                break;
            }
            self.pass();
            if self.own.len() >= OWN * self.layout.words() {
                self.enter_own(search);
            }
            if self.expanded.is_multiple_of(LOOK_EVERY) {
                fabric.take(|parcel| self.receive(parcel, search));
                self.report(board);
            }
        }
        self.expanding = state;
        self.enter_own(search);
        let is = u64::from;
        let own = [
            self.expanded,
            self.left(),
            is(self.faulty.is_some()),
            is(board.is_stopped()),
            is(fabric.index() == 0 && board.is_due()),
            is(self.depot.broken.is_some()),
        ];
        let all = fabric.end_summing(own, |parcel| self.receive(parcel, search))?;
        self.report(board);
        Ok(all)
    }

    /// Sends the successors of a state to those whose own they are. Says whether that was done before the work had to end.
    fn expand(&mut self, state: &[u64], fabric: &mut Fabric, board: &Board) -> bool {
        let (index, peers) = (fabric.index(), fabric.peers());
        let Shard { expander, recent, own, .. } = self;
        let made = expander.expand(
            state,
            || if board.is_stopped() { Err(stopped()) } else { Ok(()) },
            |successor| {
                let hash = StateStore::hash(successor);
                if recent.again(successor, hash) {
                    return;
                }
                match owner(hash, peers) {
                    to if to == index => add(own, successor),
                    other => fabric.post(other, successor),
                }
            },
        );
        let made = match made {
            Ok(made) => made,
            Err(Halt::Stopped { .. }) => return false,
            Err(_) => {
                keep_least(&mut self.faulty, state);
                return true;
            }
        };
        self.tally.transitions += made;
        if made == 0 && !self.ends.contains(state) {
            self.tally.deadlocks += 1;
            let level = self.level();
            let nearest = self.tally.deadlock.as_ref();
            if nearest.is_none_or(|(known, other)| *known == level && state < other.as_slice()) {
                self.tally.deadlock = Some((level, state.to_vec()));
            }
        }
        true
    }

    /// What is found is found, whatever else is wrong; otherwise what is wrong is the same for all workers, whoever met it.
    fn judge(&mut self, fabric: &mut Fabric, search: &mut Search<'_>) -> Result<Option<Vec<u64>>, Trouble> {
        let [found, faulty, unexpanded] = fabric.sum([
            u64::from(search.found.is_some()),
            u64::from(search.faulty.is_some()),
            u64::from(self.faulty.is_some()),
        ])?;
        if found > 0 {
            return Ok(least(fabric, search.found.take())?);
        }
        if unexpanded > 0 {
            return Err(self.say_unexpanded(fabric)?);
        }
        if faulty > 0
            && let Some(state) = least(fabric, search.faulty.take())?
            && let Some(Err(halt)) = search.wanted.map(|wanted| wanted.is(&state, &mut self.stack))
        {
            return Err(Trouble::Halt(halt));
        }
        Ok(None)
    }

    /// Looks at all states up to this distance, nearest first: a state that is wanted; or an error where one that is no farther cannot be
    /// expanded, or has no value. What lies behind will be looked at when the level ends.
    fn look_at_known(
        &mut self,
        fabric: &mut Fabric,
        board: &Board,
        search: &mut Search<'_>,
    ) -> Result<Option<Vec<u64>>, Trouble> {
        let [unexpanded] = fabric.sum([u64::from(self.faulty.is_some())])?;
        let Some(wanted) = search.wanted else {
            return if unexpanded > 0 { Err(self.say_unexpanded(fabric)?) } else { Ok(None) };
        };
        let (mut stack, mut row) = (Vec::new(), Vec::new());
        let (mut found, mut faulty): (Option<Vec<u64>>, Option<Vec<u64>>) = (None, None);
        let looked = self.for_each_known(board, |level, state| {
            let kept = match wanted.is(state, &mut stack) {
                Ok(false) => return,
                Ok(true) => &mut found,
                Err(_) => &mut faulty,
            };
            row.clear();
            row.push(level);
            row.extend_from_slice(state);
            keep_least(kept, &row);
        });
        if self.depot.spill.is_none() {
            let last = *self.levels.last().unwrap_or(&0);
            let mut room = Vec::new();
            (last..self.len()).for_each(|number| search.look(self.store.get(number, &mut room), &mut stack));
        }
        self.agree(fabric, looked)?;
        let [found, faulty] = [least(fabric, found)?, least(fabric, faulty)?];
        // The level behind the last one that was expanded.
        let behind = if unexpanded > 0 { self.level() } else { u64::MAX };
        match (found, faulty) {
            (Some(row), faulty)
                if row[0] <= behind && faulty.as_ref().is_none_or(|other| row[0] <= other[0]) =>
            {
                Ok(Some(row[1..].to_vec()))
            }
            (_, Some(row)) if row[0] < behind => match wanted.is(&row[1..], &mut stack) {
                Err(halt) => Err(Trouble::Halt(halt)),
                Ok(_) => Err(Trouble::Halt(Halt::NotOffered)),
            },
            _ if unexpanded > 0 => Err(self.say_unexpanded(fabric)?),
            _ => Ok(None),
        }
    }

    /// Why the smallest of the states that cannot be expanded cannot be, for all workers.
    fn say_unexpanded(&mut self, fabric: &mut Fabric) -> Result<Trouble, Trouble> {
        self.faulty = least(fabric, self.faulty.take())?;
        let expanded = self.faulty.as_ref().map(|state| self.expander.expand(state, || Ok(()), |_| ()));
        Ok(Trouble::Halt(expanded.and_then(Result::err).unwrap_or(Halt::NotOffered)))
    }

    /// Ends a level: what was found from its states is new, or is not.
    fn end_level(
        &mut self,
        fabric: &mut Fabric,
        board: &Board,
        search: &mut Search<'_>,
    ) -> Result<(), Trouble> {
        let settled = self.settle(board, search);
        self.agree_on_level(fabric, settled)?;
        self.begin_level(board);
        Ok(())
    }
}

/// What is said in the middle of a state that is expanded again when the work goes on.
fn stopped() -> Halt {
    Halt::Stopped { stop: Stop::Interrupted, states: 0, transitions: 0 }
}
