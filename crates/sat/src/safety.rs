//! Reachability questions: induction first, then IC3, whose proofs are checked.

use servanda_circuit::Edge;
use servanda_engine::{Halt, Monitor};

use crate::Technique;
use crate::certificate::{Certificate, Claim, flaw};
use crate::effort::{Effort, internal};
use crate::ic3::{Answer, Ic3};
use crate::induction::{Induction, induction};
use crate::project::satisfiable;
use crate::sat::Sat;

impl Sat<'_> {
    /// Some reachable state of a set, if there is one; what is remembered counts as part of the state.
    pub(crate) fn reachable(&mut self, bad: Edge, monitor: &dyn Monitor) -> Result<Option<Vec<bool>>, Halt> {
        let care = self.care();
        let bad = self.system.graph.and(bad, care);
        let effort = Effort::new(monitor, &self.calls);
        if !satisfiable(&self.system.graph, bad, &effort)? {
            return Ok(None);
        }
        let claim = Claim { machine: &self.machine, initial: self.initial, typed: care, bad };
        let tried = induction(&mut self.system.graph, &claim, self.choices.bound, &effort)?;
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
                if let Some(bound) = self.choices.bound {
                    let reason = format!("no such state within {} steps (--bound {bound})", depth);
                    return Err(Halt::TooLarge(reason));
                }
            }
        }
        self.note(Technique::Ic3);
        let effort = Effort::new(monitor, &self.calls);
        let (graph, machine) = (&self.system.graph, &self.machine);
        let ic3 = self.ic3.get_or_insert_with(|| Ic3::new(graph, machine, self.initial, self.system.typed));
        match ic3.ask(graph, bad, &effort)? {
            Answer::Reachable(run) => Ok(run.last().cloned()),
            Answer::Unreachable => {
                let certificate = Certificate { excluded: ic3.invariant().to_vec() };
                let claim = Claim { machine: &self.machine, initial: self.initial, typed: care, bad };
                if flaw(&mut self.system.graph, &claim, &certificate, &effort)?.is_some() {
                    return Err(internal("an invariant that is none"));
                }
                self.proof = Some((bad, certificate));
                Ok(None)
            }
        }
    }

    /// The inductive invariant that proved the last property, where IC3 found one: cubes of bits that no reachable state
    /// has.
    pub fn certificate(&self) -> Option<&Certificate> {
        self.proof.as_ref().map(|(_, certificate)| certificate)
    }

    /// What is wrong with a certificate as a proof of what the last one proved; looked at by a new solver.
    pub fn flaw(
        &mut self,
        certificate: &Certificate,
        monitor: &dyn Monitor,
    ) -> Result<Option<crate::Flaw>, Halt> {
        let Some((bad, _)) = self.proof else { return Ok(Some(crate::Flaw::Bad)) };
        let typed = self.care();
        let claim = Claim { machine: &self.machine, initial: self.initial, typed, bad };
        flaw(&mut self.system.graph, &claim, certificate, &Effort::new(monitor, &self.calls))
    }
}
