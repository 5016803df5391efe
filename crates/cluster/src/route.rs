//! A shortest run to a state: from its distance back to an initial state, one predecessor at a time.
//!
//! No worker keeps where a state was found from. The states one step nearer are expanded again until one of them leads to where the run
//! goes on, which takes at most as long as finding the states did, and no memory.

use crate::board::{Board, Trouble};
use crate::depot::known_at;
use crate::fabric::Fabric;
use crate::shard::{Shard, keep_least, least};
use crate::spill::Unfinished;

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
        let level = self.level_of(to).map(|level| level.map_or(0, |level| level + 1));
        let own = level.as_ref().copied().unwrap_or_default();
        self.agree(fabric, level.map(|_| ()))?;
        // The distance plus one; 0 where nobody knows the state.
        let [level] = fabric.sum([own])?;
        let mut route = vec![to.to_vec()];
        for level in (0..level.saturating_sub(1)).rev() {
            let target = route.last().cloned().unwrap_or_default();
            let mut own = None;
            let looked = self.predecessor(level, &target, board, &mut own);
            self.agree(fabric, looked)?;
            match least(fabric, own)? {
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
        level: u64,
        target: &[u64],
        board: &Board,
        found: &mut Option<Vec<u64>>,
    ) -> Result<(), Unfinished> {
        let Shard { expander, depot, store, levels, .. } = self;
        known_at(Some(level), (store, levels, depot), board, |_, state| {
            let mut leads_there = false;
            // What could be expanded once can be expanded again.
            let _ = expander.expand(state, || Ok(()), |next| leads_there |= next == target);
            if leads_there {
                keep_least(found, state);
            }
        })
    }
}
