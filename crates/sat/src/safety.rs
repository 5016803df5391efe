//! Reachability questions: induction first, then IC3, whose proofs are checked.

use servanda_circuit::{Edge, Graph};
use servanda_engine::{Budget, Halt, Past};

use crate::Technique;
use crate::certificate::{Certificate, Claim, allowed, flaw};
use crate::chance::Chance;
use crate::deep::Deep;
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::habits::{Known, habits};
use crate::ic3::{Answer, Beside, Ic3};
use crate::induction::{Induction, induction, stays_outside};
use crate::sat::{Proof, Sat};

/// So many ticks runs by chance are looked at before anything cleverer is tried, as long as that has not been in vain too often, and one in
/// so many beside it.
pub(crate) const FIRST_CHANCE: u64 = 25_000;

/// Most proofs need fewer questions. Where one does not, there may be none, and runs by chance are looked at for longer: so many times as long.
const SHORT_PROOF: u64 = 250;
const SECOND_CHANCE: u64 = 4;
const LAST_CHANCE: u64 = 5_000;
const CHANCE_SHARE: u64 = 8;

/// So many questions are asked before the habits of the model are looked for.
const FEW_QUESTIONS: u64 = 400;

/// Runs unrolled deeper and deeper, and runs by chance, in turns.
struct Runs<'e> {
    deep: Deep<'e>,
    chance: Chance<'e>,
}

impl Beside for Runs<'_> {
    fn turn(&mut self, ticks: u64) -> Result<Option<Vec<bool>>, Halt> {
        match self.deep.turn(ticks)? {
            Some(state) => Ok(Some(state)),
            None => self.chance.look(ticks / CHANCE_SHARE),
        }
    }
}

/// Asks IC3, with others beside it; `excluded` is how long runs into the set must be at least, less one.
fn ask(
    ic3: &mut Ic3,
    graph: &Graph,
    claim: &Claim<'_>,
    excluded: &mut usize,
    effort: &Effort<'_>,
) -> Result<Answer, Halt> {
    let deep = Deep::new(graph, claim, *excluded, effort);
    let mut runs = Runs { deep, chance: Chance::new(graph, claim, effort)? };
    let answer = ic3.ask(graph, claim.bad, &mut runs, effort);
    *excluded = runs.deep.excluded();
    answer
}

/// Has an effort that was limited come to its end, and nothing been found out?
fn is_spent(answer: &Result<Answer, Halt>, effort: &Effort<'_>) -> bool {
    matches!(answer, Err(Halt::TooLarge(reason)) if effort.is_spent() && !reason.contains("internal"))
}

impl Sat<'_> {
    /// Some reachable state of a set, if there is one; what is remembered counts as part of the state.
    pub(crate) fn reachable(&mut self, bad: Edge, budget: &dyn Budget) -> Result<Option<Vec<bool>>, Halt> {
        let care = self.care();
        let bad = self.system.graph.and(bad, care);
        let effort = Effort::new(budget, &self.calls);
        let mut gates = Gates::new(budget);
        gates.require(&self.system.graph, bad);
        let row = gates.row(&self.system.graph, &self.machine.state);
        if !gates.solve(&[], &effort)? {
            self.note(Technique::Direct);
            return Ok(None);
        }
        if self.base_reached.flatten() == Some(self.known) && self.memory.is_empty() {
            // All reachable states are known, and this is one of them.
            let state = row.iter().map(|bit| gates.value(*bit)).collect();
            self.note(Technique::Direct);
            return Ok(Some(state));
        }
        let claim = Claim { machine: &self.machine, initial: self.initial, typed: care, bad };
        let tried = induction(&mut self.system.graph, &claim, self.choices, &effort)?;
        let excluded;
        match tried {
            Induction::Reachable(state) => {
                self.note(Technique::Bounded);
                return Ok(Some(state));
            }
            Induction::Unreachable => {
                self.note(Technique::Induction);
                return Ok(None);
            }
            Induction::Open(depth) => {
                excluded = depth;
                if let Some(bound) = self.choices.bound {
                    let reason = format!("no such state within {} steps (--bound {bound})", depth);
                    return Err(Halt::TooLarge(reason));
                }
            }
        }
        // Who has been asked in vain before is trusted less: some questions about knowledge are made of hundreds.
        let luck = self.luck;
        if luck > 0 {
            if let Some(state) = self.reached_by_chance((bad, care), luck, budget)? {
                self.note(Technique::Chance);
                return Ok(Some(state));
            }
            self.luck = if luck < LAST_CHANCE { 0 } else { luck / 2 };
        }
        self.note(Technique::Ic3);
        let effort = Effort::new(budget, &self.calls);
        let mut ic3 = match self.ic3.take() {
            Some(ic3) => ic3,
            None => {
                let mut ic3 = Ic3::new(&self.system.graph, &self.machine, self.initial, self.facts, &effort)?;
                ic3.know(self.habits.iter().flat_map(|habits| &habits.never));
                ic3
            }
        };
        let found = self.reached_by_ic3(&mut ic3, (bad, luck), excluded, budget);
        self.ic3 = Some(ic3);
        found
    }

    /// The same, looked for by chance for so many ticks.
    fn reached_by_chance(
        &self,
        (bad, typed): (Edge, Edge),
        ticks: u64,
        budget: &dyn Budget,
    ) -> Result<Option<Vec<bool>>, Halt> {
        let claim = Claim { machine: &self.machine, initial: self.initial, typed, bad };
        let effort = Effort::new(budget, &self.calls);
        Chance::new(&self.system.graph, &claim, &effort)?.look(ticks)
    }

    /// The same, asked of IC3 and of runs beside it.
    fn reached_by_ic3(
        &mut self,
        ic3: &mut Ic3,
        (bad, luck): (Edge, u64),
        excluded: usize,
        budget: &dyn Budget,
    ) -> Result<Option<Vec<bool>>, Halt> {
        let (mut bad, mut excluded) = (bad, excluded);
        // Most proofs are short. Where this one is not, it is worth looking for what the model does not do at all.
        let looks = self.habits.is_none() && self.options.past == Past::Reachable;
        let first = Effort::limited(budget, &self.calls, if looks { FEW_QUESTIONS } else { u64::MAX });
        let claim = Claim { machine: &self.machine, initial: self.initial, typed: self.known, bad };
        let short = Effort::limited(budget, &self.calls, SHORT_PROOF);
        let effort = if luck > 0 { &short } else { &first };
        let mut answer = ask(ic3, &self.system.graph, &claim, &mut excluded, effort);
        if luck > 0 && is_spent(&answer, &short) {
            if let Some(state) = self.reached_by_chance((bad, self.known), SECOND_CHANCE * luck, budget)? {
                self.note(Technique::Chance);
                return Ok(Some(state));
            }
            let claim = Claim { machine: &self.machine, initial: self.initial, typed: self.known, bad };
            answer = ask(ic3, &self.system.graph, &claim, &mut excluded, &first);
        }
        let answer = match answer {
            answer if is_spent(&answer, &first) => {
                match self.outside_of_habits(bad, budget)? {
                    None => return Ok(None),
                    Some(left) => bad = left,
                }
                let effort = Effort::new(budget, &self.calls);
                let graph = &self.system.graph;
                let never = self.habits.iter().flat_map(|habits| &habits.never);
                ic3.know_more(graph, self.facts, never, &effort)?;
                let claim = Claim { machine: &self.machine, initial: self.initial, typed: self.known, bad };
                ask(ic3, graph, &claim, &mut excluded, &effort)?
            }
            answer => answer?,
        };
        if let Answer::Reachable(state) = answer {
            return Ok(Some(state));
        }
        let certificate = Certificate { excluded: ic3.invariant().to_vec() };
        // A proof rests on nothing but the types and the sums, and on what was known before where there is memory.
        let typed = if self.memory.is_empty() { self.facts } else { self.known };
        let claim = Claim { machine: &self.machine, initial: self.initial, typed, bad };
        let effort = Effort::new(budget, &self.calls);
        if flaw(&mut self.system.graph, &claim, &certificate, &effort)?.is_some() {
            return Err(internal("an invariant that is none"));
        }
        if self.memory.is_empty() && self.options.past == Past::Reachable {
            let inside = allowed(&mut self.system.graph, &self.machine, &certificate.excluded);
            self.known = self.system.graph.and(self.known, inside);
        }
        self.proof = Some(Proof { bad, typed, certificate });
        Ok(None)
    }

    /// What of a set is left where the model keeps its habits, which are looked for if they are not known; `None` where nothing is.
    fn outside_of_habits(&mut self, bad: Edge, budget: &dyn Budget) -> Result<Option<Edge>, Halt> {
        if self.habits.is_some() || self.options.past != Past::Reachable {
            return Ok(Some(bad));
        }
        let effort = Effort::new(budget, &self.calls);
        let variables = self.system.encoding.positions();
        let (initial, typed) = (self.system.initial, self.facts);
        let known = Known { machine: &self.base, initial, typed, variables: &variables };
        let graph = &mut self.system.graph;
        let found = habits(graph, &known, &effort)?;
        if found.never.is_empty() && found.always.is_empty() {
            self.habits = Some(found);
            return Ok(Some(bad));
        }
        let inside = found.edge(graph, &self.base);
        let always = found.sums(graph);
        self.facts = graph.and(self.facts, always);
        self.known = graph.and(self.known, inside);
        let excluded = found.never.clone();
        self.habits = Some(found);
        let bad = graph.and(bad, inside);
        let typed = if self.memory.is_empty() { self.facts } else { self.known };
        let claim = Claim { machine: &self.machine, initial: self.initial, typed: self.known, bad };
        let mut gates = Gates::new(budget);
        gates.require(graph, bad);
        if !gates.solve(&[], &effort)? {
            self.note(Technique::Habits);
            self.proof = Some(Proof { bad, typed, certificate: Certificate { excluded } });
            return Ok(None);
        }
        if stays_outside(graph, &claim, &effort)? {
            self.note(Technique::Habits);
            self.note(Technique::Induction);
            return Ok(None);
        }
        Ok(Some(bad))
    }

    /// The inductive invariant that proved the last property, where IC3 found one: cubes of bits that no reachable state
    /// has.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.proof.as_ref().map(|proof| &proof.certificate)
    }

    /// What is wrong with a certificate as a proof of what the last one proved; looked at by a new solver.
    pub fn flaw(
        &mut self,
        certificate: &Certificate,
        budget: &dyn Budget,
    ) -> Result<Option<crate::Flaw>, Halt> {
        let Some(Proof { bad, typed, .. }) = self.proof else { return Ok(Some(crate::Flaw::Bad)) };
        let claim = Claim { machine: &self.machine, initial: self.initial, typed, bad };
        flaw(&mut self.system.graph, &claim, certificate, &Effort::new(budget, &self.calls))
    }
}
