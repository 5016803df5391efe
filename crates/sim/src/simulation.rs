//! Where a walk through a model is, and how it came there.

use servanda_engine::{Budget, Halt, Progress, Throttle};
use servanda_logic::Formula;
use servanda_model::{Change, Ends, Model, Mover, StateView, StepKind};

use crate::moves::{Options, options};
use crate::recording::is_same;
use crate::watch::Watch;
use crate::{Chance, Choice, Departure, Observation, Recording};

/// There may be more initial states than anybody wants to choose from.
const MOST_STARTS: usize = 1000;

/// The initial states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starts {
    /// These are all.
    All,
    /// There are more than can be chosen from.
    First,
}

/// A walk through a model.
pub struct Simulation<'m> {
    model: &'m Model,
    budget: &'m dyn Budget,
    mover: Mover<'m>,
    starts: Vec<Vec<u64>>,
    known: Starts,
    /// The states so far, the present one last; empty while an initial state is to be chosen.
    path: Vec<Vec<u64>>,
    /// What led from each to the next.
    labels: Vec<String>,
    kinds: Vec<StepKind>,
    options: Options,
    watches: Vec<Watch>,
}

impl<'m> Simulation<'m> {
    /// Begins; where there is one initial state, in it.
    ///
    /// # Errors
    ///
    /// When the budget says stop while initial states are looked for. Later it is asked while moves are worked out, and what is
    /// missing then is said by [`Simulation::trouble`].
    pub fn new(model: &'m Model, budget: &'m dyn Budget) -> Result<Self, Halt> {
        let mover = Mover::new(model);
        let (mut starts, mut throttle) = (Vec::new(), Throttle::default());
        let mut initial = mover.initial_states();
        while starts.len() <= MOST_STARTS {
            let progress = Progress::Exploring { states: starts.len() as u64, transitions: 0 };
            let Some(state) = initial.try_next(|| throttle.go_on(budget, progress))? else { break };
            starts.push(state);
        }
        let known = if starts.len() > MOST_STARTS { Starts::First } else { Starts::All };
        starts.truncate(MOST_STARTS);
        let mut simulation = Simulation {
            model,
            budget,
            mover,
            starts,
            known,
            path: Vec::new(),
            labels: Vec::new(),
            kinds: Vec::new(),
            options: Options::default(),
            watches: Vec::new(),
        };
        simulation.restart();
        Ok(simulation)
    }

    /// The initial states that can be chosen, and whether these are all.
    pub fn starts(&self) -> (Vec<StateView>, Starts) {
        (self.starts.iter().map(|state| self.view(state)).collect(), self.known.clone())
    }

    /// The same, packed.
    pub fn start_states(&self) -> &[Vec<u64>] {
        &self.starts
    }

    /// Begins in an initial state; `false` if there is none of this number.
    pub fn start(&mut self, index: usize) -> bool {
        let Some(state) = self.starts.get(index).cloned() else { return false };
        self.labels.clear();
        self.kinds.clear();
        self.path = vec![state];
        self.look();
        true
    }

    /// The present state; `None` while an initial state is to be chosen.
    pub fn state(&self) -> Option<StateView> {
        self.path.last().map(|state| self.view(state))
    }

    /// May control rest for good in the present state?
    pub fn is_at_end(&self) -> bool {
        let ends = Ends::new(self.model, self.mover.layout());
        self.path.last().is_some_and(|state| ends.contains(state))
    }

    /// What the last step changed.
    pub fn changes(&self) -> Vec<Change> {
        match self.path.as_slice() {
            [.., before, now] => Change::between(&self.view(before), &self.view(now)),
            _ => Vec::new(),
        }
    }

    /// What can happen next.
    pub fn choices(&self) -> &[Choice] {
        &self.options.choices
    }

    /// What stands in the way of a transition that should be possible.
    pub fn trouble(&self) -> Option<&str> {
        self.options.trouble.as_deref()
    }

    /// What has happened so far.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The run so far: its states, packed, and the steps between them.
    pub fn run(&self) -> (&[Vec<u64>], &[StepKind]) {
        (&self.path, &self.kinds)
    }

    /// Takes a transition; `false` if there is none of this number.
    pub fn take(&mut self, index: usize) -> bool {
        let Some(Choice { label, kind, target, .. }) = self.options.choices.get(index).cloned() else {
            return false;
        };
        self.labels.push(label);
        self.kinds.push(kind);
        self.path.push(target);
        self.look();
        true
    }

    /// Takes a transition, or chooses an initial state, by chance; `false` if there is none.
    pub fn take_any(&mut self, chance: &mut Chance) -> bool {
        if self.path.is_empty() {
            return chance.below(self.starts.len()).is_some_and(|index| self.start(index));
        }
        chance.below(self.options.choices.len()).is_some_and(|index| self.take(index))
    }

    /// Takes the last step back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let bound = if self.starts.len() == 1 { 1 } else { 0 };
        if self.path.len() <= bound {
            return false;
        }
        self.path.pop();
        self.labels.pop();
        self.kinds.pop();
        self.look();
        true
    }

    /// Begins again; where there are several initial states, one is to be chosen again.
    pub fn restart(&mut self) {
        self.path.clear();
        self.labels.clear();
        self.kinds.clear();
        if self.starts.len() == 1 {
            self.start(0);
        } else {
            self.look();
        }
    }

    /// Goes on from the end of a walk that was made before: an initial state, and what each step was and led to.
    pub fn resume(&mut self, start: Vec<u64>, steps: impl IntoIterator<Item = (StepKind, Vec<u64>)>) {
        self.labels.clear();
        self.kinds.clear();
        self.path = vec![start];
        for (kind, target) in steps {
            self.labels.push(self.shown(&kind));
            self.kinds.push(kind);
            self.path.push(target);
        }
        self.look();
    }

    /// What a step is labelled with.
    fn shown(&self, kind: &StepKind) -> String {
        match kind {
            StepKind::Labelled(label) => self.model.show_label(*label),
            StepKind::Joint(joint) => self.model.show_joint_action(joint),
            StepKind::Stutter => String::new(),
        }
    }

    /// Watches a formula in the words of the model; `text` is how it was written.
    pub fn watch(&mut self, text: &str, formula: &Formula) {
        self.watches.push(Watch::new(self.model, self.mover.layout(), text, formula));
    }

    /// Watches no longer; `false` if there is no watch of this number.
    pub fn unwatch(&mut self, index: usize) -> bool {
        let there = index < self.watches.len();
        if there {
            self.watches.remove(index);
        }
        there
    }

    /// The values of the watched expressions in the present state.
    pub fn watched(&self) -> Vec<Observation> {
        self.watches.iter().filter_map(|watch| self.observe(watch)).collect()
    }

    /// The value of a formula in the present state, as far as that can be seen in it alone.
    pub fn present(&self, text: &str, formula: &Formula) -> Option<Observation> {
        self.observe(&Watch::new(self.model, self.mover.layout(), text, formula))
    }

    /// Does a recording begin in the present state?
    ///
    /// # Errors
    ///
    /// Why it does not.
    pub fn begins(&self, recording: &Recording) -> Result<(), Departure> {
        let first = recording.state(0).ok_or(Departure::End)?;
        let here = self.state().is_some_and(|here| is_same(&here, first));
        if here { Ok(()) } else { Err(Departure::Elsewhere) }
    }

    /// Takes the next step of a recording, which begins in an initial state.
    ///
    /// # Errors
    ///
    /// Why there is no such step.
    pub fn follow(&mut self, recording: &Recording) -> Result<(), Departure> {
        let Some(here) = self.state() else {
            let first = recording.state(0).ok_or(Departure::End)?;
            let start = self.starts.iter().position(|start| is_same(&self.view(start), first));
            return start.map(|index| self.start(index)).map(|_| ()).ok_or(Departure::Impossible);
        };
        let steps = self.path.len() - 1;
        if !recording.state(steps).is_some_and(|recorded| is_same(&here, recorded)) {
            return Err(Departure::Elsewhere);
        }
        let next = recording.state(steps + 1).ok_or(Departure::End)?;
        let label = recording.label(steps);
        let leads_there = |choice: &Choice| is_same(&self.view(&choice.target), next);
        // A recorded label may have its commitments written out.
        let called = |label: &str, choice: &Choice| {
            let spelt = self.model.labels_shown(label);
            label == choice.label || spelt.iter().any(|id| self.model.show_label(*id) == choice.label)
        };
        let fits = |choice: &&Choice| leads_there(choice) && label.is_none_or(|label| called(label, choice));
        let choices = &self.options.choices;
        let exact = choices.iter().position(|choice| fits(&choice));
        // Labels may be written in another way; states are what counts.
        let index = exact.or_else(|| choices.iter().position(leads_there));
        match index {
            Some(index) => {
                self.take(index);
                Ok(())
            }
            // The run stays for ever in a state from which nothing leads away.
            None if choices.is_empty() && is_same(&here, next) => Err(Departure::End),
            None => Err(Departure::Impossible),
        }
    }

    fn view(&self, state: &[u64]) -> StateView {
        StateView::new(self.model, self.mover.layout(), state)
    }

    fn observe(&self, watch: &Watch) -> Option<Observation> {
        Some(watch.observe(self.model, self.mover.layout(), self.path.last()?))
    }

    /// Finds out what can happen now.
    fn look(&mut self) {
        self.options = match self.path.last() {
            Some(state) => options(self.model, &mut self.mover, state, self.budget),
            None => Options::default(),
        };
    }
}
