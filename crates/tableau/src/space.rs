//! States and transitions, found as they are asked for.

use servanda_engine::{Deadlock, Halt, Monitor, Patience, Progress};
use servanda_lower::Arena;
use servanda_model::{
    AgentId, Behaviour, Cause, CommandId, InitialStates, JointActions, Layout, Model, Mover, Odometer,
    StateId, StateStore, StateView,
};

use crate::automaton::LabelLiteral;

/// All type-correct states are enumerated only up to this number (`--past all`).
const MOST_TYPED_STATES: u64 = 20_000_000;

/// How a transition was made: the number of a command or of a joint action; or not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Via(pub(crate) u32);

impl Via {
    /// The implicit loop of a deadlock.
    pub(crate) const LOOP: Via = Via(u32::MAX);
}

/// One transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) via: Via,
    pub(crate) target: u32,
}

/// Transitions by their source, entered in any order.
#[derive(Default)]
pub(crate) struct Steps {
    spans: Vec<(u64, u32)>,
    steps: Vec<Step>,
}

impl Steps {
    const NOT_YET: (u64, u32) = (u64::MAX, 0);

    /// The transitions of a node, if they have been entered.
    pub(crate) fn of(&self, node: u32) -> Option<&[Step]> {
        match self.spans.get(node as usize) {
            None | Some(&Steps::NOT_YET) => None,
            Some(&(start, count)) => Some(&self.steps[start as usize..][..count as usize]),
        }
    }

    /// Enters the transitions of a node.
    pub(crate) fn enter(&mut self, node: u32, steps: &[Step]) {
        if self.spans.len() <= node as usize {
            self.spans.resize(node as usize + 1, Steps::NOT_YET);
        }
        self.spans[node as usize] = (self.steps.len() as u64, steps.len() as u32);
        self.steps.extend_from_slice(steps);
    }
}

/// The states of a model that have been met so far.
pub(crate) struct Space<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layout: Layout,
    pub(crate) store: StateStore,
    /// States from here on are not on runs (`--past all`).
    pub(crate) reachable: Option<usize>,
    deadlock: Deadlock,
    mover: Mover<'m>,
    joints: JointActions,
    patience: Patience,
    steps: Steps,
    /// What transitions are collected in, kept to save its allocation.
    scratch: Vec<Step>,
}

impl<'m> Space<'m> {
    /// A space in which nothing has been met.
    pub(crate) fn new(model: &'m Model, deadlock: Deadlock) -> Self {
        let mover = Mover::new(model);
        let layout = mover.layout().clone();
        Space {
            model,
            store: StateStore::new(layout.words()),
            layout,
            reachable: None,
            deadlock,
            mover,
            joints: JointActions::default(),
            patience: Patience::default(),
            steps: Steps::default(),
            scratch: Vec::new(),
        }
    }

    /// The initial states, which are not in the space before they are entered.
    pub(crate) fn initial_states(&self) -> InitialStates<'m> {
        self.mover.initial_states()
    }

    /// The number of states met.
    pub(crate) fn len(&self) -> usize {
        self.store.len()
    }

    /// The packed state.
    pub(crate) fn state(&self, node: u32) -> &[u64] {
        self.store.get(StateId(node))
    }

    /// Is the state on a run?
    pub(crate) fn on_run(&self, node: u32) -> bool {
        self.reachable.is_none_or(|reachable| (node as usize) < reachable)
    }

    /// The transitions of a state, the implicit loop of a deadlock included; kept for the next time.
    pub(crate) fn steps(&mut self, node: u32, monitor: &dyn Monitor) -> Result<&[Step], Halt> {
        if self.steps.of(node).is_none() {
            let mut found = std::mem::take(&mut self.scratch);
            self.successors(node, &mut found, monitor)?;
            self.steps.enter(node, &found);
            self.scratch = found;
        }
        Ok(self.steps.of(node).unwrap_or(&[]))
    }

    /// The transitions of a state, which are not kept.
    pub(crate) fn successors(
        &mut self,
        node: u32,
        found: &mut Vec<Step>,
        monitor: &dyn Monitor,
    ) -> Result<(), Halt> {
        found.clear();
        if let Some(steps) = self.steps.of(node) {
            found.extend_from_slice(steps);
            return Ok(());
        }
        let on_run = self.on_run(node);
        let state = self.state(node).to_vec();
        let progress = Progress::Deciding { nodes: self.store.len() as u64 };
        let (store, joints, patience) = (&mut self.store, &mut self.joints, &mut self.patience);
        let go_on = || patience.go_on(monitor, progress);
        let add = |cause: Cause<'_>, next: &[u64]| {
            let via = match cause {
                Cause::Command(command) => Via(command.0),
                Cause::JointAction(joint) => Via(joints.number(joint)),
            };
            found.push(Step { via, target: store.insert(next).0.0 });
        };
        if on_run {
            let moved = self.mover.try_for_each(&state, go_on, add, |_| ());
            moved.map_err(|error| Halt::of_moves(&self.mover, &state, error))?;
        } else {
            self.mover.try_for_each_possible(&state, go_on, add)?;
        }
        if found.is_empty() && self.deadlock == Deadlock::Loop {
            found.push(Step { via: Via::LOOP, target: node });
        }
        Ok(())
    }

    /// Adds all type-correct states. All reachable ones must be there.
    pub(crate) fn add_all_typed_states(&mut self) -> Result<(), Halt> {
        if self.reachable.is_some() {
            return Ok(());
        }
        match self.model.typed_states() {
            Some(count) if count <= MOST_TYPED_STATES => {}
            count => {
                let count = count.map_or("more than 2^64".to_owned(), |count| count.to_string());
                return Err(Halt::TooLarge(format!(
                    "`--past all` needs all type-correct states, {count} of them; this engine takes at most {MOST_TYPED_STATES}"
                )));
            }
        }
        self.reachable = Some(self.store.len());
        for state in Odometer::all(self.model, &self.layout) {
            self.store.insert(&state);
        }
        Ok(())
    }

    /// Who makes a transition; nobody in particular where agents act in rounds.
    pub(crate) fn maker(&self, via: Via) -> Option<AgentId> {
        match self.model.behaviour {
            Behaviour::Commands(_) if via != Via::LOOP => self.model.command(CommandId(via.0)).by,
            _ => None,
        }
    }

    /// The action of an agent in a round.
    pub(crate) fn action(&self, via: Via, agent: AgentId) -> Option<usize> {
        self.joints.part(via.0, agent)
    }

    /// The joint action by which a transition was made, where agents act in rounds.
    pub(crate) fn joint(&self, via: Via) -> Option<&[usize]> {
        self.joints.get(via.0)
    }

    /// Does the label of a transition satisfy a condition? The implicit loop has no label.
    pub(crate) fn satisfies(&self, via: Via, condition: &[(LabelLiteral, bool)], arena: &Arena) -> bool {
        condition.iter().all(|(literal, sign)| {
            let holds = match *literal {
                // In a round a pattern is always on somebody's action.
                LabelLiteral::Does(set) => {
                    via != Via::LOOP && !self.model.behaviour.is_rounds() && {
                        let label = self.model.command(CommandId(via.0)).label;
                        arena.labels(set).binary_search(&label).is_ok()
                    }
                }
                LabelLiteral::Acts(agent, action) => {
                    via != Via::LOOP && self.action(via, agent) == Some(action)
                }
            };
            holds == *sign
        })
    }

    /// A state in the user's words.
    pub(crate) fn view(&self, node: u32) -> StateView {
        StateView::new(self.model, &self.layout, self.state(node))
    }
}
