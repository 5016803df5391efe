//! The remembered past as bits of the state; what they become is said by the crate `paths`.

use servanda_engine::{Budget, Halt};
use servanda_lower::PathFormula;
use servanda_paths::{Leaf, looks_far_ahead, remembered, to_remember};

use crate::diagrams::{Bdd, Operations};
use crate::schedule::Conjunct;
use crate::symbolic::Symbolic;

impl Symbolic<'_> {
    /// The bits that recall the past, to quantify over.
    pub(crate) fn recalled_bits(&self) -> Result<Bdd, Halt> {
        let bits = self.memory.values().map(|bit| self.encoding.bits[*bit].now);
        self.encoding.diagrams.cube(bits)
    }

    /// Adds the bits that a path formula's past operators need. Its state formulas have been evaluated.
    pub(crate) fn remember(&mut self, psi: PathFormula, budget: &dyn Budget) -> Result<(), Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(looks_far_ahead());
        }
        let operators = to_remember(&self.lowering.arena, psi, &self.memory, self.options.past)?;
        if operators.is_empty() {
            return Ok(());
        }
        if self.states_only {
            return Err(Halt::TooLarge("what a run remembers is no part of its states".to_owned()));
        }
        let mut bits = Vec::new();
        for operator in &operators {
            let bit = self.encoding.add_bit()?;
            self.memory.insert(*operator, bit);
            self.initial = self.initial.without(&self.encoding.functions.state[bit])?;
            bits.push(bit);
        }
        let (arena, encoding) = (&self.lowering.arena, &self.encoding);
        let mut parts = Vec::new();
        for part in &self.parts {
            let algebra = &mut encoding.algebra(budget);
            let held = remembered(arena, &operators, algebra, |_, of, leaf| match leaf {
                Leaf::State(state) => Ok(self.truth[&state].clone()),
                Leaf::Action(action) => self.action_matches(action, part),
                Leaf::Next(set) => part.at_next(set),
                Leaf::Before => Ok(encoding.functions.state[self.memory[&of]].clone()),
                Leaf::Later => Err(looks_far_ahead()),
            })?;
            let mut more = Vec::new();
            for (bit, held) in bits.iter().zip(held) {
                let next = encoding.diagrams.variable(encoding.bits[*bit].next)?;
                more.push(Conjunct::new(encoding, next.same(&held)?));
            }
            parts.push(part.extended(encoding, more, bits.iter().copied())?);
        }
        self.parts = parts;
        let allowed = self.universe.clone();
        let reached = self.reach(&self.initial.clone(), budget)?;
        self.points = reached.both(&allowed)?;
        self.universe = self.points.clone();
        Ok(())
    }
}
