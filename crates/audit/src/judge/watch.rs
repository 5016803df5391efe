//! One thing that is followed along a word: the states, what a property makes of them, or what a commitment does.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};

use super::letters::Heard;
use super::sets::Sets;
use super::steps::{Silent, Steps};

/// What can be said of a node of the graph that is followed, one bit each; of a set, whatever can be said of one of its nodes.
pub(crate) type Flags = u16;

/// Some run that counts goes on from here and satisfies the formula (of a commitment: keeps its content).
pub(crate) const SOME_TRUE: Flags = 1;
/// Some run that counts goes on from here and does not.
pub(crate) const SOME_FALSE: Flags = 1 << 1;
/// The run that stands still here satisfies the formula.
pub(crate) const REST_TRUE: Flags = 1 << 2;
/// The run that stands still here does not.
pub(crate) const REST_FALSE: Flags = 1 << 3;
/// As [`REST_TRUE`], and to stand still here is fair.
pub(crate) const FAIR_TRUE: Flags = 1 << 4;
/// As [`REST_FALSE`], and to stand still here is fair.
pub(crate) const FAIR_FALSE: Flags = 1 << 5;
/// The commitment is not in force here.
pub(crate) const ABSENT: Flags = 1 << 7;
/// The commitment is in force here.
pub(crate) const IN_FORCE: Flags = 1 << 8;
/// The step that led here ended the commitment.
pub(crate) const ENDED: Flags = 1 << 9;

/// What is followed.
#[derive(Default)]
pub(crate) struct Watch {
    pub(crate) steps: Steps,
    pub(crate) flags: Vec<Flags>,
    pub(crate) initial: Vec<u32>,
    sets: Sets,
    said: Vec<Flags>,
    memo: FxHashMap<(u32, u32), u32>,
    /// By node, what stands for it once it is decided that what is followed fails.
    settled: Vec<Option<u32>>,
}

impl Watch {
    /// A graph with what can be said of its nodes, and where runs begin.
    pub(crate) fn new(steps: Steps, flags: Vec<Flags>, initial: Vec<u32>) -> Self {
        Watch { steps, flags, initial, ..Watch::default() }
    }

    /// The same where decided failure is forgotten once it has been told: a node may be replaced by another that says so and nothing else.
    pub(crate) fn settling(self, settled: Vec<Option<u32>>) -> Self {
        Watch { settled, ..self }
    }

    /// The nodes of a set.
    pub(crate) fn members(&self, set: u32) -> &[u32] {
        self.sets.get(set)
    }

    /// What can be said of a set.
    pub(crate) fn said(&self, set: u32) -> Flags {
        self.said[set as usize]
    }

    /// Where runs are before the first line.
    pub(crate) fn begin(&mut self, silent: &Silent, budget: &dyn Budget) -> Result<u32, Halt> {
        let closed = self.steps.closed(&self.initial, silent, budget)?;
        Ok(self.number(closed))
    }

    /// Where they are after a line.
    pub(crate) fn step(
        &mut self,
        from: u32,
        (letter, heard): (u32, &Heard),
        silent: &Silent,
        budget: &dyn Budget,
    ) -> Result<u32, Halt> {
        if let Some(&known) = self.memo.get(&(from, letter)) {
            return Ok(known);
        }
        let mut after = self.steps.after(self.sets.get(from), &heard.labels, silent, budget)?;
        if heard.perhaps_unheard {
            after.extend_from_slice(self.sets.get(from));
            after.sort_unstable();
            after.dedup();
        }
        let to = self.number(after);
        self.memo.insert((from, letter), to);
        Ok(to)
    }

    fn number(&mut self, mut set: Vec<u32>) -> u32 {
        let mut said = self.say(&set);
        let fails = said & (SOME_TRUE | SOME_FALSE | ABSENT | ENDED) == SOME_FALSE;
        if fails && !self.settled.is_empty() {
            set.iter_mut().for_each(|node| *node = self.settled[*node as usize].unwrap_or(*node));
            set.sort_unstable();
            set.dedup();
            said = self.say(&set);
        }
        let number = self.sets.number(&set);
        if number as usize == self.said.len() {
            self.said.push(said);
        }
        number
    }

    fn say(&self, set: &[u32]) -> Flags {
        set.iter().fold(0, |all, node| all | self.flags[*node as usize])
    }
}
