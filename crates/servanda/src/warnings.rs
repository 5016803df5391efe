//! What is suspicious about a model whose states are all known.

mod time;
mod walk;

use std::collections::HashSet;
use std::fmt::Write as _;

use num_bigint::BigUint;
use servanda_engine::{Counts, Halt, Unkeepable, UnreachableLocation, Verdict};
use servanda_logic::{Formula, Unary, parse_formula};
use servanda_lower::conditions_under_always;
use servanda_model::{Model, Property, StateView};
use servanda_report::{CheckReport, Finding};
use servanda_syntax::{Code, Diagnostic, Severity, Span};

use crate::engine::{Ready, Setup, Visits, visits};
use crate::slices::{self, Sliced, Slices};
use crate::warnings::walk::Walk;
use crate::watch::not_yet_stopped;
use crate::{Language, Loaded, Question, ReachedDeadlock, Watch};

/// Unless it was asked for, at most so many states are looked at for commitments that no run can keep, once for each pair of agents. A
/// bound of the model's numbers, whoever looks and however long that takes, so that every run says the same.
const MOST_VISITS: u64 = 100_000;

/// How much is done to find what is suspicious.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Not more than what was asked deserves.
    Bounded,
    /// Whatever it takes.
    Whole,
}

/// Engines in the order in which they are asked for a verdict: first those that know all states, then the one that has decided a like
/// question; the other way round where only fair runs count, since to know these takes longer than to know states.
fn in_order<'e, 'm>(engines: &'e mut [Ready<'m>], decided: &str, is_fair: bool) -> Vec<&'e mut Ready<'m>> {
    let mut engines: Vec<&mut Ready<'m>> = engines.iter_mut().collect();
    engines.sort_by_key(|engine| {
        let (knows, has_decided) = (engine.is_explored(), engine.name() == decided);
        if is_fair { (!has_decided, !knows) } else { (!knows, !has_decided) }
    });
    engines
}

/// The first answer of an engine that looks for such a thing at all.
pub(crate) fn ask<E, T>(
    engines: &mut [E],
    mut question: impl FnMut(&mut E) -> Result<T, Halt>,
) -> Result<T, Halt> {
    for engine in engines {
        match question(engine) {
            Err(Halt::NotOffered) => {}
            answer => return answer,
        }
    }
    Err(Halt::NotOffered)
}

/// Adds to the report what the model gives cause to warn of. The engines that know all states come first, and only so many are asked for
/// what takes all states.
pub(crate) fn add<'m>(
    (engines, looking, (parts, sliced)): (&mut [Ready<'m>], usize, Slices<'_, 'm>),
    (loaded, questions): (&Loaded, &[Question]),
    (counts, effort): (Option<&Counts>, Effort),
    (setup, watch): (Setup<'m>, Watch<'_>),
    report: &mut CheckReport,
) {
    // Where moves may get lost nothing is sliced.
    let mut found =
        if sliced.is_some() { Vec::new() } else { lost_moves(&mut engines[..looking], loaded, watch) };
    let warns = loaded.language().front_end().warns_of_unreachable && !loaded.model().machines.is_empty();
    let locations = if !warns {
        Ok(Vec::new())
    } else {
        not_yet_stopped(watch)
            .and_then(|()| ask(&mut engines[..looking], |engine| engine.unreachable_locations()))
    };
    // Where every formula is vacuously true, saying so of each would add nothing.
    let (vacuous, unkeepable) = if engines.iter().any(|engine| engine.no_initial_state()) {
        (vec![no_initial_state(loaded.language())], Ok(Vec::new()))
    } else if let Ok(true) = no_run_is_fair((engines, report.run.engine), sliced, watch) {
        (vec![no_fair_run()], Ok(Vec::new()))
    } else {
        (
            vacuous_properties((engines, (parts, sliced)), questions, (setup, watch), report),
            unkeepable(&mut engines[..looking], loaded, (counts, effort), watch),
        )
    };
    // Where states are visited one by one this would take all of them.
    let (unkeepable, pairs) = match unkeepable {
        Err(Halt::NotOffered)
            if effort == Effort::Whole
                && engines.iter().all(|engine| visits(engine.name()) != Visits::Needed) =>
        {
            match unkeepable_pairs(engines, loaded.model(), watch) {
                Ok(pairs) => (Ok(Vec::new()), pairs),
                Err(halt) => (Err(halt), Vec::new()),
            }
        }
        unkeepable => (unkeepable, Vec::new()),
    };
    let stopped = time::stopped_time(&mut engines[..looking], loaded, (counts, effort), watch);
    let open = [
        ("every control state is reached", matches!(locations, Err(Halt::NotOffered))),
        ("every commitment can be kept", matches!(unkeepable, Err(Halt::NotOffered))),
        ("time can stop", matches!(stopped, Err(Halt::NotOffered))),
    ];
    let open: Vec<&str> = open.into_iter().filter(|(_, is_open)| *is_open).map(|(what, _)| what).collect();
    match locations {
        Ok(locations) => found.extend(unreachable_locations(&locations, loaded)),
        Err(Halt::NotOffered) => {}
        Err(halt) => found.push(not_known("whether every control state is reached", &halt)),
    }
    found.extend(not_looked_for(&open, engines, report.run.engine));
    found.extend(vacuous);
    match unkeepable {
        Ok(unkeepable) => {
            found.extend(unkeepable.chunk_by(same_pair).filter_map(unkeepable_finding));
        }
        Err(Halt::NotOffered) => {}
        Err(halt) => found.push(not_known("whether every commitment can be kept", &halt)),
    }
    for (debtor, creditor) in pairs {
        let message = format!("{debtor} has commitments to {creditor} that no run can keep");
        found.push(Finding::general(Diagnostic::warning(
            Code::UnkeepableCommitment,
            message,
            Span::default(),
        )));
    }
    match stopped {
        Ok(stopped) => found.extend(stopped.as_ref().map(time::finding)),
        Err(Halt::NotOffered) => {}
        Err(halt) => found.push(not_known("whether time can stop", &halt)),
    }
    report.run.findings.extend(found);
}

/// A word on what was not looked for, if there is anything.
fn not_looked_for(open: &[&str], engines: &[Ready<'_>], engine: &str) -> Option<Finding> {
    let (last, before) = open.split_last()?;
    let one_by_one = |engine: &Ready<'_>| visits(engine.name()) == Visits::Needed || engine.is_explored();
    let why = if engines.iter().any(one_by_one) {
        "not all states were looked at; --stats looks at all of them".to_owned()
    } else {
        format!("the engine {engine} does not look for that")
    };
    let before: String = before.join(", ");
    let what =
        if before.is_empty() { format!("whether {last}") } else { format!("whether {before} and {last}") };
    Some(not_known(&what, &Halt::TooLarge(why)))
}

/// What stands in the way of a warning or a count is no mistake of the input: the verdicts stand.
pub(crate) fn not_known(what: &str, halt: &Halt) -> Finding {
    let message = format!("it is not known {what}: {halt}");
    Finding::general(Diagnostic::new(Severity::Note, Code::NotKnown, message, Span::default()))
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
fn lost_moves(engines: &mut [Ready<'_>], loaded: &Loaded, watch: Watch<'_>) -> Vec<Finding> {
    // Agents that act one at a time lose no moves: they fail at them.
    if !loaded.model().behaviour.is_rounds() {
        return Vec::new();
    }
    let mut lost =
        match not_yet_stopped(watch).and_then(|()| ask(engines, |engine| engine.lost_moves(watch.budget))) {
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
    let known: HashSet<Span> = loaded.findings.iter().map(|finding| finding.diagnostic.span).collect();
    let warning = |machine: &str, location: &str, span: Span| {
        let of_machine = if machine.is_empty() { String::new() } else { format!(" of machine `{machine}`") };
        let message = format!("no run reaches the control state `{location}`{of_machine}");
        Finding::placed(Diagnostic::warning(Code::UnreachableLocation, message, span), &loaded.source)
    };
    locations
        .iter()
        .filter(|place| !known.contains(&place.span))
        // A part is not used in every way it can be.
        .filter(|place| loaded.source.file_of(place.span.start).base() == loaded.source.base())
        .map(|place| warning(&place.machine, &place.location, place.span))
        .collect()
}

fn no_fair_run() -> Finding {
    let message = "no run satisfies the fairness constraints, so every formula is vacuously true";
    Finding::general(Diagnostic::warning(Code::NoFairRun, message, Span::default()))
}

/// Does no run satisfy the fairness constraints? Every slice knows, and whoever has decided most knows best: it has looked at fair runs.
fn no_run_is_fair<'m>(
    (engines, decided): (&mut [Ready<'m>], &str),
    sliced: &mut Option<Sliced<'m>>,
    watch: Watch<'_>,
) -> Result<bool, Halt> {
    let in_slices = sliced.iter_mut().flat_map(Sliced::all_engines);
    let mut asked: Vec<&mut Ready<'m>> = in_slices.chain(engines).collect();
    asked.sort_by_key(|engine| engine.name() != decided);
    ask(&mut asked, |engine| engine.no_fair_run(watch.budget))
}

fn vacuous_properties<'m>(
    (engines, (parts, sliced)): (&mut [Ready<'m>], Slices<'_, 'm>),
    questions: &[Question],
    (setup, watch): (Setup<'m>, Watch<'_>),
    report: &CheckReport,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut walk = Walk::new(setup);
    let is_fair = setup.lowered.as_ref().is_ok_and(|lowering| lowering.model.has_fairness());
    for (index, question) in questions.iter().enumerate() {
        // Only what is true can be true for want of a case.
        let Some(decided) = report.properties.get(index).filter(|decided| decided.verdict == Verdict::True)
        else {
            continue;
        };
        let Property { name, formula, span, .. } = &question.property;
        // What never holds in a slice that knows the property never holds in the whole.
        let known = slices::engines_of(parts, sliced, index);
        let mut engines = in_order(known.map_or(&mut *engines, Vec::as_mut_slice), decided.engine, is_fair);
        match not_yet_stopped(watch).and_then(|()| vacuous_part(&mut engines, formula, (&mut walk, watch))) {
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

/// The left side of an implication under `AG` that never holds, if there is one: the property says nothing then.
fn vacuous_part(
    engines: &mut [&mut Ready<'_>],
    formula: &Formula,
    (walk, watch): (&mut Option<Walk<'_>>, Watch<'_>),
) -> Result<Option<Formula>, Halt> {
    // Who knows all states has looked through them as soon as through those of a walk.
    let is_known = engines.first().is_some_and(|engine| engine.is_explored());
    let mut walk = walk.as_mut().filter(|_| !is_known);
    for condition in conditions_under_always(formula) {
        if let Some(walk) = &mut walk
            && walk.meets(&condition, watch.budget)?
        {
            continue;
        }
        let never = condition.clone().unary(Unary::Finally).unary(Unary::Exists).unary(Unary::Not);
        let decided = ask(engines, |engine| match engine.decide(&never, watch.budget)? {
            Verdict::Unknown(_) => Err(Halt::NotOffered),
            verdict => Ok(verdict),
        });
        match decided {
            Ok(Verdict::True) => return Ok(Some(condition)),
            // Within a bound nothing is found never to hold, and what no engine decides here none has decided before.
            Ok(_) | Err(Halt::NotOffered) => {}
            Err(halt) => return Err(halt),
        }
    }
    Ok(None)
}

fn unkeepable(
    engines: &mut [Ready<'_>],
    loaded: &Loaded,
    (counts, effort): (Option<&Counts>, Effort),
    watch: Watch<'_>,
) -> Result<Vec<Unkeepable>, Halt> {
    // Where nothing is ever promised there is nothing to look for, and nothing to say when time is up.
    if promises_nothing(loaded.model()) {
        return Ok(Vec::new());
    }
    not_yet_stopped(watch)?;
    let pairs = loaded.model().committed_pairs().len();
    let many = counts.is_some_and(|counts| &counts.states * pairs > MOST_VISITS.into());
    if effort == Effort::Bounded && many {
        return Err(Halt::NotOffered);
    }
    ask(engines, |engine| engine.unkeepable(watch.budget))
}

/// The pairs of agents between which there are commitments that no run can keep, from engines that know verdicts and no states. What is
/// not decided stays open.
fn unkeepable_pairs(
    engines: &mut [Ready<'_>],
    model: &Model,
    watch: Watch<'_>,
) -> Result<Vec<(String, String)>, Halt> {
    let mut found = Vec::new();
    for (debtor, creditor) in model.committed_pairs() {
        let (debtor, creditor) = (&model.agent(debtor).name, &model.agent(creditor).name);
        // Whoever is committed to what is false is so because no path is accessible.
        let never = parse_formula(&format!("AG !SC({debtor}, {creditor}, false)"));
        let never = never.map_err(|_| Halt::NotOffered)?;
        match ask(engines, |engine| engine.decide(&never, watch.budget))? {
            Verdict::True => {}
            Verdict::False => found.push((debtor.clone(), creditor.clone())),
            Verdict::Unknown(reason) => return Err(Halt::TooLarge(reason)),
        }
    }
    Ok(found)
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
    let total: BigUint = sets.iter().map(|set| &set.states).sum();
    let places = states("reachable state", &total);
    let (debtor, creditor) = (&example.debtor, &example.creditor);
    let message = format!("{debtor} has commitments to {creditor} that no run can keep, in {places}");
    let mut detail = String::new();
    for set in sets {
        let _ = writeln!(detail, "{}: {}", states("state", &set.states), in_force(set));
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

fn states(what: &str, count: &BigUint) -> String {
    let plural = if *count == 1_u32.into() { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn way(set: &Unkeepable, indent: &str) -> String {
    example_and_way((&set.example, &set.path), indent)
}

/// An example and how to get there.
fn example_and_way((example, path): (&StateView, &[String]), indent: &str) -> String {
    let mut text = format!("{indent}for example: {example}\n");
    let way = if path.is_empty() { "which is an initial state" } else { "reached by:" };
    let _ = writeln!(text, "{indent}{way}");
    for label in path {
        let _ = writeln!(text, "{indent}  {label}");
    }
    text
}
