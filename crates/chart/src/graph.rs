//! All reachable states of a small model, as a graph to look at.

mod dot;
mod explore;
mod json;
mod layers;
mod svg;

use servanda_engine::Stop;
use servanda_evidence::{Evidence, Path};
use servanda_model::StateView;

pub use dot::dot;
pub use json::graph_json;
pub use svg::graph_svg;

/// Larger graphs are no use to look at.
pub const MOST_STATES: usize = 2_000;

/// The reachable states of a model and the transitions between them.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// The name of the model.
    pub name: String,
    /// The states in the words of the user, in the order in which they are found.
    pub states: Vec<StateView>,
    /// The same as the model packs them.
    packed: Vec<Vec<u64>>,
    /// The initial states.
    pub initial: Vec<usize>,
    /// The transitions, each once.
    pub transitions: Vec<Transition>,
}

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state it leaves.
    pub from: usize,
    /// Its label in the words of the user.
    pub label: String,
    /// The state it leads to.
    pub to: usize,
}

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphFailure {
    /// There are too many states or transitions, or a transition cannot be made although its guard holds: what is so, in words.
    Unfit(String),
    /// A limit was reached, or the user ended the run.
    Stopped(Stop),
}

impl std::fmt::Display for GraphFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GraphFailure::Unfit(why) => f.write_str(why),
            GraphFailure::Stopped(stop) => write!(f, "{stop}"),
        }
    }
}

impl StateGraph {
    /// The number of transitions that leave each state.
    fn out_degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0; self.states.len()];
        self.transitions.iter().for_each(|transition| degrees[transition.from] += 1);
        degrees
    }
}

/// The states and transitions of a graph that evidence goes through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlight {
    states: Vec<usize>,
    transitions: Vec<Transition>,
}

impl Highlight {
    /// The one path of the evidence.
    pub fn new(graph: &StateGraph, evidence: &Evidence) -> Self {
        let Path { states, steps, loop_to } = evidence.line().path;
        let number = |packed: &[u64]| graph.packed.iter().position(|other| other == packed);
        let states: Vec<Option<usize>> = states.iter().map(|state| number(&state.packed)).collect();
        let targets = states.iter().skip(1).copied().chain(loop_to.map(|to| states[to]));
        let transitions = states.iter().zip(&steps).zip(targets);
        let transitions = transitions.filter_map(|((from, step), to)| {
            Some(Transition { from: (*from)?, label: step.label.clone(), to: to? })
        });
        let transitions = transitions.collect();
        Highlight { states: states.into_iter().flatten().collect(), transitions }
    }
}

/// What is written into the box of a state.
fn lines(state: &StateView) -> Vec<String> {
    let locations = state.locations.iter().map(|(machine, location)| match machine.as_str() {
        "" => location.clone(),
        machine => format!("{machine}: {location}"),
    });
    let variables = state.variables.iter().map(|(name, value)| format!("{name} = {value}"));
    locations.chain(variables).chain(state.in_force.iter().cloned()).collect()
}
