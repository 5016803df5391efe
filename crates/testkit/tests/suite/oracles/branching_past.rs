//! Branching past (section 6), with reachable and with all type-correct predecessors.

use proptest::prelude::*;
use servanda_engine::{Deadlock, Options, Past};
use servanda_testkit::random::{Outline, conditions, protocols};
use servanda_testkit::{Limits, Trials, Tried, Walks, load};

use crate::oracles::support::{CONTENTS, MOST_STATES, agrees, condition};

#[test]
fn branching_past_looks_at_predecessors() {
    let outlines = protocols(CONTENTS).prop_map(Outline::without_fairness);
    let readings = (any::<bool>(), any::<bool>());
    Trials::from_environment(600).run(&(outlines, conditions(), readings), |(outline, p, (all, strict))| {
        let text = outline.text();
        let protocol = load(&text);
        let walks = match all {
            false => Walks::new(&protocol.model, MOST_STATES),
            true => Walks::of_all_states(&protocol.model, 600),
        };
        let Some(walks) = walks.filter(|walks| walks.reachable() <= MOST_STATES) else {
            return Ok(Tried::Skipped);
        };
        let (written, p) = condition(outline, &protocol, &walks, p);
        let mut previous: Vec<Vec<usize>> = vec![Vec::new(); walks.len()];
        for state in 0..walks.len() {
            let steps = walks.steps(state);
            if steps.is_empty() && !strict {
                previous[state].push(state);
            }
            for (_, target) in steps {
                previous[*target].push(state);
            }
        }
        // All states from which each one can be reached, itself included.
        let before: Vec<Vec<bool>> = (0..walks.len())
            .map(|state| {
                let (mut seen, mut todo) = (vec![false; walks.len()], vec![state]);
                while let Some(state) = todo.pop() {
                    if !std::mem::replace(&mut seen[state], true) {
                        todo.extend(&previous[state]);
                    }
                }
                seen
            })
            .collect();
        let states = 0..walks.len();
        let some_previous = |wanted: bool| -> Vec<bool> {
            states.clone().map(|s| previous[s].iter().any(|t| p[*t] == wanted)).collect()
        };
        let some_before = |wanted: bool| -> Vec<bool> {
            states.clone().map(|s| states.clone().any(|t| before[s][t] && p[t] == wanted)).collect()
        };
        let none = |set: Vec<bool>| set.into_iter().map(|value| !value).collect::<Vec<bool>>();
        let expected = [
            (format!("EY {written}"), some_previous(true)),
            (format!("AY {written}"), none(some_previous(false))),
            (format!("EP {written}"), some_before(true)),
            (format!("AH {written}"), none(some_before(false))),
        ];
        let options = Options {
            past: if *all { Past::All } else { Past::Reachable },
            deadlock: if *strict { Deadlock::Strict } else { Deadlock::Loop },
            ..Options::default()
        };
        agrees(&protocol, &walks, options, Limits::default(), &expected)
            .map_err(|reason| format!("{reason}\n{text}"))
    });
}
