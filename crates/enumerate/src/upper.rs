//! Uniform strategies, after those with perfect information: who cannot bring it about knowing the whole state cannot knowing less.

use std::collections::BTreeSet;

use servanda_engine::{Strategies, Validity, Verdict};
use servanda_lower::{Arena, Path, PathFormula, State, StateFormula};

use crate::Halt;
use crate::evaluate::Evaluation;

impl Evaluation<'_, '_> {
    /// Decides a state formula. Where strategies are uniform, one that only asks for abilities is false if it is false with perfect
    /// information, and one that only denies them is true if it is true there; for that no strategy is tried.
    pub(crate) fn decide(mut self, id: StateFormula, validity: Validity) -> Result<Verdict, Halt> {
        let reading = self.options.strategies;
        let mut signs = Signs { arena: &self.lowering.arena, seen: BTreeSet::new(), found: [false; 2] };
        if reading.are_uniform() {
            signs.state(id, true);
        }
        if let [denied, asked] = signs.found
            && denied != asked
        {
            let before = (self.graph.clone(), self.fair.clone());
            self.options.strategies = Strategies::PerfectInformation;
            self.evaluate(id)?;
            if self.is_valid(id, validity) != asked {
                return Ok(Verdict::from(!asked));
            }
            self.options.strategies = reading;
            (self.graph, self.fair) = before;
            self.truth = Default::default();
        }
        self.evaluate(id).map(|()| Verdict::from(self.is_valid(id, validity)))
    }
}

/// How abilities occur in a formula.
struct Signs<'a> {
    arena: &'a Arena,
    seen: BTreeSet<(StateFormula, bool)>,
    /// Are there any under an odd number of negations, under an even number?
    found: [bool; 2],
}

impl Signs<'_> {
    fn state(&mut self, id: StateFormula, sign: bool) {
        if !self.seen.insert((id, sign)) {
            return;
        }
        match self.arena.state(id) {
            State::True | State::Proposition(_) => {}
            State::Not(a) => self.state(*a, !sign),
            State::And(a, b) | State::Or(a, b) => {
                self.state(*a, sign);
                self.state(*b, sign);
            }
            State::Exists { path, .. } => self.path(*path, sign),
            State::SomePrevious(a) | State::SomePast(a) | State::Knows { body: a, .. } => {
                self.state(*a, sign)
            }
            // What was promised may refer to abilities too, and whoever keeps more promises has fewer paths.
            State::Committed { .. } => self.found = [true; 2],
            State::Able { goal, .. } => {
                self.found[usize::from(sign)] = true;
                goal.parts().for_each(|part| self.state(part, sign));
            }
        }
    }

    fn path(&mut self, id: PathFormula, sign: bool) {
        match *self.arena.path(id) {
            Path::State(a) => self.state(a, sign),
            Path::Not(a) => self.path(a, !sign),
            other => other.operands().for_each(|part| self.path(part, sign)),
        }
    }
}
