//! Where formulas about random talks hold, state by state: conditions, possible steps, knowledge, and operators that count ticks.

use std::collections::BTreeMap;

use servanda_engine::{Engine, Options};
use servanda_enumerate::Explored;
use servanda_testkit::random::talk::{
    Argument, Done, Fairness, Label, Meaning, Moment, Pattern, Place, Talk, Term, talks,
};
use servanda_testkit::{Limits, Trials, Tried};

use super::support::{all_texts, protocol};

/// The most states of a talk.
const MOST: usize = 150;

/// The states of a talk and its steps.
struct Graph {
    places: Vec<Place>,
    steps: Vec<Vec<(Done, usize)>>,
}

impl Graph {
    /// `None` where it is large, or something goes wrong in it.
    fn new(meaning: &Meaning) -> Option<Graph> {
        let mut places = meaning.initial().ok()?;
        let mut numbers: BTreeMap<Place, usize> =
            places.iter().cloned().enumerate().map(|(number, place)| (place, number)).collect();
        let mut steps = Vec::new();
        while steps.len() < places.len() {
            let mut own = Vec::new();
            for (done, next) in meaning.steps(&places[steps.len()]).ok()? {
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    places.push(next);
                    places.len() - 1
                });
                own.push((done, number));
            }
            steps.push(own);
            if places.len() > MOST {
                return None;
            }
        }
        Some(Graph { places, steps })
    }

    /// Where some path reaches `goal` through states that keep `on`, with at most so many ticks.
    fn some_path(&self, on: &[bool], goal: &[bool], ticks: usize) -> Vec<bool> {
        let mut holds = vec![goal.to_vec(); ticks + 1];
        loop {
            let mut changed = false;
            for left in 0..=ticks {
                for (state, steps) in self.steps.iter().enumerate() {
                    let goes_on = |(done, next): &(Done, usize)| match is_tick(done) {
                        true => left > 0 && holds[left - 1][*next],
                        false => holds[left][*next],
                    };
                    if !holds[left][state] && on[state] && steps.iter().any(goes_on) {
                        holds[left][state] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                return holds.swap_remove(ticks);
            }
        }
    }

    /// Where every path reaches `goal` with at most so many ticks: where none keeps away from it so long.
    fn every_path(&self, goal: &[bool], ticks: usize) -> Vec<bool> {
        let mut away = vec![goal.iter().map(|goal| !goal).collect::<Vec<bool>>(); ticks + 1];
        loop {
            let mut changed = false;
            for left in 0..=ticks {
                for (state, steps) in self.steps.iter().enumerate() {
                    let keeps_away = |(done, next): &(Done, usize)| match is_tick(done) {
                        true => left == 0 || away[left - 1][*next],
                        false => away[left][*next],
                    };
                    // A state without steps stays as it is.
                    if away[left][state] && !steps.is_empty() && !steps.iter().any(keeps_away) {
                        away[left][state] = false;
                        changed = true;
                    }
                }
            }
            if !changed {
                return away[ticks].iter().map(|away| !away).collect();
            }
        }
    }
}

fn is_tick(done: &Done) -> bool {
    matches!(done, Done::Said(sent) if sent.by.is_none() && sent.name == "tick")
}

/// Conditions that a talk has in it, and patterns.
fn asked(talk: &Talk) -> (Vec<Term>, Vec<Pattern>) {
    let steps = talk.machines.iter().flat_map(|machine| &machine.steps);
    let binds = |label: &Label| {
        matches!(label, Label::Said(said)
            if said.arguments.iter().any(|argument| matches!(argument, Argument::Bind(_))))
    };
    let guards = steps.filter(|step| !binds(&step.label)).filter_map(|step| step.guard.clone());
    let parts = talk.parts.iter().filter_map(|part| part.when.clone());
    let fair = talk.fairness.iter().filter_map(|own| match own {
        Fairness::Weak(pattern) | Fairness::Strong(pattern) => Some(pattern.clone()),
        Fairness::State(_) => None,
    });
    let moments = talk.scenarios.iter().flat_map(|own| &own.moments).filter_map(|moment| match moment {
        Moment::Said(pattern) => Some(pattern.clone()),
        Moment::Anything | Moment::Step => None,
    });
    (guards.chain(parts).collect(), fair.chain(moments).collect())
}

/// What a role sees of a state.
fn seen(talk: &Talk, place: &Place, role: &str) -> Vec<String> {
    let sees = |owners: &[String]| {
        let among = |name: &String| {
            talk.groups.iter().any(|(own, members)| own == name && members.iter().any(|m| m == role))
        };
        owners.is_empty() || owners.iter().any(|owner| owner == role || among(owner))
    };
    let mut found = Vec::new();
    for (name, value) in &place.values {
        let base = name.split('[').next().unwrap_or(name);
        if talk.variables.iter().find(|own| own.name == base).is_none_or(|own| sees(&own.owners)) {
            found.push(format!("{name} = {value}"));
        }
    }
    for machine in talk.machines.iter().filter(|machine| sees(&machine.owners)) {
        found.push(format!("{} in {}", machine.name, place.at[&machine.name]));
    }
    found.extend(place.in_force.iter().map(|owed| format!("{owed:?}")));
    found
}

#[test]
fn formulas_hold_where_the_outline_says() {
    let compared = std::cell::Cell::new(0_u64);
    Trials::from_environment(800).run(&talks(), |talk| {
        let meaning = Meaning::new(talk);
        let Some(graph) = Graph::new(&meaning) else { return Ok(Tried::Skipped) };
        let mut protocol = protocol(talk)?;
        protocol.model.fairness.clear();
        protocol.model.step_fairness.clear();
        let limits = Limits::default();
        let Ok(mut explored) = Explored::new(&protocol.model, Options::default(), &limits) else {
            return Ok(Tried::Skipped);
        };
        let (conditions, patterns) = asked(talk);
        let mut expected: Vec<(String, Vec<bool>)> = Vec::new();
        let rests = talk.machines.iter().any(|machine| !machine.finals.is_empty());
        if rests {
            expected.push((
                "final".to_owned(),
                graph.places.iter().map(|place| meaning.is_final(place)).collect(),
            ));
        }
        for pattern in &patterns {
            let possible = |steps: &Vec<(Done, usize)>| {
                steps.iter().any(|(done, _)| matches!(done, Done::Said(sent) if pattern.means(sent)))
            };
            expected.push((format!("E does({pattern})"), graph.steps.iter().map(possible).collect()));
        }
        let truth = |term: &Term| -> Option<Vec<bool>> {
            graph.places.iter().map(|place| meaning.is_true(place, term).ok()).collect()
        };
        let truths: Vec<(String, Vec<bool>)> =
            conditions.iter().filter_map(|term| Some((term.to_string(), truth(term)?))).collect();
        for (number, (text, holds)) in truths.iter().enumerate() {
            expected.push((text.clone(), holds.clone()));
            let (other, kept) = &truths[(number + 1) % truths.len()];
            if !talk.clocks.is_empty() {
                let everywhere = vec![true; holds.len()];
                let ticks = number % 3;
                expected.push((format!("E F<={ticks} ({text})"), graph.some_path(&everywhere, holds, ticks)));
                expected.push((format!("AF<={ticks} ({text})"), graph.every_path(holds, ticks)));
                let until = graph.some_path(kept, holds, ticks);
                expected.push((format!("E (({other}) U<={ticks} ({text}))"), until));
            }
            if talk.parts.is_empty() && talk.commitments.iter().all(|own| !own.private) {
                let role = &talk.roles[number % talk.roles.len()];
                let mut known: BTreeMap<Vec<String>, bool> = BTreeMap::new();
                for (place, holds) in graph.places.iter().zip(holds) {
                    *known.entry(seen(talk, place, role)).or_insert(true) &= holds;
                }
                let knows = graph.places.iter().map(|place| known[&seen(talk, place, role)]).collect();
                expected.push((format!("K({role}, {text})"), knows));
            }
        }
        for (text, holds) in expected {
            let ground = protocol
                .formula(&text)
                .map_err(|errors| format!("{text}: {errors:?}\n{}", all_texts(talk)))?;
            let found =
                explored.satisfying(&ground, usize::MAX, &limits).map_err(|halt| format!("{halt:?}"))?;
            let mut found: Vec<String> =
                found.first.iter().map(|view| meaning.sorted(view).to_string()).collect();
            let places = graph.places.iter().zip(&holds).filter(|(_, holds)| **holds);
            let mut wanted: Vec<String> = places.map(|(place, _)| meaning.view(place).to_string()).collect();
            found.sort();
            wanted.sort();
            compared.set(compared.get() + 1);
            if found != wanted {
                return Err(format!("{text} holds in {found:#?}\nnot in {wanted:#?}\n{}", all_texts(talk)));
            }
        }
        Ok(Tried::Holds)
    });
    assert!(compared.get() > 2000, "only {} formulas were compared", compared.get());
}
