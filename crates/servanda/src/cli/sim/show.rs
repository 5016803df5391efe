//! A session as text.

use std::fmt::Write as _;

use servanda::Loaded;
use servanda_model::StateView;
use servanda_sim::{Change, Observation, Simulation, Starts};

/// More initial states than these are not listed.
const MOST_LISTED: usize = 20;

/// What is said first.
pub(super) fn beginning(loaded: &Loaded, simulation: &Simulation<'_>) -> String {
    let heading = format!("{}: {}; h lists the commands\n", loaded.source.name(), loaded.model().name);
    heading + &position(simulation)
}

/// Where the walk is, in full, and what can happen.
pub(super) fn position(simulation: &Simulation<'_>) -> String {
    state(simulation) + &choices(simulation)
}

/// The whole state.
pub(super) fn state(simulation: &Simulation<'_>) -> String {
    match simulation.state() {
        None => String::new(),
        Some(view) => format!("{}: {}\n", simulation.labels().len(), whole(&view)) + &watched(simulation),
    }
}

/// A step that was taken, what it changed, and what can happen now.
pub(super) fn arrival(simulation: &Simulation<'_>) -> String {
    step(simulation) + &choices(simulation)
}

/// A step that was taken and what it changed.
pub(super) fn step(simulation: &Simulation<'_>) -> String {
    let label = simulation.labels().last().map_or("", String::as_str);
    let changes: String = simulation.changes().iter().map(|change| format!("  {change}\n")).collect();
    let changes = if changes.is_empty() { "  nothing changes\n" } else { &changes };
    format!("{}: {label}\n{changes}{}", simulation.labels().len(), watched(simulation))
}

/// What can happen.
pub(super) fn choices(simulation: &Simulation<'_>) -> String {
    if simulation.state().is_none() {
        return starts(simulation);
    }
    let mut text = String::new();
    let choices = simulation.choices();
    let width = digits(choices.len());
    for (index, choice) in choices.iter().enumerate() {
        let _ = write!(text, "  [{:>width$}] {}", index + 1, choice.label);
        // Where labels are alike only the targets tell them apart.
        if choices.iter().filter(|other| other.label == choice.label).count() > 1 {
            let _ = write!(text, "  to {}", short(&choice.changes));
        }
        text.push('\n');
    }
    match simulation.trouble() {
        Some(trouble) => {
            let _ = writeln!(text, "  {trouble}");
        }
        None if choices.is_empty() => text.push_str("  nothing can happen here: a deadlock\n"),
        None => {}
    }
    text
}

fn starts(simulation: &Simulation<'_>) -> String {
    let (states, known) = simulation.starts();
    if states.is_empty() {
        return "there is no initial state\n".to_owned();
    }
    let number = match known {
        Starts::All => states.len().to_string(),
        Starts::First => format!("more than {}", states.len()),
    };
    let mut text = format!("{number} initial states; choose one\n");
    let width = digits(states.len().min(MOST_LISTED));
    for (index, state) in states.iter().take(MOST_LISTED).enumerate() {
        let _ = writeln!(text, "  [{:>width$}] {}", index + 1, whole(&distinctive(state, &states)));
    }
    if states.len() > MOST_LISTED {
        text.push_str("  and so on\n");
    }
    text
}

/// What of a state is not the same in all of them.
fn distinctive(state: &StateView, all: &[StateView]) -> StateView {
    let differs = |part: fn(&StateView) -> &[(String, String)]| -> Vec<(String, String)> {
        let own = part(state).iter().enumerate();
        own.filter(|(index, pair)| all.iter().any(|other| part(other).get(*index) != Some(*pair)))
            .map(|(_, pair)| pair.clone())
            .collect()
    };
    StateView {
        variables: differs(|view| &view.variables),
        locations: differs(|view| &view.locations),
        ..StateView::default()
    }
}

/// The values of the watched expressions.
pub(super) fn watched(simulation: &Simulation<'_>) -> String {
    let observed = simulation.watched();
    let observed = observed.iter().zip(1..);
    observed.map(|(observed, number)| format!("  watch {number}: {}", parts(observed))).collect()
}

/// The steps so far.
pub(super) fn trail(simulation: &Simulation<'_>) -> String {
    match simulation.labels() {
        [] => "no step was taken\n".to_owned(),
        labels => labels.iter().zip(1..).map(|(label, number)| format!("  {number}: {label}\n")).collect(),
    }
}

/// What the properties say of the present state, and the commitments in force.
pub(super) fn properties(loaded: &Loaded, simulation: &Simulation<'_>) -> String {
    let Some(state) = simulation.state() else { return "no initial state is chosen\n".to_owned() };
    let mut text = String::new();
    for property in loaded.properties() {
        let _ = writeln!(text, "{}: {}", property.name, property.text);
        let present = simulation.present(&property.text, &property.formula);
        for (part, value) in present.into_iter().flat_map(|it| it.parts) {
            let _ = writeln!(text, "  {value:5}  {part}");
        }
    }
    text.push_str(if state.in_force.is_empty() { "no commitment is in force\n" } else { "in force\n" });
    text.extend(state.in_force.iter().map(|promise| format!("  {promise}\n")));
    text
}

/// A line of its own where there is one value, else a list.
fn parts(observed: &Observation) -> String {
    match observed.parts.as_slice() {
        [(text, value)] if *text == observed.text => format!("{text} = {value}\n"),
        parts => {
            let lines = parts.iter().map(|(part, value)| format!("    {value:5}  {part}\n"));
            format!("{}\n{}", observed.text, lines.collect::<String>())
        }
    }
}

fn short(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "the same state".to_owned();
    }
    changes.iter().map(Change::now).collect::<Vec<_>>().join(", ")
}

/// A model without variables has states all the same.
fn whole(view: &StateView) -> String {
    match view.to_string() {
        text if text.is_empty() => "(a state without variables)".to_owned(),
        text => text,
    }
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}
