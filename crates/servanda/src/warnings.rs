//! What is suspicious about a model whose states are all known.

use std::fmt::Write as _;

use num_bigint::BigUint;
use servanda_engine::{Halt, Unkeepable, UnreachableLocation, Verdict};
use servanda_model::{Model, Property, StateView};
use servanda_report::{CheckReport, Finding};
use servanda_syntax::{Code, Diagnostic, Severity, Span};

use crate::engine::{BDD, Ready, TABLEAU, not_known};
use crate::watch::not_yet_stopped;
use crate::{Language, Loaded, Question, ReachedDeadlock, Watch};

/// Adds to the report what the model gives cause to warn of, now that all its states are known.
pub(crate) fn add(
    ready: &mut Ready<'_>,
    loaded: &Loaded,
    questions: &[Question],
    watch: Watch<'_>,
    report: &mut CheckReport,
) {
    let mut found = lost_moves(ready, loaded, watch);
    match ready {
        _ if !loaded.language().front_end().warns_of_unreachable => {}
        Ready::Explored(explored) => {
            found.extend(unreachable_locations(&explored.unreachable_locations(), loaded));
        }
        Ready::Tableau(tableau) => match tableau.unreachable_locations() {
            Some(locations) => found.extend(unreachable_locations(&locations, loaded)),
            None => found.extend(not_looked_for(loaded.model(), ready.name())),
        },
        Ready::Symbolic(symbolic) => {
            match not_yet_stopped(watch).and_then(|()| symbolic.unreachable_locations()) {
                Ok(locations) => found.extend(unreachable_locations(&locations, loaded)),
                Err(halt) => found.push(not_known("whether every control state is reached", &halt)),
            }
            found.extend(not_looked_for(loaded.model(), ready.name()));
        }
        Ready::Sat(_) => found.extend(not_looked_for(loaded.model(), ready.name())),
    }
    // Where every formula is vacuously true, saying so of each would add nothing.
    if ready.no_initial_state() {
        found.push(no_initial_state(loaded.language()));
    } else if let Ok(true) = ready.no_fair_run(watch.monitor) {
        found.push(no_fair_run());
    } else {
        found.extend(vacuous_properties(ready, questions, watch, report));
        found.extend(unkeepable(ready, loaded, watch));
    }
    report.run.findings.extend(found);
}

/// Where another engine was faster than the one that looks for what is suspicious, nothing was looked for.
pub(crate) fn none_looked_for(engine: &str) -> Finding {
    let why = format!("all properties were decided before the engine {engine} had found all states");
    not_known("whether anything about the model is suspicious", &Halt::TooLarge(why))
}

/// A word on deadlocks, if there are any.
pub(crate) fn deadlocks(
    count: &BigUint,
    example: Option<StateView>,
    meaning: ReachedDeadlock,
) -> Option<Finding> {
    let severity = match meaning {
        ReachedDeadlock::Noted => Severity::Note,
        ReachedDeadlock::Failure => Severity::Error,
    };
    let message = match count.to_string().as_str() {
        "0" => return None,
        "1" => "one reachable state has no successor (a deadlock)".to_owned(),
        count => format!("{count} reachable states have no successor (deadlocks)"),
    };
    let diagnostic = Diagnostic::new(severity, Code::Deadlock, message, Span::default());
    Some(Finding::general(match example {
        Some(state) => diagnostic.at_span(format!("for example: {state}")),
        None => diagnostic,
    }))
}

/// Moves that agents cannot make although nothing forbids them, each where it is written.
fn lost_moves(ready: &Ready<'_>, loaded: &Loaded, watch: Watch<'_>) -> Vec<Finding> {
    // Agents that act one at a time lose no moves: they fail at them.
    if !loaded.model().behaviour.is_rounds() {
        return Vec::new();
    }
    let mut lost = match not_yet_stopped(watch).and_then(|()| ready.lost_moves()) {
        Ok(lost) => lost,
        Err(halt) => return vec![not_known("whether moves are lost", &halt)],
    };
    lost.sort_by_key(|(span, _)| (span.start, span.end));
    let warning = |(span, state): &(Span, StateView)| {
        let message = "this move is lost where a value does not exist or lies outside its variable's range";
        let warning = Diagnostic::warning(Code::LostMove, message, *span);
        Finding::placed(warning.at_span(format!("for example in the state: {state}")), &loaded.source)
    };
    lost.iter().map(warning).collect()
}

fn no_initial_state(language: Language) -> Finding {
    let message = language.front_end().no_initial_state;
    Finding::general(Diagnostic::warning(Code::NoInitialState, message, Span::default()))
}

/// Control states that no run reaches, but for those that the front end has already spoken of.
fn unreachable_locations(locations: &[UnreachableLocation], loaded: &Loaded) -> Vec<Finding> {
    let known = |span: Span| loaded.findings.iter().any(|finding| finding.diagnostic.span == span);
    let warning = |machine: &str, location: &str, span: Span| {
        let of_machine = if machine.is_empty() { String::new() } else { format!(" of machine `{machine}`") };
        let message = format!("no run reaches the control state `{location}`{of_machine}");
        Finding::placed(Diagnostic::warning(Code::UnreachableLocation, message, span), &loaded.source)
    };
    locations
        .iter()
        .filter(|place| !known(place.span))
        .map(|place| warning(&place.machine, &place.location, place.span))
        .collect()
}

fn no_fair_run() -> Finding {
    let message = "no run satisfies the fairness constraints, so every formula is vacuously true";
    Finding::general(Diagnostic::warning(Code::NoFairRun, message, Span::default()))
}

fn vacuous_properties(
    ready: &mut Ready<'_>,
    questions: &[Question],
    watch: Watch<'_>,
    report: &CheckReport,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for (index, question) in questions.iter().enumerate() {
        // Only what is true can be true for want of a case.
        if report.properties.get(index).is_none_or(|property| property.verdict != Verdict::True) {
            continue;
        }
        let Property { name, formula, span, .. } = &question.property;
        let part = not_yet_stopped(watch).and_then(|()| ready.vacuous_part(formula, watch.monitor));
        match part {
            Ok(None) => {}
            Ok(Some(part)) => {
                let message = format!("`{name}` is vacuously true: `{part}` never holds");
                let warning = Diagnostic::warning(Code::VacuousProperty, message, *span);
                found.push(Finding::placed(warning, &question.source));
            }
            // The others would be stopped as well.
            Err(halt @ Halt::Stopped { .. }) => {
                found.push(not_known("whether some property is vacuously true", &halt));
                break;
            }
            Err(halt) => found.push(not_known(&format!("whether `{name}` is vacuously true"), &halt)),
        }
    }
    found
}

fn unkeepable(ready: &mut Ready<'_>, loaded: &Loaded, watch: Watch<'_>) -> Vec<Finding> {
    // Where nothing is ever promised there is nothing to look for, and nothing to say when time is up.
    if promises_nothing(loaded.model()) {
        return Vec::new();
    }
    let found = not_yet_stopped(watch).and_then(|()| match ready {
        Ready::Explored(explored) => explored.unkeepable(watch.monitor),
        // What takes all states is looked for only where they are known anyway.
        Ready::Tableau(tableau) if tableau.counts().is_some() => tableau.unkeepable(watch.monitor),
        Ready::Tableau(_) | Ready::Symbolic(_) | Ready::Sat(_) => Ok(Vec::new()),
    });
    match found {
        Ok(unkeepable) => unkeepable.chunk_by(same_pair).filter_map(unkeepable_finding).collect(),
        Err(halt) => vec![not_known("whether every commitment can be kept", &halt)],
    }
}

/// What an engine does not look for must not seem to be all right.
fn not_looked_for(model: &Model, engine: &str) -> Option<Finding> {
    let locations = model.machines.is_empty() || engine == BDD;
    let what = match (locations, promises_nothing(model)) {
        (true, true) => return None,
        (false, true) => "whether every control state is reached",
        (true, false) => "whether every commitment can be kept",
        (false, false) => "whether every control state is reached and every commitment can be kept",
    };
    let why = match engine {
        TABLEAU => "not all states were explored; --stats explores them".to_owned(),
        engine => format!("the engine {engine} does not look for that"),
    };
    Some(not_known(what, &Halt::TooLarge(why)))
}

fn promises_nothing(model: &Model) -> bool {
    model.commitments.is_empty() && model.access.is_empty()
}

fn same_pair(one: &Unkeepable, other: &Unkeepable) -> bool {
    (&one.debtor, &one.creditor) == (&other.debtor, &other.creditor)
}

/// One finding for each pair: every set of commitments that no run can keep, and the example that is nearest to an
/// initial state. The examples of the other sets are for those who want to know more.
fn unkeepable_finding(sets: &[Unkeepable]) -> Option<Finding> {
    let (nearest, example) = sets.iter().enumerate().min_by_key(|(_, set)| set.path.len())?;
    let total: u64 = sets.iter().map(|set| set.states).sum();
    let places =
        if total == 1 { "1 reachable state".to_owned() } else { format!("{total} reachable states") };
    let (debtor, creditor) = (&example.debtor, &example.creditor);
    let message = format!("{debtor} has commitments to {creditor} that no run can keep, in {places}");
    let mut detail = String::new();
    for set in sets {
        let _ = writeln!(detail, "{}: {}", states(set.states), in_force(set));
    }
    detail.push_str(&way(example, ""));
    let warning =
        Diagnostic::warning(Code::UnkeepableCommitment, message, Span::default()).at_span(detail.trim_end());
    let others = sets.iter().enumerate().filter(|(index, _)| *index != nearest);
    let more = others.map(|(_, set)| format!("{}\n{}", in_force(set), way(set, "  ")));
    Some(Finding { more: more.collect(), ..Finding::general(warning) })
}

/// What is in force, or that the guard alone is to blame.
fn in_force(set: &Unkeepable) -> String {
    if set.commitments.is_empty() {
        "nothing in force, but access is narrowed to no path".to_owned()
    } else {
        set.commitments.join(", ")
    }
}

fn states(count: u64) -> String {
    if count == 1 { "1 state".to_owned() } else { format!("{count} states") }
}

/// An example and how to get there.
fn way(set: &Unkeepable, indent: &str) -> String {
    let mut text = format!("{indent}for example: {}\n", set.example);
    let way = if set.path.is_empty() { "which is an initial state" } else { "reached by:" };
    let _ = writeln!(text, "{indent}{way}");
    for label in &set.path {
        let _ = writeln!(text, "{indent}  {label}");
    }
    text
}
