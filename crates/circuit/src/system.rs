//! A model as a circuit: states and choices in, the next state out.

use rustc_hash::FxHashMap;
use servanda_model::{
    AgentId, Behaviour, CommandId, CommitmentId, LabelId, Layout, Model, VariableId, Visibility,
};

use crate::{Edge, Graph, TooWide};

/// A command as part of a circuit.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What its transitions are labelled with.
    pub label: LabelId,
    /// Who makes them.
    pub by: Option<AgentId>,
    /// Where it is possible; over the state.
    pub enabled: Edge,
    /// The choices pick it.
    pub chosen: Edge,
    /// The bits it changes and what they become; over the state.
    pub changes: Vec<(usize, Edge)>,
}

/// What rounds are made of.
#[derive(Clone, Debug)]
pub struct Fallible {
    /// Each agent has some permitted action; over the state.
    pub some_action: Edge,
    /// The joint action is permitted; over the state and the actions.
    pub permitted: Edge,
    /// Some enabled line has no value that fits; over the state and the actions.
    pub loses: Edge,
}

/// How the model takes steps.
#[derive(Clone, Debug)]
pub enum Steps {
    /// One command at a time.
    Commands(Vec<Chosen>),
    /// All agents together.
    Rounds(Fallible),
}

/// Where a command does what it must not.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The states; over the state.
    pub states: Edge,
    /// The command.
    pub command: CommandId,
}

/// A model as a circuit. The bits of a variable hold the distance from the smallest value of its domain.
#[derive(Clone, Debug)]
pub struct System<'m> {
    /// The model.
    pub model: &'m Model,
    /// All gates.
    pub graph: Graph,
    /// The bits of a state: inputs.
    pub state: Vec<Edge>,
    /// What is chosen in a step: inputs.
    pub choices: Vec<Edge>,
    /// The bits of the next state; over state and choices. Right where [`System::valid`] holds.
    pub next: Vec<Edge>,
    /// The choices are a step of the model.
    pub valid: Edge,
    /// The initial states.
    pub initial: Edge,
    /// The states in which every variable has a value of its domain. Steps from such states lead to such states.
    pub typed: Edge,
    /// The states that are continued by an implicit loop; see [`System::continue_deadlocks`].
    pub loops: Edge,
    /// How steps are made.
    pub steps: Steps,
    /// Where the model does what it must not; empty for rounds, which lose such moves.
    pub faults: Vec<Fault>,
    variables: Vec<Vec<usize>>,
    commitments: Vec<usize>,
    actions: Vec<Vec<Edge>>,
}

/// The bits that so many values need.
pub(crate) fn width(values: u64) -> usize {
    (64 - values.saturating_sub(1).leading_zeros()) as usize
}

impl<'m> System<'m> {
    /// The circuit of a model.
    ///
    /// # Errors
    /// When an arithmetic result may be beyond 64 bits.
    pub fn new(model: &'m Model) -> Result<Self, TooWide> {
        let mut system = System {
            model,
            graph: Graph::new(),
            state: Vec::new(),
            choices: Vec::new(),
            next: Vec::new(),
            valid: Edge::FALSE,
            initial: Edge::FALSE,
            typed: Edge::TRUE,
            loops: Edge::FALSE,
            steps: Steps::Commands(Vec::new()),
            faults: Vec::new(),
            variables: Vec::new(),
            commitments: Vec::new(),
            actions: Vec::new(),
        };
        for variable in &model.variables {
            let first = system.state.len();
            let bits = width(variable.domain.size());
            for _ in 0..bits {
                let bit = system.graph.input();
                system.state.push(bit);
            }
            system.variables.push((first..first + bits).collect());
        }
        for _ in &model.commitments {
            system.commitments.push(system.state.len());
            let bit = system.graph.input();
            system.state.push(bit);
        }
        system.typed = system.type_correct();
        system.initial = system.initial_states()?;
        match &model.behaviour {
            Behaviour::Commands(_) => system.add_commands()?,
            Behaviour::Rounds(programs) => system.add_rounds(programs)?,
        }
        Ok(system)
    }

    /// The positions of a variable's bits, least significant first.
    pub fn variable_bits(&self, variable: VariableId) -> &[usize] {
        &self.variables[variable.index()]
    }

    pub(crate) fn variable_edges(&self, variable: VariableId) -> Vec<Edge> {
        self.variable_bits(variable).iter().map(|bit| self.state[*bit]).collect()
    }

    /// The position of a commitment's bit.
    pub fn commitment_bit(&self, commitment: CommitmentId) -> usize {
        self.commitments[commitment.index()]
    }

    /// The choices that are an agent's action, least significant first.
    pub fn action_edges(&self, agent: AgentId) -> &[Edge] {
        self.actions.get(agent.index()).map_or(&[], Vec::as_slice)
    }

    /// Inputs for the actions of each agent.
    pub(crate) fn add_actions(&mut self, counts: impl Iterator<Item = usize>) {
        for count in counts {
            let bits: Vec<Edge> = (0..width(count as u64)).map(|_| self.graph.input()).collect();
            self.choices.extend(&bits);
            self.actions.push(bits);
        }
    }

    /// Inputs that pick one of so many.
    pub(crate) fn add_pick(&mut self, count: usize) -> Vec<Edge> {
        let bits: Vec<Edge> = (0..width(count as u64)).map(|_| self.graph.input()).collect();
        self.choices.extend(&bits);
        bits
    }

    /// The agent takes this action, in a step that is no implicit loop.
    pub fn takes(&mut self, agent: AgentId, action: usize) -> Edge {
        let row = self.action_edges(agent).to_vec();
        let spelt = self.graph.spells(&row, action as u64);
        self.graph.without(spelt, self.loops)
    }

    /// The step has one of these labels, and is no implicit loop.
    pub fn labelled(&mut self, labels: &[LabelId]) -> Edge {
        let Steps::Commands(commands) = &self.steps else { return Edge::FALSE };
        let chosen: Vec<Edge> =
            commands.iter().filter(|c| labels.contains(&c.label)).map(|c| c.chosen).collect();
        let any = self.graph.any(&chosen);
        self.graph.without(any, self.loops)
    }

    fn type_correct(&mut self) -> Edge {
        let mut all = Vec::new();
        for (id, variable) in self.model.variables() {
            let row = self.variable_edges(id);
            all.push(self.graph.below(&row, variable.domain.size()));
        }
        self.graph.all(&all)
    }

    /// Every variable in its initial set, the initial condition, nothing in force.
    fn initial_states(&mut self) -> Result<Edge, TooWide> {
        let condition = self.truth(&self.model.initial)?;
        let mut all = vec![condition.value, condition.defined, self.typed];
        for (id, variable) in self.model.variables() {
            if variable.initial.len() as u64 == variable.domain.size() {
                continue;
            }
            let row = self.variable_edges(id);
            let low = variable.domain.low();
            let values: Vec<Edge> = variable
                .initial
                .iter()
                .filter(|value| variable.domain.contains(**value))
                .map(|value| self.graph.spells(&row, value.abs_diff(low)))
                .collect();
            all.push(self.graph.any(&values));
        }
        all.extend(self.commitments.iter().map(|bit| !self.state[*bit]));
        Ok(self.graph.all(&all))
    }

    /// From now on these states, which must be those without a step, are continued by a loop without a label.
    pub fn continue_deadlocks(&mut self, deadlocks: Edge) {
        self.loops = deadlocks;
        self.valid = self.graph.or(self.valid, deadlocks);
        for (next, bit) in self.next.iter_mut().zip(&self.state) {
            *next = self.graph.choose(deadlocks, *bit, *next);
        }
    }

    /// The positions of the bits that some of these agents see.
    pub fn visible_to(&self, agents: &[AgentId]) -> Vec<usize> {
        let mut seen = Vec::new();
        if agents.is_empty() {
            return seen;
        }
        for (id, variable) in self.model.variables() {
            let visible = match &variable.visibility {
                Visibility::Public => true,
                Visibility::Private(owner) => agents.contains(owner),
                Visibility::Shared(seers) => seers.iter().any(|seer| agents.contains(seer)),
            };
            if visible {
                seen.extend(self.variable_bits(id));
            }
        }
        seen.extend(&self.commitments);
        seen
    }

    /// The values of the inputs that stand for a state.
    pub fn state_inputs(&self, state: &[bool]) -> FxHashMap<usize, bool> {
        self.state.iter().map(|bit| bit.node()).zip(state.iter().copied()).collect()
    }

    /// A state in the packing of a layout.
    pub fn pack(&self, layout: &Layout, state: &[bool]) -> Vec<u64> {
        let mut packed = vec![0; layout.words()];
        for (id, variable) in self.model.variables() {
            let bits = self.variable_bits(id).iter().enumerate();
            let code = bits.fold(0_u64, |code, (at, bit)| code | u64::from(state[*bit]) << at);
            layout.variable(id).write(&mut packed, variable.domain.low().saturating_add_unsigned(code));
        }
        for (id, _) in self.model.commitments() {
            layout.commitment(id).write(&mut packed, i64::from(state[self.commitment_bit(id)]));
        }
        packed
    }
}
