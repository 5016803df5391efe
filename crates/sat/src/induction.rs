//! Runs unrolled step by step: bounded model checking, and induction over several steps.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::certificate::Claim;
use crate::effort::{Effort, internal};
use crate::fairness::Kept;
use crate::gates::Gates;
use crate::machine::Machine;
use crate::sat::SatOptions;

/// Without a bound so many conflicts are spent on the first step; on later ones less, since most that is proved like this takes one step.
const USUAL_CONFLICTS: u32 = 3000;

/// What unrolling found out.
pub(crate) enum Induction {
    /// A state of the set, reached.
    Reachable(Vec<bool>),
    /// Whoever has been outside of the set for some steps stays outside.
    Unreachable,
    /// No run of at most so many steps reaches the set.
    Open(usize),
}

/// The states and choices of a run, as circuits over the first state and the choices.
pub(crate) struct Unrolled {
    pub(crate) states: Vec<Vec<Edge>>,
    pub(crate) choices: Vec<Vec<Edge>>,
    /// For each step: it is one.
    pub(crate) valid: Vec<Edge>,
}

impl Unrolled {
    pub(crate) fn new(machine: &Machine) -> Self {
        Unrolled::from(machine.state.clone())
    }

    /// A run that begins in this state.
    pub(crate) fn from(first: Vec<Edge>) -> Self {
        Unrolled { states: vec![first], choices: Vec::new(), valid: Vec::new() }
    }

    /// The state after so many steps, and the choices there where they have been made.
    fn here(&self, machine: &Machine, at: usize) -> FxHashMap<usize, Edge> {
        let state = machine.state.iter().zip(&self.states[at]);
        let choices = machine.choices.iter().zip(self.choices.get(at).into_iter().flatten());
        state.chain(choices).map(|(bit, edge)| (bit.node(), *edge)).collect()
    }

    /// One more step.
    pub(crate) fn extend(&mut self, graph: &mut Graph, machine: &Machine) {
        let at = self.valid.len();
        let choices: Vec<Edge> = machine.choices.iter().map(|_| graph.input()).collect();
        let mut map = self.here(machine, at);
        map.extend(machine.choices.iter().map(|bit| bit.node()).zip(choices.iter().copied()));
        let mut roots = machine.next.clone();
        roots.push(machine.valid);
        let mut next = graph.substitute(&roots, &map);
        self.valid.extend(next.pop());
        self.states.push(next);
        self.choices.push(choices);
    }

    /// A set of states, said of the state after so many steps; or of states with choices, where there is one more step.
    pub(crate) fn at(&self, graph: &mut Graph, machine: &Machine, set: Edge, at: usize) -> Edge {
        let map = self.here(machine, at);
        graph.substitute(&[set], &map)[0]
    }

    /// Where things are demanded and met that a path must keep, one step before the last.
    pub(crate) fn kept_here(&self, graph: &mut Graph, machine: &Machine, kept: &[Kept]) -> Vec<Kept> {
        let at = self.choices.len() - 1;
        let here = |kept: &Kept| Kept {
            demanded: self.at(graph, machine, kept.demanded, at),
            met: self.at(graph, machine, kept.met, at),
            ..*kept
        };
        kept.iter().map(here).collect()
    }

    /// The state after so many steps was there before, and since then everything was kept; `kept` says what was so where.
    pub(crate) fn closes_loop(&self, graph: &mut Graph, kept: &[Vec<Kept>], last: usize) -> Edge {
        let mut closes = Vec::new();
        let mut since = vec![(Edge::FALSE, Edge::FALSE); kept.first().map_or(0, Vec::len)];
        for first in (0..last).rev() {
            for ((demanded, met), here) in since.iter_mut().zip(&kept[first]) {
                *demanded = graph.or(*demanded, here.demanded);
                *met = graph.or(*met, here.met);
            }
            let pairs = self.states[first].iter().zip(&self.states[last]);
            let mut all: Vec<Edge> = pairs.map(|(a, b)| graph.same(*a, *b)).collect();
            for (demanded, met) in &since {
                all.push(graph.or(*met, !*demanded));
            }
            closes.push(graph.all(&all));
        }
        graph.any(&closes)
    }
}

/// Looks for a run into the set, and for a proof that there is none, with more and more steps.
pub(crate) fn induction(
    graph: &mut Graph,
    claim: &Claim<'_>,
    choices: SatOptions,
    effort: &Effort<'_>,
) -> Result<Induction, Halt> {
    let machine = claim.machine;
    let bound = choices.bound;
    let most = bound.unwrap_or(choices.few_steps);
    let mut run = Unrolled::new(machine);
    let (mut base, mut step) = (Gates::new(effort.budget()), Gates::new(effort.budget()));
    base.require(graph, claim.initial);
    step.require(graph, claim.typed);
    for at in 0..=most {
        let conflicts = match (bound, u32::try_from(at)) {
            (None, Ok(at @ 2..)) => USUAL_CONFLICTS / at.saturating_mul(at),
            _ => USUAL_CONFLICTS,
        };
        let bad = run.at(graph, machine, claim.bad, at);
        let literal = base.literal(graph, bad);
        let found = match bound {
            Some(_) => Some(base.solve(&[literal], effort)?),
            None => base.try_solve(&[literal], conflicts, effort)?,
        };
        match found {
            Some(true) => return arrived(graph, claim, &run, &mut base, at).map(Induction::Reachable),
            Some(false) => base.add(&[-literal]),
            None => return Ok(Induction::Open(at.saturating_sub(1))),
        }
        // The run of the step case starts anywhere and has been outside of the set so far.
        let literal = step.literal(graph, bad);
        if at > 0 && step.try_solve(&[literal], conflicts, effort)? == Some(false) {
            return Ok(Induction::Unreachable);
        }
        step.add(&[-literal]);
        if at < most {
            run.extend(graph, machine);
            base.require(graph, run.valid[at]);
            step.require(graph, run.valid[at]);
            // Where no run goes on there is nothing more to find.
            if at % 8 == 7 && !base.solve(&[], effort)? {
                return Ok(Induction::Unreachable);
            }
        }
    }
    Ok(Induction::Open(most))
}

/// Is no initial state in the set, and does a single step show that whoever is outside stays outside?
pub(crate) fn stays_outside(graph: &mut Graph, claim: &Claim<'_>, effort: &Effort<'_>) -> Result<bool, Halt> {
    let mut gates = Gates::new(effort.budget());
    let (starts, bad) = (gates.literal(graph, claim.initial), gates.literal(graph, claim.bad));
    if gates.solve(&[starts, bad], effort)? {
        return Ok(false);
    }
    gates.require(graph, claim.typed);
    gates.require(graph, !claim.bad);
    gates.require(graph, claim.machine.valid);
    let next = claim.machine.at_next(graph, claim.bad);
    let next = gates.literal(graph, next);
    Ok(gates.try_solve(&[next], USUAL_CONFLICTS / 4, effort)? == Some(false))
}

/// The state at the end of the run just found, replayed step by step.
fn arrived(
    graph: &Graph,
    claim: &Claim<'_>,
    run: &Unrolled,
    base: &mut Gates<'_>,
    steps: usize,
) -> Result<Vec<bool>, Halt> {
    let machine = claim.machine;
    let read = |base: &mut Gates<'_>, edges: &[Edge]| -> Vec<i32> { base.row(graph, edges) };
    // Literals that are new to the solver have no value yet, so all are made before any is read.
    let first = read(base, &machine.state);
    let choices: Vec<Vec<i32>> = run.choices[..steps].iter().map(|row| read(base, row)).collect();
    let _ = base;
    let values = |row: &[i32]| -> Vec<bool> { row.iter().map(|literal| base.value(*literal)).collect() };
    let mut state = values(&first);
    let starts = machine.contains(graph, claim.initial, &state);
    for row in &choices {
        let next = machine.step(graph, &state, &values(row));
        state = next.ok_or_else(|| internal("a run that was unrolled cannot be replayed"))?;
    }
    if starts && machine.contains(graph, claim.bad, &state) {
        Ok(state)
    } else {
        Err(internal("an unrolled run does not reach the state that was found"))
    }
}
