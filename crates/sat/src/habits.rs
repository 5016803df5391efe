//! What a model does not do, guessed from runs at random and proved by induction: values that never meet, and parities of bits.
//!
//! Guesses hold of all that was seen. A solver is asked for an initial state, or a step from a state where all of them hold, that breaks one;
//! what it finds takes guesses away, and what is left is inductive. It is the strongest invariant of this kind that the runs did not
//! rule out. For pairs of signals see Case, Mishchenko and Brayton, "Automated extraction of inductive invariants to aid model checking".
//!
//! Many models need nothing else: agents that exclude each other, counters that move together, codes. Others leave less to IC3.

mod pairs;
mod parities;

use rustc_hash::{FxHashMap, FxHashSet};
use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::certificate::allowed;
use crate::cube::{self, Cube};
use crate::effort::Effort;
use crate::gates::Gates;
use crate::machine::Machine;
use crate::walks::Walks;
use pairs::Pairs;
use parities::{Parities, Parity};

/// So many steps are taken before anything is asked, but fewer where they take many gates.
const STEPS: usize = 512;
const GATES: u64 = 1 << 21;

/// The states are looked at every so many steps, and after so many looks at nothing new no longer.
const STRIDE: usize = 4;
const STALE: usize = 16;

/// So many steps are taken from a state that the solver found.
const FURTHER: usize = 12;

/// So many questions are asked, with so many conflicts each, about so many guesses.
const QUESTIONS: usize = 100;
const CONFLICTS: u32 = 1500;
const LAST_CONFLICTS: u32 = 20 * CONFLICTS;
const MOST_GUESSES: usize = 3000;

/// Shorter equations become cubes, longer ones are left to gates; still longer ones are not looked at.
const SHORT: usize = 4;
const LONG: usize = 32;

/// What is known of every reachable state.
#[derive(Clone, Default)]
pub(crate) struct Habits {
    /// Cubes that none is in.
    pub(crate) never: Vec<Cube>,
    /// Equations that hold.
    pub(crate) always: Vec<Sum>,
}

/// An equation of bits.
#[derive(Clone)]
pub(crate) struct Sum {
    /// It holds.
    pub(crate) holds: Edge,
    /// A step changes an odd number of its bits. Said like this a solver need not add up what stays the same.
    changes: Edge,
}

/// What is known of a machine: how it begins, and the states that it does not leave.
pub(crate) struct Known<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) initial: Edge,
    pub(crate) typed: Edge,
    /// The positions of the bits of each variable.
    pub(crate) variables: &'a [Vec<usize>],
}

/// What the machine does not do; nothing where that is not found out quickly.
pub(crate) fn habits(graph: &mut Graph, known: &Known<'_>, effort: &Effort<'_>) -> Result<Habits, Halt> {
    let machine = known.machine;
    let mut begin = Gates::new(effort.budget());
    begin.require(graph, known.initial);
    let row = begin.row(graph, &machine.state);
    if !begin.solve(&[], effort)? {
        return Ok(Habits::default());
    }
    let first: Vec<bool> = row.iter().map(|bit| begin.value(*bit)).collect();
    let mut guesses = Guesses {
        pairs: Pairs::new(known.variables),
        parities: Parities::of(&first),
        walks: Walks::new(graph, machine, Edge::FALSE),
    };
    guesses.walks.begin(&first);
    guesses.pairs.see(guesses.walks.state(), 1);
    guesses.walk(STEPS, effort)?;
    let mut initially = Question::new(begin, None, (row, machine.state.clone()));
    let mut step = Gates::new(effort.budget());
    step.require(graph, known.typed);
    step.require(graph, machine.valid);
    let (here, there) = (step.row(graph, &machine.state), step.row(graph, &machine.next));
    let here = (here, machine.state.clone());
    let mut steps = Question::new(step, Some(here), (there, machine.next.clone()));
    if !initially.refute(graph, &mut guesses, 0, effort)?
        || !steps.refute(graph, &mut guesses, FURTHER, effort)?
    {
        return Ok(Habits::default());
    }
    let found = guesses.found(graph, machine);
    Ok(if found.are_kept(graph, known, effort)? { found } else { Habits::default() })
}

impl Habits {
    /// The states that have them.
    pub(crate) fn edge(&self, graph: &mut Graph, machine: &Machine) -> Edge {
        let never = allowed(graph, machine, &self.never);
        let always = self.sums(graph);
        graph.and(never, always)
    }

    /// The states in which the equations hold.
    pub(crate) fn sums(&self, graph: &mut Graph) -> Edge {
        let holds: Vec<Edge> = self.always.iter().map(|sum| sum.holds).collect();
        graph.all(&holds)
    }

    /// Do initial states have them, and do steps keep them? A new solver is asked, which knows nothing of how they were found.
    fn are_kept(&self, graph: &mut Graph, known: &Known<'_>, effort: &Effort<'_>) -> Result<bool, Halt> {
        let machine = known.machine;
        let inside = self.edge(graph, machine);
        let entered = allowed(graph, machine, &self.never);
        let entered = !machine.at_next(graph, entered);
        let mut gates = Gates::new(effort.budget());
        let (starts, within) = (gates.literal(graph, known.initial), gates.literal(graph, inside));
        if gates.solve(&[starts, -within], effort)? {
            return Ok(false);
        }
        gates.require(graph, known.typed);
        gates.require(graph, inside);
        gates.require(graph, machine.valid);
        for broken in self.always.iter().map(|sum| sum.changes).chain([entered]) {
            let broken = gates.literal(graph, broken);
            if gates.try_solve(&[broken], LAST_CONFLICTS, effort)? != Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// What has held so far.
struct Guesses {
    pairs: Pairs,
    parities: Parities,
    walks: Walks,
}

impl Guesses {
    /// Sees the states of the runs; was there anything new?
    fn see(&mut self, runs: u64) -> bool {
        let new_pair = self.pairs.see(self.walks.state(), runs);
        self.parities.see(self.walks.state(), runs) || new_pair
    }

    /// Goes on at random for so many steps, or until there is nothing new for long.
    fn walk(&mut self, steps: usize, effort: &Effort<'_>) -> Result<(), Halt> {
        let (mut moved, mut stale) = (0, 0);
        let end = self.walks.work() + GATES;
        for step in 1..=steps {
            moved |= self.walks.step().moved;
            if self.walks.work() > end {
                break;
            }
            if step % STRIDE != 0 || moved == 0 {
                continue;
            }
            effort.poll()?;
            stale = if self.see(moved) { 0 } else { stale + 1 };
            moved = 0;
            if stale >= STALE {
                return Ok(());
            }
        }
        self.see(u64::MAX);
        Ok(())
    }

    /// What is left, as what it says of states.
    fn found(&mut self, graph: &mut Graph, machine: &Machine) -> Habits {
        self.parities.rows.retain(|row| row.len() <= LONG);
        let never: FxHashSet<Cube> =
            self.pairs.never().into_iter().map(|pair| self.pairs.cube(pair)).collect();
        let mut never: Vec<Cube> = never.into_iter().collect();
        let mut always = Vec::new();
        for row in &self.parities.rows {
            if row.len() > SHORT {
                always.push(Sum::new(graph, row, &machine.state, &machine.next));
                continue;
            }
            let positions: Vec<usize> = row.positions().collect();
            for code in 0..1_u32 << positions.len() {
                if (code.count_ones() % 2 == 1) != row.is_odd {
                    never.push(
                        positions.iter().enumerate().map(|(bit, at)| (*at, code >> bit & 1 == 1)).collect(),
                    );
                }
            }
        }
        never.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        never.dedup();
        Habits { never, always }
    }
}

impl Sum {
    /// An equation over a row of edges, of which a step makes another.
    fn new(graph: &mut Graph, row: &Parity, here: &[Edge], there: &[Edge]) -> Self {
        let changes = row.positions().map(|at| graph.differs(here[at], there[at])).collect();
        Sum { holds: sum(graph, here, row), changes: total(graph, changes) }
    }
}

/// The equation over a row of edges.
fn sum(graph: &mut Graph, row: &[Edge], parity: &Parity) -> Edge {
    let sum = total(graph, parity.positions().map(|at| row[at]).collect());
    if parity.is_odd { sum } else { !sum }
}

/// Is an odd number of edges true? As a shallow tree.
fn total(graph: &mut Graph, edges: Vec<Edge>) -> Edge {
    let mut edges = edges;
    while edges.len() > 1 {
        edges = edges
            .chunks(2)
            .map(|two| two.iter().skip(1).fold(two[0], |sum, edge| graph.differs(sum, *edge)))
            .collect();
    }
    edges.first().copied().unwrap_or(Edge::FALSE)
}

/// A row of bits, as literals and as edges.
type Row = (Vec<i32>, Vec<Edge>);

/// Where guesses may be broken: in initial states, or by steps from states where they hold.
struct Question<'b> {
    gates: Gates<'b>,
    here: Option<Row>,
    there: Row,
    /// For each pair: what makes it hold here, and what says that it is broken there.
    pairs: FxHashMap<(usize, usize), (i32, i32)>,
    parities: FxHashMap<Parity, (i32, i32)>,
}

impl<'b> Question<'b> {
    fn new(gates: Gates<'b>, here: Option<Row>, there: Row) -> Self {
        Question { gates, here, there, pairs: FxHashMap::default(), parities: FxHashMap::default() }
    }

    /// Takes away guesses until nothing breaks them; `false` where that takes too long.
    fn refute(
        &mut self,
        graph: &mut Graph,
        guesses: &mut Guesses,
        further: usize,
        effort: &Effort<'_>,
    ) -> Result<bool, Halt> {
        for _ in 0..QUESTIONS {
            guesses.parities.shorten();
            let never = guesses.pairs.never();
            if never.len() > MOST_GUESSES {
                guesses.pairs.give_up();
                continue;
            }
            let round = self.gates.fresh();
            let (mut assumed, mut broken) = (vec![round], vec![-round]);
            for pair in never {
                let (holds, breaks) = self.of_pair(pair, guesses);
                assumed.push(holds);
                broken.push(breaks);
            }
            for row in guesses.parities.rows.iter().filter(|row| row.len() <= LONG) {
                let (holds, breaks) = self.of_parity(graph, row);
                assumed.push(holds);
                broken.push(breaks);
            }
            self.gates.add(&broken);
            match self.gates.try_solve(&assumed, CONFLICTS, effort)? {
                Some(true) => {}
                Some(false) => return Ok(true),
                // Sums of many bits are what takes a solver long.
                None if !guesses.parities.rows.is_empty() => {
                    guesses.parities.rows.clear();
                    self.gates.add(&[-round]);
                    continue;
                }
                None => return Ok(false),
            }
            let found: Vec<bool> = self.there.0.iter().map(|bit| self.gates.value(*bit)).collect();
            self.gates.add(&[-round]);
            guesses.walks.begin(&found);
            guesses.see(1);
            if further > 0 {
                guesses.walk(further, effort)?;
            }
        }
        Ok(false)
    }

    fn of_pair(&mut self, pair: (usize, usize), guesses: &Guesses) -> (i32, i32) {
        if let Some(known) = self.pairs.get(&pair) {
            return *known;
        }
        let cube = guesses.pairs.cube(pair);
        let (holds, breaks) = (self.gates.fresh(), self.gates.fresh());
        if let Some((here, _)) = &self.here {
            let mut clause = cube::clause(here, &cube);
            clause.push(-holds);
            self.gates.add(&clause);
        }
        for literal in cube::literals(&self.there.0, &cube) {
            self.gates.add(&[-breaks, literal]);
        }
        self.pairs.insert(pair, (holds, breaks));
        (holds, breaks)
    }

    fn of_parity(&mut self, graph: &mut Graph, row: &Parity) -> (i32, i32) {
        if let Some(known) = self.parities.get(row) {
            return *known;
        }
        let (holds, breaks) = match &self.here {
            Some((_, here)) => {
                let Sum { holds, changes } = Sum::new(graph, row, here, &self.there.1);
                (self.gates.literal(graph, holds), self.gates.literal(graph, changes))
            }
            None => {
                let there = sum(graph, &self.there.1, row);
                (self.gates.fresh(), -self.gates.literal(graph, there))
            }
        };
        self.parities.insert(row.clone(), (holds, breaks));
        (holds, breaks)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use servanda_engine::NoLimits;
    use servanda_model::Layout;
    use servanda_space::Space;
    use servanda_testkit::{RandomModel, Trials};

    use super::*;
    use crate::{Sat, SatOptions};

    #[test]
    fn every_reachable_state_of_random_models_has_the_habits() {
        let (mut cubes, mut sums) = (0, 0);
        for RandomModel { text, model, options, .. } in Trials::from_environment(150).ispl_models() {
            let sat = Sat::new(&model, options, SatOptions::default(), &NoLimits).expect("a small model");
            let mut system = sat.system.clone();
            let variables = system.encoding.positions();
            let (initial, typed) = (sat.system.initial, sat.system.typed);
            let known = Known { machine: &sat.base, initial, typed, variables: &variables };
            let calls = Cell::new(0);
            let found =
                habits(&mut system.graph, &known, &Effort::new(&NoLimits, &calls)).expect("no limits");
            (cubes, sums) = (cubes + found.never.len(), sums + found.always.len());
            let inside = found.edge(&mut system.graph, &sat.base);
            let mut space = Space::new(&model, options.deadlock, &NoLimits).expect("a small model");
            space.explore(&NoLimits).expect("a small model");
            let layout = Layout::new(&model);
            for state in space.reachable() {
                let bits = system.encoding.unpack(&layout, state);
                assert!(sat.base.contains(&system.graph, inside, &bits), "{bits:?} is reachable:\n{text}");
            }
        }
        assert!(cubes > 100, "{cubes} cubes and {sums} sums");
    }

    /// Four bits that stay what they are, and a fifth that is their sum; a token that two others hand on.
    fn machine(graph: &mut Graph) -> (Machine, Edge) {
        let state: Vec<Edge> = (0..8).map(|_| graph.input()).collect();
        let choices: Vec<Edge> = (0..4).map(|_| graph.input()).collect();
        let mut next: Vec<Edge> = (0..4).map(|at| graph.differs(state[at], choices[at])).collect();
        let flips = choices.iter().fold(Edge::FALSE, |sum, choice| graph.differs(sum, *choice));
        next.push(graph.differs(state[4], flips));
        next.extend([state[7], state[5], state[6]]);
        let initial: Vec<Edge> = (0..8).map(|at| if at == 5 { state[at] } else { !state[at] }).collect();
        let initial = graph.all(&initial);
        (Machine { state, choices, next, valid: Edge::TRUE }, initial)
    }

    #[test]
    fn sums_and_values_that_never_meet_are_found() {
        let mut graph = Graph::new();
        let (machine, initial) = machine(&mut graph);
        let variables: Vec<Vec<usize>> = (0..8).map(|at| vec![at]).collect();
        let known = Known { machine: &machine, initial, typed: Edge::TRUE, variables: &variables };
        let calls = Cell::new(0);
        let effort = Effort::new(&NoLimits, &calls);
        let found = habits(&mut graph, &known, &effort).expect("no limits");
        for (one, other) in [(5, 6), (5, 7), (6, 7)] {
            assert!(found.never.contains(&vec![(one, true), (other, true)]), "{:?}", found.never);
        }
        assert_eq!(found.always.len(), 1, "the sum of five bits");

        // What is wrong is found out by the solver that looks at it last.
        let wrong = Habits { never: vec![vec![(0, true)]], always: Vec::new() };
        assert!(!wrong.are_kept(&mut graph, &known, &effort).expect("no limits"));
        let wrong = Habits { never: vec![vec![(5, true)]], always: Vec::new() };
        assert!(!wrong.are_kept(&mut graph, &known, &effort).expect("no limits"));
    }
}
