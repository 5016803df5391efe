//! Outlines changed so that a law applies to them.

use servanda_logic::ActKind;

use super::outline::{Initial, LabelOutline, NewValue, Outline, Pick, Roles, Side};
use super::sketch::Sketch;

impl Outline {
    /// Without fairness constraints.
    #[must_use]
    pub fn without_fairness(mut self) -> Self {
        self.fairness.clear();
        self.step_fairness.clear();
        self
    }

    /// Without narrowed accessible paths.
    #[must_use]
    pub fn without_access(mut self) -> Self {
        self.access.clear();
        self
    }

    /// Without local states in which somebody does not behave correctly.
    #[must_use]
    pub fn without_red(mut self) -> Self {
        self.red.clear();
        self
    }

    /// With public variables and commitments only.
    #[must_use]
    pub fn without_secrets(mut self) -> Self {
        self.variables.iter_mut().for_each(|variable| variable.owner = None);
        self.commitments.iter_mut().for_each(|commitment| commitment.is_private = false);
        self
    }

    /// With commands that go by variables and control states alone.
    #[must_use]
    pub fn without_active(mut self) -> Self {
        for transition in self.machines.iter_mut().flatten() {
            transition.guard = transition.guard.as_ref().map(Sketch::without_active);
            for (_, value) in &mut transition.sets {
                if let NewValue::Whether(condition) = value {
                    *condition = condition.without_active();
                }
            }
        }
        self
    }

    /// With one initial state.
    #[must_use]
    pub fn with_one_initial_state(mut self) -> Self {
        for variable in &mut self.variables {
            variable.initial = match &variable.initial {
                Initial::One(pick) => Initial::One(*pick),
                Initial::Set(picks) => Initial::One(picks.first().copied().unwrap_or(Pick(0))),
                Initial::Undeclared => Initial::One(Pick(0)),
            };
        }
        self
    }

    /// With a way out of every control state of the first machine, whatever the variables are: no state is a
    /// deadlock.
    #[must_use]
    pub fn without_deadlocks(mut self) -> Self {
        self.is_deadlock_free = true;
        self
    }

    /// With three roles of which the last neither acts nor is a party to a commitment.
    #[must_use]
    pub fn with_idle_last_role(mut self) -> Self {
        self.roles = Roles::Three;
        let active = |pick: Pick| Pick(pick.0 % 2);
        for transition in self.machines.iter_mut().flatten() {
            match &mut transition.label {
                LabelOutline::Message { by, .. } => *by = by.map(active),
                LabelOutline::Act { kind, .. } if kind.has_third() => *kind = ActKind::Release,
                LabelOutline::Act { .. } => {}
            }
        }
        for commitment in &mut self.commitments {
            commitment.debtor = active(commitment.debtor);
            // Of three roles the next one but one comes before this one.
            commitment.creditor = Pick(commitment.debtor.0);
        }
        self
    }

    /// With every transition made by the first role.
    #[must_use]
    pub fn with_one_active_role(mut self) -> Self {
        for transition in self.machines.iter_mut().flatten() {
            let (name, side) = match &transition.label {
                LabelOutline::Message { name, side, .. } => (*name, *side),
                LabelOutline::Act { commitment, .. } => (*commitment, Side::Alone),
            };
            transition.label = LabelOutline::Message { name, by: Some(Pick(0)), side, is_family: false };
        }
        self
    }
}
