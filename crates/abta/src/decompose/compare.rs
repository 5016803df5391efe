//! Isomorphism of decompositions from the start state.

use std::collections::VecDeque;

use super::rules::same_set;
use super::{Decomposition, Rule, show_state};

/// Walks both systems from their start states at once and describes the first place where they differ; `None` when
/// they are isomorphic. States correspond when they are the same set of formulas, and since a rule leads to
/// different sets by different edges, the edges of corresponding states can be paired without search.
pub fn first_difference(made: &Decomposition, claimed: &Decomposition) -> Option<String> {
    let Some(claimed_start) = claimed.states.first() else {
        return Some("the claimed decomposition has no state".to_owned());
    };
    if !same_set(&made.states[0], claimed_start) {
        return Some(format!(
            "the start state should be `{}`, not `{}`",
            show_state(&made.states[0]),
            show_state(claimed_start)
        ));
    }
    let mut partner: Vec<Option<usize>> = vec![None; made.states.len()];
    let mut taken: Vec<bool> = vec![false; claimed.states.len()];
    partner[0] = Some(0);
    taken[0] = true;
    let mut queue = VecDeque::from([(0, 0)]);
    while let Some((ours, theirs)) = queue.pop_front() {
        let here = show_state(&made.states[ours]);
        let mut unmatched: Vec<(&Rule, usize)> =
            claimed.edges.iter().filter(|e| e.from == theirs).map(|e| (&e.rule, e.to)).collect();
        for edge in made.edges.iter().filter(|e| e.from == ours) {
            let target = &made.states[edge.to];
            let fits =
                |(rule, to): &(&Rule, usize)| **rule == edge.rule && same_set(&claimed.states[*to], target);
            let Some(position) = unmatched.iter().position(fits) else {
                let instead = unmatched.first().map_or_else(String::new, |(rule, to)| {
                    format!("; the claim has --[{rule}]--> `{}`", show_state(&claimed.states[*to]))
                });
                return Some(format!(
                    "from `{here}` there should be --[{}]--> `{}`{instead}",
                    edge.rule,
                    show_state(target)
                ));
            };
            let (_, to) = unmatched.remove(position);
            match partner[edge.to] {
                None if !taken[to] => {
                    partner[edge.to] = Some(to);
                    taken[to] = true;
                    queue.push_back((edge.to, to));
                }
                Some(known) if known == to => {}
                _ => return Some(format!("the state `{}` is claimed twice", show_state(target))),
            }
        }
        if let Some((rule, to)) = unmatched.first() {
            return Some(format!(
                "from `{here}` no rule gives --[{rule}]--> `{}`",
                show_state(&claimed.states[*to])
            ));
        }
    }
    let spare = taken.iter().position(|taken| !taken)?;
    Some(format!("the claimed state `{}` is not reached from the start", show_state(&claimed.states[spare])))
}
