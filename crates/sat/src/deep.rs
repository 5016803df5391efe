//! A search for runs that goes deeper and deeper beside IC3, in turns.
//!
//! Runs are unrolled from the initial states in a graph of their own. What is known of initial states is put in at once, so that
//! what follows from it is folded away: where little is chosen, little is left to the solver.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::certificate::Claim;
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::ic3::{Beside, Start};
use crate::machine::Machine;
use crate::template::Template;

/// So many gates are made at the most.
const MOST_GATES: usize = 3_000_000;

/// IC3 does so many ticks for one of our own, and ours take about twice as long as they are counted.
const SHARE: u64 = 8;

/// So many conflicts are met before it is the other's turn.
const CONFLICTS: u32 = 1000;

/// About how many ticks a new gate takes, how many pass between two questions of CaDiCaL whether to go on, and how many before the first.
const PER_GATE: u64 = 20;
const PER_ASKING: u64 = 300;
const PER_SEARCH: u64 = 10_000;

pub(crate) struct Deep<'e> {
    source: &'e Graph,
    claim: &'e Claim<'e>,
    effort: &'e Effort<'e>,
    /// The next state, whether the step is one, and last whether the state belongs to the set.
    step: Template,
    set: Template,
    graph: Graph,
    gates: Gates<'e>,
    first: Vec<Edge>,
    choices: Vec<Vec<Edge>>,
    state: Vec<Edge>,
    /// The state belongs to the set; `None` before that was looked at.
    bad: Option<Edge>,
    /// No run of at most so many steps reaches the set, as is known already.
    excluded: usize,
    spent: u64,
}

impl<'e> Deep<'e> {
    pub(crate) fn new(
        source: &'e Graph,
        claim: &'e Claim<'e>,
        excluded: usize,
        effort: &'e Effort<'e>,
    ) -> Self {
        let machine = claim.machine;
        let mut graph = Graph::new();
        let start = Start::new(source, machine, claim.initial, claim.typed);
        let first: Vec<Edge> =
            start.fixed().iter().map(|value| value.map_or_else(|| graph.input(), Edge::constant)).collect();
        let initial = Template::new(source, machine, &[claim.initial]).build(&mut graph, &first, &[]);
        let mut gates = Gates::new(effort.budget());
        gates.require(&graph, initial[0]);
        let roots: Vec<Edge> = machine.next.iter().copied().chain([machine.valid]).collect();
        Deep {
            source,
            claim,
            effort,
            step: Template::new(source, machine, &roots),
            set: Template::new(source, machine, &[claim.bad]),
            graph,
            gates,
            state: first.clone(),
            first,
            choices: Vec::new(),
            bad: None,
            excluded,
            spent: 0,
        }
    }

    /// Looks whether the set is reached by as many steps as have been unrolled; `None` where that is not known yet.
    fn look(&mut self) -> Result<Option<bool>, Halt> {
        let bad = match self.bad {
            Some(bad) => bad,
            None => self.set.build(&mut self.graph, &self.state, &[])[0],
        };
        self.bad = Some(bad);
        if bad == Edge::FALSE {
            return Ok(Some(false));
        }
        let literal = self.gates.literal(&self.graph, bad);
        if self.choices.len() > self.excluded {
            let before = self.gates.solver().askings();
            let found = self.gates.try_solve(&[literal], CONFLICTS, self.effort)?;
            let askings = self.gates.solver().askings() - before;
            self.spent += askings * PER_ASKING + PER_SEARCH + self.graph.len() as u64;
            if found != Some(false) {
                return Ok(found);
            }
        }
        self.gates.add(&[-literal]);
        Ok(Some(false))
    }

    /// No run of at most so many steps reaches the set.
    pub(crate) fn excluded(&self) -> usize {
        self.choices.len().saturating_sub(1).max(self.excluded)
    }

    /// One more step.
    fn extend(&mut self) {
        let before = self.graph.len();
        let choices: Vec<Edge> = self.claim.machine.choices.iter().map(|_| self.graph.input()).collect();
        let mut next = self.step.build(&mut self.graph, &self.state, &choices);
        let valid = next.pop().unwrap_or(Edge::FALSE);
        self.gates.require(&self.graph, valid);
        self.state = next;
        self.choices.push(choices);
        self.bad = None;
        self.spent += (self.graph.len() - before) as u64 * PER_GATE + self.step.gates.len() as u64;
    }

    /// The state at the end of the run just found, replayed step by step.
    fn arrived(&mut self) -> Result<Vec<bool>, Halt> {
        let machine: &Machine = self.claim.machine;
        let first = self.gates.row(&self.graph, &self.first);
        let choices: Vec<Vec<i32>> =
            self.choices.iter().map(|row| self.gates.row(&self.graph, row)).collect();
        let values = |row: &[i32]| -> Vec<bool> { row.iter().map(|bit| self.gates.value(*bit)).collect() };
        let mut state = values(&first);
        let starts = machine.contains(self.source, self.claim.initial, &state);
        for row in &choices {
            let next = machine.step(self.source, &state, &values(row));
            state = next.ok_or_else(|| internal("a run that was unrolled cannot be replayed"))?;
        }
        if starts && machine.contains(self.source, self.claim.bad, &state) {
            Ok(state)
        } else {
            Err(internal("an unrolled run does not reach the state that was found"))
        }
    }
}

impl Beside for Deep<'_> {
    fn turn(&mut self, ticks: u64) -> Result<Option<Vec<bool>>, Halt> {
        while self.spent * SHARE < ticks && self.graph.len() < MOST_GATES {
            match self.look()? {
                Some(true) => return self.arrived().map(Some),
                Some(false) => self.extend(),
                None => {}
            }
        }
        Ok(None)
    }
}
