//! Who may change places without a property noticing, modality by modality.
//!
//! `E ψ` is decided on states in order where none of those who change places is told apart by a state formula or a set of labels directly in
//! ψ. Such a state formula may still refer to each of several: it is decided at the one state at hand, and what it asks of other states is decided in its
//! turn, with fewer who change places. What holds of one of several in a state holds of another after these two have changed places, so of
//! formulas that become each other one is asked.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt, Progress};
use servanda_lower::{Lowering, Path, PathFormula, Relation, State, StateFormula};
use servanda_model::{AgentId, Expr, Model};

use super::form::{FormId, Renamed};
use super::renaming::Renaming;
use super::{Flaw, Symmetries, Symmetry};
use servanda_model::range_everywhere;

/// For each member of all families the first who may change places with it.
pub(super) type Group = Arc<[usize]>;

/// How a modality is decided.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Who may change places.
    pub(super) group: Group,
    /// What is asked instead.
    pub(super) asked: StateFormula,
    /// After two members of a family have changed places.
    pub(super) exchange: Option<(usize, usize, usize)>,
}

/// How a property is decided.
pub(super) struct Plans {
    pub(super) symmetry: Arc<Symmetry>,
    pub(super) of: FxHashMap<StateFormula, Plan>,
    /// Who may change places without the property noticing, as a whole.
    pub(super) group: Group,
}

/// Those who may change places in both.
fn meet(one: &[usize], other: &[usize]) -> Group {
    let same = |a: usize, b: usize| one[a] == one[b] && other[a] == other[b];
    (0..one.len()).map(|member| (0..=member).find(|first| same(*first, member)).unwrap_or(member)).collect()
}

impl Symmetry {
    /// Those who may change places without something becoming something else.
    fn stabiliser(&self, mut stays: impl FnMut((usize, usize, usize), &Renaming) -> bool) -> Group {
        let mut group: Vec<usize> = Vec::new();
        for (number, family) in self.families.iter().enumerate() {
            for member in 0..family.rows.members {
                let firsts = (0..member).filter(|first| group[family.first + first] == family.first + first);
                let like = firsts
                    .collect::<Vec<usize>>()
                    .into_iter()
                    .find(|first| stays((number, *first, member), family.exchanges.of(*first, member)));
                group.push(family.first + like.unwrap_or(member));
            }
        }
        group.into()
    }
}

/// Has a condition a value in every state?
fn has_value(model: &Model, expr: &Expr) -> bool {
    !expr.can_fault() || range_everywhere(model, expr).is_some()
}

impl<'m> Symmetries<'m> {
    /// Is one of some pairs of agents like this one? It is where two who are alike change places.
    pub(crate) fn has_like(&self, (one, other): (AgentId, AgentId), pairs: &[(AgentId, AgentId)]) -> bool {
        let Some(Some(symmetry)) = &self.found else { return false };
        let renamed = |renaming: &Renaming| (renaming.agents[one.index()], renaming.agents[other.index()]);
        let exchanges = symmetry.families.iter().flat_map(|family| family.exchanges.all());
        exchanges.map(renamed).any(|pair| pairs.contains(&pair))
    }

    /// How a property is to be decided; `None` where nothing is gained, or it cannot be.
    ///
    /// # Errors
    ///
    /// When the budget says stop.
    pub(super) fn plans(
        &mut self,
        lowering: &mut Lowering<'m>,
        symmetry: Arc<Symmetry>,
        id: StateFormula,
        budget: &dyn Budget,
    ) -> Result<Option<Plans>, Halt> {
        let of = FxHashMap::default();
        let mut planner =
            Planner { symmetries: self, lowering, symmetry: symmetry.clone(), of, budget, stopped: None };
        let planned = planner.all(id);
        let group = planned.map(|()| planner.stabiliser_of(id));
        let Planner { of, lowering, stopped, .. } = planner;
        match (stopped, group) {
            (Some(stopped), _) => Err(stopped),
            (None, None) => Ok(None),
            (None, Some(group)) => Ok(Plans { symmetry, of, group }.worthwhile(lowering, id)),
        }
    }
}

impl Plans {
    /// These plans, if enough is gained at the beginning of the property.
    fn worthwhile(self, lowering: &Lowering<'_>, id: StateFormula) -> Option<Self> {
        // What the property asks of the beginning takes longest.
        let arena = &lowering.arena;
        let mut first = vec![id];
        while let Some(id) = first.pop() {
            match *arena.state(id) {
                State::Not(a) => first.push(a),
                State::And(a, b) | State::Or(a, b) => first.extend([a, b]),
                State::True | State::Proposition(_) => {}
                _ => {
                    let plan = self.of.get(&id)?;
                    if self.symmetry.order_of(&plan.group) < super::LEAST_ORDER {
                        return None;
                    }
                }
            }
        }
        Some(self)
    }
}

struct Planner<'a, 'm> {
    symmetries: &'a mut Symmetries<'m>,
    lowering: &'a mut Lowering<'m>,
    symmetry: Arc<Symmetry>,
    of: FxHashMap<StateFormula, Plan>,
    budget: &'a dyn Budget,
    /// The budget has said stop: from then on nothing has a form, and nothing that was planned counts.
    stopped: Option<Halt>,
}

impl Planner<'_, '_> {
    /// The form of a formula when two have changed places, or nobody has.
    fn form(&mut self, id: StateFormula, exchange: Option<(usize, usize, usize)>) -> Option<FormId> {
        self.renamed(exchange, |renamed, lowering| renamed.state(&lowering.arena, id))
    }

    fn renamed<T>(
        &mut self,
        exchange: Option<(usize, usize, usize)>,
        work: impl FnOnce(&mut Renamed<'_>, &Lowering<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.stopped.is_none() {
            self.stopped = Progress::Deciding { nodes: 0 }.tell(self.budget).err();
        }
        if self.stopped.is_some() {
            return None;
        }
        let Planner { symmetries, lowering, symmetry, .. } = self;
        let identity;
        let (known, renaming) = match exchange {
            Some((family, a, b)) => {
                let known = symmetries.known.entry((family, a, b)).or_default();
                (known, symmetry.families[family].exchanges.of(a, b))
            }
            None => {
                identity = Renaming::identity(lowering.model);
                (&mut symmetries.unchanged, &identity)
            }
        };
        work(&mut Renamed::new(&mut symmetries.forms, known, lowering.model, renaming), lowering)
    }

    /// Who may change places without a state formula noticing.
    fn stabiliser_of(&mut self, id: StateFormula) -> Group {
        let symmetry = self.symmetry.clone();
        if self.symmetries.flaws == Some(Flaw::AnyProperty) {
            return symmetry.whole();
        }
        let Some(unchanged) = self.form(id, None) else { return symmetry.stabiliser(|_, _| false) };
        symmetry.stabiliser(|exchange, _| self.form(id, Some(exchange)) == Some(unchanged))
    }

    /// Who may change places without any of the largest state formulas and sets of labels of path formulas noticing.
    fn stabiliser_of_paths(&mut self, paths: &[PathFormula]) -> Group {
        let mut group = self.symmetry.whole();
        for part in self.lowering.arena.path_parts(paths) {
            let narrowed = match *self.lowering.arena.path(part) {
                Path::State(state) => self.stabiliser_of(state),
                Path::Action(_) if self.symmetries.flaws == Some(Flaw::AnyLabel) => continue,
                Path::Action(action) => {
                    let symmetry = self.symmetry.clone();
                    let mut form = |exchange| {
                        self.renamed(exchange, |renamed, lowering| renamed.action(&lowering.arena, action))
                    };
                    let unchanged = form(None);
                    symmetry
                        .stabiliser(|exchange, _| unchanged.is_some() && form(Some(exchange)) == unchanged)
                }
                _ => continue,
            };
            group = meet(&group, &narrowed);
        }
        group
    }

    /// Those who may change places without any of the agents doing so.
    fn stabiliser_of_agents(&self, agents: &[AgentId]) -> Group {
        self.symmetry
            .stabiliser(|_, renaming| agents.iter().all(|agent| renaming.agents[agent.index()] == *agent))
    }

    /// Plans all modalities of a formula; `None` where one of them is beyond what is known of symmetries.
    fn all(&mut self, id: StateFormula) -> Option<()> {
        if self.of.contains_key(&id) {
            return Some(());
        }
        let (group, inner) = match self.lowering.arena.state(id).clone() {
            State::True => return Some(()),
            State::Proposition(proposition) => {
                let expr = self.lowering.arena.proposition_expr(proposition);
                return has_value(self.lowering.model, expr).then_some(());
            }
            State::Not(a) => return self.all(a),
            State::And(a, b) | State::Or(a, b) => {
                self.all(a)?;
                return self.all(b);
            }
            State::SomePrevious(_) | State::SomePast(_) => return None,
            State::Exists { path, .. } => {
                (self.stabiliser_of_paths(&[path]), self.lowering.arena.state_parts(path))
            }
            State::Committed { debtor, creditor, limit, body } => {
                let paths = self.lowering.paths_within((debtor, creditor), limit, body);
                let group =
                    meet(&self.stabiliser_of_paths(&paths), &self.stabiliser_of_agents(&[debtor, creditor]));
                (group, self.lowering.arena.state_parts_of(&paths))
            }
            State::Knows { relation, correct, body } => {
                let mut agents = match relation {
                    Relation::Everywhere => Vec::new(),
                    Relation::Some(agents) | Relation::All(agents) | Relation::Common(agents) => agents,
                };
                agents.extend(correct);
                (meet(&self.stabiliser_of(body), &self.stabiliser_of_agents(&agents)), vec![body])
            }
            State::Able { group, goal } => {
                let in_group = |agent: &AgentId| group.contains(agent);
                let together = self.symmetry.stabiliser(|_, renaming| {
                    group.iter().all(|agent| in_group(&renaming.agents[agent.index()]))
                });
                let parts: Vec<StateFormula> = goal.parts().collect();
                let narrowed =
                    parts.iter().fold(together, |all, part| meet(&all, &self.stabiliser_of(*part)));
                (narrowed, parts)
            }
        };
        let plan = self.same_as_before(id, &group).unwrap_or(Plan { group, asked: id, exchange: None });
        self.of.insert(id, plan);
        inner.into_iter().try_for_each(|part| self.all(part))
    }

    /// The plan for a formula that becomes one that is planned already when two change places.
    fn same_as_before(&mut self, id: StateFormula, group: &Group) -> Option<Plan> {
        let asked: Vec<StateFormula> =
            self.of.iter().filter(|(id, plan)| plan.asked == **id).map(|(id, _)| *id).collect();
        let mut forms: FxHashMap<FormId, StateFormula> = FxHashMap::default();
        for asked in asked {
            if let Some(form) = self.form(asked, None) {
                forms.insert(form, asked);
            }
        }
        if let Some(asked) = self.form(id, None).and_then(|form| forms.get(&form)) {
            return Some(Plan { exchange: None, ..self.of[asked].clone() });
        }
        for number in 0..self.symmetry.families.len() {
            let (first, members) = {
                let family = &self.symmetry.families[number];
                (family.first, family.rows.members)
            };
            for b in 1..members {
                for a in (0..b).filter(|a| group[first + a] != group[first + b]) {
                    let exchange = (number, a, b);
                    if let Some(asked) = self.form(id, Some(exchange)).and_then(|form| forms.get(&form)) {
                        let exchange = Some(exchange);
                        return Some(Plan { exchange, ..self.of[asked].clone() });
                    }
                }
            }
        }
        None
    }
}
