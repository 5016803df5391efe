//! Evidence found in a slice of a model, made evidence of the whole model by taking the same steps there.
//!
//! What was left out makes its own changes on the way, so that a loop of the slice may have to be gone round several times until the
//! whole comes back to a state, and where nothing happens in the slice something may have to happen in the whole.

use rustc_hash::FxHashSet;
use servanda_model::{Cause, CommandId, Layout, Model, Mover, StepKind};

use crate::generate::{labels_of_moves, what_can_happen};
use crate::{
    AccessiblePath, Because, Claim, Doubt, DoubtStep, Evidence, Path, PathEvidence, State, Step, build,
};

/// So many places are looked at to find one path.
const MOST_PLACES: usize = 20_000;

/// A path has at most so many positions in the whole model.
const MOST_POSITIONS: usize = 5000;

/// So many initial states and joint actions are looked at.
const MOST_CHOICES: usize = 100_000;

/// How the whole model is seen in a slice.
pub trait Slicing {
    /// The state of the slice that a state of the whole is.
    fn project(&self, state: &[u64]) -> Vec<u64>;

    /// Is a command of the whole model left out?
    fn leaves_out(&self, command: CommandId) -> bool;

    /// Where agents act in rounds: by agent, is what it does the same in the slice?
    fn actors(&self) -> &[bool];
}

/// Makes the same steps in the whole model.
struct Lift<'m, 's> {
    model: &'m Model,
    layout: Layout,
    mover: Mover<'m>,
    slicing: &'s dyn Slicing,
}

/// The evidence of a slice as evidence of the whole model; it is to be checked. `None` where that is not possible, or takes too long.
pub(crate) fn lift(model: &Model, slicing: &dyn Slicing, evidence: &Evidence) -> Option<Evidence> {
    let mover = Mover::new(model);
    let mut lift = Lift { model, layout: mover.layout().clone(), mover, slicing };
    let first = lift.initial(evidence.start.states.first()?)?;
    let (start, _) = lift.path(&evidence.start, first)?;
    let here = start.states.last()?.packed.clone();
    let mut claim = lift.claim(&evidence.claim, &here)?;
    if let Because::Everywhere(reason) = &mut claim.because {
        let said = reason.split(';').next().unwrap_or_default();
        *reason = format!("{said}{}", what_can_happen(labels_of_moves(lift.mover, model, &here)?));
    }
    let checked = crate::Checked::NotYet;
    Some(Evidence { start, claim, checked, ..evidence.clone() })
}

impl Lift<'_, '_> {
    fn state(&self, packed: &[u64]) -> State {
        build::state(self.model, &self.layout, packed)
    }

    /// An initial state that the slice sees as this one.
    fn initial(&self, seen: &State) -> Option<Vec<u64>> {
        let mut looked = 0;
        let mut states = self.mover.initial_states();
        let mut go_on = || {
            looked += 1;
            if looked < MOST_CHOICES { Ok(()) } else { Err(()) }
        };
        while let Some(state) = states.try_next(&mut go_on).ok()? {
            if self.slicing.project(&state) == seen.packed {
                return Some(state);
            }
        }
        None
    }

    fn claim(&mut self, claim: &Claim, here: &[u64]) -> Option<Claim> {
        let because = match &claim.because {
            Because::State => Because::State,
            Because::Parts(parts) => {
                Because::Parts(parts.iter().map(|part| self.claim(part, here)).collect::<Option<_>>()?)
            }
            Because::Path(evidence) => Because::Path(Box::new(self.path_evidence(evidence, here)?)),
            Because::Accessible(accessible) => {
                let evidence = self.path_evidence(&accessible.evidence, here)?;
                Because::Accessible(Box::new(AccessiblePath { evidence, ..(**accessible).clone() }))
            }
            Because::CannotTell(doubt) => {
                let mut steps = Vec::new();
                for DoubtStep { agents, run } in &doubt.steps {
                    let first = self.initial(run.states.first()?)?;
                    let (run, _) = self.path(run, first)?;
                    steps.push(DoubtStep { agents: agents.clone(), run });
                }
                let there = steps.last()?.run.states.last()?.packed.clone();
                let claim = self.claim(&doubt.claim, &there)?;
                Because::CannotTell(Box::new(Doubt { steps, claim }))
            }
            Because::Everywhere(reason) => Because::Everywhere(reason.clone()),
            Because::NotShown(reason) => Because::NotShown(reason.clone()),
            // What a coalition does would have to be said for many more states; slices are not made for what looks back.
            Because::Before(_) | Because::Strategy(_) => return None,
        };
        Some(Claim { because, ..claim.clone() })
    }

    fn path_evidence(&mut self, evidence: &PathEvidence, here: &[u64]) -> Option<PathEvidence> {
        let (path, positions) = self.path(&evidence.path, here.to_vec())?;
        let mut claims = Vec::new();
        for (at, position) in positions.into_iter().enumerate() {
            for (_, claim) in evidence.claims.iter().filter(|(other, _)| *other == position) {
                claims.push((at, self.claim(claim, &path.states[at].packed)?));
            }
        }
        Some(PathEvidence { path, claims, ..evidence.clone() })
    }

    /// The same path from a state of the whole, with the position that each of its states has in the slice.
    fn path(&mut self, path: &Path, first: Vec<u64>) -> Option<(Path, Vec<usize>)> {
        let mut seen: FxHashSet<(usize, Vec<u64>)> = FxHashSet::default();
        // The way so far: position, state, and the moves from there that are still to be tried.
        type Tried = (usize, Vec<u64>, Option<StepKind>, Vec<(StepKind, Vec<u64>)>);
        let mut way: Vec<Tried> = Vec::new();
        let mut next = Some((0, first));
        loop {
            if let Some((position, state)) = next.take() {
                seen.insert((position, state.clone()));
                let moves = self.moves(path, position, &state)?;
                way.push((position, state, None, moves));
                if path.loop_to.is_none() && position == path.last() {
                    break;
                }
            }
            if seen.len() > MOST_PLACES || way.len() > MOST_POSITIONS {
                return None;
            }
            let (position, _, taken, moves) = way.last_mut()?;
            let Some((kind, target)) = moves.pop() else {
                way.pop();
                continue;
            };
            *taken = Some(kind);
            let after = if *position < path.last() { *position + 1 } else { path.loop_to? };
            if seen.contains(&(after, target.clone())) {
                if let Some(begin) = way.iter().position(|(at, state, ..)| (*at, state) == (after, &target)) {
                    return Some(self.walked(way, Some(begin)));
                }
            } else {
                next = Some((after, target));
            }
        }
        Some(self.walked(way, None))
    }

    fn walked<T>(
        &self,
        way: Vec<(usize, Vec<u64>, Option<StepKind>, T)>,
        loop_to: Option<usize>,
    ) -> (Path, Vec<usize>) {
        let positions = way.iter().map(|(position, ..)| *position).collect();
        let states = way.iter().map(|(_, state, ..)| self.state(state)).collect();
        let kinds = way.into_iter().filter_map(|(_, _, kind, _)| kind);
        let steps: Vec<Step> = kinds.map(|kind| build::step(self.model, kind)).collect();
        (Path { states, steps, loop_to }, positions)
    }

    /// The moves of the whole that are the step of a path at a position, the best last.
    fn moves(&mut self, path: &Path, position: usize, state: &[u64]) -> Option<Vec<(StepKind, Vec<u64>)>> {
        let Some(step) = path.steps.get(position) else { return Some(Vec::new()) };
        let after = if position < path.last() { position + 1 } else { path.loop_to? };
        let seen = &path.states[after].packed;
        let stays = *seen == path.states[position].packed;
        let (model, slicing) = (self.model, self.slicing);
        let (mut same, mut left_out, mut all) = (Vec::new(), Vec::new(), 0);
        if self.mover.joint_actions(state).is_some_and(|count| count > MOST_CHOICES) {
            return None;
        }
        let moved = self.mover.for_each(state, |cause, target| {
            all += 1;
            let (_, kind) = build::kind(model, cause);
            let left = matches!(cause, Cause::Command(command) if slicing.leaves_out(command));
            if left && stays {
                left_out.push((kind, target.to_vec()));
            } else if !left && is_same(&kind, &step.kind, slicing) && slicing.project(target) == *seen {
                same.push((kind, target.to_vec()));
            }
        });
        moved.ok()?;
        if all == 0 && step.kind == StepKind::Stutter {
            same.push((StepKind::Stutter, state.to_vec()));
        }
        // What is left out moves only where nothing else will do.
        if same.is_empty() { Some(left_out) } else { Some(same) }
    }
}

/// Is a step of the whole the one of the slice, as far as the slice sees it?
fn is_same(whole: &StepKind, own: &StepKind, slicing: &dyn Slicing) -> bool {
    match (whole, own) {
        (StepKind::Joint(whole), StepKind::Joint(own)) => {
            let acts = whole.iter().zip(own).zip(slicing.actors());
            whole.len() == own.len() && acts.into_iter().all(|((whole, own), same)| !same || whole == own)
        }
        _ => whole == own,
    }
}
