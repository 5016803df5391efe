//! From paths among states in order to paths of the model, for those who look for evidence.
//!
//! A path among states in order stands for paths of the model that go through states for which its states stand, at every position. So whoever looks
//! for a path of the model needs to look at these only.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_engine::{Budget, Halt};
use servanda_lower::StateFormula;
use servanda_space::Canonical as _;

use super::blocks::Order;
use super::divided::Divided;
use super::plan::Group;
use super::{LEAST_ORDER, Symmetries};
use crate::evaluate::Evaluation;
use crate::layers::Node;

/// Symmetries are looked for in models with more states than this.
const MANY: usize = 1 << 11;

/// The states for which those of a path stand.
pub struct Corridor {
    order: Arc<Order>,
    states: FxHashSet<Vec<u64>>,
}

impl Corridor {
    /// Does a state of the path stand for this one?
    pub fn contains(&self, state: &[u64]) -> bool {
        let mut state = state.to_vec();
        self.order.canonise(&mut state);
        self.states.contains(&state)
    }
}

/// An evaluation on states in order, lent out.
pub struct Quotient<'m> {
    /// The evaluation.
    pub evaluation: Evaluation<'m>,
    /// The state in it that stands for the one that was asked about.
    pub state: u32,
    group: Group,
}

impl<'m> Evaluation<'m> {
    /// From now on what the property asks is decided on states in order, where some are alike and there are many states. The states of
    /// this evaluation stay as they are.
    ///
    /// # Errors
    ///
    /// When the budget says stop, and when a step cannot be made.
    pub fn use_symmetries(&mut self, property: StateFormula, budget: &dyn Budget) -> Result<(), Halt> {
        if self.options.unreduced || self.rank(property) > 0 || self.are_few(MANY, budget)? {
            return Ok(());
        }
        let mut symmetries = Symmetries::default();
        let Some(symmetry) = symmetries.symmetry(&self.lowering, budget)? else { return Ok(()) };
        if let Some(plans) = symmetries.plans(&mut self.lowering, symmetry, property, budget)? {
            self.divided = Some(Box::new(Divided::of_everybody(Arc::new(plans))));
        }
        Ok(())
    }

    /// The evaluation in which a modality is decided on states in order, if it is.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub fn quotient(
        &mut self,
        owner: StateFormula,
        at: Node,
        budget: &dyn Budget,
    ) -> Result<Option<Quotient<'m>>, Halt> {
        let Some(mut divided) = self.divided.take() else { return Ok(None) };
        let group = divided.group_of(owner).filter(|group| divided.order_of(group) >= LEAST_ORDER);
        let other = group.map(|group| {
            let other = divided.other(&self.lowering, self.options, &group, budget);
            other.map(|evaluation| (evaluation, group))
        });
        self.divided = Some(divided);
        let Some((evaluation, group)) = other.transpose()? else { return Ok(None) };
        let mut evaluation = *evaluation;
        let state = evaluation.space.enter(self.space.state(self.projected(at, 0)));
        Ok(Some(Quotient { evaluation, state, group }))
    }

    /// Takes an evaluation back, with the states of a path that was found there.
    pub fn put_back(&mut self, quotient: Quotient<'m>, path: &[u32]) -> Option<Corridor> {
        let Quotient { evaluation, group, .. } = quotient;
        let states = path.iter().map(|state| evaluation.space.state(*state).to_vec()).collect();
        let order = evaluation.divided.as_ref()?.order.clone();
        self.divided.as_mut()?.keep(group, Box::new(evaluation));
        Some(Corridor { order, states })
    }
}
