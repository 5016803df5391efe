//! The transitions between the states of all workers, as fixpoints need them: from a state to where it can be reached from.
//!
//! A transition is a slot of the worker whose own its source is, with its label there; the worker of its target knows worker and slot.
//! So what changes at a state is told to those it matters to in one word.

use rustc_hash::FxHashMap;
use servanda_engine::{Deadlock, Halt};
use servanda_lower::{Action, Arena};
use servanda_model::{Behaviour, Cause, JointActions, LabelId, Mover, StateStore};
use servanda_paths::StepLiteral;

use crate::board::{Board, Trouble};
use crate::fabric::Fabric;
use crate::shard::{Shard, owner};

/// The label of the implicit loop of a deadlock: it matches no action.
const NO_LABEL: u32 = u32::MAX;

/// A round makes the transitions of so many states at most.
const ROUND: u32 = 1 << 14;

/// The transitions that leave this worker's states, and those that lead to them.
pub(crate) struct Links {
    /// By state where its slots begin; one entry more than there are states.
    first: Vec<u32>,
    /// By slot.
    source: Vec<u32>,
    label: Vec<u32>,
    /// By state where the transitions to it begin; one entry more than there are states.
    into_first: Vec<u32>,
    /// Worker and slot.
    into: Vec<(u32, u32)>,
    joints: JointActions,
    is_rounds: bool,
}

impl Links {
    /// Makes the transitions of all states, which are known.
    ///
    /// # Errors
    ///
    /// When a worker is gone, the program wants the work to end, or there are too many.
    pub(crate) fn new(
        shard: &Shard<'_>,
        deadlock: Deadlock,
        fabric: &mut Fabric,
        board: &Board,
    ) -> Result<Self, Trouble> {
        let is_rounds = matches!(shard.model.behaviour, Behaviour::Rounds(_));
        let mut links = Links {
            first: vec![0],
            source: Vec::new(),
            label: Vec::new(),
            into_first: Vec::new(),
            into: Vec::new(),
            joints: JointActions::default(),
            is_rounds,
        };
        let mut mover = Mover::new(shard.model);
        let (words, mut met) = (shard.layout.words(), Vec::new());
        loop {
            let begin = links.first.len() as u32 - 1;
            for number in begin..shard.len().min(begin + ROUND) {
                if board.is_stopped() {
                    break;
                }
                links.leave(number, shard, &mut mover, fabric, board);
                if deadlock == Deadlock::Loop && links.slots(number).is_empty() {
                    met.push((number, fabric.index() as u32, links.source.len() as u32));
                    links.add(number, NO_LABEL);
                    if let Some(end) = links.first.last_mut() {
                        *end += 1;
                    }
                }
            }
            let mut strangers = 0;
            fabric.end_round(|parcel| {
                for row in parcel.chunks_exact(1 + words) {
                    match shard.store.find(&row[1..]) {
                        Some(number) => met.push((number, (row[0] >> 32) as u32, row[0] as u32)),
                        None => strangers += 1,
                    }
                }
            })?;
            let left = shard.len() - (links.first.len() as u32 - 1);
            // Where there is no memory the work is told to stop.
            shard.purse.take(if left == 0 { sorting(&links, &met) } else { growth(&links, &met) });
            let own = [left.into(), u64::from(board.is_stopped()), strangers, too_many(&links, &met)];
            let [left, stopped, strangers, too_many] = fabric.sum(own)?;
            // Also where no state is left: the transitions of the last may not all have been made.
            if stopped > 0 {
                return Err(Trouble::Stopped);
            }
            if strangers > 0 {
                let reason = "internal error: a transition leads to a state that no worker knows";
                return Err(Trouble::Halt(Halt::TooLarge(reason.to_owned())));
            }
            if too_many > 0 {
                let reason = "the transitions of one worker are too many to be numbered: use more workers";
                return Err(Trouble::Halt(Halt::TooLarge(reason.to_owned())));
            }
            if left == 0 {
                break;
            }
        }
        links.sort(shard.len() as usize, &met);
        Ok(links)
    }

    /// Makes the transitions of a state and tells the workers of their targets.
    fn leave(
        &mut self,
        number: u32,
        shard: &Shard<'_>,
        mover: &mut Mover<'_>,
        fabric: &mut Fabric,
        board: &Board,
    ) {
        let (mut room, mut row) = (Vec::new(), Vec::new());
        let state = shard.state(number, &mut room);
        let go_on = || if board.is_stopped() { Err(Trouble::Stopped) } else { Ok(()) };
        // What could be expanded once can be expanded again; whether the work should end is asked at the end of the round.
        let _ = mover.try_for_each(
            state,
            go_on,
            |cause, next| {
                let label = match cause {
                    Cause::Command(command) => shard.model.command(command).label.0,
                    Cause::JointAction(joint) => self.joints.number(joint),
                };
                row.clear();
                row.push((fabric.index() as u64) << 32 | self.source.len() as u64);
                row.extend_from_slice(next);
                fabric.post(owner(StateStore::hash(next), fabric.peers()), &row);
                self.add(number, label);
            },
            |_| (),
        );
        self.first.push(self.source.len() as u32);
    }

    fn add(&mut self, source: u32, label: u32) {
        self.source.push(source);
        self.label.push(label);
    }

    /// A counting sort of the transitions by their targets.
    fn sort(&mut self, states: usize, met: &[(u32, u32, u32)]) {
        self.into_first = vec![0; states + 1];
        for (target, ..) in met {
            self.into_first[*target as usize + 1] += 1;
        }
        for state in 0..states {
            self.into_first[state + 1] += self.into_first[state];
        }
        let mut next = self.into_first.clone();
        self.into = vec![(0, 0); met.len()];
        for (target, worker, slot) in met {
            let at = &mut next[*target as usize];
            self.into[*at as usize] = (*worker, *slot);
            *at += 1;
        }
    }

    /// The slots of a state.
    pub(crate) fn slots(&self, state: u32) -> std::ops::Range<u32> {
        self.first[state as usize]..self.first[state as usize + 1]
    }

    /// How many slots there are.
    pub(crate) fn len(&self) -> u32 {
        self.source.len() as u32
    }

    /// The state that a slot leaves.
    #[inline]
    pub(crate) fn source(&self, slot: u32) -> u32 {
        self.source[slot as usize]
    }

    /// Is it the implicit loop of a deadlock?
    #[inline]
    pub(crate) fn is_loop(&self, slot: u32) -> bool {
        self.label[slot as usize] == NO_LABEL
    }

    /// The label of a slot, where it is one of the model's table.
    pub(crate) fn label(&self, slot: u32) -> Option<LabelId> {
        Some(self.label[slot as usize]).filter(|label| *label != NO_LABEL && !self.is_rounds).map(LabelId)
    }

    /// Workers and slots of the transitions that lead to a state.
    #[inline]
    pub(crate) fn into(&self, state: u32) -> &[(u32, u32)] {
        &self.into[self.into_first[state as usize] as usize..self.into_first[state as usize + 1] as usize]
    }

    /// By slot: does its step meet a condition?
    pub(crate) fn matching(&self, condition: &[StepLiteral], arena: &Arena) -> Vec<bool> {
        let mut known: FxHashMap<u32, bool> = FxHashMap::default();
        let meets =
            |label: u32| condition.iter().all(|(literal, sign)| self.is(label, *literal, arena) == *sign);
        self.label.iter().map(|label| *known.entry(*label).or_insert_with(|| meets(*label))).collect()
    }

    fn is(&self, label: u32, action: Action, arena: &Arena) -> bool {
        match action {
            // In a round a pattern is always on somebody's action.
            Action::Does(set) => {
                label != NO_LABEL
                    && !self.is_rounds
                    && arena.labels(set).binary_search(&LabelId(label)).is_ok()
            }
            Action::Acts { agent, action } => self.joints.part(label, agent) == Some(action),
        }
    }
}

/// So many bytes more are held for a moment when the tables of transitions grow, if they may in the next round.
fn growth(links: &Links, met: &Vec<(u32, u32, u32)>) -> usize {
    let twice = |length: usize, capacity: usize, bytes: usize| {
        if length + length / 8 + ROUND as usize > capacity { 2 * capacity * bytes } else { 0 }
    };
    // With the label of a slot.
    twice(links.source.len(), links.source.capacity(), 2 * size_of::<u32>())
        + twice(met.len(), met.capacity(), size_of::<(u32, u32, u32)>())
}

/// So many bytes more are held when the transitions are put in order.
fn sorting(links: &Links, met: &[(u32, u32, u32)]) -> usize {
    met.len() * size_of::<(u32, u32)>() + 2 * links.first.len() * size_of::<u32>()
}

/// Are there more transitions than can be numbered?
fn too_many(links: &Links, met: &[(u32, u32, u32)]) -> u64 {
    u64::from(links.source.len().max(met.len()) >= u32::MAX as usize / 2)
}
