//! Fixpoints backwards in time: `E (a U b)` and `E G a`, the latter also with fairness.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::effort::Effort;
use crate::gates::Gates;
use crate::machine::Machine;
use crate::project::{before, cube_edge, satisfiable};

/// `E (a U b)` within `care`, which must be closed under steps. One least fixpoint in one pair of solvers: each new cube
/// is at once a place that the next cube may lead to.
pub(crate) fn until(
    graph: &mut Graph,
    machine: &Machine,
    a: Edge,
    b: Edge,
    care: Edge,
    effort: &Effort<'_>,
) -> Result<Edge, Halt> {
    if a == Edge::FALSE || b == Edge::FALSE || b == Edge::TRUE {
        return Ok(b);
    }
    let b_next = machine.at_next(graph, b);
    let mut find = Gates::new();
    for edge in [care, a, machine.valid, !b] {
        find.require(graph, edge);
    }
    // `open` stands for the targets that are not known yet.
    let mut open = find.fresh();
    let first = find.literal(graph, b_next);
    find.add(&[first, open]);
    let mut shrink = Gates::new();
    shrink.require(graph, care);
    let leads = shrink.fresh();
    let first = shrink.literal(graph, b_next);
    shrink.add(&[-first, leads]);
    let row = shrink.row(graph, &[!a, !machine.valid]);
    shrink.add(&[row[0], row[1], -leads]);
    let rows = |gates: &mut Gates, graph: &Graph| {
        let state = gates.row(graph, &machine.state);
        (state, gates.row(graph, &machine.choices), gates.row(graph, &machine.next))
    };
    let (find_state, find_choices, find_next) = rows(&mut find, graph);
    let (shrink_state, shrink_choices, shrink_next) = rows(&mut shrink, graph);
    let edges: Vec<(i32, Edge)> = shrink_state.iter().copied().zip(machine.state.iter().copied()).collect();
    let mut sets = vec![b];
    while find.solve(&[-open], effort)? {
        let signed = |own: &[i32], other: &[i32]| -> Vec<i32> {
            own.iter().zip(other).map(|(own, other)| if find.value(*own) { *other } else { -other }).collect()
        };
        let fixed = signed(&find_choices, &shrink_choices);
        let candidates = signed(&find_state, &shrink_state);
        let cube = shrink.minimal(&fixed, &candidates, effort)?;
        let places: Vec<(usize, bool)> = cube
            .iter()
            .map(|literal| {
                let at = shrink_state.iter().position(|own| own.abs() == literal.abs()).unwrap_or(0);
                (at, shrink_state[at] == *literal)
            })
            .collect();
        let signs = |row: &[i32]| -> Vec<i32> {
            places.iter().map(|(at, set)| if *set { row[*at] } else { -row[*at] }).collect()
        };
        find.add(&signs(&find_state).iter().map(|literal| -literal).collect::<Vec<i32>>());
        let (target, still_open) = (find.fresh(), find.fresh());
        for literal in signs(&find_next) {
            find.add(&[-target, literal]);
        }
        find.add(&[-open, target, still_open]);
        open = still_open;
        let mut reaches: Vec<i32> = signs(&shrink_next).iter().map(|literal| -literal).collect();
        reaches.push(leads);
        shrink.add(&reaches);
        sets.push(cube_edge(graph, &edges, &cube));
    }
    Ok(graph.any(&sets))
}

/// `E G a` within `care`, on paths that meet each constraint again and again.
pub(crate) fn globally(
    graph: &mut Graph,
    machine: &Machine,
    a: Edge,
    fair: &[Edge],
    care: Edge,
    effort: &Effort<'_>,
) -> Result<Edge, Halt> {
    let mut stays = a;
    loop {
        let mut again = stays;
        if fair.is_empty() {
            again = before(graph, machine, stays, stays, care, effort)?;
        }
        for constraint in fair {
            let met = graph.and(again, *constraint);
            let meets = until(graph, machine, again, met, care, effort)?;
            again = before(graph, machine, meets, again, care, effort)?;
        }
        let lost = graph.without(stays, again);
        let lost = graph.and(lost, care);
        if !satisfiable(graph, lost, effort)? {
            return Ok(stays);
        }
        stays = again;
    }
}
