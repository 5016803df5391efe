//! Examples that all engines choose alike: of the states nearest to an initial one the smallest, and a shortest way there.

use servanda_engine::{Budget, Halt};
use servanda_model::{Cause, Layout, Mover, StateView};

use crate::diagrams::{Bdd, Operations};
use crate::symbolic::Symbolic;

/// The states by their distance from the initial ones, as far as they have been asked for.
pub(crate) struct Levels {
    levels: Vec<Bdd>,
    /// All states of the levels together.
    seen: Bdd,
}

impl Levels {
    /// The initial states are known.
    pub(crate) fn new(initial: Bdd) -> Self {
        Levels { levels: vec![initial.clone()], seen: initial }
    }
}

/// A state and its distance from the initial ones.
pub(crate) struct Nearest {
    pub(crate) state: Vec<u64>,
    level: usize,
}

impl Symbolic<'_> {
    /// Of the states of a set that are nearest to an initial one the smallest; `None` where no state is reachable.
    pub(crate) fn nearest(&mut self, set: &Bdd, budget: &dyn Budget) -> Result<Option<Nearest>, Halt> {
        if set.is_false() {
            return Ok(None);
        }
        for level in 0.. {
            if level == self.levels.levels.len() {
                self.poll(budget)?;
                let Levels { levels, seen } = &self.levels;
                let next = self.successors(&levels[level - 1], budget)?.without(seen)?;
                if next.is_false() {
                    return Ok(None);
                }
                self.levels.seen = seen.either(&next)?;
                self.levels.levels.push(next);
            }
            let there = self.levels.levels[level].both(set)?;
            if let Some(state) = self.smallest(&there)? {
                return Ok(Some(Nearest { state, level }));
            }
        }
        Ok(None)
    }

    /// The same in the user's words.
    pub(crate) fn nearest_view(&mut self, set: &Bdd, budget: &dyn Budget) -> Result<Option<StateView>, Halt> {
        let nearest = self.nearest(set, budget)?;
        let model = self.encoding.model;
        Ok(nearest.map(|found| StateView::new(model, &Layout::new(model), &found.state)))
    }

    /// The labels of a shortest way to a state: from each state back to the smallest of those before it, by the first command that leads
    /// from there.
    pub(crate) fn way_to(&self, found: &Nearest) -> Result<Vec<String>, Halt> {
        let model = self.encoding.model;
        let (layout, memory) = (Layout::new(model), self.recalled_bits()?);
        let mut mover = Mover::new(model);
        let (mut labels, mut here) = (Vec::new(), found.state.clone());
        for level in self.levels.levels[..found.level].iter().rev() {
            let target = self.encoding.only(&here, &layout)?;
            let mut before = self.encoding.diagrams.falsity();
            for part in &self.parts {
                before = before.either(&part.preimage(&target)?)?;
            }
            let Some(source) = self.smallest(&before.some(&memory)?.both(level)?)? else { break };
            let mut label = None;
            // A fault of some other command does not make this one's step another.
            let _ = mover.for_each(&source, |cause, next| {
                if label.is_none() && next == here.as_slice() {
                    label = Some(match cause {
                        Cause::Command(command) => model.show_label(model.command(command).label),
                        Cause::JointAction(joint) => model.show_joint_action(joint),
                    });
                }
            });
            labels.extend(label);
            here = source;
        }
        labels.reverse();
        Ok(labels)
    }

    /// The smallest packed state of a set.
    pub(crate) fn smallest(&self, set: &Bdd) -> Result<Option<Vec<u64>>, Halt> {
        if set.is_false() {
            return Ok(None);
        }
        let layout = Layout::new(self.encoding.model);
        let mut left = set.clone();
        // From the most significant bit of the first word on.
        for position in 0..layout.words() * 64 {
            let mut alone = vec![0; layout.words()];
            alone[position / 64] = 1 << (63 - position % 64);
            let bits = self.encoding.functions.unpack(&layout, &alone);
            let Some(bit) = bits.iter().position(|bit| *bit) else { continue };
            let variable = self.encoding.diagrams.variable(self.encoding.bits[bit].now)?;
            let zero = left.without(&variable)?;
            left = if zero.is_false() { left.both(&variable)? } else { zero };
        }
        Ok(self.encoding.pick(&left, &layout))
    }
}
