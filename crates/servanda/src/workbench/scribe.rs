//! States and steps in the words of the page.

use servanda_chart::{Happening, Happenings};
use servanda_evidence::{Path, State, Step};
use servanda_messages::{InForce, Place, StateData, StepData, StepSort, Value, ValueChange, ValueKind};
use servanda_model::{Ends, Layout, Model, MoveError, Mover, StateView, StepKind, VariableId, Visibility};

use super::places;
use crate::Loaded;
use crate::origins::Origins;

/// What the control state is called where there is one machine without a name.
const CONTROL: &str = "in";

/// What is said of a step in which nothing happens.
const NOTHING: &str = "nothing can happen any more";

/// Writes states and steps of a model.
pub(super) struct Scribe<'l> {
    pub(super) loaded: &'l Loaded,
    pub(super) model: &'l Model,
    pub(super) layout: Layout,
    mover: Mover<'l>,
    ends: Ends,
    happenings: Happenings<'l>,
    origins: Origins<'l>,
}

impl<'l> Scribe<'l> {
    pub(super) fn new(loaded: &'l Loaded) -> Self {
        let model = loaded.model();
        let mover = Mover::new(model);
        let layout = mover.layout().clone();
        let ends = Ends::new(model, &layout);
        let (happenings, origins) = (Happenings::new(model), Origins::new(loaded));
        Scribe { loaded, model, layout, mover, ends, happenings, origins }
    }

    /// The names of the agents.
    pub(super) fn roles(&self) -> Vec<String> {
        self.model.agents.iter().map(|agent| agent.name.clone()).collect()
    }

    /// A packed state. Whether commitments can be kept is for others to find out.
    pub(super) fn state(&mut self, packed: &[u64]) -> StateData {
        let is_final = self.ends.contains(packed);
        StateData {
            values: self.values(packed),
            in_force: self.in_force(packed),
            is_deadlock: !is_final && !self.goes_on(packed),
            is_final,
        }
    }

    /// Does any step leave a state? One that cannot be made for a fault counts.
    fn goes_on(&mut self, packed: &[u64]) -> bool {
        let seen = std::cell::Cell::new(false);
        let go_on = || if seen.get() { Err(()) } else { Ok(()) };
        let moved = self.mover.try_for_each(packed, go_on, |_, _| seen.set(true), |_| ());
        seen.get() || matches!(moved, Err(MoveError::Fault(_)))
    }

    /// Control states, variables and channels.
    pub(super) fn values(&self, packed: &[u64]) -> Vec<Value> {
        let view = StateView::new(self.model, &self.layout, packed);
        let machines = self.model.machines.iter().zip(view.locations).map(|(machine, (name, value))| {
            let name = if name.is_empty() { CONTROL.to_owned() } else { name };
            self.value(name, value, ValueKind::Control, machine.variable)
        });
        let declared = self.model.variables().filter(|(_, variable)| variable.is_declared());
        let variables = declared.zip(view.variables).map(|((id, _), (name, value))| {
            let is_clock = self.happenings.clocks().contains(&id);
            self.value(name, value, if is_clock { ValueKind::Clock } else { ValueKind::Variable }, id)
        });
        let channels =
            self.model.channels.iter().zip(view.channels).filter_map(|(channel, (name, messages))| {
                let value = if messages.is_empty() { "empty".to_owned() } else { messages.join("; ") };
                Some(self.value(name, value, ValueKind::Channel, *channel.slots.first()?))
            });
        machines.chain(variables).chain(channels).collect()
    }

    /// The names under which [`Scribe::values`] gives values, in the same order.
    pub(super) fn names(&self) -> Vec<String> {
        self.values(&vec![0; self.layout.words()]).into_iter().map(|value| value.name).collect()
    }

    /// The variables of the model that hold the value of this name.
    pub(super) fn variables_of(&self, name: &str) -> Option<Vec<VariableId>> {
        let called = |machine: &str| name == machine || (machine.is_empty() && name == CONTROL);
        let machine = self.model.machines.iter().find(|machine| called(&machine.name));
        let machine = machine.map(|machine| vec![machine.variable]);
        let variable = || self.model.find_variable(name).map(|variable| vec![variable]);
        let channel = || self.model.channels.iter().find(|channel| channel.name == name);
        machine.or_else(variable).or_else(|| channel().map(|channel| channel.slots.clone()))
    }

    /// What the values that these variables belong to are, in one line.
    pub(super) fn words(&self, packed: &[u64], variables: &[VariableId]) -> String {
        let all = self.values(packed).into_iter();
        let chosen = all.filter(|value| {
            let own = self.variables_of(&value.name);
            own.is_some_and(|own| own.first().is_some_and(|first| variables.contains(first)))
        });
        let words = chosen.map(|value| match (value.kind, value.name.as_str()) {
            (ValueKind::Control, CONTROL) => value.value,
            (ValueKind::Control, name) => format!("{name}: {}", value.value),
            (_, name) => format!("{name} = {}", value.value),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// A state of which nothing is told but what is in force.
    pub(super) fn promises(&self, packed: &[u64]) -> StateData {
        StateData { in_force: self.in_force(packed), ..StateData::default() }
    }

    fn value(&self, name: String, value: String, kind: ValueKind, variable: VariableId) -> Value {
        let role = |index: usize| self.model.agents[index].name.clone();
        let (owner, seen_by) = match &self.model.variable(variable).visibility {
            Visibility::Public => (None, self.roles()),
            Visibility::Private(agent) => (Some(role(agent.index())), vec![role(agent.index())]),
            Visibility::Shared(agents) => (None, agents.iter().map(|agent| role(agent.index())).collect()),
        };
        Value { name, value, kind, owner, seen_by }
    }

    fn in_force(&self, packed: &[u64]) -> Vec<InForce> {
        let in_force =
            self.model.commitments().filter(|(id, _)| self.layout.commitment(*id).read(packed) == 1);
        let shown = in_force.map(|(_, promise)| {
            let view = self.model.view_promise(promise);
            InForce {
                name: view.called().to_owned(),
                debtor: self.model.agent(promise.debtor).name.clone(),
                creditor: self.model.agent(promise.creditor).name.clone(),
                content: promise.content.to_string(),
                text: view.text,
                keepable: None,
            }
        });
        shown.collect()
    }

    /// A step between two states, with where it is written.
    pub(super) fn step(&mut self, before: &[u64], kind: &StepKind, after: &[u64]) -> StepData {
        let state = |packed: &[u64]| State {
            packed: packed.to_vec(),
            view: StateView::new(self.model, &self.layout, packed),
        };
        let step = servanda_witness::step(self.model, kind.clone());
        let path = Path { states: vec![state(before), state(after)], steps: vec![step], loop_to: None };
        let spans = self.origins.spans_of(&path).pop().unwrap_or_default();
        let mut found: Vec<Place> = Vec::new();
        for place in spans.iter().filter_map(|(_, span)| places::written(&self.loaded.source, *span)) {
            if !found.contains(&place) {
                found.push(place);
            }
        }
        let happening = self.happenings.of_step(&path.steps[0], (&path.states[0], &path.states[1]));
        let (sort, from, to) = self.parties(&path.steps[0], &happening);
        let label = path.steps[0].label.as_str();
        let label = if label.is_empty() { NOTHING } else { label }.to_owned();
        StepData { label, from, to, kind: sort, places: found }
    }

    /// What sort of step it is, who does it and to whom.
    fn parties(&self, step: &Step, happening: &Happening) -> (StepSort, Option<String>, Vec<String>) {
        let name = |index: &usize| self.model.agents.get(*index).map(|agent| agent.name.clone());
        let said = if step.acts().next().is_some() { StepSort::Act } else { StepSort::Message };
        match happening {
            Happening::Message { from, to, .. } => (said, name(from), to.iter().filter_map(name).collect()),
            Happening::Own { at, .. } if self.is_internal(step) => (StepSort::Internal, name(at), Vec::new()),
            Happening::Own { at, .. } | Happening::Sent { from: at, .. } => (said, name(at), Vec::new()),
            Happening::Received { at, .. } => (said, None, name(at).into_iter().collect()),
            Happening::Together(_) => (StepSort::Joint, None, Vec::new()),
            Happening::Tick(_) => (StepSort::Time, None, Vec::new()),
            Happening::Nobody(label) if self.is_loss(label) => (StepSort::Lost, None, Vec::new()),
            Happening::Nobody(_) if said == StepSort::Act => (said, None, Vec::new()),
            Happening::Nobody(_) | Happening::Deadlock => (StepSort::Internal, None, Vec::new()),
        }
    }

    fn is_internal(&self, step: &Step) -> bool {
        matches!(step.kind, StepKind::Labelled(label) if self.model.label(label).is_internal())
    }

    /// Does a channel lose something?
    fn is_loss(&self, label: &str) -> bool {
        let channel = label.strip_suffix(".lose");
        channel.is_some_and(|channel| self.model.channels.iter().any(|known| known.name == channel))
    }

    /// What differs between two states: values, and commitments that come into force or do not stay so.
    pub(super) fn changes(&self, before: &[u64], after: &[u64]) -> Vec<ValueChange> {
        let both = self.values(before).into_iter().zip(self.values(after));
        let values = both.filter(|(old, new)| old.value != new.value);
        let values = values.map(|(old, new)| ValueChange { name: new.name, from: old.value, to: new.value });
        let (old, new) = (self.in_force(before), self.in_force(after));
        let change = |one: &InForce, from: &str, to: &str| ValueChange {
            name: one.name.clone(),
            from: from.to_owned(),
            to: to.to_owned(),
        };
        let gone = old.iter().filter(|one| !new.contains(one)).map(|one| change(one, "in force", ""));
        let come = new.iter().filter(|one| !old.contains(one)).map(|one| change(one, "", "in force"));
        values.chain(gone).chain(come).collect()
    }

    /// The names of what differs between two states.
    pub(super) fn changed(&self, before: &[u64], after: &[u64]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for change in self.changes(before, after) {
            if !names.contains(&change.name) {
                names.push(change.name);
            }
        }
        names
    }
}
