//! `EY` and `EP`: what stands before a state, over all ways to it. The states of a set are expanded again, and those whose own the
//! successors are hear of them: the transitions that fixpoints keep lead the other way.

use servanda_model::{Mover, StateStore};

use crate::board::Trouble;
use crate::evaluate::Evaluation;
use crate::product::members;
use crate::shard::owner;

/// A round expands so many states at most.
const ROUND: usize = 1 << 14;

impl Evaluation<'_, '_> {
    /// Where some predecessor is in a set.
    ///
    /// # Errors
    ///
    /// When a worker is gone, or the program wants the work to end.
    pub(crate) fn some_previous(&mut self, set: &[bool]) -> Result<Vec<bool>, Trouble> {
        let mut result = vec![false; set.len()];
        let sources = self.runs_among(set);
        self.step_forward(sources, |state, _| result[state as usize] = true)?;
        Ok(result)
    }

    /// Where some state from which this one can be reached, itself included, is in a set.
    ///
    /// # Errors
    ///
    /// As for [`Evaluation::some_previous`].
    pub(crate) fn some_past(&mut self, set: &[bool]) -> Result<Vec<bool>, Trouble> {
        let sources = self.runs_among(set);
        let mut result = vec![false; set.len()];
        sources.iter().for_each(|state| result[*state as usize] = true);
        self.step_forward(sources, |state, queue| {
            if !std::mem::replace(&mut result[state as usize], true) {
                queue.push(state);
            }
        })?;
        Ok(result)
    }

    /// The members of a set that are on a run that counts: a way through another state is none.
    fn runs_among(&self, set: &[bool]) -> Vec<u32> {
        let mut sources = members(set);
        sources.retain(|state| self.graph.on_run[*state as usize]);
        sources
    }

    /// Takes all steps from the states in the queue, and from those that are put into it on the way. `met` hears of the states of this
    /// worker that they lead to, as far as these are on a run that counts.
    fn step_forward(
        &mut self,
        mut queue: Vec<u32>,
        mut met: impl FnMut(u32, &mut Vec<u32>),
    ) -> Result<(), Trouble> {
        let Evaluation { crew, graph, .. } = self;
        let (shard, board) = (crew.shard, crew.board);
        let (mut mover, mut room) = (Mover::new(shard.model), Vec::new());
        loop {
            let (mut sent, mut loops) = (0, Vec::new());
            for _ in 0..ROUND.min(queue.len()) {
                if board.is_stopped() {
                    break;
                }
                let Some(number) = queue.pop() else { break };
                let go_on = || if board.is_stopped() { Err(Trouble::Stopped) } else { Ok(()) };
                let mut post = |next: &[u64]| {
                    sent += 1;
                    crew.fabric.post(owner(StateStore::hash(next), crew.fabric.peers()), next);
                };
                // What could be expanded once can be expanded again; whether the work should end is asked at the end of the round.
                let state = shard.state(number, &mut room);
                let _ = mover.try_for_each(state, go_on, |_, next| post(next), |_| ());
                if graph.links.slots(number).any(|slot| graph.links.is_loop(slot)) {
                    loops.push(number);
                }
            }
            let mut arrived = loops;
            let own = [sent + queue.len() as u64 + arrived.len() as u64, u64::from(board.is_stopped())];
            let [more, stopped] = crew.fabric.end_summing(own, |parcel| {
                let states = parcel.chunks_exact(shard.layout.words());
                arrived.extend(states.filter_map(|state| shard.store.find(state)));
            })?;
            arrived.retain(|state| graph.on_run[*state as usize]);
            arrived.drain(..).for_each(|state| met(state, &mut queue));
            if stopped > 0 {
                return Err(Trouble::Stopped);
            }
            if more == 0 {
                return Ok(());
            }
        }
    }
}
