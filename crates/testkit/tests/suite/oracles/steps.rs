//! What a Pact text means: its states and transitions against those of the outline it was written from.

use std::collections::{BTreeMap, BTreeSet};

use servanda_logic::Features;
use servanda_model::{Label, Model, StateView};
use servanda_testkit::random::{Meaning, PlainState, protocols};
use servanda_testkit::{Trials, Tried, Walks, load};

use crate::oracles::support::CONTENTS;

/// The state as users see it, apart from what is in force.
fn shown(state: &StateView) -> String {
    StateView { in_force: Vec::new(), ..state.clone() }.to_string()
}

fn label(model: &Model, label: &Label) -> String {
    let name = |agent: servanda_model::AgentId| &model.agent(agent).name;
    match label {
        Label::Message(message) => match message.by {
            None => message.name.clone(),
            Some(by) => format!("{}: {}", name(by), message.name),
        },
        Label::Action { action, .. } => action.to_string(),
        Label::Act(act) => format!("{} by {}", act.kind.short(), name(act.actor())),
    }
}

#[test]
fn protocols_do_what_their_outlines_say() {
    Trials::from_environment(1500).run(&protocols(CONTENTS | Features::DOES), |outline| {
        let outline = &outline.clone().without_active();
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, 300) else { return Ok(Tried::Skipped) };
        let meaning = Meaning::new(outline);
        let of = |state: &PlainState| meaning.view(state).to_string();
        // Every state of the outline, by how it is shown.
        let mut known: BTreeMap<String, PlainState> = BTreeMap::new();
        let mut todo = meaning.initial();
        let starts: BTreeSet<String> = todo.iter().map(of).collect();
        while let Some(state) = todo.pop() {
            if known.insert(of(&state), state.clone()).is_none() {
                todo.extend(meaning.steps(&state).into_iter().map(|(_, next)| next));
            }
        }
        let found: BTreeSet<String> = walks.initial().iter().map(|s| shown(walks.state(*s))).collect();
        if found != starts {
            return Err(format!("starts at {found:?}, not at {starts:?}:\n{text}"));
        }
        let mut reached: BTreeSet<String> = BTreeSet::new();
        for number in 0..walks.len() {
            let here = shown(walks.state(number));
            let Some(plain) = known.get(&here) else {
                return Err(format!("{here:?} should not be reachable:\n{text}"));
            };
            let step = |(command, target): &(servanda_model::CommandId, usize)| {
                let written = label(model, model.label(model.command(*command).label));
                (written, shown(walks.state(*target)))
            };
            let found: BTreeSet<(String, String)> = walks.steps(number).iter().map(step).collect();
            let wanted: BTreeSet<(String, String)> =
                meaning.steps(plain).into_iter().map(|(label, next)| (label, of(&next))).collect();
            if found != wanted {
                return Err(format!("from {here:?}\nthere is {found:#?}\nnot {wanted:#?}:\n{text}"));
            }
            reached.insert(here);
        }
        if reached.len() != known.len() {
            return Err(format!("{} states, not {}:\n{text}", reached.len(), known.len()));
        }
        Ok(Tried::Holds)
    });
}
