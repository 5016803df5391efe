//! What a judge follows, made from a model that has been explored.

use servanda_engine::{Budget, Halt};
use servanda_enumerate::{Explored, Points};
use servanda_lower::{PathFormula, State, StateFormula};
use servanda_model::{CommitmentId, Property};
use servanda_space::{Space, Via};

use super::product::{Motion, OfRun, follow};
use super::promises::OfCommitment;
use super::rules::{Rules, asked};
use super::steps::Steps;
use super::watch::{Flags, REST_FALSE, REST_TRUE, SOME_FALSE, SOME_TRUE, Watch};

/// The number of the watch that follows something, or why nothing does.
pub(super) type Followed = Result<usize, String>;

/// The states of a space, to be followed.
pub(super) fn states(space: &Space<'_>) -> Watch {
    let mut steps = Steps::default();
    for state in 0..space.len() as u32 {
        let real = space.steps(state).iter().filter(|step| step.via != Via::LOOP);
        steps.push(real.map(|step| (space.label(step.via), step.target)));
    }
    Watch::new(steps, vec![0; space.len()], space.initial().collect())
}

/// A property, to be followed: one about all runs as a property of the run there is, any other as it stands.
pub(super) fn property(
    explored: &mut Explored<'_>,
    property: &Property,
    budget: &dyn Budget,
) -> Result<Watch, Halt> {
    if property.scenario.is_some() {
        return Err(Halt::TooLarge("a scenario is about the model, not about one run of it".to_owned()));
    }
    let lowering = explored.lowering_mut();
    let id = lowering.property(&property.formula).map_err(Halt::Invalid)?;
    let fails = match *lowering.arena.state(id) {
        State::Not(inner) => match *lowering.arena.state(inner) {
            State::Exists { path, .. } => Some(path),
            _ => None,
        },
        _ => None,
    };
    match fails {
        Some(fails) => {
            let holds = lowering.arena.not(fails);
            of_path(explored, (holds, fails), |_| OfRun, budget)
        }
        None => now(explored, id, budget),
    }
}

/// A commitment, to be followed.
pub(super) fn commitment(
    explored: &mut Explored<'_>,
    commitment: CommitmentId,
    budget: &dyn Budget,
) -> Result<Watch, Halt> {
    let lowering = explored.lowering_mut();
    let content = lowering.content(commitment);
    let fails = lowering.arena.not(content);
    let motion = |space: &Space<'_>| OfCommitment::new(space, commitment);
    of_path(explored, (content, fails), motion, budget)
}

fn of_path<M: Motion>(
    explored: &mut Explored<'_>,
    (holds, fails): (PathFormula, PathFormula),
    motion: impl FnOnce(&Space<'_>) -> M,
    budget: &dyn Budget,
) -> Result<Watch, Halt> {
    let parts = explored.lowering_mut().arena.state_parts_of(&[holds, fails]);
    let points = explored.points(&parts, budget)?;
    let arena = explored.lowering_mut().arena.clone();
    let mut rules = Rules::new(&arena, (holds, fails), &points, explored.space.labels(), budget)?;
    follow(&mut rules, &mut motion(&explored.space), budget)
}

/// A state formula, which is judged where the runs are.
fn now(explored: &mut Explored<'_>, id: StateFormula, budget: &dyn Budget) -> Result<Watch, Halt> {
    let points: Points = explored.points(&[id], budget)?;
    let (mut steps, mut flags): (Steps, Vec<Flags>) = (Steps::default(), Vec::new());
    let holds = points.holds(id).unwrap_or(&[]);
    for (point, holds) in holds.iter().enumerate() {
        asked(point, budget)?;
        let real = points.steps(point).filter_map(|(label, target)| Some((label?, target as u32)));
        steps.push(real);
        flags.push(if *holds { SOME_TRUE | REST_TRUE } else { SOME_FALSE | REST_FALSE });
    }
    let initial = points.initial().iter().map(|point| *point as u32).collect();
    Ok(Watch::new(steps, flags, initial))
}
