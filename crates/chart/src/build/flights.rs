//! Messages under way: which of them a step sends, receives, repeats or loses.
//!
//! The states tell what is under way, not which message is which. Of equal ones in a channel the oldest comes out first, which in a
//! channel that keeps their order is so by definition.

use servanda_evidence::{State, Step};
use servanda_model::{AgentId, Channel, Label, LabelId, Layout, MessageLabel, Model, StepKind};

use crate::{Flight, Landing};

/// The messages that are under way on a run.
pub(super) fn flights(model: &Model, layout: &Layout, states: &[&State], steps: &[Step]) -> Vec<Flight> {
    let mut flights: Vec<Flight> = Vec::new();
    for channel in &model.channels {
        // What is under way, the oldest first.
        let mut waiting: Vec<(LabelId, usize)> = Vec::new();
        for (moment, state) in states.iter().enumerate() {
            let said = moment.checked_sub(1).and_then(|step| said(model, steps.get(step)?));
            let mut new = contents(channel, layout, state);
            let mut kept = Vec::new();
            for (label, flight) in waiting.into_iter().rev() {
                match new.iter().position(|other| *other == label) {
                    Some(found) => {
                        new.remove(found);
                        kept.push((label, flight));
                    }
                    None => end(&mut flights[flight], said, moment),
                }
            }
            kept.reverse();
            waiting = kept;
            for label in new {
                let original = waiting.iter().find(|(other, _)| *other == label).map(|(_, flight)| *flight);
                let copy_of = original.filter(|_| said.is_some_and(|said| said.by.is_none()));
                waiting.push((label, flights.len()));
                flights.push(begun(model, label, moment, copy_of));
            }
        }
    }
    flights
}

/// The messages in a channel.
fn contents(channel: &Channel, layout: &Layout, state: &State) -> Vec<LabelId> {
    let codes = channel.slots.iter().map(|slot| layout.variable(*slot).read(&state.packed));
    codes.filter_map(|code| channel.messages.get(usize::try_from(code - 1).ok()?).copied()).collect()
}

/// The message with which a step is labelled.
fn said<'m>(model: &'m Model, step: &Step) -> Option<&'m MessageLabel> {
    let StepKind::Labelled(label) = step.kind else { return None };
    match model.label(label) {
        Label::Message(message) => Some(message),
        Label::Act(_) | Label::Action { .. } => None,
    }
}

fn begun(model: &Model, label: LabelId, from: usize, copy_of: Option<usize>) -> Flight {
    let (label, sender, receiver) = match model.label(label) {
        Label::Message(message) => {
            // Whoever is not named may still be the one who receives it.
            let meant = if let [only] = message.to.as_slice() { Some(only.index()) } else { None };
            (model.show_said(message), message.by.map(AgentId::index), meant)
        }
        Label::Act(_) | Label::Action { .. } => (model.show_label(label), None, None),
    };
    Flight { label, sender, receiver, from, copy_of, end: Landing::UnderWay }
}

fn end(flight: &mut Flight, said: Option<&MessageLabel>, moment: usize) {
    flight.end = match said.filter(|said| said.received).and_then(|said| said.by) {
        Some(receiver) => {
            flight.receiver = Some(receiver.index());
            Landing::Received(moment)
        }
        None => Landing::Lost(moment),
    };
}
