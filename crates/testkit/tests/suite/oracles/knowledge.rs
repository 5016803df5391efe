//! Knowledge and correct behaviour (section 5), on reachable states.

use proptest::prelude::*;
use servanda_engine::Options;
use servanda_model::Model;
use servanda_testkit::random::{Outline, conditions, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::oracles::support::{CONTENTS, MOST_STATES, agrees, condition, observes, seen_in_force, truth};

/// Can the role not tell one state from the other?
pub(crate) fn looks_alike(model: &Model, walks: &Walks<'_>, role: usize, one: usize, other: usize) -> bool {
    let (one, other) = (walks.state(one), walks.state(other));
    let variables = one.variables.iter().zip(&other.variables);
    variables
        .filter(|((name, _), _)| observes(model, role, name))
        .all(|((_, value), (_, same))| value == same)
        && one.locations == other.locations
        && seen_in_force(model, role, &one.in_force) == seen_in_force(model, role, &other.in_force)
}

#[test]
fn knowledge_is_truth_in_all_states_that_look_alike() {
    let outlines = protocols(CONTENTS).prop_map(Outline::without_fairness);
    Trials::from_environment(600).run(&(outlines, conditions()), |(outline, p)| {
        let text = outline.text();
        let protocol = load(&text);
        let model = &protocol.model;
        let Some(walks) = Walks::new(model, MOST_STATES) else { return Ok(Tried::Skipped) };
        let (written, p) = condition(outline, &protocol, &walks, p);
        let names = servanda_testkit::random::Names::new(outline);
        let states = 0..walks.len();
        let all = |related: &dyn Fn(usize, usize) -> bool| -> Vec<bool> {
            states.clone().map(|s| states.clone().all(|t| !related(s, t) || p[t])).collect()
        };
        let alike = |role: usize, s: usize, t: usize| looks_alike(model, &walks, role, s, t);
        let (i, j) = (&names.roles[0], &names.roles[1]);
        let some = |s: usize, t: usize| alike(0, s, t) || alike(1, s, t);
        // One or more steps: some state always looks like itself, so zero steps add nothing.
        let mut linked: Vec<Vec<bool>> =
            states.clone().map(|s| states.clone().map(|t| some(s, t)).collect()).collect();
        for middle in states.clone() {
            for s in states.clone() {
                for t in states.clone() {
                    linked[s][t] |= linked[s][middle] && linked[middle][t];
                }
            }
        }
        let red = |role: usize| truth(&walks, &protocol.formula(&names.red[role]).expect("a condition"));
        let (red_i, red_j) = (red(0), red(1));
        // How implausible a state is.
        let rank = |s: usize| u8::from(red_i[s] || red_j[s]);
        let expected = [
            (format!("K({i}, {written})"), all(&|s, t| alike(0, s, t))),
            (format!("GK({{{i}, {j}}}, {written})"), all(&some)),
            (format!("DK({{{i}, {j}}}, {written})"), all(&|s, t| alike(0, s, t) && alike(1, s, t))),
            (format!("GCK({{{i}, {j}}}, {written})"), all(&|s, t| linked[s][t])),
            (format!("O({i}, {written})"), all(&|_, t| !red_i[t])),
            (format!("KH({i}, {j}, {written})"), all(&|s, t| alike(0, s, t) && !red_j[t])),
            (
                format!("KH({j}, {{{i}, {j}}}, {written})"),
                all(&|s, t| alike(1, s, t) && !red_i[t] && !red_j[t]),
            ),
            (
                format!("B({j}, {{{i}, {j}}}, {written})"),
                all(&|s, t| {
                    alike(1, s, t)
                        && rank(t) == states.clone().filter(|u| alike(1, s, *u)).map(rank).min().unwrap_or(0)
                }),
            ),
        ];
        agrees(&protocol, &walks, Options::default(), Limits::default(), &expected)
            .map_err(|reason| format!("{reason}\n{text}"))
    });
}
