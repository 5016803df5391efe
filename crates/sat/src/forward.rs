//! Fixpoints forwards in time: the successors of a set, and all that can be reached from it.
//!
//! A step is found, then enlarged: the bits that it leaves as they are may be anything, as long as they stay so and the step
//! remains possible. A core says which bits of the state reached the argument needs.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::effort::Effort;
use crate::gates::Gates;
use crate::machine::Machine;
use crate::project::cube_edge;

/// How far to go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One step, the set itself left out.
    Step,
    /// Any number of steps, none included.
    Closure,
}

/// The states reached from a set; `None` when it takes more cubes than this.
pub(crate) fn after(
    graph: &mut Graph,
    machine: &Machine,
    from: Edge,
    reach: Reach,
    most_cubes: usize,
    effort: &Effort<'_>,
) -> Result<Option<Edge>, Halt> {
    if from == Edge::FALSE {
        return Ok(Some(Edge::FALSE));
    }
    let targets: Vec<Edge> = machine.state.iter().map(|_| graph.input()).collect();
    let same: Vec<Edge> =
        machine.next.iter().zip(&targets).map(|(next, target)| graph.same(*next, *target)).collect();
    let arrives = graph.all(&same);
    let mut find = Gates::new();
    find.require(graph, machine.valid);
    let mut open = find.fresh();
    let source = find.literal(graph, from);
    find.add(&[source, open]);
    if reach == Reach::Closure {
        let known = machine.at_next(graph, from);
        find.require(graph, !known);
    }
    let find_state = find.row(graph, &machine.state);
    let find_choices = find.row(graph, &machine.choices);
    let find_next = find.row(graph, &machine.next);
    let stay: Vec<i32> = find_state
        .iter()
        .zip(&find_next)
        .map(|(now, next)| {
            let stays = find.fresh();
            find.add(&[-stays, -now, *next]);
            find.add(&[-stays, *now, -next]);
            stays
        })
        .collect();
    let mut shrink = Gates::new();
    let departs = shrink.fresh();
    let source = shrink.literal(graph, from);
    shrink.add(&[-source, departs]);
    let row = shrink.row(graph, &[!machine.valid, !arrives]);
    shrink.add(&[row[0], row[1], -departs]);
    let shrink_state = shrink.row(graph, &machine.state);
    let shrink_choices = shrink.row(graph, &machine.choices);
    let shrink_target = shrink.row(graph, &targets);
    let equal: Vec<i32> = shrink_state
        .iter()
        .zip(&shrink_target)
        .map(|(now, target)| {
            let equal = shrink.fresh();
            shrink.add(&[-equal, -now, *target]);
            shrink.add(&[-equal, *now, -target]);
            equal
        })
        .collect();
    let edges: Vec<(i32, Edge)> = shrink_target.iter().copied().zip(machine.state.iter().copied()).collect();
    let mut sets = if reach == Reach::Closure { vec![from] } else { Vec::new() };
    let mut cubes = 0;
    while find.solve(&[-open], effort)? {
        cubes += 1;
        if cubes > most_cubes {
            return Ok(None);
        }
        // The same state may be reached by a step that changes less.
        let arrived = find.assigned(&find_next);
        let mut assumptions: Vec<i32> = std::iter::once(-open).chain(arrived.iter().copied()).collect();
        let mut unchanged: Vec<bool> =
            find_state.iter().zip(&find_next).map(|(a, b)| find.value(*a) == find.value(*b)).collect();
        assumptions.extend(stay.iter().zip(&unchanged).filter(|(_, same)| **same).map(|(stay, _)| *stay));
        for at in 0..stay.len() {
            if !unchanged[at] {
                assumptions.push(stay[at]);
                if find.solve(&assumptions, effort)? {
                    unchanged[at] = true;
                } else {
                    assumptions.pop();
                }
            }
        }
        if !find.solve(&assumptions, effort)? {
            return Err(crate::effort::internal("a step is found and then lost"));
        }
        let sign = |own: i32, other: i32| if find.value(own) { other } else { -other };
        let mut fixed: Vec<i32> =
            find_choices.iter().zip(&shrink_choices).map(|(own, other)| sign(*own, *other)).collect();
        for at in 0..unchanged.len() {
            fixed.push(if unchanged[at] { equal[at] } else { sign(find_state[at], shrink_state[at]) });
        }
        let candidates: Vec<i32> =
            find_next.iter().zip(&shrink_target).map(|(own, other)| sign(*own, *other)).collect();
        let cube = shrink.minimal(&fixed, &candidates, effort)?;
        let places: Vec<(usize, bool)> = cube
            .iter()
            .map(|literal| {
                let at = shrink_target.iter().position(|own| own.abs() == literal.abs()).unwrap_or(0);
                (at, shrink_target[at] == *literal)
            })
            .collect();
        let signs = |row: &[i32]| -> Vec<i32> {
            places.iter().map(|(at, set)| if *set { row[*at] } else { -row[*at] }).collect()
        };
        find.add(&signs(&find_next).iter().map(|literal| -literal).collect::<Vec<i32>>());
        if reach == Reach::Closure {
            let (source, still_open) = (find.fresh(), find.fresh());
            for literal in signs(&find_state) {
                find.add(&[-source, literal]);
            }
            find.add(&[-open, source, still_open]);
            open = still_open;
            let mut leaves: Vec<i32> = signs(&shrink_state).iter().map(|literal| -literal).collect();
            leaves.push(departs);
            shrink.add(&leaves);
        }
        sets.push(cube_edge(graph, &edges, &cube));
    }
    Ok(Some(graph.any(&sets)))
}
