//! States and steps of a model in the form in which evidence shows them.

use servanda_model::{AgentId, Cause, Label, LabelId, Layout, Model, StateView};

use crate::{Event, Made, State, Step};

impl From<servanda_symbolic::Made> for Made {
    fn from(made: servanda_symbolic::Made) -> Self {
        match made {
            servanda_symbolic::Made::Labelled(label) => Made::Labelled(label),
            servanda_symbolic::Made::Together(joint) => Made::Together(joint),
            servanda_symbolic::Made::Waiting => Made::Waiting,
        }
    }
}

/// A state.
pub(crate) fn state(model: &Model, layout: &Layout, packed: &[u64]) -> State {
    State { packed: packed.to_vec(), view: StateView::new(model, layout, packed) }
}

/// A step.
pub(crate) fn step(model: &Model, made: Made) -> Step {
    Step { label: label(model, &made), event: event(model, &made), made }
}

/// Who makes a move and how.
pub(crate) fn made(model: &Model, cause: Cause<'_>) -> (Option<AgentId>, Made) {
    match cause {
        Cause::Command(command) => {
            let command = model.command(command);
            (command.by, Made::Labelled(command.label))
        }
        Cause::JointAction(joint) => (None, Made::Together(joint.to_vec())),
    }
}

fn label(model: &Model, made: &Made) -> String {
    match made {
        Made::Labelled(label) => model.show_label(*label),
        Made::Together(joint) => model.show_joint_action(joint),
        Made::Waiting => String::new(),
    }
}

/// What each agent does in a round.
fn round(model: &Model, joint: &[usize]) -> Vec<(String, String)> {
    let named = model.agents.iter().zip(model.behaviour.programs()).zip(joint);
    named.map(|((agent, program), action)| (agent.name.clone(), program.actions[*action].clone())).collect()
}

fn event(model: &Model, made: &Made) -> Event {
    let name = |agent: AgentId| model.agent(agent).name.clone();
    match made {
        Made::Waiting => Event::Deadlock,
        Made::Together(joint) => Event::Round(round(model, joint)),
        Made::Labelled(label) => match model.label(*label) {
            Label::Message { name: message, by } => {
                Event::Message { name: message.clone(), sender: by.map(name) }
            }
            Label::Act(act) => {
                let (debtor, creditor) = (act.promise.debtor, act.promise.creditor);
                let partner = if act.actor() == debtor { creditor } else { debtor };
                Event::Act {
                    kind: act.kind,
                    actor: name(act.actor()),
                    partner: name(partner),
                    commitment: model.show_promise(&act.promise),
                    support: act.support.as_ref().map(ToString::to_string),
                }
            }
            Label::Action(action) => {
                Event::Action { name: action.to_string(), by: only_maker(model, *label).map(name) }
            }
        },
    }
}

/// Who makes the transitions with a label, where it is always the same.
fn only_maker(model: &Model, label: LabelId) -> Option<AgentId> {
    let mut makers =
        model.behaviour.commands().iter().filter(|command| command.label == label).map(|command| command.by);
    let first = makers.next()??;
    makers.all(|other| other == Some(first)).then_some(first)
}
