//! A session as text.

use std::fmt::Write as _;

use servanda::Loaded;
use servanda_model::StateView;
use servanda_sim::{Change, Observation, Simulation, Starts};

use super::session::Session;

/// More initial states than these are not listed.
const MOST_LISTED: usize = 20;

/// What is said first.
pub(super) fn beginning(session: &Session<'_, '_>) -> String {
    let heading =
        format!("{}: {}; h lists the commands\n", session.loaded.title(), session.loaded.model().name);
    heading + &legend(session.loaded) + &position(session)
}

/// What the names of commitments stand for.
fn legend(loaded: &Loaded) -> String {
    let named = loaded.model().view_named_commitments();
    let mut text: String =
        named.iter().take(MOST_LISTED).map(|one| format!("  {}\n", one.in_full())).collect();
    if named.len() > MOST_LISTED {
        text.push_str("  and so on; p shows those in force\n");
    }
    text
}

/// Where the walk is, in full, and what can happen.
pub(super) fn position(session: &Session<'_, '_>) -> String {
    state(session) + &choices(&session.simulation)
}

/// The whole state.
pub(super) fn state(session: &Session<'_, '_>) -> String {
    match session.simulation.state() {
        None => String::new(),
        Some(view) => {
            format!("{}: {}\n", session.simulation.labels().len(), whole(&view)) + &watched(session)
        }
    }
}

/// A step that was taken, what it changed, and what can happen now.
pub(super) fn arrival(session: &Session<'_, '_>) -> String {
    step(session) + &choices(&session.simulation)
}

/// A step that was taken and what it changed.
pub(super) fn step(session: &Session<'_, '_>) -> String {
    let simulation = &session.simulation;
    let label = simulation.labels().last().map_or("", String::as_str);
    let changes: String = simulation.changes().iter().map(|change| format!("  {change}\n")).collect();
    let changes = if changes.is_empty() { "  nothing changes\n" } else { &changes };
    format!("{}: {label}\n{changes}{}", simulation.labels().len(), watched(session))
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
        None if choices.is_empty() && simulation.is_at_end() => {
            text.push_str("  nothing more happens here: an end\n");
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
pub(super) fn watched(session: &Session<'_, '_>) -> String {
    let observed = session.simulation.watched();
    let observed = observed.iter().zip(1..);
    observed.map(|(observed, number)| format!("  watch {number}: {}", value(session, observed))).collect()
}

/// The value of an expression, and of a formula about more than the present state that of what it says of it.
pub(super) fn value(session: &Session<'_, '_>, observed: &Observation) -> String {
    match &observed.beyond {
        None => parts(observed),
        Some(formula) => {
            let (value, reason) = session.value(formula);
            let lines = present_parts(observed, "    ");
            format!("{} = {value}{reason}\n{lines}", observed.text)
        }
    }
}

/// What a formula says of the present state, line by line.
fn present_parts(observed: &Observation, indent: &str) -> String {
    observed.parts.iter().map(|(part, value)| format!("{indent}{value:5}  {part}\n")).collect()
}

/// The steps so far.
pub(super) fn trail(simulation: &Simulation<'_>) -> String {
    match simulation.labels() {
        [] => "no step was taken\n".to_owned(),
        labels => labels.iter().zip(1..).map(|(label, number)| format!("  {number}: {label}\n")).collect(),
    }
}

/// The value of every property in the present state, what each says of it, and the commitments in force.
pub(super) fn properties(session: &Session<'_, '_>) -> String {
    let (loaded, simulation) = (session.loaded, &session.simulation);
    let Some(state) = simulation.state() else { return "no initial state is chosen\n".to_owned() };
    let mut text = String::new();
    for property in loaded.properties() {
        let (value, reason) = match property.scenario {
            None => session.value(&property.formula),
            Some(_) => session.possible(&property.formula),
        };
        let value = match (property.scenario.is_some(), value.as_str()) {
            (true, "true") => "possible from here",
            (true, "false") => "impossible from here",
            (_, value) => value,
        };
        let _ = writeln!(text, "{} = {value}{reason}: {}", property.name, property.text);
        let present = simulation.present(&property.text, &property.formula);
        let present = present.filter(|observed| observed.beyond.is_some() && property.scenario.is_none());
        text.push_str(&present.map(|observed| present_parts(&observed, "  ")).unwrap_or_default());
    }
    text.push_str(if state.in_force.is_empty() { "no commitment is in force\n" } else { "in force\n" });
    text.extend(state.in_force.iter().map(|promise| format!("  {}\n", promise.in_full())));
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
