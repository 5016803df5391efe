//! Who takes part in a step.

use rustc_hash::FxHashMap;
use servanda_evidence::{Act, Event, State, Step};
use servanda_model::{ActionLabel, AgentId, Command, Expr, Label, Layout, Model, StepKind, Visibility};

use crate::{Commitment, Happening};

/// Knows the agents of a model and what they do.
pub(super) struct Happenings<'m> {
    model: &'m Model,
    layout: Layout,
    lifelines: FxHashMap<&'m str, usize>,
}

impl<'m> Happenings<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let lifelines = model.agents.iter().enumerate().map(|(index, agent)| (agent.name.as_str(), index));
        Happenings { model, layout: Layout::new(model), lifelines: lifelines.collect() }
    }

    /// What happens in a step between two states; commitments are called by their tags.
    pub(super) fn of(
        &self,
        step: &Step,
        before: &State,
        after: &State,
        commitments: &[Commitment],
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
            Event::Message { name, sender, .. } => match sender.as_deref().and_then(lifeline) {
                Some(from) => self.to_all(from, name.clone()),
                None => Happening::Nobody(name.clone()),
            },
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

    /// An act goes from who performs it to the other party.
    fn of_act(&self, act: &Act, label: String) -> Happening {
        let lifeline = |name: &String| self.lifelines.get(name.as_str()).copied();
        match (lifeline(&act.actor), lifeline(&act.partner)) {
            (Some(from), Some(to)) if from != to => Happening::Message { from, to, label },
            (Some(at), _) => Happening::Own { at, label },
            (None, _) => Happening::Nobody(label),
        }
    }

    /// A message of a protocol has no addressee: everybody sees it.
    fn to_all(&self, from: usize, label: String) -> Happening {
        match (from, self.lifelines.len()) {
            (_, 0 | 1) => Happening::Own { at: from, label },
            (from, 2) => Happening::Message { from, to: 1 - from, label },
            (from, _) => Happening::Public { from, label },
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
                Happening::Message { from, to, label }
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

    /// The command that made a step of processes: its guard and its updates are about control states only.
    fn command(&self, step: &Step, (before, after): (&State, &State)) -> Option<&'m Command> {
        let StepKind::Labelled(label) = step.kind else { return None };
        self.model.behaviour.commands().iter().filter(|command| command.label == label).find(|command| {
            let mut next = before.packed.clone();
            for (variable, value) in &command.updates {
                let Expr::Constant(value) = value else { return false };
                self.layout.variable(*variable).write(&mut next, *value);
            }
            next == after.packed
                && tested(&command.guard)
                    .all(|(variable, value)| self.layout.variable(variable).read(&before.packed) == value)
        })
    }

    /// The agents whose control states a command looks at.
    fn owners(&self, command: &'m Command) -> impl Iterator<Item = usize> {
        tested(&command.guard).filter_map(|(variable, _)| match self.model.variable(variable).visibility {
            Visibility::Private(agent) => Some(agent.index()),
            Visibility::Public | Visibility::Shared(_) => None,
        })
    }
}

/// An act on a commitment that is called by its tag.
fn short(act: &Act, commitments: &[Commitment]) -> String {
    let tag = commitments.iter().find(|known| known.text == act.commitment);
    let tag = tag.map_or(act.commitment.as_str(), |known| known.tag.as_str());
    let parts: Vec<&str> =
        [Some(tag), act.support.as_deref(), act.third.as_deref()].into_iter().flatten().collect();
    format!("{}({})", act.kind.short(), parts.join(", "))
}

/// The comparisons with constants of which a guard is made.
fn tested(guard: &Expr) -> impl Iterator<Item = (servanda_model::VariableId, i64)> {
    let parts = match guard {
        Expr::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    parts.iter().filter_map(|part| match part {
        Expr::Compare(servanda_model::Comparison::Equal, left, right) => match (&**left, &**right) {
            (Expr::Variable(variable), Expr::Constant(value)) => Some((*variable, *value)),
            _ => None,
        },
        _ => None,
    })
}
