//! What a property depends on, directly or not.

use servanda_model::{LabelId, Model, Places};

use crate::needs::{Needs, Style};
use crate::slicer::{Flaw, Slicer};

/// The part of a model that a property depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cone {
    /// By place, variables and then commitments: is it kept?
    pub(crate) places: Vec<bool>,
    /// By command: is it kept? None where agents act in rounds.
    pub(crate) commands: Vec<bool>,
    /// By agent, where they act in rounds: is what it does kept?
    pub(crate) actors: Vec<bool>,
    /// The label of a step that is always possible and changes nothing, where what is left out can always go on.
    pub(crate) idle: Option<LabelId>,
    /// Which properties it is right for, besides those it was made for.
    pub(crate) style: Style,
}

impl Cone {
    /// The cone of a property where agents act one at a time.
    pub(crate) fn of(slicer: &Slicer<'_>, needs: &Needs) -> Self {
        let cone = Cone {
            places: vec![false; needs.places.len()],
            commands: vec![false; slicer.commands.len()],
            actors: Vec::new(),
            idle: None,
            style: needs.style,
        };
        let mut closure = Closure { slicer, cone, todo: Vec::new() };
        for (place, read) in needs.places.iter().enumerate() {
            if *read {
                closure.keep(place as u32);
            }
        }
        let forgets_faults = slicer.flaws == Some(Flaw::FaultsForgotten);
        for (number, command) in slicer.commands.iter().enumerate() {
            let may_fault = slicer.footprints[number].may_fault && !forgets_faults;
            if needs.style == Style::Exact || needs.labels[command.label.index()] || may_fault {
                closure.keep_command(number);
            }
        }
        closure.close();
        closure.cone
    }

    /// Is one of these places kept?
    pub(crate) fn keeps_one_of(&self, places: &[u32]) -> bool {
        places.iter().any(|place| self.places[*place as usize])
    }

    /// Is there less to it than to the model?
    pub(crate) fn leaves_something_out(&self, slicer: &Slicer<'_>) -> bool {
        let varies = |place: usize| {
            place >= slicer.model.variables.len() || slicer.model.variables[place].domain.size() > 1
        };
        self.places.iter().enumerate().any(|(place, kept)| !kept && varies(place))
            || self.commands.iter().any(|kept| !kept)
            || self.actors.iter().any(|kept| !kept)
    }

    /// Does it keep everything that another one keeps, and is it right for the same properties?
    pub(crate) fn serves(&self, other: &Cone) -> bool {
        let all = |own: &[bool], others: &[bool]| own.iter().zip(others).all(|(own, other)| *own || !other);
        let right = self.style >= other.style && (self.style == Style::Exact || other.style == Style::Blind);
        self == other
            || (right
                && all(&self.places, &other.places)
                && all(&self.commands, &other.commands)
                && all(&self.actors, &other.actors))
    }

    /// How many bits a state needs, about, of those that may vary.
    pub fn bits(&self, model: &Model) -> f64 {
        let variables = model.variables.iter().map(|variable| (variable.domain.size() as f64).log2());
        let bits = variables.chain(model.commitments.iter().map(|_| 1.0));
        bits.zip(&self.places).filter(|(_, kept)| **kept).map(|(bits, _)| bits).sum()
    }
}

/// Adds to a cone what it depends on.
struct Closure<'s, 'm> {
    slicer: &'s Slicer<'m>,
    cone: Cone,
    todo: Vec<u32>,
}

impl Closure<'_, '_> {
    fn keep(&mut self, place: u32) {
        if !std::mem::replace(&mut self.cone.places[place as usize], true) {
            self.todo.push(place);
        }
    }

    fn keep_all(&mut self, places: &[u32]) {
        places.iter().for_each(|place| self.keep(*place));
    }

    fn keep_command(&mut self, number: usize) {
        if !self.slicer.live[number] || std::mem::replace(&mut self.cone.commands[number], true) {
            return;
        }
        let slicer = self.slicer;
        let footprint = &slicer.footprints[number];
        slicer.guards[number].reads().for_each(|read| self.keep_all(read));
        // Where something may not fit, what does not must stay the same.
        if footprint.may_fault && slicer.flaws != Some(Flaw::FaultsForgotten) {
            self.keep_all(&footprint.guard_reads);
            let written: Vec<u32> = self.slicer.commands[number].updates.iter().map(|(to, _)| to.0).collect();
            self.keep_all(&written);
            self.keep_all(&footprint.value_reads);
        }
    }

    fn close(&mut self) {
        let places = Places::new(self.slicer.model);
        let mut writers: Vec<Vec<u32>> = vec![Vec::new(); self.cone.places.len()];
        for (number, footprint) in (0..).zip(&self.slicer.footprints) {
            footprint.writes.keys().for_each(|place| writers[*place as usize].push(number));
        }
        while let Some(place) = self.todo.pop() {
            for number in std::mem::take(&mut writers[place as usize]) {
                let number = number as usize;
                if !self.slicer.live[number] {
                    continue;
                }
                self.keep_command(number);
                let command = &self.slicer.commands[number];
                let assigned = command.updates.iter().filter(|(to, _)| to.0 == place);
                let read = places.read_by(assigned.map(|(_, value)| value));
                self.keep_all(&read);
            }
            if self.slicer.flaws == Some(Flaw::InitialForgotten) {
                continue;
            }
            for (_, read) in &self.slicer.initial {
                if read.contains(&place) {
                    self.keep_all(read);
                }
            }
        }
    }
}
