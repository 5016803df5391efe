//! Formulas decided on states in order, each modality where its plan says.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Options};
use servanda_lower::{Lowering, StateFormula};

use super::blocks::Order;
use super::plan::{Group, Plans};
use super::{Pool, Symmetries, taken};
use crate::evaluate::Evaluation;
use crate::layers::Node;

/// Where a formula is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Where runs begin: the nearest answer is looked for.
    AtStart,
    /// Anywhere.
    Anywhere,
}

/// What an evaluation knows whose states are in order.
pub(crate) struct Divided<'m> {
    plans: Arc<Plans>,
    /// Who may change places in its space.
    group: Group,
    /// How its states are put in order.
    pub(crate) order: Arc<Order>,
    /// Evaluations with others who may change places.
    others: FxHashMap<Group, Box<Evaluation<'m>>>,
    /// Spaces that nobody holds.
    pool: Pool<'m>,
}

impl<'m> Divided<'m> {
    /// For an evaluation whose states are all there: nobody changes places.
    pub(super) fn of_everybody(plans: Arc<Plans>) -> Self {
        let group: Group = (0..plans.group.len()).collect();
        let order = Arc::new(plans.symmetry.order(&group));
        Divided { plans, group, order, others: FxHashMap::default(), pool: Pool::default() }
    }

    /// Who may change places where a modality is decided, if that is done for itself.
    pub(super) fn group_of(&self, id: StateFormula) -> Option<Group> {
        let plan = self.plans.of.get(&id)?;
        (plan.asked == id && plan.exchange.is_none()).then(|| plan.group.clone())
    }

    /// In how many ways places can be changed.
    pub(super) fn order_of(&self, group: &Group) -> u64 {
        self.plans.symmetry.order_of(group)
    }

    /// The evaluation in which some may change places; it must be put back.
    pub(super) fn other(
        &mut self,
        lowering: &Lowering<'m>,
        options: Options,
        group: &Group,
        budget: &dyn Budget,
    ) -> Result<Box<Evaluation<'m>>, Halt> {
        match self.others.remove(group) {
            Some(other) => Ok(other),
            None => Evaluation::divided(lowering, options, &self.plans, group, &mut self.pool, budget),
        }
    }

    /// Puts an evaluation back.
    pub(super) fn keep(&mut self, group: Group, other: Box<Evaluation<'m>>) {
        self.others.insert(group, other);
    }
}

impl<'m> Evaluation<'m> {
    /// An evaluation on states in order.
    fn divided(
        lowering: &Lowering<'m>,
        options: Options,
        plans: &Arc<Plans>,
        group: &Group,
        pool: &mut Pool<'m>,
        budget: &dyn Budget,
    ) -> Result<Box<Self>, Halt> {
        // Steps are not left out as well: what they lead to is not what the steps that stand for them lead to.
        let options = Options { unreduced: true, ..options };
        let mut evaluation = Box::new(Evaluation::new(lowering, options)?);
        evaluation.space = taken(pool, &plans.symmetry, group, lowering, budget)?;
        evaluation.divided = Some(Box::new(Divided {
            plans: plans.clone(),
            group: group.clone(),
            order: Arc::new(plans.symmetry.order(group)),
            others: FxHashMap::default(),
            pool: Pool::default(),
        }));
        Ok(evaluation)
    }

    /// Decides a modality with others who may change places, where that is how it is to be decided; `None` where it is not.
    pub(crate) fn decided_elsewhere(
        &mut self,
        id: StateFormula,
        at: Node,
        asked: Asked,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let Some(divided) = &self.divided else { return Ok(None) };
        let plan = divided.plans.of.get(&id).cloned();
        // What is not planned notices everybody.
        let alone = || (0..divided.group.len()).collect::<Group>();
        let (group, instead) =
            plan.as_ref().map_or_else(|| (alone(), id), |plan| (plan.group.clone(), plan.asked));
        let exchange = plan.and_then(|plan| plan.exchange);
        if group == divided.group && instead == id && exchange.is_none() {
            return Ok(None);
        }
        let mut state = self.space.state(self.projected(at, 0)).to_vec();
        if let Some((family, a, b)) = exchange {
            divided.plans.symmetry.families[family].rows.exchange(&mut state, a, b);
        }
        if group == divided.group {
            let number = self.space.enter(&state);
            return self.ask(instead, number, asked, budget).map(Some);
        }
        let Some(mut divided) = self.divided.take() else { return Ok(None) };
        let other = divided.other(&self.lowering, self.options, &group, budget);
        let answer = other.and_then(|mut other| {
            let number = other.space.enter(&state);
            let answer = other.ask(instead, number, asked, budget);
            divided.keep(group, other);
            answer
        });
        self.divided = Some(divided);
        answer.map(Some)
    }

    fn ask(
        &mut self,
        id: StateFormula,
        number: u32,
        asked: Asked,
        budget: &dyn Budget,
    ) -> Result<bool, Halt> {
        let at = Node { layer: 0, number };
        match asked {
            Asked::AtStart => self.holds_at_start(id, at, budget),
            Asked::Anywhere => self.holds(id, at, budget),
        }
    }

    /// Gives back the spaces that were used.
    fn dismantle(mut self, pool: &mut Pool<'m>) {
        let Some(divided) = self.divided.take() else { return };
        let Divided { group, others, pool: unused, .. } = *divided;
        pool.entry(group).or_default().push(self.space.take());
        unused.into_iter().for_each(|(group, spaces)| pool.entry(group).or_default().extend(spaces));
        others.into_values().for_each(|other| other.dismantle(pool));
    }
}

impl<'m> Symmetries<'m> {
    /// Does a formula hold wherever runs begin? `None` where symmetries do not help.
    pub(crate) fn decide(
        &mut self,
        lowering: &mut Lowering<'m>,
        options: Options,
        id: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let Some(symmetry) = self.symmetry(lowering, budget)? else { return Ok(None) };
        let plans = self.plans(lowering, symmetry, id, budget)?;
        let Some(plans) = plans.map(Arc::new) else { return Ok(None) };
        let mut root = Evaluation::divided(lowering, options, &plans, &plans.group, &mut self.pool, budget)?;
        if let Some(divided) = &mut root.divided {
            divided.pool = std::mem::take(&mut self.pool);
        }
        let holds = root.holds_initially(id, 0, budget);
        root.dismantle(&mut self.pool);
        self.decided += 1;
        holds.map(Some)
    }
}
