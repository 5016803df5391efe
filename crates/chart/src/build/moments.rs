//! The states of a run: what changes, and what matters for the verdict.

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_evidence::State;

use super::Drawn;
use crate::Moment;

/// The moments of a run. Where it has a loop, the first state of the loop is also the last moment.
pub(super) struct Moments<'d> {
    drawn: &'d Drawn,
    /// How many different states there are.
    different: usize,
    /// What is said at every one of them.
    everywhere: FxHashSet<&'d str>,
}

impl<'d> Moments<'d> {
    pub(super) fn new(drawn: &'d Drawn) -> Self {
        let different = drawn.path.states.len();
        let mut places: FxHashMap<&str, FxHashSet<usize>> = FxHashMap::default();
        for (at, note) in &drawn.notes {
            places.entry(note).or_default().insert(*at);
        }
        let everywhere = places.into_iter().filter(|(_, places)| different > 1 && places.len() == different);
        Moments { drawn, different, everywhere: everywhere.map(|(note, _)| note).collect() }
    }

    /// The states, moment by moment.
    pub(super) fn states(&self) -> Vec<&'d State> {
        let path = &self.drawn.path;
        path.states.iter().chain(path.loop_to.and_then(|to| path.states.get(to))).collect()
    }

    /// What is said at every position, and so of the whole.
    pub(super) fn remarks(&self) -> Vec<String> {
        let of_first = self.drawn.notes.iter().filter(|(at, _)| *at == 0);
        let said = of_first.filter(|(_, note)| self.everywhere.contains(note.as_str()));
        said.map(|(_, note)| format!("At every moment: {note}")).collect()
    }

    /// The first moment and the others, with what is said only there.
    pub(super) fn noted(&self) -> (Moment, Vec<Moment>) {
        let states = self.states();
        let mut moments = states.iter().enumerate().map(|(position, state)| {
            let before = position.checked_sub(1).map(|before| states[before]);
            let notes = if position < self.different { self.notes(position) } else { Vec::new() };
            Moment { facts: facts(before, state), notes }
        });
        let first = moments.next().unwrap_or_default();
        (first, moments.collect())
    }

    fn notes(&self, position: usize) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for (at, note) in &self.drawn.notes {
            if *at == position && !self.everywhere.contains(note.as_str()) && !notes.contains(note) {
                notes.push(note.clone());
            }
        }
        notes
    }
}

/// What a state is like, or how it differs from the one before.
fn facts(before: Option<&State>, state: &State) -> Vec<String> {
    let changed = |old: Option<&(String, String)>, new: &(String, String)| old != Some(new);
    let old_locations = before.map_or(&[][..], |before| before.view.locations.as_slice());
    let old_variables = before.map_or(&[][..], |before| before.view.variables.as_slice());
    let locations = state.view.locations.iter().enumerate();
    let locations = locations.filter(|(index, new)| changed(old_locations.get(*index), new));
    let locations = locations.map(|(_, (machine, location))| match machine.as_str() {
        "" => format!("in {location}"),
        machine => format!("{machine} in {location}"),
    });
    let variables = state.view.variables.iter().enumerate();
    let variables = variables.filter(|(index, new)| changed(old_variables.get(*index), new));
    locations.chain(variables.map(|(_, (name, value))| format!("{name} = {value}"))).collect()
}
