//! From a model to its transition system.

use rustc_hash::FxHashMap;
use servanda_engine::{Halt, Monitor, Patience, Progress, RunFault};
use servanda_model::{InitialStates, LabelId, Layout, Model, RoundStepper, StateId, StateStore, Stepper};

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
    let layout = Layout::new(model);
    let mut explorer = Explorer {
        store: StateStore::new(layout.words()),
        first: vec![0],
        edges: Vec::new(),
        labels: Labels::new(),
        monitor,
    };
    let mut initial = InitialStates::new(model, &layout);
    let start = initial.next().ok_or(Unexplored::NoInitialState)?;
    if initial.any(|other| other != start) {
        return Err(Unexplored::SeveralInitialStates);
    }
    explorer.store.insert(&start);
    match &model.rounds {
        None => explorer.commands(model, &layout)?,
        Some(_) => explorer.rounds(model)?,
    }
    Ok(explorer.finish())
}

struct Explorer<'a> {
    store: StateStore,
    first: Vec<usize>,
    edges: Vec<Edge>,
    labels: Labels,
    monitor: &'a dyn Monitor,
}

impl Explorer<'_> {
    fn commands(&mut self, model: &Model, layout: &Layout) -> Result<(), Halt> {
        let actions: Vec<Action> = model
            .labels()
            .map(|(id, label)| {
                if label.is_internal() { Action::INTERNAL } else { self.labels.number(&model.show_label(id)) }
            })
            .collect();
        let action = |label: LabelId| actions[label.index()];
        let mut stepper = Stepper::new(model);
        while let Some(state) = self.next_state()? {
            let Explorer { store, edges, .. } = self;
            let made = stepper.for_each_successor(&state, |command, successor| {
                let target = State(store.insert(successor).0.0);
                edges.push(Edge { action: action(model.command(command).label), target });
            });
            made.map_err(|fault| Halt::Fault(Box::new(RunFault::of_step(model, layout, &state, &fault))))?;
            self.first.push(self.edges.len());
        }
        Ok(())
    }

    fn rounds(&mut self, model: &Model) -> Result<(), Halt> {
        let mut stepper = RoundStepper::new(model);
        let mut patience = Patience::default();
        let mut actions: FxHashMap<Vec<usize>, Action> = FxHashMap::default();
        while let Some(state) = self.next_state()? {
            let (states, transitions) = (self.store.len() as u64, self.edges.len() as u64);
            let Explorer { store, edges, labels, monitor, .. } = self;
            let go_on = || patience.go_on(*monitor, Progress::Exploring { states, transitions });
            let visit = |joint: &[usize], successor: &[u64]| {
                let action = match actions.get(joint) {
                    Some(action) => *action,
                    None => {
                        let action = labels.number(&model.show_joint_action(joint));
                        actions.insert(joint.to_vec(), action);
                        action
                    }
                };
                edges.push(Edge { action, target: State(store.insert(successor).0.0) });
            };
            // A move whose values do not fit is none; `check` warns of it.
            stepper.try_for_each_successor(&state, go_on, visit, |_| ())?;
            self.first.push(self.edges.len());
        }
        Ok(())
    }

    /// The next state to expand.
    fn next_state(&self) -> Result<Option<Vec<u64>>, Halt> {
        let next = self.first.len() - 1;
        if next.is_multiple_of(REPORT_EVERY) {
            let (states, transitions) = (self.store.len() as u64, self.edges.len() as u64);
            Progress::Exploring { states, transitions }.tell(self.monitor)?;
        }
        Ok((next < self.store.len()).then(|| self.store.get(StateId::from_index(next)).to_vec()))
    }

    fn finish(self) -> Lts {
        let Explorer { first, edges, labels, .. } = self;
        let rows = first.windows(2).map(|range| edges[range[0]..range[1]].iter().copied());
        Lts::from_rows(State(0), rows, labels)
    }
}
