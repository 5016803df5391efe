//! What the engine knows, opened to those who look for evidence: sets of states, and steps between them.
//!
//! [`Sets`] answers with diagrams, so it does not matter how many states a set has; and it answers about single states, so that a
//! path can be walked step by step. Its states are the points of (fair) runs. What a formula remembers is no part of a state, so
//! formulas with linear past are refused.

use num_bigint::BigUint;
use servanda_engine::{Budget, Halt, Past};
use servanda_logic::Formula;
use servanda_lower::{Action, Arena, LabelSetId, PathFormula, State, StateFormula};
use servanda_model::{AgentId, LabelId, Layout, Mover, StepKind};
use servanda_paths::StepLiteral;

use crate::diagrams::{Bdd, Operations};
use crate::fairness::Fair;
use crate::schedule::Schedule;
use crate::symbolic::Symbolic;

/// A set of states.
#[derive(Clone, PartialEq, Eq)]
pub struct States(Bdd);

/// A fairness constraint. Where it demands something again and again, it must be met again and again: where it holds, or by a step that
/// it names.
#[derive(Clone)]
pub struct FairStates {
    /// Where it demands something; `None`: everywhere.
    pub demands: Option<States>,
    /// Where it holds.
    pub holds: States,
    /// The labels of the steps that meet it.
    pub taken: Option<LabelSetId>,
}

/// The steps that match some conditions on their labels.
pub struct Steps {
    /// Which parts of the relation, and how where not all of their steps match.
    parts: Vec<(usize, Option<Matching>)>,
    label: Vec<StepLiteral>,
}

/// The steps of rounds with some joint actions.
struct Matching {
    actions: Bdd,
    forward: Schedule,
}

/// The sets of states that formulas refer to.
pub struct Sets<'m> {
    symbolic: Symbolic<'m>,
    layout: Layout,
    /// Has it been tried to make the relation one diagram?
    restricted: bool,
}

/// For steps backwards from single states the relation may have this many nodes as one diagram: made in pieces, it is least able to
/// go back to few states, which say little about what the others did.
const MOST_RELATION_NODES: usize = 1 << 22;

impl States {
    /// Is there no state in it?
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }

    /// The states in both.
    pub fn both(&self, other: &States) -> Result<States, Halt> {
        self.0.both(&other.0).map(States)
    }

    /// The states in one of them.
    pub fn either(&self, other: &States) -> Result<States, Halt> {
        self.0.either(&other.0).map(States)
    }

    /// The states of this set that are not in the other.
    pub fn without(&self, other: &States) -> Result<States, Halt> {
        self.0.without(&other.0).map(States)
    }
}

impl<'m> Sets<'m> {
    /// Takes over an engine; `None` where its states already are more than the model's own.
    pub fn new(mut symbolic: Symbolic<'m>) -> Option<Self> {
        if !symbolic.memory.is_empty() {
            return None;
        }
        symbolic.states_only = true;
        let layout = Layout::new(symbolic.encoding.model);
        Some(Sets { symbolic, layout, restricted: false })
    }

    /// The number of reachable states.
    pub fn count(&self) -> BigUint {
        self.symbolic.states()
    }

    /// The number of a property.
    pub fn property(&mut self, formula: &Formula) -> Result<StateFormula, Halt> {
        self.symbolic.lowering.property(formula).map_err(Halt::Invalid)
    }

    /// The number of a formula that is part of a property, if it has a meaning by itself.
    pub fn find(&mut self, formula: &Formula) -> Option<PathFormula> {
        self.symbolic.lowering.path(formula).ok()
    }

    /// What formulas are made of.
    pub fn arena(&self) -> &Arena {
        &self.symbolic.lowering.arena
    }

    /// How states are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// No state.
    pub fn none(&self) -> States {
        States(self.symbolic.encoding.diagrams.falsity())
    }

    /// The points of runs.
    pub fn points(&self) -> States {
        States(self.symbolic.points.clone())
    }

    /// The states in which runs begin.
    pub fn initial(&self) -> States {
        States(self.symbolic.initial.clone())
    }

    /// The fairness constraints.
    pub fn fairness(&self) -> Vec<FairStates> {
        let constraints = self.symbolic.fair.iter().cloned();
        let as_sets = |Fair { demands, holds, taken }| FairStates {
            demands: demands.map(States),
            holds: States(holds),
            taken,
        };
        constraints.map(as_sets).collect()
    }

    /// The points at which a state formula holds.
    pub fn satisfying(&mut self, id: StateFormula, budget: &dyn Budget) -> Result<States, Halt> {
        self.symbolic.evaluate(id, budget)?.both(&self.symbolic.points).map(States)
    }

    /// For `SC` in a state: the path formula "accessible, and the body fails", for what is in force there.
    pub fn broken(&mut self, committed: StateFormula, state: &[u64]) -> Option<PathFormula> {
        let State::Committed { debtor, creditor, limit, body } = *self.arena().state(committed) else {
            return None;
        };
        let lowering = &mut self.symbolic.lowering;
        let mut in_force = lowering.promises(debtor, creditor, limit);
        in_force.retain(|id| self.layout.commitment(*id).read(state) == 1);
        let kept: Vec<PathFormula> = in_force.into_iter().map(|id| lowering.content(id)).collect();
        Some(lowering.broken(debtor, creditor, kept, body))
    }

    /// The points at which all of these behave correctly.
    pub fn correct(&self, agents: &[AgentId]) -> Result<States, Halt> {
        self.symbolic.correct(agents).map(States)
    }

    /// The points that the agents together cannot tell from some state of a set.
    pub fn alike(&self, states: &States, agents: &[AgentId]) -> Result<States, Halt> {
        let hidden = self.symbolic.hidden_from(agents)?;
        states.0.some(&hidden)?.both(&self.symbolic.points).map(States)
    }

    /// The set of one state.
    pub fn only(&self, state: &[u64]) -> Result<States, Halt> {
        self.symbolic.encoding.only(state, &self.layout).map(States)
    }

    /// Is the state in the set?
    pub fn contains(&self, states: &States, state: &[u64]) -> Result<bool, Halt> {
        Ok(!states.both(&self.only(state)?)?.is_empty())
    }

    /// Some state of a set.
    pub fn pick(&self, states: &States) -> Option<Vec<u64>> {
        self.symbolic.encoding.pick(&states.0, &self.layout)
    }

    /// The steps that match, or do not match, these action formulas.
    pub fn steps(&self, label: &[StepLiteral]) -> Result<Steps, Halt> {
        let symbolic = &self.symbolic;
        let mut parts = Vec::new();
        for (index, part) in symbolic.parts.iter().enumerate() {
            let mut actions = symbolic.encoding.diagrams.truth();
            for (atom, sign) in label {
                let matches = symbolic.action_matches(*atom, part)?;
                actions = if *sign { actions.both(&matches)? } else { actions.without(&matches)? };
            }
            if actions == symbolic.encoding.diagrams.truth() {
                parts.push((index, None));
            } else if !actions.is_false() {
                let forward = part.forward_with_actions(&symbolic.encoding)?;
                parts.push((index, Some(Matching { actions, forward })));
            }
        }
        Ok(Steps { parts, label: label.to_vec() })
    }

    /// The points from which some of the steps lead into a set.
    pub fn before(&mut self, set: &States, steps: &Steps, budget: &dyn Budget) -> Result<States, Halt> {
        self.symbolic.poll(budget)?;
        let mut all = self.symbolic.encoding.diagrams.falsity();
        if set.is_empty() {
            return Ok(States(all));
        }
        if !std::mem::replace(&mut self.restricted, true) && self.symbolic.options.past == Past::Reachable {
            let Symbolic { parts, encoding, reached, .. } = &mut self.symbolic;
            for part in parts {
                encoding.diagrams.report(budget)?;
                part.restrict_to(encoding, reached, MOST_RELATION_NODES)?;
            }
        }
        for (index, matching) in &steps.parts {
            // There may be thousands of parts, and each may take a while.
            self.symbolic.encoding.diagrams.report(budget)?;
            let part = &self.symbolic.parts[*index];
            let before = match matching {
                None => part.preimage_within(&set.0, &self.symbolic.points)?,
                Some(Matching { actions, .. }) => {
                    let joint = self.symbolic.encoding.joint_action()?;
                    part.preimage_with_actions(&set.0)?.both_some(actions, &joint)?
                }
            };
            all = all.either(&before)?;
        }
        all.both(&self.symbolic.points).map(States)
    }

    /// The points to which some of the steps lead from a set.
    pub fn after(&mut self, set: &States, steps: &Steps, budget: &dyn Budget) -> Result<States, Halt> {
        self.symbolic.poll(budget)?;
        let mut all = self.symbolic.encoding.diagrams.falsity();
        if set.is_empty() {
            return Ok(States(all));
        }
        for (index, matching) in &steps.parts {
            self.symbolic.encoding.diagrams.report(budget)?;
            let part = &self.symbolic.parts[*index];
            let after = match matching {
                None => part.image(&set.0)?,
                Some(Matching { actions, forward }) => part.image_by(forward, &set.0.both(actions)?)?,
            };
            all = all.either(&after)?;
        }
        all.both(&self.symbolic.points).map(States)
    }

    /// How one of the steps leads from one state to another, if one does.
    pub fn step_kind(&self, from: &[u64], to: &[u64], steps: &Steps) -> Result<Option<StepKind>, Halt> {
        let model = self.symbolic.encoding.model;
        if model.behaviour.is_rounds() {
            return self.joint_step(from, to, steps);
        }
        let arena = self.arena();
        let matches = |label: Option<LabelId>| {
            steps.label.iter().all(|(atom, sign)| {
                let does = match (atom, label) {
                    (Action::Does(set), Some(label)) => arena.labels(*set).contains(&label),
                    (Action::Does(_) | Action::Acts { .. }, _) => false,
                };
                does == *sign
            })
        };
        let (mut found, mut deadlock) = (None, true);
        // A fault of some other command does not make this one's step another.
        let _ = Mover::new(model).for_each(from, |cause, next| {
            deadlock = false;
            let Some(label) = cause.command().map(|command| model.command(command).label) else { return };
            if found.is_none() && next == to && matches(Some(label)) {
                found = Some(StepKind::Labelled(label));
            }
        });
        if deadlock && from == to && matches(None) {
            found = Some(StepKind::Stutter);
        }
        Ok(found)
    }

    fn joint_step(&self, from: &[u64], to: &[u64], steps: &Steps) -> Result<Option<StepKind>, Halt> {
        let encoding = &self.symbolic.encoding;
        let (from, to) = (encoding.only(from, &self.layout)?, encoding.only(to, &self.layout)?);
        for (index, matching) in &steps.parts {
            let part = &self.symbolic.parts[*index];
            let mut step = from.both(&part.at_next(&to)?)?;
            if let Some(Matching { actions, .. }) = matching {
                step = step.both(actions)?;
            }
            for conjunct in part.all_conjuncts() {
                step = step.both(&conjunct.set)?;
            }
            if step.is_false() {
                continue;
            }
            return Ok(if part.is_round() {
                encoding.pick_joint(&step).map(StepKind::Joint)
            } else {
                Some(StepKind::Stutter)
            });
        }
        Ok(None)
    }
}
