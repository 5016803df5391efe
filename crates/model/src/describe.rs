//! A packed state in the user's words.

use crate::{Layout, Model};

/// A state as people and machine-readable reports show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateView {
    /// Every user variable with its value as written in the source.
    pub variables: Vec<(String, String)>,
    /// Every machine with its control state; the machine's name is empty where there are no `machine` blocks.
    pub locations: Vec<(String, String)>,
    /// The commitments in force.
    pub in_force: Vec<String>,
}

impl StateView {
    /// Unpacks a state.
    pub fn new(model: &Model, layout: &Layout, state: &[u64]) -> Self {
        let value = |id| model.variable(id).domain.show(layout.variable(id).read(state));
        StateView {
            variables: model
                .variables()
                .filter(|(_, variable)| variable.machine.is_none())
                .map(|(id, variable)| (variable.name.clone(), value(id)))
                .collect(),
            locations: model.machines.iter().map(|m| (m.name.clone(), value(m.variable))).collect(),
            in_force: model
                .commitments()
                .filter(|(id, _)| layout.commitment(*id).read(state) == 1)
                .map(|(_, promise)| model.show_promise(promise))
                .collect(),
        }
    }
}

impl std::fmt::Display for StateView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let locations = self.locations.iter().map(|(machine, location)| match machine.as_str() {
            "" => format!("in {location}"),
            machine => format!("{machine} in {location}"),
        });
        let variables = self.variables.iter().map(|(name, value)| format!("{name} = {value}"));
        let parts: Vec<String> = locations.chain(variables).collect();
        write!(f, "{}", parts.join(", "))?;
        if !self.in_force.is_empty() {
            write!(f, "; in force: {}", self.in_force.join(", "))?;
        }
        Ok(())
    }
}
