//! Quantification: all that some inputs can be while the others are chosen freely.
//!
//! This is the `forall` of the UMC paper (unbounded model checking with SAT), seen from the other side: assignments are
//! found one at a time, each is enlarged to a cube that a core shows to be good as a whole, and the cube is blocked.

use rustc_hash::FxHashSet;
use servanda_circuit::{Edge, Graph, Node};
use servanda_engine::Halt;

use crate::cube;
use crate::effort::Effort;
use crate::gates::Gates;
use crate::machine::Machine;

/// Where, of `care`, `set` holds for some values of the inputs that are not kept. Outside of `care`, which must refer to kept
/// inputs only, the result is arbitrary.
pub(crate) fn some(
    graph: &mut Graph,
    set: Edge,
    keep: &[Edge],
    care: Edge,
    effort: &Effort<'_>,
) -> Result<Edge, Halt> {
    if set == Edge::FALSE {
        return Ok(Edge::FALSE);
    }
    let inputs: Vec<Edge> = graph
        .cone(&[set])
        .into_iter()
        .filter(|node| graph.node(*node) == Node::Input)
        .map(Edge::to_node)
        .collect();
    let kept: FxHashSet<usize> = keep.iter().map(|edge| edge.node()).collect();
    let (keep, drop): (Vec<Edge>, Vec<Edge>) =
        inputs.into_iter().partition(|edge| kept.contains(&edge.node()));
    if drop.is_empty() {
        return Ok(set);
    }
    let mut find = Gates::new(effort.budget());
    find.require(graph, care);
    find.require(graph, set);
    let (find_keep, find_drop) = (find.row(graph, &keep), find.row(graph, &drop));
    let mut shrink = Gates::new(effort.budget());
    shrink.require(graph, care);
    shrink.require(graph, !set);
    let (shrink_keep, shrink_drop) = (shrink.row(graph, &keep), shrink.row(graph, &drop));
    let mut cubes = Vec::new();
    while find.solve(&[], effort)? {
        let fixed = find.carried(&find_drop, &shrink_drop);
        let candidates = find.carried(&find_keep, &shrink_keep);
        let cube = cube::of_literals(&shrink_keep, &shrink.minimal(&fixed, &candidates, effort)?);
        find.add(&cube::clause(&find_keep, &cube));
        cubes.push(cube::edge(graph, &keep, &cube));
    }
    Ok(graph.any(&cubes))
}

/// `EX`: the states of `care` with a step into a set.
pub(crate) fn before(
    graph: &mut Graph,
    machine: &Machine,
    set: Edge,
    within: Edge,
    care: Edge,
    effort: &Effort<'_>,
) -> Result<Edge, Halt> {
    let next = machine.at_next(graph, set);
    let steps = graph.and(machine.valid, next);
    let steps = graph.and(steps, within);
    some(graph, steps, &machine.state, care, effort)
}

/// Is there an assignment that makes the edge true?
pub(crate) fn satisfiable(graph: &Graph, edge: Edge, effort: &Effort<'_>) -> Result<bool, Halt> {
    match edge {
        Edge::FALSE => Ok(false),
        Edge::TRUE => Ok(true),
        _ => {
            let mut gates = Gates::new(effort.budget());
            gates.require(graph, edge);
            gates.solve(&[], effort)
        }
    }
}
