//! What becomes of a commitment: from each of its creations on its content is judged as a property is.
//!
//! Several creations, one after the other, are one commitment. It is kept where all contents promised since it came into force are true,
//! and that is one set of obligations however often it was created. It is broken where one of them is not: which, is guessed. Once it is
//! known to be broken that is forgotten, so that a later creation is judged afresh.

use servanda_model::{CommitmentId, LabelId, Model};
use servanda_space::Space;

use super::product::{Motion, Node, Phase};
use super::rules::{Move, Rules};
use super::watch::{ABSENT, ENDED, Flags, IN_FORCE};

const NOT_IN_FORCE: Phase = 0;
const KEPT: Phase = 1;
const BROKEN: Phase = 2;
const ENDED_KEPT: Phase = 3;
const ENDED_BROKEN: Phase = 4;
/// It is known to be broken.
const GIVEN_UP: Phase = 5;

/// A commitment along runs.
pub(super) struct OfCommitment {
    /// By state, whether it is in force.
    in_force: Vec<bool>,
    /// By label, whether it creates the commitment.
    creates: Vec<bool>,
}

impl OfCommitment {
    pub(super) fn new(space: &Space<'_>, commitment: CommitmentId) -> Self {
        let bit = space.layout.commitment(commitment);
        let in_force = (0..space.len() as u32).map(|state| bit.read(space.state(state)) == 1).collect();
        OfCommitment { in_force, creates: creating(space.model, commitment) }
    }

    fn is_in_force(&self, rules: &Rules<'_>, point: u32) -> bool {
        self.in_force[rules.points.state(point as usize) as usize]
    }
}

/// By label, whether it creates a commitment.
pub(super) fn creating(model: &Model, commitment: CommitmentId) -> Vec<bool> {
    let promise = model.commitment(commitment);
    let creates =
        |label: LabelId| model.label(label).acts().iter().any(|act| act.adds().as_ref() == Some(promise));
    model.labels().map(|(label, _)| creates(label)).collect()
}

/// What is left of obligations whose fate matters no more. What the past guessed must still come true.
fn left_over(rules: &mut Rules<'_>, state: u32) -> u32 {
    if rules.looks_back { state } else { rules.nothing() }
}

fn created(rules: &mut Rules<'_>, point: u32, state: u32) -> Vec<Node> {
    let old = left_over(rules, state);
    vec![(point, rules.demanding(old, true), KEPT), (point, rules.demanding(old, false), BROKEN)]
}

impl Motion for OfCommitment {
    fn begin(&mut self, rules: &mut Rules<'_>, point: u32) -> Vec<Node> {
        let nothing = rules.nothing();
        match self.is_in_force(rules, point) {
            true => created(rules, point, nothing),
            false => vec![(point, nothing, NOT_IN_FORCE)],
        }
    }

    fn after(&mut self, rules: &mut Rules<'_>, (point, _, phase): Node, step: Move) -> Vec<Node> {
        let (was, is) = (self.is_in_force(rules, point), self.is_in_force(rules, step.point));
        let creates = step.label.is_some_and(|label| self.creates[label as usize]);
        let to = |phase| vec![(step.point, step.state, phase)];
        if !is {
            return match phase {
                KEPT if was => to(ENDED_KEPT),
                BROKEN if was => to(ENDED_BROKEN),
                _ => vec![(step.point, left_over(rules, step.state), NOT_IN_FORCE)],
            };
        }
        match phase {
            KEPT if was && creates => {
                let old = left_over(rules, step.state);
                let (kept, broken) = (rules.demanding(step.state, true), rules.demanding(old, false));
                vec![(step.point, kept, KEPT), (step.point, broken, BROKEN)]
            }
            BROKEN | KEPT if was => to(phase),
            GIVEN_UP if was && !creates => vec![(step.point, left_over(rules, step.state), GIVEN_UP)],
            _ => created(rules, step.point, step.state),
        }
    }

    fn said(&self, phase: Phase) -> (Option<bool>, Flags) {
        match phase {
            NOT_IN_FORCE => (None, ABSENT),
            KEPT => (Some(true), IN_FORCE),
            BROKEN | GIVEN_UP => (Some(false), IN_FORCE),
            ENDED_KEPT => (Some(true), ENDED),
            _ => (Some(false), ENDED),
        }
    }

    fn settled(&mut self, rules: &mut Rules<'_>, (point, state, phase): Node) -> Option<Node> {
        (phase == BROKEN).then(|| (point, left_over(rules, state), GIVEN_UP))
    }
}
