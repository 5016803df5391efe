//! Stepping through a model: a tree of moments, of which any can be gone on from.

mod replay;
mod watching;

use servanda_messages::{Choice, Event, Say, SimulatorNode, StateData, Subject};
use servanda_model::StepKind;
use servanda_sim::{Chance, Choice as Possible, Simulation, Starts};

use super::desk::Desk;
use super::scribe::Scribe;
use super::subject;
use super::survey::Survey;
use crate::{Known, Loaded, Present};
use watching::Watching;

/// So many steps by chance can be asked for at once.
const MOST_STEPS: usize = 1000;

/// So many moments are kept.
const MOST_NODES: usize = 200_000;

/// Converses about a walk through the model until nothing more is said.
pub(super) fn run(subject: &Subject, desk: Desk<'_>) {
    let Some(loaded) = subject::load(subject, desk) else { return };
    match loaded.questions(&[], &[]) {
        Ok(questions) => subject::tell_asked(&questions, desk),
        Err(findings) => return desk.refuse_for("the properties have no meaning", &findings),
    }
    let simulation = match Simulation::new(loaded.model(), desk.watch.budget) {
        Ok(simulation) => simulation,
        Err(halt) => return desk.refuse(halt.to_string()),
    };
    let (starts, known) = simulation.starts();
    if starts.is_empty() {
        return desk.refuse("there is no initial state");
    }
    let options = desk.options(&loaded);
    let states = Known::new(&loaded, options);
    let mut walker = Walker {
        desk,
        loaded: &loaded,
        scribe: Scribe::new(&loaded),
        survey: Survey::new(loaded.model(), options.readings, desk.watch),
        simulation,
        chance: Chance::new(desk.seed),
        watching: Watching::new(Present::new(&states)),
        nodes: Vec::new(),
        at: None,
    };
    if starts.len() == 1 {
        walker.choose(0);
    } else {
        walker.offer(&known);
    }
    while let Some(say) = desk.page.hear() {
        walker.obey(&say);
    }
}

/// A moment of the tree. Node 0 of a model with several initial states is none: there one is chosen.
struct Node {
    parent: Option<usize>,
    /// What led here from the parent.
    kind: Option<StepKind>,
    state: Option<Vec<u64>>,
}

struct Walker<'k, 'l> {
    desk: Desk<'l>,
    loaded: &'l Loaded,
    scribe: Scribe<'l>,
    survey: Survey<'l>,
    simulation: Simulation<'l>,
    chance: Chance,
    watching: Watching<'k, 'l>,
    nodes: Vec<Node>,
    /// Where the simulation is.
    at: Option<usize>,
}

impl Walker<'_, '_> {
    fn obey(&mut self, say: &Say) {
        match say {
            Say::Take { take, at } => {
                if self.go(*at) {
                    self.take(*take);
                }
            }
            Say::Choose { choose } => self.choose(*choose),
            Say::Watch { watch } => self.watch(watch),
            Say::Unwatch { unwatch } => match self.watching.remove(unwatch) {
                true => self.tell_watched(),
                false => self.desk.refuse(format!("`{unwatch}` is not watched")),
            },
            Say::Look { look } => {
                if self.go(*look) {
                    self.tell(*look, None);
                } else if self.nodes.get(*look).is_some_and(|node| node.state.is_none()) {
                    self.tell_starts();
                }
            }
            Say::Replay { replay } => self.replay(replay),
            Say::Random { random, at } => self.random(*random, *at),
            Say::Alike { .. } | Say::Find { .. } | Say::Way { .. } => {
                self.desk.refuse("that is asked of the graph of the states, not of a walk");
            }
        }
    }

    /// Brings the simulation to a moment; `false` where there is none.
    fn go(&mut self, to: usize) -> bool {
        let Some(node) = self.nodes.get(to) else {
            self.desk.refuse(format!("there is no moment {to}"));
            return false;
        };
        if node.state.is_none() {
            self.desk.refuse("no initial state is chosen");
            return false;
        }
        if self.at == Some(to) {
            return true;
        }
        let (mut steps, mut start, mut next) = (Vec::new(), Vec::new(), Some(to));
        while let Some(Node { parent, kind, state }) = next.and_then(|at| self.nodes.get(at)) {
            let state = state.clone().unwrap_or_default();
            match kind {
                Some(kind) => steps.push((kind.clone(), state)),
                None => start = state,
            }
            next = *parent;
        }
        self.simulation.resume(start, steps.into_iter().rev());
        self.at = Some(to);
        true
    }

    /// Several initial states: one is to be chosen.
    fn offer(&mut self, known: &Starts) {
        self.nodes.push(Node { parent: None, kind: None, state: None });
        self.tell_starts();
        if *known == Starts::First {
            let (starts, _) = self.simulation.starts();
            self.desk.refuse(format!("there are more initial states than these {}", starts.len()));
        }
    }

    fn tell_starts(&mut self) {
        let starts = self.simulation.start_states().to_vec();
        let initial = starts.iter().map(|state| self.state(state)).collect();
        let node = SimulatorNode { initial: Some(initial), ..SimulatorNode::default() };
        self.desk.page.tell(Event::Node { node });
    }

    /// Begins in an initial state: a moment without a parent.
    fn choose(&mut self, index: usize) {
        if !self.has_room() {
            return;
        }
        if !self.simulation.start(index) {
            return self.desk.refuse(format!("there is no initial state {index}"));
        }
        self.enter(None);
        self.tell(self.nodes.len() - 1, None);
    }

    /// Something happens.
    fn take(&mut self, index: usize) {
        if !self.has_room() {
            return;
        }
        match self.step(|simulation| simulation.take(index)) {
            true => self.tell(self.nodes.len() - 1, None),
            false => self.desk.refuse(format!("there is no step number {index} here")),
        }
    }

    fn has_room(&self) -> bool {
        let room = self.nodes.len() < MOST_NODES;
        if !room {
            self.desk.refuse(format!("there are {MOST_NODES} moments already; start again"));
        }
        room
    }

    /// Makes a step of the simulation and enters where it led; `false` where there was none.
    fn step(&mut self, step: impl FnOnce(&mut Simulation<'_>) -> bool) -> bool {
        let parent = self.at;
        let made = step(&mut self.simulation);
        if made {
            self.enter(parent);
        }
        made
    }

    /// Enters the moment where the simulation is.
    fn enter(&mut self, parent: Option<usize>) {
        let (states, kinds) = self.simulation.run();
        let kind = kinds.last().cloned().filter(|_| parent.is_some());
        self.nodes.push(Node { parent, kind, state: states.last().cloned() });
        self.at = Some(self.nodes.len() - 1);
    }

    fn random(&mut self, steps: usize, at: usize) {
        if !self.go(at) {
            return;
        }
        if steps > MOST_STEPS {
            return self.desk.refuse(format!("at most {MOST_STEPS} steps at once, not {steps}"));
        }
        for _ in 0..steps {
            if !self.has_room() {
                return;
            }
            let mut chance = self.chance.clone();
            let made = self.step(|simulation| simulation.take_any(&mut chance));
            self.chance = chance;
            if !made {
                return self.desk.refuse("nothing can happen here");
            }
            self.tell(self.nodes.len() - 1, None);
        }
    }

    /// A state, with what can be kept in it.
    fn state(&mut self, packed: &[u64]) -> StateData {
        let mut state = self.scribe.state(packed);
        self.survey.complete(&mut state, packed, self.desk.watch);
        state
    }

    /// Tells a moment, at which the simulation is.
    fn tell(&mut self, number: usize, loop_to: Option<usize>) {
        let Some(Node { parent, kind, state: Some(packed) }) = self.nodes.get(number) else { return };
        let (parent, kind, packed) = (*parent, kind.clone(), packed.clone());
        let before = parent.and_then(|parent| self.nodes[parent].state.clone()).zip(kind);
        let possible: Vec<Possible> = self.simulation.choices().to_vec();
        let choices = possible.iter().enumerate().map(|(index, choice)| Choice {
            index,
            step: self.scribe.step(&packed, choice.kind(), choice.target()),
            changes: self.scribe.changes(&packed, choice.target()),
        });
        let choices = choices.collect();
        let node = SimulatorNode {
            node: number,
            parent,
            step: before.as_ref().map(|(before, kind)| self.scribe.step(before, kind, &packed)),
            changed: before
                .as_ref()
                .map_or_else(Vec::new, |(before, _)| self.scribe.changed(before, &packed)),
            state: self.state(&packed),
            choices,
            watched: self.watching.at(&self.simulation, self.desk.watch),
            initial: None,
            trouble: self.simulation.trouble().map(str::to_owned),
            loop_to,
        };
        self.desk.page.tell(Event::Node { node });
    }

    fn watch(&mut self, text: &str) {
        match self.watching.add(text, self.loaded) {
            Ok(()) => self.tell_watched(),
            Err(findings) => self.desk.refuse_for("what is to be watched has no meaning here", &findings),
        }
    }

    fn tell_watched(&mut self) {
        let watched = self.watching.at(&self.simulation, self.desk.watch);
        self.desk.page.tell(Event::Watched { node: self.at.unwrap_or(0), watched });
    }
}
