//! All reachable states of a small model, as a graph to look at.

mod dot;
mod explore;
mod json;
mod layers;
mod svg;

use rustc_hash::FxHashSet;
use servanda_engine::Stop;
use servanda_evidence::{Evidence, Path};
use servanda_model::{CommitmentView, Layout, Model, StateView};

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
    /// The commitments with names, some of which states and labels call by them.
    pub commitments: Vec<CommitmentView>,
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

/// A graph to look at, whatever its boxes stand for.
#[derive(Clone, Debug, Default)]
pub struct Picture {
    /// What it is a picture of.
    pub name: String,
    /// What it has, in words.
    pub description: String,
    /// The boxes.
    pub boxes: Vec<Boxed>,
    /// Those where it begins.
    pub initial: Vec<usize>,
    /// The arrows, by the boxes they leave; boxes and arrows are in the order of a breadth-first search.
    pub transitions: Vec<Transition>,
    /// What names in it stand for, a line for each.
    pub legend: Vec<String>,
}

/// What stands in a box.
#[derive(Clone, Debug, Default)]
pub struct Boxed {
    /// What is written into it.
    pub lines: Vec<String>,
    /// All of it, in one line.
    pub title: String,
    /// Do arrows leave it that are not drawn?
    pub goes_on: bool,
}

impl Boxed {
    /// A state.
    pub fn state(state: &StateView) -> Self {
        Boxed { lines: lines(state), title: state.to_string(), goes_on: false }
    }
}

impl Picture {
    /// Of each box, whether nothing leaves it.
    fn ends(&self) -> Vec<bool> {
        let mut ends: Vec<bool> = self.boxes.iter().map(|boxed| !boxed.goes_on).collect();
        self.transitions.iter().for_each(|transition| ends[transition.from] = false);
        ends
    }
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
    /// States as the model packs them, and the transitions between them, which somebody has found.
    pub fn of_states(
        model: &Model,
        packed: Vec<Vec<u64>>,
        initial: Vec<usize>,
        transitions: Vec<Transition>,
    ) -> Self {
        let layout = Layout::new(model);
        StateGraph {
            name: model.name.clone(),
            states: packed.iter().map(|state| StateView::new(model, &layout, state)).collect(),
            packed,
            initial,
            transitions,
            commitments: model.view_named_commitments(),
        }
    }

    /// The graph to look at.
    pub fn picture(&self) -> Picture {
        Picture {
            name: self.name.clone(),
            description: format!("{} states, {} transitions", self.states.len(), self.transitions.len()),
            boxes: self.states.iter().map(Boxed::state).collect(),
            initial: self.initial.clone(),
            transitions: self.transitions.clone(),
            legend: self.legend().iter().map(|one| one.in_full()).collect(),
        }
    }

    /// The commitments that are called by their names somewhere in the graph.
    fn legend(&self) -> Vec<&CommitmentView> {
        let in_force = self.states.iter().flat_map(|state| &state.in_force);
        let in_force: FxHashSet<&str> = in_force.filter_map(|promise| promise.name.as_deref()).collect();
        let labels: FxHashSet<&str> = self.transitions.iter().map(|step| step.label.as_str()).collect();
        let labels = labels.into_iter().collect::<Vec<_>>().join("\n");
        let spoken: FxHashSet<&str> = CommitmentView::mentioned(&self.commitments, &labels)
            .into_iter()
            .map(CommitmentView::called)
            .collect();
        let is_used =
            |one: &&CommitmentView| [&in_force, &spoken].iter().any(|used| used.contains(one.called()));
        self.commitments.iter().filter(is_used).collect()
    }
}

/// The states and transitions of a graph that stand out: those that evidence goes through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlight {
    /// The states, by their positions.
    pub states: Vec<usize>,
    /// The transitions.
    pub transitions: Vec<Transition>,
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
    let channels = state.channels.iter().filter(|(_, messages)| !messages.is_empty());
    let channels = channels.map(|(name, messages)| format!("{name}: {}", messages.join("; ")));
    let in_force = state.in_force.iter().map(|promise| promise.called().to_owned());
    locations.chain(variables).chain(channels).chain(in_force).collect()
}
