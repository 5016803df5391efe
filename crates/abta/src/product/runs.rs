//! Is there a successful run? Definition 5 of the ACTL* paper, Definition 6 of the CTL*CA paper.
//!
//! A run chooses one successor of a positive `∨`, of a negative `∧` and of an act, and keeps all successors of any other node. It is successful if
//! all its leaves are, if its positive infinite paths meet every acceptance set again and again, and if its negative ones leave
//! some acceptance set behind for good. Signs change at `¬` only, and no cycle goes through one, so the product is solved one strongly connected
//! component at a time, with what lies below it known.

use servanda_engine::{Budget, Halt, Progress, Throttle};
use servanda_graph::{Components, components};

use super::build::Graph;
use super::search::is_leaf_successful;
use super::{Node, Sign};
use crate::automaton::{Abta, StateKind};

/// Is there a successful run from every first node?
pub(super) fn has_successful_run(abta: &Abta, graph: &Graph, budget: &dyn Budget) -> Result<bool, Halt> {
    let nodes = &graph.nodes;
    let successor = |node: usize, at: usize| nodes[node].successors.get(at).map(|next| *next as usize);
    let Components { of, order } = components(nodes.len(), successor);
    let sets: Vec<Vec<bool>> = (abta.acceptance.iter())
        .map(|set| abta.iter().map(|(id, _)| set.states.contains(&id)).collect())
        .collect();
    let mut throttle = Throttle::default();
    let mut succeeds = vec![false; nodes.len()];
    for part in order.chunk_by(|a, b| of[*a] == of[*b]) {
        // Whoever wants to meet all sets again and again: the run if the part is positive, what refutes it if it is negative.
        let run = nodes[part[0]].sign != Sign::Negative;
        for node in part {
            succeeds[*node] = run;
        }
        let chooses = |node: &Node| is_choice(abta, node) == run;
        loop {
            let mut kept = vec![true; part.len()];
            let met: Vec<Option<&Vec<bool>>> =
                if sets.is_empty() { vec![None] } else { sets.iter().map(Some).collect() };
            for set in met {
                let reached = reach(part, &succeeds, run, nodes, chooses, set, |node| {
                    throttle.go_on(budget, Progress::Deciding { nodes: nodes.len() as u64 })?;
                    Ok(is_leaf_successful(abta, graph, node))
                })?;
                kept.iter_mut().zip(&reached).for_each(|(kept, reached)| *kept &= *reached);
            }
            let mut changed = false;
            for (node, kept) in part.iter().zip(kept) {
                changed |= !kept && std::mem::replace(&mut succeeds[*node], !run) == run;
            }
            if !changed {
                break;
            }
        }
    }
    Ok(graph.roots.iter().all(|root| succeeds[*root as usize]))
}

/// Does a run choose among the successors of the node?
fn is_choice(abta: &Abta, node: &Node) -> bool {
    matches!(
        (&abta.state(node.row).kind, node.sign),
        (StateKind::Or, Sign::Positive | Sign::Neutral)
            | (StateKind::And, Sign::Negative)
            | (StateKind::Action { .. }, _)
    )
}

/// Which nodes of a part can be led to a node of the set and from there into what is left of the part, or out of it to a node that is won;
/// won is what has the value `run`. Without a set one step is looked at.
fn reach(
    part: &[usize],
    succeeds: &[bool],
    run: bool,
    nodes: &[Node],
    chooses: impl Fn(&Node) -> bool,
    set: Option<&Vec<bool>>,
    mut leaf: impl FnMut(&Node) -> Result<bool, Halt>,
) -> Result<Vec<bool>, Halt> {
    let mut reached = vec![false; part.len()];
    let position: std::collections::HashMap<usize, usize> =
        part.iter().enumerate().map(|(at, node)| (*node, at)).collect();
    loop {
        let mut grown = false;
        for (at, number) in part.iter().enumerate().filter(|(at, _)| !reached[*at]).collect::<Vec<_>>() {
            let node = &nodes[*number];
            let value = leaf(node)? == run;
            let is_met = set.is_none_or(|set| set[node.row.index()]);
            let won = |next: &u32| {
                let next = *next as usize;
                match position.get(&next) {
                    Some(inner) => succeeds[next] == run && (is_met || reached[*inner]),
                    None => succeeds[next] == run,
                }
            };
            let holds = match node.successors.as_slice() {
                [] => value,
                next if chooses(node) => next.iter().any(won),
                next => next.iter().all(won),
            };
            if holds {
                reached[at] = true;
                grown = true;
            }
        }
        if !grown {
            return Ok(reached);
        }
    }
}
