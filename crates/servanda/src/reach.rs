//! The states of a model one by one, for those who go through them.

use servanda_chart::{Picture, StateGraph, Transition};
use servanda_engine::{Deadlock, Options};
use servanda_enumerate::Explored;
use servanda_space::Space;

use crate::states::speaks_of_states;
use crate::{Loaded, Question, Refusal, Watch};

/// States as the model packs them, one after the other.
#[derive(Clone, Debug, Default)]
pub struct PackedStates {
    words: usize,
    len: usize,
    packed: Vec<u64>,
}

impl PackedStates {
    fn push(&mut self, state: &[u64]) {
        self.words = state.len();
        self.len += 1;
        self.packed.extend_from_slice(state);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The one at a position.
    pub fn get(&self, position: usize) -> Option<&[u64]> {
        (position < self.len).then(|| &self.packed[position * self.words..(position + 1) * self.words])
    }
}

/// A transition between states, which are known by their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it begins.
    pub source: u32,
    /// The position of its label.
    pub label: u32,
    /// Where it leads.
    pub target: u32,
}

/// The reachable part of a model, the nearest states first.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// The states, the initial ones first.
    pub states: PackedStates,
    /// How many are initial.
    pub initial: usize,
    /// What labels the transitions.
    pub labels: Vec<String>,
    /// The transitions between these states. Those of the same label between the same states are one.
    pub moves: Vec<Move>,
    /// Are these all?
    pub is_complete: bool,
}

impl Reached {
    /// The nearest states, at most so many, as a graph to look at; it says of itself what is left out.
    pub fn picture(&self, loaded: &Loaded, most: usize) -> Picture {
        let shown = self.states.len().min(most);
        let packed = (0..shown).filter_map(|state| self.states.get(state)).map(<[u64]>::to_vec).collect();
        let leaves = |one: &Move| (one.source as usize) < shown;
        let moves = self.moves.iter().filter(|one| leaves(one) && (one.target as usize) < shown);
        let transitions = moves.map(|one| Transition {
            from: one.source as usize,
            label: self.labels[one.label as usize].clone(),
            to: one.target as usize,
        });
        let initial = (0..self.initial.min(shown)).collect();
        let mut picture =
            StateGraph::of_states(loaded.model(), packed, initial, transitions.collect()).picture();
        // Where more states are known of, no state without an arrow ends anything unless all its transitions are known.
        picture.boxes.iter_mut().for_each(|boxed| boxed.goes_on = !self.is_complete);
        for one in self.moves.iter().filter(|one| leaves(one)) {
            picture.boxes[one.source as usize].goes_on |= one.target as usize >= shown;
        }
        if shown < self.states.len() || !self.is_complete {
            let of = if self.is_complete { self.states.len().to_string() } else { "more".to_owned() };
            picture.legend.push(format!("the nearest {shown} of {of} states are drawn"));
        }
        picture
    }
}

/// Goes through the states, as long as there are at most so many; the initial ones are there in any case.
///
/// # Errors
///
/// The model does something that it must not; the budget says stop.
pub fn reach(loaded: &Loaded, most: usize, watch: Watch<'_>) -> Result<Reached, Refusal> {
    let refused = |halt| Refusal::new(halt, &loaded.source);
    let mut space = Space::new(loaded.model(), Deadlock::Strict, watch.budget).map_err(refused)?;
    space.explore_up_to(most, watch.budget).map_err(refused)?;
    let initial = space.initial().len();
    let kept = space.len().min(most.max(initial));
    let mut reached =
        Reached { initial, is_complete: space.is_complete() && kept == space.len(), ..Reached::default() };
    let mut shown: Vec<Option<u32>> = Vec::new();
    for source in 0..kept as u32 {
        reached.states.push(space.state(source));
        let first = reached.moves.len();
        for step in space.steps(source).iter().filter(|step| (step.target as usize) < kept) {
            let label = space.label(step.via) as usize;
            shown.resize(shown.len().max(label + 1), None);
            let label = *shown[label].get_or_insert_with(|| {
                reached.labels.push(space.show_label(label as u32));
                (reached.labels.len() - 1) as u32
            });
            let one = Move { source, label, target: step.target };
            if !reached.moves[first..].contains(&one) {
                reached.moves.push(one);
            }
        }
    }
    Ok(reached)
}

/// The states where a formula holds, however they were reached, the nearest first.
///
/// # Errors
///
/// The formula has no meaning; the model does something that it must not; the budget says stop.
pub fn holding(
    loaded: &Loaded,
    question: &Question,
    readings: Options,
    watch: Watch<'_>,
) -> Result<PackedStates, Refusal> {
    let formula = &question.property.formula;
    let found = speaks_of_states(loaded, formula, readings).and_then(|()| {
        let mut explored = Explored::new(loaded.model(), readings, watch.budget)?;
        let values = explored.value_by_state(formula, watch.budget)?;
        let mut states = PackedStates::default();
        let holds = (0..).zip(&values).filter(|(_, value)| **value == Some(true));
        holds.for_each(|(number, _)| states.push(explored.space.state(number)));
        Ok(states)
    });
    found.map_err(|halt| Refusal::new(halt, &question.source))
}
