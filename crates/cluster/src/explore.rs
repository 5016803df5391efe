//! All reachable states, nearest first: each worker expands the states of a distance that are its own and sends every successor to the
//! worker whose own it is.

use servanda_engine::{Halt, Stop};
use servanda_model::StateStore;
use servanda_space::Wanted;

use crate::board::{Board, Trouble};
use crate::fabric::Fabric;
use crate::shard::{Search, Shard, keep_least, least, owner};

/// A round expands so many states at most: then the workers agree whether to go on, and what has arrived is in its place.
const ROUND: u32 = 1 << 16;

/// After so many states a worker looks at what has arrived, and says how far it is.
const LOOK_EVERY: u32 = 1 << 10;

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
        if wanted.is_some() {
            let mut stack = Vec::new();
            self.store.iter().for_each(|state| search.look(state, &mut stack));
        }
        if let Some(found) = self.judge(fabric, &mut search)? {
            return Ok(Found::Wanted(found));
        }
        while !self.is_done {
            let [expanded, left, unexpanded, stopped] = self.expand_some(fabric, board, &mut search)?;
            if left == 0
                && (wanted.is_some() || unexpanded > 0)
                && let Some(found) = self.judge(fabric, &mut search)?
            {
                self.levels.push(self.len());
                return Ok(Found::Wanted(found));
            }
            if left == 0 && expanded > 0 {
                self.levels.push(self.len());
            } else if left == 0 {
                // Nobody had anything to expand.
                self.levels.pop();
                self.is_done = true;
            }
            self.tally.unshared += expanded;
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
    /// states were expanded, how many are left, how many cannot be expanded, and how many want to stop.
    fn expand_some(
        &mut self,
        fabric: &mut Fabric,
        board: &Board,
        search: &mut Search<'_>,
    ) -> Result<[u64; 4], Trouble> {
        let (begin, last) = (self.next, *self.levels.last().unwrap_or(&0));
        while self.next < last.min(begin + ROUND) && !board.is_stopped() {
            let number = self.next;
            if !self.expand(number, fabric, board) {
                break;
            }
            if self.own.len() >= OWN * self.layout.words() {
                self.enter_own(search);
            }
            self.next += 1;
            if self.next.is_multiple_of(LOOK_EVERY) {
                fabric.take(|parcel| self.enter(parcel, search));
                self.report(board);
            }
        }
        self.enter_own(search);
        let unexpanded = u64::from(self.faulty.is_some());
        let own = [self.next - begin, last - self.next].map(u64::from);
        let own = [own[0], own[1], unexpanded, u64::from(board.is_stopped())];
        let all = fabric.end_summing(own, |parcel| self.enter(parcel, search))?;
        self.report(board);
        Ok(all)
    }

    /// Sends the successors of a state to those whose own they are. Says whether that was done before the work had to end.
    fn expand(&mut self, number: u32, fabric: &mut Fabric, board: &Board) -> bool {
        let state = self.state(number).to_vec();
        let (index, peers) = (fabric.index(), fabric.peers());
        let Shard { expander, recent, own, .. } = self;
        let made = expander.expand(
            &state,
            || if board.is_stopped() { Err(stopped()) } else { Ok(()) },
            |successor| {
                let hash = StateStore::hash(successor);
                if recent.again(successor, hash) {
                    return;
                }
                match owner(hash, peers) {
                    to if to == index => own.extend_from_slice(successor),
                    other => fabric.post(other, successor),
                }
            },
        );
        let made = match made {
            Ok(made) => made,
            Err(Halt::Stopped { .. }) => return false,
            Err(_) => {
                keep_least(&mut self.faulty, &state);
                return true;
            }
        };
        self.tally.transitions += made;
        if made == 0 && !self.ends.contains(&state) {
            self.tally.deadlocks += 1;
            let level = self.levels.len() as u64 - 2;
            let nearest = self.tally.deadlock.as_ref();
            if nearest.is_none_or(|(known, other)| *known == level && state < *other) {
                self.tally.deadlock = Some((level, state));
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
        if unexpanded > 0
            && let Some(state) = least(fabric, self.faulty.clone())?
        {
            self.faulty = Some(state.clone());
            let expanded = self.expander.expand(&state, || Ok(()), |_| ());
            return Err(Trouble::Halt(expanded.err().unwrap_or(Halt::NotOffered)));
        }
        if faulty > 0
            && let Some(state) = least(fabric, search.faulty.take())?
            && let Some(Err(halt)) = search.wanted.map(|wanted| wanted.is(&state, &mut self.stack))
        {
            return Err(Trouble::Halt(halt));
        }
        Ok(None)
    }
}

/// What is said in the middle of a state that is expanded again when the work goes on.
fn stopped() -> Halt {
    Halt::Stopped { stop: Stop::Interrupted, states: 0, transitions: 0 }
}
