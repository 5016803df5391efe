//! Fairness (section 8): which paths count, found by trying for each set of strong constraints whether a loop can do without their steps.

use proptest::collection::vec;
use proptest::prelude::*;
use servanda_engine::{Deadlock, Options, Validity, Verdict};
use servanda_enumerate::Explored;
use servanda_lower::{CoreFormula, StateFormula};
use servanda_model::{Label, Strength};
use servanda_pact::Protocol;
use servanda_testkit::random::{Outline, conditions, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::oracles::support::{CONTENTS, MOST_STATES, agrees, condition};

const MESSAGES: [&str; 3] = ["ask", "tell", "nod"];

/// A graph with constraints.
struct Fair {
    /// From where to where, and which of the constraints of steps are met by it.
    edges: Vec<(usize, usize, Vec<bool>)>,
    /// By constraint, the states where it must hold again and again.
    often: Vec<Vec<bool>>,
    /// The constraints of steps with the states where such a step is possible.
    steps: Vec<(Strength, Vec<bool>)>,
}

impl Fair {
    fn new(protocol: &Protocol, walks: &Walks<'_>, steps: &[(Strength, &str)], strict: bool) -> Self {
        let mut edges = Vec::new();
        for state in 0..walks.len() {
            for (command, target) in walks.steps(state) {
                let label = protocol.model.label(protocol.model.command(*command).label);
                let is = |name: &str| matches!(label, Label::Message(message) if message.name == name);
                edges.push((state, *target, steps.iter().map(|(_, name)| is(name)).collect()));
            }
            if walks.steps(state).is_empty() && !strict {
                edges.push((state, state, vec![false; steps.len()]));
            }
        }
        let possible = |number: usize| -> Vec<bool> {
            (0..walks.len())
                .map(|state| edges.iter().any(|(from, _, met)| *from == state && met[number]))
                .collect()
        };
        let steps =
            steps.iter().enumerate().map(|(number, (strength, _))| (*strength, possible(number))).collect();
        Fair { edges, often: Vec::new(), steps }
    }

    /// For each two states whether one or more edges inside a set lead from one to the other.
    fn reach(&self, inside: &[bool]) -> Vec<Vec<bool>> {
        let mut reach = vec![vec![false; inside.len()]; inside.len()];
        for (from, to, _) in self.edges.iter().filter(|(from, to, _)| inside[*from] && inside[*to]) {
            reach[*from][*to] = true;
        }
        for between in 0..inside.len() {
            for from in (0..inside.len()).filter(|from| reach[*from][between]).collect::<Vec<_>>() {
                let onwards = reach[between].clone();
                reach[from].iter_mut().zip(onwards).for_each(|(known, more)| *known |= more);
            }
        }
        reach
    }

    /// The states from which some path that counts stays in a set.
    fn globally(&self, inside: &[bool]) -> Vec<bool> {
        let states = 0..inside.len();
        let mut on_loop = vec![false; inside.len()];
        for given_up in 0..1_usize << self.steps.len() {
            let is_given_up = |number: usize| given_up >> number & 1 == 1;
            if (0..self.steps.len()).any(|k| is_given_up(k) && self.steps[k].0 == Strength::Weak) {
                continue;
            }
            let allowed = |state: usize| {
                inside[state] && (0..self.steps.len()).all(|k| !(is_given_up(k) && self.steps[k].1[state]))
            };
            let reach = self.reach(&states.clone().map(allowed).collect::<Vec<bool>>());
            for state in states.clone().filter(|state| reach[*state][*state]) {
                let with = |other: usize| reach[state][other] && reach[other][state];
                let often =
                    self.often.iter().all(|holds| states.clone().any(|other| with(other) && holds[other]));
                let met = |k: usize| {
                    let inside = self.edges.iter().filter(|(from, to, _)| with(*from) && with(*to));
                    let (strength, possible) = &self.steps[k];
                    inside
                        .into_iter()
                        .any(|(from, _, met)| met[k] || (*strength == Strength::Weak && !possible[*from]))
                };
                on_loop[state] |= often && (0..self.steps.len()).all(|k| is_given_up(k) || met(k));
            }
        }
        self.until(inside, &on_loop)
    }

    /// The states from which some path through one set leads into another.
    fn until(&self, through: &[bool], into: &[bool]) -> Vec<bool> {
        let mut found = into.to_vec();
        for _ in 0..found.len() {
            for (from, to, _) in &self.edges {
                found[*from] |= through[*from] && found[*to];
            }
        }
        found
    }
}

#[test]
fn paths_that_count_do_what_fairness_demands() {
    let outlines = protocols(CONTENTS).prop_map(Outline::without_fairness);
    let strength = prop_oneof![Just(Strength::Weak), Just(Strength::Strong)];
    let constraints = (vec((strength, 0..MESSAGES.len()), 1..=3), vec(conditions(), 0..=1));
    let inputs = (outlines, conditions(), constraints, any::<bool>());
    Trials::from_environment(800).run(&inputs, |(outline, p, (steps, often), strict)| {
        let plain = outline.text();
        let sent = |name: &str| plain.contains(&format!(": {name}")) || plain.contains(&format!("-- {name}"));
        let named = steps.iter().map(|(strength, name)| (*strength, MESSAGES[*name]));
        let steps: Vec<(Strength, &str)> = named.filter(|(_, name)| sent(name)).collect();
        let mut text = plain.clone();
        for (strength, name) in &steps {
            text.push_str(&format!("fair {} does({name})\n", strength.word()));
        }
        let names = servanda_testkit::random::Names::new(outline);
        for constraint in often {
            text.push_str(&format!("fair ({})\n", names.formula(constraint)));
        }
        // A message without a partner is no step, and no name.
        let loaded =
            servanda_pact::load(&servanda_syntax::SourceFile::new("random.pact", text.as_str()), &[]);
        if steps.is_empty() || loaded.protocol.is_none() {
            return Ok(Tried::Skipped);
        }
        let protocol = load(&text);
        let Some(walks) = Walks::new(&protocol.model, MOST_STATES) else { return Ok(Tried::Skipped) };
        let mut graph = Fair::new(&protocol, &walks, &steps, *strict);
        graph.often = often.iter().map(|often| condition(outline, &protocol, &walks, often).1).collect();
        let (written, p) = condition(outline, &protocol, &walks, p);
        let everywhere = vec![true; walks.len()];
        let fair = graph.globally(&everywhere);
        let fair_p: Vec<bool> = p.iter().zip(&fair).map(|(p, fair)| *p && *fair).collect();
        let next: Vec<bool> = (0..walks.len())
            .map(|state| graph.edges.iter().any(|(from, to, _)| *from == state && fair_p[*to]))
            .collect();
        let expected = [
            (format!("E G {written}"), graph.globally(&p)),
            (format!("E F {written}"), graph.until(&everywhere, &fair_p)),
            (format!("E X {written}"), next),
            (format!("E G F {written}"), {
                let mut more =
                    Fair { often: graph.often.clone(), ..Fair::new(&protocol, &walks, &steps, *strict) };
                more.often.push(p.clone());
                more.globally(&everywhere)
            }),
        ];
        let deadlock = if *strict { Deadlock::Strict } else { Deadlock::Loop };
        let options = Options { deadlock, ..Options::default() };
        counts(&protocol, &walks, options, &fair).map_err(|reason| format!("{reason}\n{text}"))?;
        agrees(&protocol, &walks, options, Limits::default(), &expected)
            .map_err(|reason| format!("{reason}\n{text}"))
    });
}

/// The engine must say that exactly these reachable states are on runs that count.
fn counts(protocol: &Protocol, walks: &Walks<'_>, options: Options, fair: &[bool]) -> Result<(), String> {
    let options = Options { validity: Validity::Reachable, ..options };
    let mut explored = Explored::new(&protocol.model, options, &Limits::default()).expect("a small model");
    for (state, is_fair) in fair.iter().enumerate().take(walks.reachable()) {
        let lowering = explored.lowering_mut();
        let here = lowering.arena.proposition(walks.only_in(state));
        let absurd = lowering.arena.implies(here, StateFormula::FALSE);
        match explored.decide_core(absurd, &Limits::default()) {
            Ok(Verdict::True) if *is_fair => {
                return Err(format!("a run that counts comes to {}", walks.state(state)));
            }
            Ok(Verdict::False) if !*is_fair => {
                return Err(format!("no run that counts comes to {}", walks.state(state)));
            }
            _ => {}
        }
    }
    Ok(())
}
