//! Paths in words that several formats share.

use servanda_evidence::Path;
use servanda_model::StateView;

use crate::text::number;

/// `, 3 steps` or `, 2 steps and then a loop of 1`
pub(crate) fn extent(path: &Path) -> String {
    match path.loop_to {
        None if path.steps.is_empty() => String::new(),
        None => format!(", {}", number(path.steps.len(), "step", "steps")),
        Some(0) => format!(", a loop of {}", number(path.steps.len(), "step", "steps")),
        Some(to) => format!(
            ", {} and then a loop of {}",
            number(to, "step", "steps"),
            number(path.steps.len() - to, "step", "steps")
        ),
    }
}

/// What a state has that the one before it had not.
pub(crate) fn changes(before: &StateView, after: &StateView) -> String {
    let changed = |(old, new): (&(String, String), &(String, String))| (old != new).then(|| new.clone());
    let locations = before.locations.iter().zip(&after.locations).filter_map(changed);
    let locations = locations.map(|(machine, location)| match machine.as_str() {
        "" => format!("in {location}"),
        machine => format!("{machine} in {location}"),
    });
    let variables = before.variables.iter().zip(&after.variables).filter_map(changed);
    let variables = variables.map(|(name, value)| format!("{name} = {value}"));
    let come = after.in_force.iter().filter(|promise| !before.in_force.contains(promise));
    let come = come.map(|promise| format!("in force now: {promise}"));
    let gone = before.in_force.iter().filter(|promise| !after.in_force.contains(promise));
    let gone = gone.map(|promise| format!("no longer in force: {promise}"));
    let all: Vec<String> = locations.chain(variables).chain(come).chain(gone).collect();
    if all.is_empty() { "(nothing changes)".to_owned() } else { all.join(", ") }
}
