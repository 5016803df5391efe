//! Reachability questions: induction first, then IC3, whose proofs are checked.

use servanda_circuit::Edge;
use servanda_engine::{Budget, Halt, Past};

use crate::Technique;
use crate::certificate::{Certificate, Claim, allowed, flaw};
use crate::deep::Deep;
use crate::effort::{Effort, internal};
use crate::gates::Gates;
use crate::ic3::{Answer, Ic3};
use crate::induction::{Induction, induction};
use crate::sat::{Proof, Sat};

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
        let tried = induction(&mut self.system.graph, &claim, self.choices.bound, &effort)?;
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
        self.note(Technique::Ic3);
        let effort = Effort::new(budget, &self.calls);
        let (graph, machine) = (&self.system.graph, &self.machine);
        let ic3 = match &mut self.ic3 {
            Some(ic3) => ic3,
            none => none.insert(Ic3::new(graph, machine, self.initial, self.facts, &effort)?),
        };
        let claim = Claim { machine, initial: self.initial, typed: care, bad };
        let mut deep = Deep::new(graph, &claim, excluded, &effort);
        let answer = ic3.ask(graph, bad, &mut deep, &effort)?;
        drop(deep);
        match answer {
            Answer::Reachable(state) => Ok(Some(state)),
            Answer::Unreachable => {
                let certificate = Certificate { excluded: ic3.invariant().to_vec() };
                // A proof rests on nothing but the types and the sums, and on what was known before where there is memory.
                let typed = if self.memory.is_empty() { self.facts } else { care };
                let claim = Claim { machine: &self.machine, initial: self.initial, typed, bad };
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
        }
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
