//! How often what happened on walks.

use std::collections::{HashMap, HashSet};

use servanda_model::{Behaviour, Domain, Model};

use crate::Simulation;

/// What walks have seen: steps by label, visits of control states, different states.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Each label with how often it was taken, those that models with commands have but that never were included.
    pub labels: Vec<(String, u64)>,
    /// Each control state, after its machine, with how often a walk was there.
    pub locations: Vec<(String, String, u64)>,
    /// How many walks were made.
    pub walks: u64,
    /// How many steps were taken.
    pub steps: u64,
    /// How many walks ended where nothing could happen.
    pub ends: u64,
    known: HashMap<String, usize>,
    states: HashSet<Vec<u64>>,
}

impl Tally {
    /// Nothing has happened yet.
    pub fn new(model: &Model) -> Self {
        let labels: Vec<String> = match &model.behaviour {
            Behaviour::Commands(_) => model.labels().map(|(id, _)| model.show_label(id)).collect(),
            // There are as many as combinations of actions.
            Behaviour::Rounds(_) => Vec::new(),
        };
        let mut tally = Tally::default();
        for label in labels {
            tally.label(&label);
        }
        for machine in &model.machines {
            if let Domain::Enumeration(names) = &model.variable(machine.variable).domain {
                let each = names.iter().map(|name| (machine.name.clone(), name.to_string(), 0));
                tally.locations.extend(each);
            }
        }
        tally
    }

    /// How many different states were seen.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// A walk begins where the simulation is.
    pub fn begin(&mut self, simulation: &Simulation<'_>) {
        self.walks += 1;
        self.arrive(simulation);
    }

    /// The simulation has taken a step.
    pub fn step(&mut self, simulation: &Simulation<'_>) {
        self.steps += 1;
        if let Some(label) = simulation.labels().last() {
            let index = self.label(label);
            self.labels[index].1 += 1;
        }
        self.arrive(simulation);
    }

    /// The walk is over.
    pub fn end(&mut self, simulation: &Simulation<'_>) {
        self.ends += u64::from(simulation.choices().is_empty());
    }

    fn arrive(&mut self, simulation: &Simulation<'_>) {
        if let Some(state) = simulation.run().0.last() {
            self.states.insert(state.clone());
        }
        let Some(view) = simulation.state() else { return };
        for (machine, at) in &view.locations {
            let here = |(other, place, _): &&mut (String, String, u64)| other == machine && place == at;
            if let Some((_, _, visits)) = self.locations.iter_mut().find(here) {
                *visits += 1;
            }
        }
    }

    /// The number of a label, which it is given now if it has none.
    fn label(&mut self, label: &str) -> usize {
        if let Some(index) = self.known.get(label) {
            return *index;
        }
        self.known.insert(label.to_owned(), self.labels.len());
        self.labels.push((label.to_owned(), 0));
        self.labels.len() - 1
    }
}
