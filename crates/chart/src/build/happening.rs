//! Who takes part in a step.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use servanda_evidence::{Act, Event, State, Step};
use servanda_model::{
    ActionLabel, AgentId, Command, Comparison, Expr, Label, Layout, Model, Mover, StepKind, VariableId,
    Visibility,
};

use crate::{Commitment, Flight, Happening, Moment};

/// Knows the agents of a model and what they do.
pub struct Happenings<'m> {
    model: &'m Model,
    layout: Layout,
    lifelines: FxHashMap<&'m str, usize>,
    /// What a tick counts.
    clocks: Vec<VariableId>,
    /// Finds the commands that make steps, once one is asked for.
    mover: RefCell<Option<Mover<'m>>>,
}

impl<'m> Happenings<'m> {
    /// Those of a model.
    pub fn new(model: &'m Model) -> Self {
        let lifelines = model.agents.iter().enumerate().map(|(index, agent)| (agent.name.as_str(), index));
        let ticks = model.commands().filter(|(_, command)| Some(command.label) == model.tick);
        let mut clocks: Vec<VariableId> =
            ticks.flat_map(|(_, command)| command.updates.iter().map(|(clock, _)| *clock)).collect();
        clocks.sort_unstable();
        clocks.dedup();
        let (layout, mover) = (Layout::new(model), RefCell::default());
        Happenings { model, layout, lifelines: lifelines.collect(), clocks, mover }
    }

    /// The variables that time changes.
    pub fn clocks(&self) -> &[VariableId] {
        &self.clocks
    }

    /// What happens in a step between two states, whatever goes through channels; commitments are called by their names.
    pub fn of_step(&self, step: &Step, states: (&State, &State)) -> Happening {
        self.of(step, states, &[], false)
    }

    /// The messages under way on a run.
    pub(super) fn flights(&self, states: &[&State], steps: &[Step]) -> Vec<Flight> {
        super::flights::flights(self.model, &self.layout, states, steps)
    }

    /// A moment without the time, where what happens says it.
    pub(super) fn without_clocks(&self, happening: &Happening, mut moment: Moment) -> Moment {
        if matches!(happening, Happening::Tick(_)) {
            let shown = |fact: &str, clock: &VariableId| {
                fact.strip_prefix(&self.model.variable(*clock).name)
                    .is_some_and(|rest| rest.starts_with(" = "))
            };
            moment.facts.retain(|fact| !self.clocks.iter().any(|clock| shown(fact, clock)));
        }
        moment
    }

    /// What happens in a step between two states, which sends something through a channel or not; commitments are called by their
    /// tags.
    pub(super) fn of(
        &self,
        step: &Step,
        (before, after): (&State, &State),
        commitments: &[Commitment],
        sends: bool,
    ) -> Happening {
        let lifeline = |name: &str| self.lifelines.get(name).copied();
        match &step.event {
            Event::Deadlock => Happening::Deadlock,
            Event::Round(actions) => {
                let of = |agent: &str, action: &str| {
                    let acts = step.performed.iter().filter(|act| act.actor == *agent);
                    let acts = acts.map(|act| short(act, commitments));
                    std::iter::once(action.to_owned()).chain(acts).collect::<Vec<_>>().join(": ")
                };
                Happening::Together(actions.iter().map(|(agent, action)| of(agent, action)).collect())
            }
            Event::Message { name, sender, to, received } => {
                let label = name.clone();
                match sender.as_deref().and_then(lifeline) {
                    None if self.is_tick(step) => Happening::Tick(self.time(name, after)),
                    None => Happening::Nobody(label),
                    Some(at) if *received => Happening::Received { at, label },
                    Some(from) if sends => Happening::Sent { from, label },
                    Some(from) => self.to(from, to.iter().filter_map(|name| lifeline(name)), label),
                }
            }
            Event::Act(act) => self.of_act(act, short(act, commitments)),
            Event::Action { name, .. } if !step.performed.is_empty() => {
                let acts: Vec<String> = step.performed.iter().map(|act| short(act, commitments)).collect();
                self.of_act(&step.performed[0], format!("{name}: {}", acts.join(", ")))
            }
            Event::Action { name, by } => {
                let by = by.as_deref().and_then(lifeline);
                self.of_processes(step, (before, after), name, by)
            }
        }
    }

    fn is_tick(&self, step: &Step) -> bool {
        matches!(step.kind, StepKind::Labelled(label) if Some(label) == self.model.tick)
    }

    /// The passing of time, with what the clocks show after it.
    fn time(&self, name: &str, after: &State) -> String {
        let clock = |id: &VariableId| {
            let variable = self.model.variable(*id);
            format!(
                "{} = {}",
                variable.name,
                variable.domain.show(self.layout.variable(*id).read(&after.packed))
            )
        };
        match self.clocks.as_slice() {
            [] => name.to_owned(),
            clocks => format!("{name}: {}", clocks.iter().map(clock).collect::<Vec<_>>().join(", ")),
        }
    }

    /// An act goes from who performs it to the other party, and to whom the commitment is passed on.
    fn of_act(&self, act: &Act, label: String) -> Happening {
        let lifeline = |name: &String| self.lifelines.get(name.as_str()).copied();
        match lifeline(&act.actor) {
            Some(from) => {
                let others = std::iter::once(&act.partner).chain(&act.third);
                let to: Vec<usize> = others.filter_map(lifeline).filter(|to| *to != from).collect();
                match to.is_empty() {
                    true => Happening::Own { at: from, label },
                    false => self.to(from, to.into_iter(), label),
                }
            }
            None => Happening::Nobody(label),
        }
    }

    /// A message goes to whom it is addressed, to all others where nobody is named. Who is addressed alone and by itself does it by
    /// itself.
    fn to(&self, from: usize, addressed: impl Iterator<Item = usize>, label: String) -> Happening {
        let mut to: Vec<usize> = addressed.collect();
        if to.is_empty() {
            to = (0..self.lifelines.len()).collect();
        }
        to.retain(|to| *to != from);
        to.sort_unstable();
        to.dedup();
        if to.is_empty() {
            Happening::Own { at: from, label }
        } else {
            Happening::Message { from, to, label }
        }
    }

    fn of_processes(
        &self,
        step: &Step,
        states: (&State, &State),
        name: &str,
        by: Option<usize>,
    ) -> Happening {
        let command = self.command(step, states);
        let sender = command.and_then(|command| command.by).map(AgentId::index).or(by);
        let receiver = command.and_then(|command| self.owners(command).find(|owner| Some(*owner) != sender));
        match (sender, receiver) {
            (Some(from), Some(to)) => {
                let label = self.synchronised(step).unwrap_or_else(|| name.to_owned());
                Happening::Message { from, to: vec![to], label }
            }
            (Some(at), None) => Happening::Own { at, label: name.to_owned() },
            (None, _) => Happening::Nobody(name.to_owned()),
        }
    }

    /// What two processes say to each other.
    fn synchronised(&self, step: &Step) -> Option<String> {
        let StepKind::Labelled(label) = step.kind else { return None };
        match self.model.label(label) {
            Label::Action { action: ActionLabel::Synchronised(port), .. } => Some(port.to_string()),
            _ => None,
        }
    }

    /// The command that made a step.
    fn command(&self, step: &Step, (before, after): (&State, &State)) -> Option<&'m Command> {
        let StepKind::Labelled(label) = step.kind else { return None };
        let mut mover = self.mover.borrow_mut();
        let mover = mover.get_or_insert_with(|| Mover::new(self.model));
        mover.command_to(&before.packed, label, &after.packed).map(|command| self.model.command(command))
    }

    /// The agents whose control states a command looks at.
    fn owners(&self, command: &'m Command) -> impl Iterator<Item = usize> {
        tested(&command.guard).filter_map(|variable| match self.model.variable(variable).visibility {
            Visibility::Private(agent) => Some(agent.index()),
            Visibility::Public | Visibility::Shared(_) => None,
        })
    }
}

/// An act on a commitment that is called by its tag.
fn short(act: &Act, commitments: &[Commitment]) -> String {
    let tag = commitments.iter().find(|known| known.text == act.commitment.text);
    let tag = tag.map_or(act.commitment.called(), |known| known.tag.as_str());
    let parts: Vec<&str> =
        [Some(tag), act.support.as_deref(), act.third.as_deref()].into_iter().flatten().collect();
    format!("{}({})", act.kind.short(), parts.join(", "))
}

/// The variables that a guard compares with constants.
fn tested(guard: &Expr) -> impl Iterator<Item = VariableId> {
    let parts = match guard {
        Expr::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    parts.iter().filter_map(|part| match part {
        Expr::Compare(Comparison::Equal, left, right) => match (&**left, &**right) {
            (Expr::Variable(variable), Expr::Constant(_)) => Some(*variable),
            _ => None,
        },
        _ => None,
    })
}
