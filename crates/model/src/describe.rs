//! A packed state in the user's words.

use serde::{Deserialize, Serialize};

use crate::{Channel, CommitmentView, Layout, Model};

/// A state as people and machine-readable reports show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateView {
    /// Every user variable with its value as written in the source.
    pub variables: Vec<(String, String)>,
    /// Every machine with its control state; the machine's name is empty where there are no `machine` blocks.
    pub locations: Vec<(String, String)>,
    /// Every channel with the messages under way in it, the oldest first.
    pub channels: Vec<(String, Vec<String>)>,
    /// The commitments in force.
    pub in_force: Vec<CommitmentView>,
}

impl StateView {
    /// Unpacks a state.
    pub fn new(model: &Model, layout: &Layout, state: &[u64]) -> Self {
        let value = |id| model.variable(id).domain.show(layout.variable(id).read(state));
        StateView {
            variables: model
                .variables()
                .filter(|(_, variable)| variable.is_declared())
                .map(|(id, variable)| (variable.name.clone(), value(id)))
                .collect(),
            locations: model.machines.iter().map(|m| (m.name.clone(), value(m.variable))).collect(),
            channels: model
                .channels
                .iter()
                .map(|channel| (channel.name.clone(), under_way(model, layout, channel, state)))
                .collect(),
            in_force: model
                .commitments()
                .filter(|(id, _)| layout.commitment(*id).read(state) == 1)
                .map(|(_, promise)| model.view_promise(promise))
                .collect(),
        }
    }

    /// Where the machines are and what the variables hold, one by one.
    pub fn facts(&self) -> impl Iterator<Item = String> {
        let locations = self.locations.iter().map(|(machine, location)| is_in(machine, location));
        let variables = self.variables.iter().map(|(name, value)| holds(name, value));
        let channels = self.channels.iter().map(|(name, messages)| carries(name, messages));
        locations.chain(variables).chain(channels)
    }
}

/// The messages under way in a channel, the oldest first.
fn under_way(model: &Model, layout: &Layout, channel: &Channel, state: &[u64]) -> Vec<String> {
    let codes = channel.slots.iter().map(|slot| layout.variable(*slot).read(state));
    let sent = codes.filter_map(|code| channel.messages.get(usize::try_from(code - 1).ok()?));
    sent.map(|label| model.name_label(*label)).collect()
}

fn is_in(machine: &str, location: &str) -> String {
    if machine.is_empty() { format!("in {location}") } else { format!("{machine} in {location}") }
}

fn carries(channel: &str, messages: &[String]) -> String {
    match messages {
        [] => format!("{channel} is empty"),
        _ => format!("{channel} carries {}", messages.join("; ")),
    }
}

fn holds(variable: &str, value: &str) -> String {
    format!("{variable} = {value}")
}

impl std::fmt::Display for StateView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.facts().collect::<Vec<_>>().join(", "))?;
        if !self.in_force.is_empty() {
            write!(f, "; in force: {}", CommitmentView::list(&self.in_force))?;
        }
        Ok(())
    }
}

/// One difference between two states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A machine's control state; the name is empty where there is one machine without a name.
    Location {
        /// The machine.
        machine: String,
        /// Where it was.
        from: String,
        /// Where it is.
        to: String,
    },
    /// The value of a variable.
    Variable {
        /// Its name.
        name: String,
        /// Its old value.
        from: String,
        /// Its new value.
        to: String,
    },
    /// What is under way in a channel.
    Channel {
        /// Its name.
        name: String,
        /// The messages under way now, the oldest first.
        messages: Vec<String>,
    },
    /// A commitment that is in force now.
    Added(CommitmentView),
    /// A commitment that is no longer in force.
    Removed(CommitmentView),
}

impl Change {
    /// Everything that is different, in the order in which a state is shown.
    pub fn between(before: &StateView, after: &StateView) -> Vec<Change> {
        let pairs = |old: &[(String, String)], new: &[(String, String)]| -> Vec<(String, String, String)> {
            let both = old.iter().zip(new).filter(|(old, new)| old.1 != new.1);
            both.map(|(old, new)| (new.0.clone(), old.1.clone(), new.1.clone())).collect()
        };
        let locations = pairs(&before.locations, &after.locations).into_iter();
        let variables = pairs(&before.variables, &after.variables).into_iter();
        let channels = before.channels.iter().zip(&after.channels).filter(|(old, new)| old.1 != new.1);
        let added = after.in_force.iter().filter(|promise| !before.in_force.contains(promise));
        let removed = before.in_force.iter().filter(|promise| !after.in_force.contains(promise));
        locations
            .map(|(machine, from, to)| Change::Location { machine, from, to })
            .chain(variables.map(|(name, from, to)| Change::Variable { name, from, to }))
            .chain(channels.map(|(_, (name, messages))| Change::Channel {
                name: name.clone(),
                messages: messages.clone(),
            }))
            .chain(removed.cloned().map(Change::Removed))
            .chain(added.cloned().map(Change::Added))
            .collect()
    }

    /// What is so now.
    pub fn now(&self) -> String {
        match self {
            Change::Location { machine, to, .. } => is_in(machine, to),
            Change::Variable { name, to, .. } => holds(name, to),
            Change::Channel { name, messages } => carries(name, messages),
            Change::Added(promise) => format!("+ {promise}"),
            Change::Removed(promise) => format!("- {promise}"),
        }
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.now())?;
        match self {
            Change::Location { from, .. } | Change::Variable { from, .. } => write!(f, " (was {from})"),
            Change::Channel { .. } | Change::Added(_) | Change::Removed(_) => Ok(()),
        }
    }
}
