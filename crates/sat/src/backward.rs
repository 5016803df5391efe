//! Fixpoints backwards in time: `E (a U b)` and `E G a`, the latter also with fairness.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cube;
use crate::effort::Effort;
use crate::fairness::Kept;
use crate::gates::Gates;
use crate::machine::Machine;
use crate::project::{before, satisfiable};

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
    let mut find = Gates::new(effort.budget());
    for edge in [care, a, machine.valid, !b] {
        find.require(graph, edge);
    }
    // `open` stands for the targets that are not known yet.
    let mut open = find.fresh();
    let first = find.literal(graph, b_next);
    find.add(&[first, open]);
    let mut shrink = Gates::new(effort.budget());
    shrink.require(graph, care);
    let leads = shrink.fresh();
    let first = shrink.literal(graph, b_next);
    shrink.add(&[-first, leads]);
    let row = shrink.row(graph, &[!a, !machine.valid]);
    shrink.add(&[row[0], row[1], -leads]);
    let rows = |gates: &mut Gates<'_>, graph: &Graph| {
        let state = gates.row(graph, &machine.state);
        (state, gates.row(graph, &machine.choices), gates.row(graph, &machine.next))
    };
    let (find_state, find_choices, find_next) = rows(&mut find, graph);
    let (shrink_state, shrink_choices, shrink_next) = rows(&mut shrink, graph);
    let mut sets = vec![b];
    while find.solve(&[-open], effort)? {
        let fixed = find.carried(&find_choices, &shrink_choices);
        let candidates = find.carried(&find_state, &shrink_state);
        let cube = cube::of_literals(&shrink_state, &shrink.minimal(&fixed, &candidates, effort)?);
        find.add(&cube::clause(&find_state, &cube));
        let (target, still_open) = (find.fresh(), find.fresh());
        for literal in cube::literals(&find_next, &cube) {
            find.add(&[-target, literal]);
        }
        find.add(&[-open, target, still_open]);
        open = still_open;
        let mut reaches = cube::clause(&shrink_next, &cube);
        reaches.push(leads);
        shrink.add(&reaches);
        sets.push(cube::edge(graph, &machine.state, &cube));
    }
    Ok(graph.any(&sets))
}

/// `E G a` within `care`, on paths that meet each constraint again and again where it is demanded again and again. The greatest set in
/// which every state can go on and reach where the constraints that it demands are met contains all loops that will do, and leads to one
/// from everywhere; whoever can reach it need not come back.
pub(crate) fn globally(
    graph: &mut Graph,
    machine: &Machine,
    a: Edge,
    fair: &[Kept],
    care: Edge,
    effort: &Effort<'_>,
) -> Result<Edge, Halt> {
    let everywhere = fair.iter().all(Kept::is_demanded_everywhere);
    let mut stays = a;
    loop {
        let mut again = stays;
        if fair.is_empty() || !everywhere {
            again = before(graph, machine, stays, stays, care, effort)?;
        }
        for kept in fair {
            if !kept.by_step {
                let met = graph.and(again, kept.met);
                let meets = until(graph, machine, again, met, care, effort)?;
                again = before(graph, machine, meets, again, care, effort)?;
                continue;
            }
            let meeting = Machine { valid: graph.and(machine.valid, kept.met), ..machine.clone() };
            let met = before(graph, &meeting, again, again, care, effort)?;
            let meets = until(graph, machine, again, met, care, effort)?;
            let content = graph.or(meets, !kept.demanded);
            again = graph.and(again, content);
        }
        let lost = graph.without(stays, again);
        let lost = graph.and(lost, care);
        if !satisfiable(graph, lost, effort)? {
            return if everywhere { Ok(stays) } else { until(graph, machine, a, stays, care, effort) };
        }
        stays = again;
    }
}
