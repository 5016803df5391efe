//! Fairness: only the runs on which every constraint is met again and again count.
//!
//! A constraint has a bit, counted from the top. It demands something of the nodes that have the bit (of all, unless it is one of strong
//! fairness), and a step that meets it keeps the bit.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Options, Progress};
use servanda_graph::Demanding;
use servanda_lower::{CoreFormula, Lowering, Over, PathFormula, StateFormula};
use servanda_model::{CommandId, Strength};
use servanda_space::{Lent, Space, Via};

use crate::evaluate::Evaluation;
use crate::layers::Node;
use crate::search::{Keep, Pair, REPORT_EVERY, Search};

/// The most constraints; the other bits are for what path formulas put off.
const MOST: usize = 16;

/// The constraints, and an evaluation of their own: they are themselves evaluated without fairness.
pub(crate) struct Constraints<'m> {
    evaluation: Evaluation<'m>,
    /// Those of states, which have the first bits.
    formulas: Vec<StateFormula>,
    /// By label, the bits of the constraints that such a step meets; empty where there are none of steps.
    taken: Vec<u64>,
    /// The bits of the constraints that do not demand something everywhere.
    pub(crate) strong: u64,
    /// By state, what is known.
    standings: Vec<Option<Standing>>,
}

/// How a state stands to the constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    /// The bits that only a step can keep, or nothing.
    pub(crate) unmet: u64,
    /// The bits that must be kept by those who come here again and again.
    pub(crate) demands: u64,
}

impl<'m> Constraints<'m> {
    pub(crate) fn new(lowering: &Lowering<'m>, options: Options) -> Result<Self, Halt> {
        if lowering.fairness().len() + lowering.step_fairness().len() > MOST {
            let reason = format!("more than {MOST} fairness constraints are beyond the on-the-fly engine");
            return Err(Halt::TooLarge(reason));
        }
        let mut evaluation = Evaluation::without_fairness(lowering, options);
        let formulas = lowering.fairness().to_vec();
        let (mut taken, mut strong) = (Vec::new(), 0);
        for (number, step) in lowering.step_fairness().iter().enumerate() {
            let own = bit(formulas.len() + number);
            taken.resize(lowering.model.labels.len(), 0);
            for label in lowering.arena.labels(step.taken) {
                taken[label.index()] |= own;
            }
            if step.strength == Strength::Strong {
                strong |= own;
            }
        }
        if formulas.iter().any(|id| evaluation.rank(*id) > 0) {
            let reason = "a fairness constraint with a past operator is beyond the on-the-fly engine";
            return Err(Halt::TooLarge(reason.to_owned()));
        }
        Ok(Constraints { evaluation, formulas, taken, strong, standings: Vec::new() })
    }

    fn standing(&mut self, state: u32, space: &mut Lent<'m>, budget: &dyn Budget) -> Result<Standing, Halt> {
        let index = state as usize;
        if self.standings.len() <= index {
            self.standings.resize(index + 1, None);
        }
        if let Some(known) = self.standings[index] {
            return Ok(known);
        }
        self.evaluation.space = space.take();
        let failing = self.formulas.iter().enumerate().try_fold(0, |bits, (number, id)| {
            let holds = self.evaluation.holds(*id, Node { layer: 0, number: state }, budget)?;
            Ok(if holds { bits } else { bits | bit(number) })
        });
        *space = self.evaluation.space.take();
        let (failing, mut possible) = (failing?, 0);
        if !self.taken.is_empty() {
            // What is possible is asked of the model: whether a run that counts does it is another question.
            let vias: Vec<Via> = space.expand(state, budget)?.iter().map(|step| step.via).collect();
            possible = vias.into_iter().fold(0, |bits, via| bits | self.met_by(via, space));
        }
        let standing = Standing { unmet: failing | possible | self.strong, demands: !self.strong | possible };
        self.standings[index] = Some(standing);
        Ok(standing)
    }

    /// The bits of the constraints that a step meets.
    fn met_by(&self, via: Via, space: &Space<'_>) -> u64 {
        if via == Via::LOOP || self.taken.is_empty() {
            return 0;
        }
        self.taken[space.model.command(CommandId(via.0)).label.index()]
    }
}

/// The bit of a constraint, of which there are no more than [`MOST`].
fn bit(number: usize) -> u64 {
    1 << (63 - number)
}

impl Evaluation<'_> {
    /// How a node stands to the fairness constraints.
    pub(crate) fn standing(&mut self, at: Node, budget: &dyn Budget) -> Result<Standing, Halt> {
        let Some(mut constraints) = self.fairness.take() else {
            return Ok(Standing { unmet: 0, demands: u64::MAX });
        };
        let state = self.projected(at, 0);
        let standing = constraints.standing(state, &mut self.space, budget);
        self.fairness = Some(constraints);
        standing
    }

    /// The bits of the constraints that a step meets.
    pub(crate) fn met_by(&self, via: Via) -> u64 {
        self.fairness.as_ref().map_or(0, |fairness| fairness.met_by(via, &self.space))
    }

    /// Can a path go round for ever among these pairs, one component, and keep what is demanded where it passes? The component as a
    /// whole lacks these bits.
    pub(crate) fn goes_round(
        &mut self,
        search: &mut Search,
        component: &[Pair],
        lacking: u64,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let strong = self.fairness.as_ref().map_or(0, |fairness| fairness.strong);
        let strong = strong | search.loops.conditional();
        if lacking & !strong != 0 {
            return Ok(false);
        }
        let numbers: FxHashMap<Pair, usize> =
            component.iter().enumerate().map(|(number, pair)| (*pair, number)).collect();
        let mut inside = Demanding::default();
        let mut successors = Vec::new();
        for (number, pair) in component.iter().enumerate() {
            Progress::nodes(number, REPORT_EVERY, budget)?;
            successors.clear();
            self.successors(search, *pair, Keep::Steps, &mut successors, budget)?;
            let steps = successors.iter();
            let steps = steps.filter_map(|next| Some((*numbers.get(&next.pair)?, next.kept)));
            inside.steps.push(steps.collect());
            let at = Node { layer: search.layer, number: pair.node };
            inside.demands.push(self.standing_in(&search.loops, at, budget)?.demands);
        }
        let mut seen = 0;
        inside.has_fair_part(|| {
            seen += 1;
            Progress::nodes(seen, REPORT_EVERY, budget)
        })
    }

    /// Does a fair path begin in a state?
    pub fn is_fair(&mut self, state: u32, budget: &dyn Budget) -> Result<bool, Halt> {
        if self.fairness.is_none() {
            return Ok(true);
        }
        self.exists(PathFormula::TRUE, Over::InfinitePaths, Node { layer: 0, number: state }, budget)
    }
}
