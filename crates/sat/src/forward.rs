//! Fixpoints forwards in time: the successors of a set, and all that can be reached from it.
//!
//! A step is found, then enlarged: the bits that it leaves as they are may be anything, as long as they stay so and the step
//! remains possible. A core says which bits of the state reached the argument needs.

use servanda_circuit::{Edge, Graph};
use servanda_engine::{Budget, Halt};

use crate::cube::{self, Cube};
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::machine::Machine;

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
    let mut find = Find::new(graph, machine, from, reach, effort.budget());
    let mut shrink = Shrink::new(graph, machine, from, arrives, &targets, effort.budget());
    let mut sets = if reach == Reach::Closure { vec![from] } else { Vec::new() };
    let mut cubes = 0;
    while find.gates.solve(&[-find.open], effort)? {
        cubes += 1;
        if cubes > most_cubes {
            return Ok(None);
        }
        let unchanged = find.change_less(effort)?;
        let cube = shrink.enlarged(&find, &unchanged, effort)?;
        find.gates.add(&cube::clause(&find.next, &cube));
        if reach == Reach::Closure {
            find.go_on_from(&cube);
            let mut leaves = cube::clause(&shrink.state, &cube);
            leaves.push(shrink.departs);
            shrink.gates.add(&leaves);
        }
        sets.push(cube::edge(graph, &machine.state, &cube));
    }
    Ok(Some(graph.any(&sets)))
}

/// Finds steps from the set, and from what has been reached, to what has not.
struct Find<'b> {
    gates: Gates<'b>,
    /// Stands for the states from which steps are looked for and that are not known yet.
    open: i32,
    state: Vec<i32>,
    choices: Vec<i32>,
    next: Vec<i32>,
    /// For each bit: the step leaves it as it is.
    stays: Vec<i32>,
}

impl<'b> Find<'b> {
    fn new(graph: &mut Graph, machine: &Machine, from: Edge, reach: Reach, budget: &'b dyn Budget) -> Self {
        let mut gates = Gates::new(budget);
        gates.require(graph, machine.valid);
        let open = gates.fresh();
        let source = gates.literal(graph, from);
        gates.add(&[source, open]);
        if reach == Reach::Closure {
            let known = machine.at_next(graph, from);
            gates.require(graph, !known);
        }
        let state = gates.row(graph, &machine.state);
        let choices = gates.row(graph, &machine.choices);
        let next = gates.row(graph, &machine.next);
        let stays = gates.sameness(&state, &next);
        Find { gates, open, state, choices, next, stays }
    }

    /// The state just found may be reached by a step that changes less: finds such a step, and says which bits it leaves as they are.
    fn change_less(&mut self, effort: &Effort<'_>) -> Result<Vec<bool>, Halt> {
        let gates = &mut self.gates;
        let mut assumptions = vec![-self.open];
        assumptions.extend(gates.assigned(&self.next));
        let pairs = self.state.iter().zip(&self.next);
        let mut unchanged: Vec<bool> = pairs.map(|(a, b)| gates.value(*a) == gates.value(*b)).collect();
        let stay = self.stays.iter().zip(&unchanged);
        assumptions.extend(stay.filter(|(_, same)| **same).map(|(stays, _)| *stays));
        for (stays, unchanged) in self.stays.iter().zip(&mut unchanged) {
            if !*unchanged {
                assumptions.push(*stays);
                if gates.solve(&assumptions, effort)? {
                    *unchanged = true;
                } else {
                    assumptions.pop();
                }
            }
        }
        if !gates.solve(&assumptions, effort)? {
            return Err(internal("a step is found and then lost"));
        }
        Ok(unchanged)
    }

    /// Steps may begin in a cube, too.
    fn go_on_from(&mut self, cube: &Cube) {
        let (source, still_open) = (self.gates.fresh(), self.gates.fresh());
        for literal in cube::literals(&self.state, cube) {
            self.gates.add(&[-source, literal]);
        }
        self.gates.add(&[-self.open, source, still_open]);
        self.open = still_open;
    }
}

/// Knows what is not reached by one step; a core says which bits of the state reached an argument needs.
struct Shrink<'b> {
    gates: Gates<'b>,
    /// The step begins in the set, or in what has been reached.
    departs: i32,
    state: Vec<i32>,
    choices: Vec<i32>,
    target: Vec<i32>,
    /// For each bit: it is the same in the target.
    equal: Vec<i32>,
}

impl<'b> Shrink<'b> {
    fn new(
        graph: &Graph,
        machine: &Machine,
        from: Edge,
        arrives: Edge,
        targets: &[Edge],
        budget: &'b dyn Budget,
    ) -> Self {
        let mut gates = Gates::new(budget);
        let departs = gates.fresh();
        let source = gates.literal(graph, from);
        gates.add(&[-source, departs]);
        let row = gates.row(graph, &[!machine.valid, !arrives]);
        gates.add(&[row[0], row[1], -departs]);
        let state = gates.row(graph, &machine.state);
        let choices = gates.row(graph, &machine.choices);
        let target = gates.row(graph, targets);
        let equal = gates.sameness(&state, &target);
        Shrink { gates, departs, state, choices, target, equal }
    }

    /// A cube of states that are reached by the step just found and by its like.
    fn enlarged(&mut self, find: &Find<'_>, unchanged: &[bool], effort: &Effort<'_>) -> Result<Cube, Halt> {
        let mut fixed = find.gates.carried(&find.choices, &self.choices);
        let before = find.gates.carried(&find.state, &self.state);
        let kept = unchanged.iter().zip(&self.equal).zip(before);
        fixed.extend(kept.map(|((unchanged, equal), before)| if *unchanged { *equal } else { before }));
        let candidates = find.gates.carried(&find.next, &self.target);
        let needed = self.gates.minimal(&fixed, &candidates, effort)?;
        Ok(cube::of_literals(&self.target, &needed))
    }
}
