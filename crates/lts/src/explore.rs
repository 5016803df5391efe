//! From a model to its transition system.

use servanda_engine::{Budget, Deadlock, Halt};
use servanda_model::{Label, LabelId, Model};
use servanda_space::{Space, Step};

use crate::{Action, Edge, Labels, Lts, State};

/// Why a model has no transition system.
#[derive(Clone, Debug)]
pub enum Unexplored {
    /// A limit was reached, or the model does something it must not.
    Halt(Halt),
    /// There is no initial state.
    NoInitialState,
    /// There is more than one initial state.
    SeveralInitialStates,
}

impl From<Halt> for Unexplored {
    fn from(halt: Halt) -> Self {
        Unexplored::Halt(halt)
    }
}

/// The reachable states of a model, in the order of a breadth-first search, and the transitions between them.
///
/// # Errors
///
/// When the budget says stop, when a transition cannot be made, and when there is not exactly one initial state.
pub fn explore(model: &Model, budget: &dyn Budget) -> Result<Lts, Unexplored> {
    let mut space = Space::new(model, Deadlock::Strict, budget)?;
    match space.initial().len() {
        0 => return Err(Unexplored::NoInitialState),
        1 => {}
        _ => return Err(Unexplored::SeveralInitialStates),
    }
    // A move whose values do not fit is none; `check` warns of it.
    space.explore(budget)?;
    let mut labels = Labels::new();
    let actions: Vec<Action> = (0..space.labels() as u32)
        .map(|label| match model.labels.get(label as usize).is_some_and(Label::is_internal) {
            true => Action::INTERNAL,
            // Which acts the actions are makes no difference to what is done.
            false => labels.number(&match space.joint(label) {
                Some(joint) => model.name_joint_action(joint),
                None => model.name_label(LabelId(label)),
            }),
        })
        .collect();
    let edge =
        |step: &Step| Edge { action: actions[space.label(step.via) as usize], target: State(step.target) };
    let rows = (0..space.len() as u32).map(|state| space.steps(state).iter().map(edge));
    Ok(Lts::from_rows(State(0), rows, labels))
}
