//! From a model to its transition system.

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor, Patience, Progress};
use servanda_model::{Cause, Label, LabelId, Model, Mover, StateId, StateStore};

use crate::{Action, Edge, Labels, Lts, State};

/// How many states are expanded between two reports of progress.
const REPORT_EVERY: usize = 1024;

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
/// When the monitor says stop, when a transition cannot be made, and when there is not exactly one initial state.
pub fn explore(model: &Model, monitor: &dyn Monitor) -> Result<Lts, Unexplored> {
    let (mut mover, mut patience) = (Mover::new(model), Patience::default());
    let mut store = StateStore::new(mover.layout().words());
    let mut initial = mover.initial_states();
    let mut next_initial = || {
        let progress = Progress::Exploring { states: 0, transitions: 0 };
        initial.try_next(|| patience.go_on(monitor, progress))
    };
    let start = next_initial()?.ok_or(Unexplored::NoInitialState)?;
    while let Some(other) = next_initial()? {
        if other != start {
            return Err(Unexplored::SeveralInitialStates);
        }
    }
    store.insert(&start);
    let mut names = Names::new(model);
    let (mut first, mut edges) = (vec![0], Vec::new());
    while first.len() <= store.len() {
        let next = first.len() - 1;
        let progress = Progress::Exploring { states: store.len() as u64, transitions: edges.len() as u64 };
        if next.is_multiple_of(REPORT_EVERY) {
            progress.tell(monitor)?;
        }
        let state = store.get(StateId::from_index(next)).to_vec();
        let add = |cause: Cause<'_>, successor: &[u64]| {
            edges.push(Edge { action: names.action(cause), target: State(store.insert(successor).0.0) });
        };
        // A move whose values do not fit is none; `check` warns of it.
        mover
            .try_for_each(&state, || patience.go_on(monitor, progress), add, |_| ())
            .map_err(|error| Halt::of_moves(&mover, &state, error))?;
        first.push(edges.len());
    }
    let rows = first.windows(2).map(|range| edges[range[0]..range[1]].iter().copied());
    Ok(Lts::from_rows(State(0), rows, names.labels))
}

/// The labels of transitions by what makes them.
struct Names<'m> {
    model: &'m Model,
    labels: Labels,
    /// By the model's label, where agents act one at a time.
    by_label: Vec<Action>,
    by_joint_action: FxHashMap<Vec<usize>, Action>,
}

impl<'m> Names<'m> {
    fn new(model: &'m Model) -> Self {
        let mut labels = Labels::new();
        let mut action = |(id, label): (LabelId, &Label)| {
            if label.is_internal() { Action::INTERNAL } else { labels.number(&model.show_label(id)) }
        };
        let by_label = model.labels().map(&mut action).collect();
        Names { model, labels, by_label, by_joint_action: FxHashMap::default() }
    }

    fn action(&mut self, cause: Cause<'_>) -> Action {
        match cause {
            Cause::Command(command) => self.by_label[self.model.command(command).label.index()],
            Cause::JointAction(joint) => match self.by_joint_action.get(joint) {
                Some(action) => *action,
                None => {
                    let action = self.labels.number(&self.model.show_joint_action(joint));
                    self.by_joint_action.insert(joint.to_vec(), action);
                    action
                }
            },
        }
    }
}
