//! The state space: every state, every transition, held in memory.

use servanda_engine::{Monitor, Patience, Progress};
use servanda_model::{
    AgentId, Behaviour, Cause, CommandId, JointActions, LabelId, Layout, Model, Mover, Odometer, Program,
    StateId, StateStore, StateView,
};
use servanda_syntax::Span;

use crate::{Halt, RunFault};

/// How many states are expanded between two reports of progress.
const REPORT_EVERY: usize = 1024;

/// All type-correct states are enumerated only up to this number (`--past all`).
const MOST_TYPED_STATES: u64 = 20_000_000;

/// How a transition was made: the number of a command, or of a joint action where agents act in rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Via(u32);

/// One transition as it was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub(crate) via: Via,
    pub(crate) target: StateId,
}

/// Which states are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Those that some run reaches.
    Reachable,
    /// All type-correct ones, the reachable ones first.
    All,
}

/// The explored states and transitions of a model.
pub(crate) struct Space<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) store: StateStore,
    pub(crate) initial: Vec<StateId>,
    /// States below this number are reachable.
    pub(crate) reachable: usize,
    /// The longest of the shortest distances from an initial state.
    pub(crate) diameter: u64,
    first: Vec<usize>,
    steps: Vec<Step>,
    /// How each reachable state was first reached.
    parents: Vec<Option<(StateId, Via)>>,
    joints: JointActions,
    /// Where moves were lost because a value did not exist or did not fit, with the first state each.
    pub(crate) lost: Vec<(Span, StateId)>,
}

impl Via {
    fn new(cause: Cause<'_>, joints: &mut JointActions) -> Self {
        match cause {
            Cause::Command(command) => Via(command.0),
            Cause::JointAction(joint) => Via(joints.number(joint)),
        }
    }
}

impl<'m> Space<'m> {
    pub(crate) fn explore(model: &'m Model, extent: Extent, monitor: &dyn Monitor) -> Result<Self, Halt> {
        let mut mover = Mover::new(model);
        let layout = mover.layout().clone();
        let mut space = Space {
            model,
            store: StateStore::new(layout.words()),
            layout,
            initial: Vec::new(),
            reachable: 0,
            diameter: 0,
            first: vec![0],
            steps: Vec::new(),
            parents: Vec::new(),
            joints: JointActions::default(),
            lost: Vec::new(),
        };
        let (mut initial, mut patience) = (mover.initial_states(), Patience::default());
        while let Some(state) = initial.try_next(|| patience.go_on(monitor, space.progress()))? {
            let (id, new) = space.store.insert(&state);
            if new {
                space.initial.push(id);
                space.parents.push(None);
            }
        }
        let mut end_of_level = space.store.len();
        let mut next = 0;
        while next < space.store.len() {
            if next == end_of_level {
                space.diameter += 1;
                end_of_level = space.store.len();
            }
            space.poll(next, monitor)?;
            space.expand(&mut mover, StateId::from_index(next), &mut patience, monitor)?;
            next += 1;
        }
        space.reachable = space.store.len();
        if extent == Extent::All {
            space.add_all_typed_states(&mut mover, monitor)?;
        }
        Ok(space)
    }

    /// Adds the transitions of a reachable state.
    fn expand(
        &mut self,
        mover: &mut Mover<'m>,
        id: StateId,
        patience: &mut Patience,
        monitor: &dyn Monitor,
    ) -> Result<(), Halt> {
        let state = self.store.get(id).to_vec();
        let progress = self.progress();
        let Space { store, steps, parents, joints, lost, .. } = self;
        let add = |cause: Cause<'_>, successor: &[u64]| {
            let (via, (target, new)) = (Via::new(cause, joints), store.insert(successor));
            if new {
                parents.push(Some((id, via)));
            }
            steps.push(Step { via, target });
        };
        let lose = |span| {
            if !lost.iter().any(|(known, _)| *known == span) {
                lost.push((span, id));
            }
        };
        mover
            .try_for_each(&state, || patience.go_on(monitor, progress), add, lose)
            .map_err(|error| Halt::of_moves(mover, &state, error))?;
        self.first.push(self.steps.len());
        Ok(())
    }

    fn add_all_typed_states(&mut self, mover: &mut Mover<'m>, monitor: &dyn Monitor) -> Result<(), Halt> {
        match self.model.typed_states() {
            Some(count) if count <= MOST_TYPED_STATES => {}
            count => {
                let count = count.map_or("more than 2^64".to_owned(), |count| count.to_string());
                return Err(Halt::TooLarge(format!(
                    "`--past all` needs all type-correct states, {count} of them; the reference engine takes at most {MOST_TYPED_STATES}"
                )));
            }
        }
        for state in Odometer::all(self.model, &self.layout) {
            self.store.insert(&state);
            self.poll(self.store.len(), monitor)?;
        }
        let mut patience = Patience::default();
        for index in self.reachable..self.store.len() {
            self.poll(index, monitor)?;
            let state = self.store.get(StateId::from_index(index)).to_vec();
            let progress = self.progress();
            let Space { store, steps, joints, .. } = self;
            let add = |cause: Cause<'_>, successor: &[u64]| {
                let (target, _) = store.insert(successor);
                steps.push(Step { via: Via::new(cause, joints), target });
            };
            mover.try_for_each_possible(&state, || patience.go_on(monitor, progress), add)?;
            self.first.push(self.steps.len());
        }
        Ok(())
    }

    fn poll(&self, count: usize, monitor: &dyn Monitor) -> Result<(), Halt> {
        if !count.is_multiple_of(REPORT_EVERY) {
            return Ok(());
        }
        self.progress().tell(monitor)
    }

    fn progress(&self) -> Progress {
        Progress::Exploring { states: self.store.len() as u64, transitions: self.steps.len() as u64 }
    }

    /// The number of states, unreachable ones included.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// The transitions of a state.
    pub(crate) fn steps(&self, state: StateId) -> &[Step] {
        &self.steps[self.first[state.index()]..self.first[state.index() + 1]]
    }

    /// Is some run at this state?
    pub(crate) fn is_reachable(&self, state: StateId) -> bool {
        state.index() < self.reachable
    }

    /// The number of distinct `(state, label, state)` among reachable states.
    pub(crate) fn transitions(&self) -> u64 {
        let mut distinct = Vec::new();
        let mut count = 0;
        for index in 0..self.reachable {
            distinct.clear();
            let steps = self.steps(StateId::from_index(index));
            distinct.extend(steps.iter().map(|step| (self.label(step.via), step.target)));
            distinct.sort_unstable();
            distinct.dedup();
            count += distinct.len() as u64;
        }
        count
    }

    /// The reachable states without a transition.
    pub(crate) fn deadlocks(&self) -> impl Iterator<Item = StateId> {
        (0..self.reachable).map(StateId::from_index).filter(|state| self.steps(*state).is_empty())
    }

    /// The labels of a shortest way to a reachable state.
    pub(crate) fn path_to(&self, state: StateId) -> Vec<String> {
        let mut labels = Vec::new();
        let mut here = state;
        while let Some((parent, via)) = self.parents[here.index()] {
            labels.push(self.show_label(self.label(via)));
            here = parent;
        }
        labels.reverse();
        labels
    }

    /// The label of a transition: a number of the model's table, or of a joint action.
    pub(crate) fn label(&self, via: Via) -> u32 {
        match self.model.behaviour {
            Behaviour::Commands(_) => self.model.command(CommandId(via.0)).label.0,
            Behaviour::Rounds(_) => via.0,
        }
    }

    /// How many labels there are.
    pub(crate) fn labels(&self) -> usize {
        match self.model.behaviour {
            Behaviour::Commands(_) => self.model.labels.len(),
            Behaviour::Rounds(_) => self.joints.len(),
        }
    }

    /// Who makes a transition; nobody in particular where agents act in rounds.
    pub(crate) fn maker(&self, via: Via) -> Option<AgentId> {
        match self.model.behaviour {
            Behaviour::Commands(_) => self.model.command(CommandId(via.0)).by,
            Behaviour::Rounds(_) => None,
        }
    }

    /// The action of an agent in a labelled round.
    pub(crate) fn action(&self, label: u32, agent: AgentId) -> Option<usize> {
        self.joints.part(label, agent)
    }

    /// The joint action that a label stands for, where agents act in rounds.
    pub(crate) fn joint(&self, label: u32) -> Option<&[usize]> {
        self.joints.get(label)
    }

    /// A label in the user's words.
    pub(crate) fn show_label(&self, label: u32) -> String {
        match &self.model.behaviour {
            Behaviour::Commands(_) => self.model.show_label(LabelId(label)),
            Behaviour::Rounds(_) => self.model.show_joint_action(self.joints.get(label).unwrap_or_default()),
        }
    }

    /// A state in the user's words.
    pub(crate) fn view(&self, state: StateId) -> StateView {
        StateView::new(self.model, &self.layout, self.store.get(state))
    }

    /// Where an expression holds, state by state.
    pub(crate) fn holds(&self, expr: &servanda_model::Expr) -> Result<Vec<bool>, Halt> {
        let program = Program::new(expr, &self.layout);
        let mut stack = Vec::new();
        let mut result = Vec::with_capacity(self.len());
        for (index, state) in self.store.iter().enumerate() {
            let value = program.holds(state, &mut stack);
            // Outside of the reachable states a proposition without a value is false: nobody can get there.
            result.push(match value {
                Ok(value) => value,
                Err(_) if index >= self.reachable => false,
                Err(kind) => {
                    let fault = RunFault::of_proposition(self.view(StateId::from_index(index)), kind);
                    return Err(Halt::Fault(Box::new(fault)));
                }
            });
        }
        Ok(result)
    }

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> u64 {
        let steps = self.steps.capacity() * size_of::<Step>();
        let parents = self.parents.capacity() * size_of::<Option<(StateId, Via)>>();
        (self.store.bytes() + steps + parents + self.first.capacity() * size_of::<usize>()) as u64
    }
}
