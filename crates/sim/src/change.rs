//! What is different between two states.

use servanda_model::StateView;

/// One difference.
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
    /// A commitment that is in force now.
    Added(String),
    /// A commitment that is no longer in force.
    Removed(String),
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
        let added = after.in_force.iter().filter(|promise| !before.in_force.contains(promise));
        let removed = before.in_force.iter().filter(|promise| !after.in_force.contains(promise));
        locations
            .map(|(machine, from, to)| Change::Location { machine, from, to })
            .chain(variables.map(|(name, from, to)| Change::Variable { name, from, to }))
            .chain(removed.cloned().map(Change::Removed))
            .chain(added.cloned().map(Change::Added))
            .collect()
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Change::Location { machine, from, to } if machine.is_empty() => write!(f, "in {to} (was {from})"),
            Change::Location { machine, from, to } => write!(f, "{machine} in {to} (was {from})"),
            Change::Variable { name, from, to } => write!(f, "{name} = {to} (was {from})"),
            Change::Added(promise) => write!(f, "+ {promise}"),
            Change::Removed(promise) => write!(f, "- {promise}"),
        }
    }
}
