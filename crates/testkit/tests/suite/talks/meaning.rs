//! States, steps, deadlocks and scenarios of random talks.

use std::collections::{BTreeMap, BTreeSet};

use servanda_engine::Options;
use servanda_enumerate::{Explored, Halt};
use servanda_model::{AgentId, Cause, Label, LabelId, Model, Mover, StateView};
use servanda_testkit::random::talk::{Done, Meaning, Place, bare, talks};
use servanda_testkit::{Limits, Trials, Tried};

use super::support::{all_texts, protocol};

/// The most states of a model.
const MOST: usize = 400;

/// The states of a model that are known, each with the same state as plain data.
type Known = Vec<(Vec<u64>, Place)>;

/// A step as it is shown: acts without parentheses, which a printer may place as it likes.
fn shown(label: &str) -> String {
    if label.contains("SC(") { bare(label) } else { label.to_owned() }
}

/// A label, the commitments of acts written out.
fn written(model: &Model, label: LabelId) -> String {
    let Label::Act(act) = model.label(label) else { return model.show_label(label) };
    let name = |agent: AgentId| model.agent(agent).name.clone();
    let support = act.support.as_ref().map(ToString::to_string);
    let more: String =
        support.into_iter().chain(act.third.map(name)).map(|more| format!(", {more}")).collect();
    format!("{}({}, {}{more})", act.kind.short(), name(act.actor()), model.write_promise(&act.promise))
}

/// What can happen in a state of the model, as it is shown; `None` where something goes wrong.
fn found(mover: &mut Mover<'_>, model: &Model, state: &[u64]) -> Option<BTreeSet<(LabelId, Vec<u64>)>> {
    let mut steps = BTreeSet::new();
    let moved = mover.for_each(state, |cause: Cause<'_>, next| {
        let command = cause.command().expect("one transition at a time");
        steps.insert((model.command(command).label, next.to_vec()));
    });
    moved.ok().map(|()| steps)
}

/// The states of the model beside those of the outline; `None` where they are too many.
fn walk(model: &Model, meaning: &Meaning) -> Result<Option<Known>, String> {
    let mut mover = Mover::new(model);
    let layout = mover.layout().clone();
    let view = |state: &[u64]| meaning.sorted(&StateView::new(model, &layout, state)).to_string();
    let plain = |place: &Place| meaning.view(place).to_string();
    let starts: BTreeMap<String, Vec<u64>> =
        mover.initial_states().map(|state| (view(&state), state)).collect();
    let wanted = meaning.initial().map_err(|_| "init has no value".to_owned())?;
    let wanted: BTreeMap<String, Place> = wanted.into_iter().map(|place| (plain(&place), place)).collect();
    if !starts.keys().eq(wanted.keys()) {
        return Err(format!("starts at {:#?}\nnot at {:#?}", starts.keys(), wanted.keys()));
    }
    let mut known: Known = starts.into_values().zip(wanted.into_values()).collect();
    let mut seen: BTreeSet<Vec<u64>> = known.iter().map(|(state, _)| state.clone()).collect();
    let mut at = 0;
    while at < known.len() {
        if known.len() > MOST {
            return Ok(None);
        }
        let (state, place) = known[at].clone();
        at += 1;
        let here = view(&state);
        let (found, wanted) = match (found(&mut mover, model, &state), meaning.steps(&place)) {
            (None, Err(_)) => continue,
            (Some(found), Ok(wanted)) => (found, wanted),
            (None, Ok(_)) => return Err(format!("something goes wrong in {here}, and should not")),
            (Some(_), Err(_)) => return Err(format!("nothing goes wrong in {here}, and should")),
        };
        let mine: BTreeMap<(String, String), &Vec<u64>> =
            found.iter().map(|(label, next)| ((shown(&written(model, *label)), view(next)), next)).collect();
        let theirs: BTreeMap<(String, String), &Place> =
            wanted.iter().map(|(done, next)| ((shown(&done.to_string()), plain(next)), next)).collect();
        if !mine.keys().eq(theirs.keys()) {
            return Err(format!("from {here}\nthere is {:#?}\nnot {:#?}", mine.keys(), theirs.keys()));
        }
        if found.len() != wanted.len() {
            return Err(format!("from {here} there are {} steps, not {}", found.len(), wanted.len()));
        }
        for (next, place) in mine.into_values().zip(theirs.into_values()) {
            if seen.insert(next.clone()) {
                known.push((next.clone(), place.clone()));
            }
        }
    }
    Ok(Some(known))
}

#[test]
fn talks_do_what_their_outlines_say() {
    Trials::from_environment(2000).run(&talks(), |talk| {
        let with_text = |wrong: String| format!("{wrong}\n{}", all_texts(talk));
        let protocol = protocol(talk)?;
        let meaning = Meaning::new(talk);
        let Some(known) = walk(&protocol.model, &meaning).map_err(with_text)? else {
            return Ok(Tried::Skipped);
        };
        let explored = match Explored::new(&protocol.model, Options::default(), &Limits::default()) {
            Ok(explored) => explored,
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return Ok(Tried::Skipped),
            Err(_) => {
                // Found by the walk too: something goes wrong.
                let wrong = known.iter().any(|(_, place)| meaning.steps(place).is_err());
                return if wrong {
                    Ok(Tried::Holds)
                } else {
                    Err(with_text("nothing goes wrong here".to_owned()))
                };
            }
        };
        let counts = explored.space.counts();
        let steps = known.iter().map(|(_, place)| meaning.steps(place).map_or(0, |steps| steps.len()));
        let is_stuck = |(_, place): &&(Vec<u64>, Place)| {
            !meaning.is_final(place) && meaning.steps(place).is_ok_and(|steps| steps.is_empty())
        };
        let wanted = (known.len(), steps.sum::<usize>(), known.iter().filter(is_stuck).count());
        let found = (&counts.states, &counts.transitions, &counts.deadlocks);
        let shown = |number: Option<String>| number.unwrap_or_default();
        let found =
            (found.0.to_string(), shown(found.1.as_ref().map(ToString::to_string)), found.2.to_string());
        if found != (wanted.0.to_string(), wanted.1.to_string(), wanted.2.to_string()) {
            return Err(with_text(format!("states, transitions, deadlocks are {found:?}, not {wanted:?}")));
        }
        Ok(Tried::Holds)
    });
}

/// The words that a random talk may have in it, and how often it should.
#[test]
fn talks_have_everything() {
    let counted = std::cell::RefCell::new(BTreeMap::<&str, usize>::new());
    let words = [
        "channel",
        "lossy",
        "duplicating",
        "unordered",
        "capacity 3",
        " from ",
        "clock",
        "wait ",
        "final ",
        "init ",
        "fair weak",
        "fair strong",
        "use ",
        "scenario",
        "private var",
        "private commitment",
        " of team",
        " -> team: ",
        "!(",
        "?(",
        "?(_",
        "?(n",
        "if ",
        "min(",
        "max(",
        "a[i]",
        "a[(3 - i)]",
        " in {",
        " all k in 1..2 : a[k] =",
        "F<=",
        "U<=",
        "active(",
        ".length",
        ".has(",
        ".head(",
        "K(",
        "GCK(",
        "SC(",
        "Rel(",
        "Del(",
        "Ass(",
        "does(",
        "tick",
        ".lose",
        ".repeat",
        "part.",
        "as more",
        "type ",
        "bid[",
        "semantics",
    ];
    Trials::from_environment(500).run(&talks(), |talk| {
        let text = talk.text();
        let mut counted = counted.borrow_mut();
        for word in words.iter().filter(|word| text.contains(**word)) {
            *counted.entry(word).or_default() += 1;
        }
        Ok(Tried::Holds)
    });
    let counted = counted.into_inner();
    let missing: Vec<&&str> = words.iter().filter(|word| !counted.contains_key(**word)).collect();
    assert!(missing.is_empty(), "no talk has {missing:?}: {counted:?}");
}

/// Whether a scenario can happen, by trying all ways through it.
#[test]
fn scenarios_are_possible_where_the_outline_has_such_a_run() {
    let decided = std::cell::Cell::new(0_u32);
    Trials::from_environment(1200).run(&talks(), |talk| {
        if talk.scenarios.is_empty() {
            return Ok(Tried::Holds);
        }
        let mut protocol = protocol(talk)?;
        protocol.model.fairness.clear();
        protocol.model.step_fairness.clear();
        let meaning = Meaning::new(talk);
        let limits = Limits::default();
        let Ok(mut explored) = Explored::new(&protocol.model, Options::default(), &limits) else {
            return Ok(Tried::Holds);
        };
        if explored.space.reachable_len() > MOST {
            return Ok(Tried::Holds);
        }
        for property in protocol.properties.iter().filter(|own| own.scenario.is_some()) {
            let number: usize = property.name[1..].parse().expect("a number");
            let wanted = meaning.can_happen(&talk.scenarios[number]);
            let turned = property.formula.clone().negated();
            let verdict = explored.decide(&turned, &limits).map_err(|halt| format!("{halt:?}"))?;
            let found = verdict.decided().map(|never| !never);
            decided.set(decided.get() + 1);
            if found != Some(wanted) {
                return Err(format!("{} is {found:?}, not {wanted}\n{}", property.text, all_texts(talk)));
            }
        }
        Ok(Tried::Holds)
    });
    assert!(decided.get() > 200, "only {} scenarios were decided", decided.get());
}

/// Labels are said by name alone, and values and addressees tell them apart.
#[test]
fn steps_are_shown_as_they_are_written() {
    let sent = |by: Option<&str>, to: &[&str], received: bool| {
        let to = to.iter().map(|role| (*role).to_owned()).collect();
        let (name, values) = ("pay".to_owned(), vec![servanda_testkit::random::talk::Value::Int(3)]);
        let by = by.map(str::to_owned);
        Done::Said(servanda_testkit::random::talk::Sent { by, to, name, values, received }).to_string()
    };
    assert_eq!(sent(Some("Ann"), &["Bob", "Eve"], false), "Ann -> Bob, Eve: pay(3)");
    assert_eq!(sent(Some("Bob"), &[], true), "Bob: pay?(3)");
    assert_eq!(sent(None, &[], false), "pay(3)");
}
