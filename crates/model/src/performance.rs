//! Acts that are performed by doing something else: an action of a process, or agents' parts of a joint action.
//!
//! A step may perform several acts. What they end goes first, then comes what they put in force.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_logic::{Formula, Kind};
use servanda_syntax::Span;

use crate::{ActLabel, AgentId, CommitmentId, Effect, Expr, Label, LabelId, Model, Promise, StepKind};

/// An act that agents perform by a joint action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointAct {
    /// The act.
    pub act: ActLabel,
    /// Which joint actions are it: a condition that reads actions ([`Expr::Action`]) and nothing else.
    pub when: Expr,
}

/// A commitment with a name, for formulas and for all who read of it.
#[derive(Clone, Debug)]
pub struct NamedCommitment {
    /// Its full name, indices included.
    pub name: String,
    /// `SC(..)` or `PC(..)`; ground.
    pub formula: Formula,
    /// The same, as commitments are compared.
    pub promise: Promise,
}

impl JointAct {
    /// Is the act performed by this joint action? One without parts is nobody doing anything, which a condition with a negation may
    /// admit.
    pub fn is_done_by(&self, joint: &[usize]) -> bool {
        let value = |leaf: &Expr| match leaf {
            Expr::Action(agent) => Some(joint.get(agent.index()).map_or(-1, |action| *action as i64)),
            _ => None,
        };
        self.when.value_of(&value) == Some(1)
    }
}

impl Model {
    /// The acts that can be performed, each once.
    pub fn acts(&self) -> Vec<&ActLabel> {
        let of_labels = self.labels.iter().flat_map(Label::acts);
        let all = of_labels.chain(self.joint_acts.iter().map(|joint| &joint.act));
        let mut seen = FxHashSet::default();
        all.filter(|act| seen.insert(*act)).collect()
    }

    /// The labels by which one of these acts is performed.
    pub fn labels_performing(&self, acts: &[ActLabel]) -> Vec<LabelId> {
        let performs = |label: &Label| label.acts().iter().any(|act| acts.contains(act));
        self.labels().filter(|(_, label)| performs(label)).map(|(id, _)| id).collect()
    }

    /// The acts that a step performs.
    pub fn acts_of<'m>(&'m self, step: &StepKind) -> Vec<&'m ActLabel> {
        match step {
            StepKind::Labelled(label) => self.label(*label).acts().iter().collect(),
            StepKind::Joint(joint) => self.joint_acts_of(joint),
            StepKind::Stutter => Vec::new(),
        }
    }

    /// The acts that a joint action performs.
    pub fn joint_acts_of(&self, joint: &[usize]) -> Vec<&ActLabel> {
        let mut acts: Vec<&ActLabel> = Vec::new();
        for performed in self.joint_acts.iter().filter(|performed| performed.is_done_by(joint)) {
            if !acts.contains(&&performed.act) {
                acts.push(&performed.act);
            }
        }
        acts
    }

    /// Where a commitment is in force after a round, as a condition on what is in force before it and on the joint action.
    pub fn in_force_after_round(&self, commitment: CommitmentId) -> Expr {
        let promise = self.commitment(commitment);
        let when = |touches: &dyn Fn(&ActLabel) -> bool| {
            let touching = self.joint_acts.iter().filter(|joint| touches(&joint.act));
            Expr::or(touching.map(|joint| joint.when.clone()))
        };
        let added = when(&|act| act.adds().as_ref() == Some(promise));
        let removed = when(&|act| act.removes().any(|gone| gone == *promise));
        Expr::or([added, Expr::and([Expr::InForce(commitment), removed.negate()])])
    }

    /// Finds the commitments that can be in force, and what every command does to them.
    pub fn derive_effects(&mut self) {
        self.number_commitments();
        for index in 0..self.behaviour.commands().len() {
            let acts = self.labels[self.behaviour.commands()[index].label.index()].acts();
            let add = acts.iter().filter_map(|act| self.find_commitment(&act.adds()?)).collect();
            // Removing what can never be in force changes nothing.
            let removed = acts.iter().flat_map(ActLabel::removes);
            let remove = removed.filter_map(|promise| self.find_commitment(&promise)).collect();
            self.commands_mut()[index].effect = Effect { remove, add };
        }
    }

    /// Gives numbers to the commitments that the acts there are can put in force.
    pub fn number_commitments(&mut self) {
        let adds: Vec<Promise> = self.acts().iter().filter_map(|act| act.adds()).collect();
        adds.into_iter().for_each(|promise| {
            self.add_commitment(promise);
        });
    }

    /// Hides commitments from everybody but their debtors and creditors, and so what acts on them derive; these are in public.
    pub fn hide(&mut self, private: impl IntoIterator<Item = Promise>, public: &FxHashSet<Promise>) {
        let mut derived: FxHashMap<Promise, Vec<Promise>> = FxHashMap::default();
        for act in self.acts() {
            derived.entry(act.promise.clone()).or_default().extend(act.adds());
        }
        let mut hidden: FxHashSet<Promise> = FxHashSet::default();
        let mut todo: Vec<Promise> = private.into_iter().collect();
        while let Some(promise) = todo.pop() {
            if !public.contains(&promise) && hidden.insert(promise.clone()) {
                todo.extend(derived.remove(&promise).into_iter().flatten());
            }
        }
        let hidden = self.commitments().filter(|(_, promise)| hidden.contains(*promise)).map(|(id, _)| id);
        self.private_commitments = hidden.collect();
    }

    /// Does one of these agents, of whom there is at least one, see whether a commitment is in force?
    pub fn sees_commitment(&self, agents: &[AgentId], commitment: CommitmentId) -> bool {
        let Promise { debtor, creditor, .. } = self.commitment(commitment);
        !self.private_commitments.contains(&commitment)
            || agents.contains(debtor)
            || agents.contains(creditor)
    }

    /// A formula with the names of commitments replaced by what they stand for.
    #[must_use]
    pub fn with_commitments(&self, formula: &Formula) -> Formula {
        if let Kind::Name(reference) = formula.kind()
            && reference.indices.is_empty()
            && let Some(named) = self.named_commitments.iter().find(|named| *named.name == *reference.name)
        {
            return placed(&named.formula, formula.span());
        }
        formula.map_children(|child| self.with_commitments(child))
    }

    /// What happens, with the acts that it is.
    pub(crate) fn show_performed(&self, text: String, acts: &[&ActLabel]) -> String {
        if acts.is_empty() {
            return text;
        }
        let acts: Vec<String> = acts.iter().map(|act| self.show_act(act)).collect();
        format!("{text} is {}", acts.join(" and "))
    }
}

/// A formula as if all of it were written there.
fn placed(formula: &Formula, place: Span) -> Formula {
    let placed = formula.map_children(|child| placed(child, place));
    Formula::new(placed.kind().clone(), place)
}
