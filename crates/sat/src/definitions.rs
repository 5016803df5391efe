//! The gates of a circuit as definitions in clauses, over as few variables as pay.
//!
//! A gate between others is replaced by its definition wherever it is used, if that takes no more clauses: what is left are wide
//! conjunctions, choices and the like. See Eén and Biere, "Effective preprocessing in SAT through variable and clause elimination".
//! Every clause mentions the gate that it helps to define, so that gates stay functions of what they are defined by.

use servanda_circuit::{Edge, Graph, Node};
use servanda_engine::Halt;

use crate::effort::Effort;

/// After so many gates the budget is asked whether to go on.
const STEPS: usize = 4096;

/// A gate that more others use stays.
const MOST_USERS: usize = 12;

/// No longer clauses are made.
const LONGEST: usize = 24;

/// So often all gates are looked at.
const ROUNDS: usize = 4;

/// Places in a list of nodes, doubled, and one more where they are negated; in increasing order.
type Clause = Vec<u32>;

/// What some edges depend on.
pub(crate) struct Definitions {
    /// By place: the node; inputs stand before what they are used by.
    nodes: Vec<usize>,
    /// By place: clauses that define the node. None of those that have been replaced, of inputs, and of the constant.
    clauses: Vec<Vec<Clause>>,
    replaced: Vec<bool>,
}

/// A node that stays.
pub(crate) struct Definition<'a> {
    pub(crate) place: usize,
    pub(crate) node: usize,
    /// None, if it is an input.
    pub(crate) clauses: &'a [Clause],
}

impl Definitions {
    /// Of everything that these edges depend on; their own nodes stay.
    pub(crate) fn new(graph: &Graph, roots: &[Edge], effort: &Effort<'_>) -> Result<Self, Halt> {
        let nodes = graph.cone(roots);
        let place = |node: usize| nodes.binary_search(&node).unwrap_or_default();
        let literal = |edge: Edge| (place(edge.node()) as u32) << 1 | u32::from(edge.is_negated());
        let mut clauses: Vec<Vec<Clause>> = Vec::with_capacity(nodes.len());
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let Node::And(a, b) = graph.node(*node) else {
                clauses.push(Vec::new());
                continue;
            };
            let (gate, a, b) = ((at as u32) << 1, literal(a), literal(b));
            clauses
                .push([vec![gate ^ 1, a], vec![gate ^ 1, b], vec![gate, a ^ 1, b ^ 1]].map(sorted).to_vec());
            for input in [a, b] {
                users[(input >> 1) as usize].push(at);
            }
        }
        let mut stays = vec![false; nodes.len()];
        for root in roots {
            stays[place(root.node())] = true;
        }
        let replaced = vec![false; nodes.len()];
        let mut definitions = Definitions { nodes, clauses, replaced };
        for _ in 0..ROUNDS {
            if !definitions.replace(&stays, &mut users, effort)? {
                break;
            }
        }
        Ok(definitions)
    }

    /// Replaces gates by their definitions where that pays; `false` if it paid nowhere.
    fn replace(
        &mut self,
        stays: &[bool],
        users: &mut [Vec<usize>],
        effort: &Effort<'_>,
    ) -> Result<bool, Halt> {
        let mut some = false;
        for at in 0..self.nodes.len() {
            if at.is_multiple_of(STEPS) {
                effort.poll()?;
            }
            let own = &self.clauses[at];
            if stays[at] || own.is_empty() || users[at].len() > MOST_USERS {
                continue;
            }
            let before: usize = users[at].iter().map(|user| self.clauses[*user].len()).sum();
            let new: Vec<Vec<Clause>> =
                users[at].iter().map(|user| substituted(&self.clauses[*user], at as u32, own)).collect();
            let after: usize = new.iter().map(Vec::len).sum();
            if after > before + own.len() || new.iter().flatten().any(|clause| clause.len() > LONGEST) {
                continue;
            }
            some = true;
            let by = std::mem::take(&mut users[at]);
            for (user, clauses) in by.iter().zip(new) {
                self.clauses[*user] = clauses;
            }
            for literal in std::mem::take(&mut self.clauses[at]).into_iter().flatten() {
                let input = &mut users[(literal >> 1) as usize];
                input.retain(|user| *user != at);
                input.extend(&by);
                input.sort_unstable();
                input.dedup();
            }
            users[at].clear();
            self.replaced[at] = true;
        }
        Ok(some)
    }

    /// The nodes that stay, inputs before what they are used by.
    pub(crate) fn kept(&self) -> impl Iterator<Item = Definition<'_>> {
        let all = self.nodes.iter().zip(&self.clauses).enumerate();
        all.filter(|(place, _)| !self.replaced[*place]).map(|(place, (node, clauses))| Definition {
            place,
            node: *node,
            clauses,
        })
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }
}

fn sorted(mut clause: Clause) -> Clause {
    clause.sort_unstable();
    clause.dedup();
    clause
}

/// Clauses with a gate replaced by its definition, without those that say no more than others.
fn substituted(clauses: &[Clause], gate: u32, definition: &[Clause]) -> Vec<Clause> {
    let mut all: Vec<Clause> = Vec::new();
    for clause in clauses {
        let Some(&pivot) = clause.iter().find(|literal| **literal >> 1 == gate) else {
            all.push(clause.clone());
            continue;
        };
        let others = definition.iter().filter(|other| other.contains(&(pivot ^ 1)));
        all.extend(others.filter_map(|other| resolvent(clause, other, pivot)));
    }
    all.sort_by_key(Vec::len);
    let mut kept: Vec<Clause> = Vec::new();
    for clause in all {
        let says = |smaller: &Clause| smaller.iter().all(|literal| clause.binary_search(literal).is_ok());
        if !kept.iter().any(says) {
            kept.push(clause);
        }
    }
    kept
}

/// What two clauses say together without a literal that is in one and negated in the other; `None` where that is nothing.
fn resolvent(one: &Clause, other: &Clause, pivot: u32) -> Option<Clause> {
    let rest = one.iter().chain(other).copied().filter(|literal| literal >> 1 != pivot >> 1);
    let clause = sorted(rest.collect());
    // A literal and its negation stand next to each other.
    clause.windows(2).all(|pair| pair[0] ^ 1 != pair[1]).then_some(clause)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use rustc_hash::FxHashMap;
    use servanda_engine::NoLimits;

    use super::*;
    use crate::cdcl::Cdcl;
    use crate::gates::Wired;
    use crate::solver::Solver as _;

    #[test]
    fn circuits_are_worth_what_they_were_with_fewer_variables() {
        let mut dice = 1_u64;
        let mut roll = |sides: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (dice >> 33) as usize % sides
        };
        let (mut before, mut after) = (0, 0);
        for case in 0..40 {
            let mut graph = Graph::new();
            let inputs: Vec<Edge> = (0..6).map(|_| graph.input()).collect();
            let mut edges = inputs.clone();
            for _ in 0..40 {
                let (a, b, c) =
                    (edges[roll(edges.len())], edges[roll(edges.len())], edges[roll(edges.len())]);
                edges.push(match roll(4) {
                    0 => graph.choose(a, b, c),
                    1 => graph.or(a, !b),
                    2 => graph.same(a, b),
                    _ => graph.and(a, b),
                });
            }
            let roots = &edges[edges.len() - 6..];
            let calls = Cell::new(0);
            let definitions =
                Definitions::new(&graph, roots, &Effort::new(&NoLimits, &calls)).expect("no limits");
            before += definitions.len();
            after += definitions.kept().count();
            let mut gates = Wired::over(Cdcl::default());
            gates.define(&definitions);
            let row = gates.row(&graph, roots);
            let own = gates.row(&graph, &inputs);
            gates.solver().part_of_all(&own);
            gates.solver().part_of_all(&row);
            for code in 0..1_u32 << inputs.len() {
                let values: FxHashMap<usize, bool> = inputs
                    .iter()
                    .enumerate()
                    .map(|(at, input)| (input.node(), code >> at & 1 == 1))
                    .collect();
                let fixed: Vec<i32> = own
                    .iter()
                    .enumerate()
                    .map(|(at, bit)| if code >> at & 1 == 1 { *bit } else { -bit })
                    .collect();
                assert_eq!(gates.solver().solve(&fixed, u32::MAX), Some(true), "case {case}");
                let worth: Vec<bool> = row.iter().map(|bit| gates.value(*bit)).collect();
                assert_eq!(worth, graph.values(roots, &values), "case {case}");
            }
        }
        assert!(after * 2 < before, "{before} nodes, {after} variables");
    }
}
