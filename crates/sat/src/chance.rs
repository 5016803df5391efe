//! A search for runs by chance: many at random, short ones first.
//!
//! A step of 64 runs takes little longer than one. Whatever most ways lead to is found like this long before it is found by thinking.

use servanda_circuit::Graph;
use servanda_engine::Halt;

use crate::certificate::Claim;
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::ic3::Start;
use crate::walks::Walks;

/// So many choices are made for the shortest runs, and for the longest.
const SHORTEST: usize = 64;
const LONGEST: usize = 8192;

/// A run with more steps than that would take too long to be replayed.
const MOST_STEPS: usize = 1500;

/// So many gates take as long as what IC3 counts as one tick.
const GATES_PER_TICK: u64 = 16;
const PER_STEP: u64 = 4;

pub(crate) struct Chance<'e> {
    source: &'e Graph,
    claim: &'e Claim<'e>,
    effort: &'e Effort<'e>,
    walks: Walks,
    start: Start,
    /// Some initial state; nothing is looked for where there is none.
    first: Option<Vec<bool>>,
    /// Where the runs began, and for each step since then the choices and which runs took it.
    begin: Vec<u64>,
    history: Vec<(Vec<u64>, u64)>,
    /// How long the runs are to become, and how often they have been as long.
    length: usize,
    times: usize,
    spent: u64,
}

impl<'e> Chance<'e> {
    pub(crate) fn new(source: &'e Graph, claim: &'e Claim<'e>, effort: &'e Effort<'e>) -> Result<Self, Halt> {
        let mut gates = Gates::new(effort.budget());
        gates.require(source, claim.initial);
        let row = gates.row(source, &claim.machine.state);
        let first = match gates.solve(&[], effort)? {
            true => Some(row.iter().map(|bit| gates.value(*bit)).collect()),
            false => None,
        };
        Ok(Chance {
            source,
            claim,
            effort,
            walks: Walks::new(source, claim.machine, claim.bad),
            start: Start::new(source, claim.machine, claim.initial, claim.typed),
            first,
            begin: Vec::new(),
            history: Vec::new(),
            length: 0,
            times: 0,
            spent: 0,
        })
    }

    /// Looks for a state of the set until about so many ticks have been spent in all.
    pub(crate) fn look(&mut self, ticks: u64) -> Result<Option<Vec<bool>>, Halt> {
        let Some(first) = &self.first else { return Ok(None) };
        while self.spent < ticks {
            if self.history.len() >= self.length {
                self.effort.poll()?;
                // Of each length as many as of all shorter ones together.
                self.times += 1;
                let longer =
                    (self.times.trailing_zeros() as usize).min((LONGEST / SHORTEST).ilog2() as usize);
                self.length = SHORTEST << longer;
                self.history.clear();
                self.walks.begin_anywhere(first, &self.start);
                self.begin = self.walks.state().to_vec();
            }
            let before = self.walks.work();
            let stepped = self.walks.step();
            self.spent += (self.walks.work() - before) / GATES_PER_TICK + PER_STEP;
            if stepped.met != 0 {
                return self.arrived(stepped.met.trailing_zeros());
            }
            self.history.push((self.walks.choices().to_vec(), stepped.moved));
        }
        Ok(None)
    }

    /// The state that a run has come to, replayed step by step; nothing where that would take too long.
    fn arrived(&mut self, run: u32) -> Result<Option<Vec<bool>>, Halt> {
        let machine = self.claim.machine;
        let of = |words: &[u64]| -> Vec<bool> { words.iter().map(|word| word >> run & 1 == 1).collect() };
        let mut state = of(&self.begin);
        if !machine.contains(self.source, self.claim.initial, &state) {
            return Err(internal("a random run that begins in no initial state"));
        }
        let steps = || self.history.iter().filter(|(_, moved)| moved >> run & 1 == 1);
        if steps().count() > MOST_STEPS {
            self.length = 0;
            return Ok(None);
        }
        for (choices, _) in steps() {
            let next = machine.step(self.source, &state, &of(choices));
            state = next.ok_or_else(|| internal("a random run cannot be replayed"))?;
        }
        if machine.contains(self.source, self.claim.bad, &state) {
            Ok(Some(state))
        } else {
            Err(internal("a random run does not reach the state that was found"))
        }
    }
}
