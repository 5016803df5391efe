//! A shortest run to a state: from its distance back to an initial state, one predecessor at a time.
//!
//! No worker keeps where a state was found from. The states one step nearer are expanded again until one of them leads to where the run
//! goes on, which takes at most as long as finding the states did, and no memory.

use crate::board::{Board, Trouble};
use crate::fabric::Fabric;
use crate::shard::{Shard, keep_least, least};

/// After so many states a worker asks whether to go on.
const ASK_EVERY: u32 = 1 << 10;

impl Shard<'_> {
    /// The states on a shortest run to a state that is known, the state itself included.
    ///
    /// # Errors
    ///
    /// When a worker is gone or the program wants the work to end.
    pub(crate) fn route(
        &mut self,
        to: &[u64],
        fabric: &mut Fabric,
        board: &Board,
    ) -> Result<Vec<Vec<u64>>, Trouble> {
        let number = self.store.find(to).map(|id| id.0);
        let level = number.map(|number| self.levels.partition_point(|begin| *begin <= number));
        let [level] = fabric.sum([level.unwrap_or(0) as u64])?;
        let mut route = vec![to.to_vec()];
        // Level `k` is where the states of distance `k - 1` end.
        for level in (1..level as usize).rev() {
            let target = route.last().cloned().unwrap_or_default();
            let own = self.predecessor(level, &target, board);
            let [stopped] = fabric.sum([u64::from(own.is_err())])?;
            if stopped > 0 {
                return Err(Trouble::Stopped);
            }
            match least(fabric, own.unwrap_or_default())? {
                Some(before) => route.push(before),
                None => return Err(Trouble::Halt(servanda_engine::Halt::NotOffered)),
            }
        }
        route.reverse();
        Ok(route)
    }

    /// The smallest state of a level, of this worker's own, that leads to the target.
    fn predecessor(
        &mut self,
        level: usize,
        target: &[u64],
        board: &Board,
    ) -> Result<Option<Vec<u64>>, Trouble> {
        let (begin, end) = (self.levels[level - 1], self.levels[level]);
        let mut found = None;
        for number in begin..end {
            if number.is_multiple_of(ASK_EVERY) && board.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let state = self.store.get(servanda_model::StateId(number));
            let mut leads_there = false;
            // What could be expanded once can be expanded again.
            let _ = self.expander.expand(state, || Ok(()), |next| leads_there |= next == target);
            if leads_there {
                keep_least(&mut found, state);
            }
        }
        Ok(found)
    }
}
