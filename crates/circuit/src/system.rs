//! A model as a circuit: states and choices in, the next state out.

use servanda_algebra::{Algebra, Defined, Encoding, width};
use servanda_engine::{Budget, Halt, Progress};
use servanda_model::{AgentId, Behaviour, Expr, LabelId, Model};

use crate::{Edge, Graph};

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

/// A model as a circuit.
#[derive(Clone, Debug)]
pub struct System<'m> {
    /// The bits of a state, which are inputs, and what they stand for.
    pub encoding: Encoding<'m, Edge>,
    /// All gates.
    pub graph: Graph,
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
    /// The states where a command does what it must not; empty for rounds, which lose such moves.
    pub faults: Vec<Edge>,
}

/// Tells the budget how many gates there are, and asks whether to go on.
pub(crate) fn heed(budget: &dyn Budget, graph: &Graph) -> Result<(), Halt> {
    Progress::Deciding { nodes: graph.len() as u64 }.tell(budget)
}

impl<'m> System<'m> {
    /// The circuit of a model.
    ///
    /// # Errors
    /// When an arithmetic result may be beyond 64 bits, and when the budget says so.
    pub fn new(model: &'m Model, budget: &dyn Budget) -> Result<Self, Halt> {
        let mut graph = Graph::new();
        let mut encoding = Encoding::new(model);
        for (id, _) in model.variables() {
            let width = encoding.variable_width(id);
            let row = (0..width).map(|_| encoding.add_bit(graph.input())).collect();
            encoding.set_variable(id, row);
        }
        for (id, _) in model.commitments() {
            let bit = encoding.add_bit(graph.input());
            encoding.set_commitment(id, bit);
        }
        let typed = encoding.type_correct(&mut graph)?;
        let initial = encoding.initial(&mut graph, &typed)?;
        let mut system = System {
            encoding,
            graph,
            choices: Vec::new(),
            next: Vec::new(),
            valid: Edge::FALSE,
            initial,
            typed,
            loops: Edge::FALSE,
            steps: Steps::Commands(Vec::new()),
            faults: Vec::new(),
        };
        match &model.behaviour {
            Behaviour::Commands(_) => system.add_commands(budget)?,
            Behaviour::Rounds(programs) => system.add_rounds(programs, budget)?,
        }
        Ok(system)
    }

    /// Inputs that are chosen in a step.
    pub(crate) fn add_choice(&mut self, bits: usize) -> Vec<Edge> {
        let bits: Vec<Edge> = (0..bits).map(|_| self.graph.input()).collect();
        self.choices.extend(&bits);
        bits
    }

    /// Inputs that pick one of so many.
    pub(crate) fn add_pick(&mut self, count: usize) -> Vec<Edge> {
        self.add_choice(width(count as u64))
    }

    /// A row of inputs picks one of those it can.
    pub(crate) fn spells(&mut self, row: &[Edge], number: usize) -> Result<Edge, Halt> {
        Algebra::spells(&mut self.graph, row, number as u64)
    }

    /// Where an expression is true.
    pub fn truth(&mut self, expr: &Expr) -> Result<Defined<Edge, Edge>, Halt> {
        self.encoding.truth(&mut self.graph, expr)
    }

    /// The gates, and apart from them what steps are labelled with.
    pub fn labelling(&mut self) -> (&mut Graph, Labelling<'_, 'm>) {
        let System { graph, encoding, steps, loops, .. } = self;
        (graph, Labelling { encoding, steps, loops: *loops })
    }

    /// From now on these states, which must be those without a step, are continued by a loop without a label.
    pub fn continue_deadlocks(&mut self, deadlocks: Edge) {
        self.loops = deadlocks;
        self.valid = self.graph.or(self.valid, deadlocks);
        for (next, bit) in self.next.iter_mut().zip(&self.encoding.state) {
            *next = self.graph.choose(deadlocks, *bit, *next);
        }
    }
}

/// What the steps of a circuit are labelled with.
#[derive(Clone, Copy, Debug)]
pub struct Labelling<'s, 'm> {
    encoding: &'s Encoding<'m, Edge>,
    steps: &'s Steps,
    loops: Edge,
}

impl Labelling<'_, '_> {
    /// The agent takes this action, in a step that is no implicit loop.
    pub fn takes(&self, graph: &mut Graph, agent: AgentId, action: usize) -> Result<Edge, Halt> {
        let taken = self.encoding.takes(graph, agent, action)?;
        Ok(graph.without(taken, self.loops))
    }

    /// The step has one of these labels, and is no implicit loop.
    pub fn has(&self, graph: &mut Graph, labels: &[LabelId]) -> Edge {
        let Steps::Commands(commands) = &self.steps else { return Edge::FALSE };
        let chosen: Vec<Edge> =
            commands.iter().filter(|c| labels.contains(&c.label)).map(|c| c.chosen).collect();
        let any = graph.any(&chosen);
        graph.without(any, self.loops)
    }
}
