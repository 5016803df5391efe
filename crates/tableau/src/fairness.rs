//! Fairness: only the runs on which every constraint holds infinitely often count.

use servanda_engine::{Budget, Halt, Options};
use servanda_lower::{CoreFormula, Lowering, Over, PathFormula, StateFormula};
use servanda_space::Lent;

use crate::evaluate::Evaluation;
use crate::layers::Node;

/// The constraints, and an evaluation of their own: they are themselves evaluated without fairness.
pub(crate) struct Constraints<'m> {
    evaluation: Evaluation<'m>,
    formulas: Vec<StateFormula>,
    /// By state, the bits of the constraints that fail there, once known.
    failing: Vec<Option<u64>>,
}

impl<'m> Constraints<'m> {
    pub(crate) fn new(lowering: &Lowering<'m>, options: Options) -> Result<Self, Halt> {
        let mut evaluation = Evaluation::without_fairness(lowering, options);
        let formulas = lowering.fairness().to_vec();
        for id in &formulas {
            if evaluation.rank(*id) > 0 {
                let reason = "a fairness constraint with a past operator is beyond the on-the-fly engine";
                return Err(Halt::TooLarge(reason.to_owned()));
            }
        }
        if formulas.len() > 16 {
            let reason = "more than 16 fairness constraints are beyond the on-the-fly engine";
            return Err(Halt::TooLarge(reason.to_owned()));
        }
        Ok(Constraints { evaluation, formulas, failing: Vec::new() })
    }

    /// The bits, counted from the top, of the constraints that fail in a state of a space.
    fn failing(&mut self, state: u32, space: &mut Lent<'m>, budget: &dyn Budget) -> Result<u64, Halt> {
        let index = state as usize;
        if self.failing.len() <= index {
            self.failing.resize(index + 1, None);
        }
        if let Some(known) = self.failing[index] {
            return Ok(known);
        }
        self.evaluation.space = space.take();
        let bits = self.formulas.iter().enumerate().try_fold(0, |bits, (number, id)| {
            let holds = self.evaluation.holds(*id, Node { layer: 0, number: state }, budget)?;
            Ok(if holds { bits } else { bits | 1 << (63 - number) })
        });
        *space = self.evaluation.space.take();
        self.failing[index] = bits.as_ref().ok().copied();
        bits
    }
}

impl Evaluation<'_> {
    /// The bits of the fairness constraints that fail at a node; none where there are no constraints.
    pub(crate) fn unfair_bits(&mut self, at: Node, budget: &dyn Budget) -> Result<u64, Halt> {
        let Some(mut constraints) = self.fairness.take() else { return Ok(0) };
        let state = self.projected(at, 0);
        let bits = constraints.failing(state, &mut self.space, budget);
        self.fairness = Some(constraints);
        bits
    }

    /// Does a fair path begin in a state?
    pub fn is_fair(&mut self, state: u32, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.fairness.is_none() {
            return Ok(true);
        }
        self.exists(PathFormula::TRUE, Over::InfinitePaths, Node { layer: 0, number: state }, budget)
    }
}
