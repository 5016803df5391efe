//! States and steps of a model in the form in which evidence shows them.

use servanda_model::{ActLabel, AgentId, Cause, Label, LabelId, Layout, Model, StateView, StepKind};

use servanda_evidence::Act;

use crate::{Event, State, Step};

/// A state.
pub(crate) fn state(model: &Model, layout: &Layout, packed: &[u64]) -> State {
    State { packed: packed.to_vec(), view: StateView::new(model, layout, packed) }
}

/// A step.
pub fn step(model: &Model, kind: StepKind) -> Step {
    let performed = match event(model, &kind) {
        Event::Act(_) => Vec::new(),
        _ => model.acts_of(&kind).into_iter().map(|performed| act(model, performed)).collect(),
    };
    Step { label: label(model, &kind), event: event(model, &kind), performed, kind }
}

/// Who makes a move, and which kind of step it is.
pub(crate) fn kind(model: &Model, cause: Cause<'_>) -> (Option<AgentId>, StepKind) {
    match cause {
        Cause::Command(command) => {
            let command = model.command(command);
            (command.by, StepKind::Labelled(command.label))
        }
        Cause::JointAction(joint) => (None, StepKind::Joint(joint.to_vec())),
    }
}

fn label(model: &Model, kind: &StepKind) -> String {
    match kind {
        StepKind::Labelled(label) => model.show_label(*label),
        StepKind::Joint(joint) => model.show_joint_action(joint),
        StepKind::Stutter => String::new(),
    }
}

/// What each agent does in a round.
fn round(model: &Model, joint: &[usize]) -> Vec<(String, String)> {
    let named = model.agents.iter().zip(model.behaviour.programs()).zip(joint);
    named.map(|((agent, program), action)| (agent.name.clone(), program.actions[*action].clone())).collect()
}

fn event(model: &Model, kind: &StepKind) -> Event {
    let name = |agent: AgentId| model.agent(agent).name.clone();
    match kind {
        StepKind::Stutter => Event::Deadlock,
        StepKind::Joint(joint) => Event::Round(round(model, joint)),
        StepKind::Labelled(label) => match model.label(*label) {
            Label::Message(message) => Event::Message {
                name: model.show_said(message),
                sender: message.by.map(name),
                to: message.to.iter().map(|agent| name(*agent)).collect(),
                received: message.received,
            },
            Label::Act(performed) => Event::Act(act(model, performed)),
            Label::Action { action, .. } => {
                Event::Action { name: action.to_string(), by: only_maker(model, *label).map(name) }
            }
        },
    }
}

fn act(model: &Model, act: &ActLabel) -> Act {
    let name = |agent: AgentId| model.agent(agent).name.clone();
    let (debtor, creditor) = (act.promise.debtor, act.promise.creditor);
    let partner = if act.actor() == debtor { creditor } else { debtor };
    Act {
        kind: act.kind,
        actor: name(act.actor()),
        partner: name(partner),
        commitment: model.view_promise(&act.promise),
        support: act.support.as_ref().map(ToString::to_string),
        third: act.third.map(name),
    }
}

/// Who makes the transitions with a label, where it is always the same.
fn only_maker(model: &Model, label: LabelId) -> Option<AgentId> {
    let mut makers =
        model.behaviour.commands().iter().filter(|command| command.label == label).map(|command| command.by);
    let first = makers.next()??;
    makers.all(|other| other == Some(first)).then_some(first)
}
