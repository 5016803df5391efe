//! Liveness as a question of reachability: a path with a fair loop is a run that comes back to a state it has saved.
//!
//! See Biere, Artho and Schuppan, "Liveness checking as safety checking". Bits for the saved state and for what has been
//! met since are added to the product of model and tableau, and IC3 is asked whether the loop can be closed.

use servanda_circuit::{Edge, Graph};
use servanda_engine::{Budget, Halt};
use servanda_lower::PathFormula;

use crate::Technique;
use crate::certificate::{Certificate, Claim, flaw};
use crate::effort::{Effort, internal};
use crate::ic3::{Alone, Answer, Ic3};
use crate::sat::Sat;

/// So often a solver is asked before fixpoints take over.
const CALLS: u64 = 30_000;

impl Sat<'_> {
    /// Does some initial state begin a path that satisfies ψ? `None` when that is not found out soon. The state formulas in ψ
    /// have been evaluated.
    pub(crate) fn some_initial_path(
        &mut self,
        psi: PathFormula,
        budget: &dyn Budget,
    ) -> Result<Option<bool>, Halt> {
        let product = self.product(psi, budget)?;
        if product.machine.state.len() <= self.choices.few_bits {
            return Ok(None);
        }
        let typed = self.care();
        let graph = &mut self.system.graph;
        let mut machine = product.machine.clone();
        let (save, saved) = (graph.input(), graph.input());
        let own = machine.state.clone();
        let begins = graph.without(save, saved);
        let after = graph.or(saved, save);
        machine.choices.push(save);
        machine.state.push(saved);
        machine.next.push(after);
        let mut initial = graph.and(self.initial, product.goal);
        initial = graph.without(initial, saved);
        let mut closed = vec![saved];
        for bit in &own {
            let copy = graph.input();
            machine.state.push(copy);
            machine.next.push(graph.choose(begins, *bit, copy));
            closed.push(graph.same(*bit, copy));
            initial = graph.without(initial, copy);
        }
        for kept in &product.kept {
            // What has been since the state was saved.
            let mut since = |graph: &mut Graph, set: Edge| {
                let been = graph.input();
                let now = graph.or(been, set);
                machine.state.push(been);
                machine.next.push(graph.and(after, now));
                initial = graph.without(initial, been);
                been
            };
            let met = since(graph, kept.met);
            closed.push(if kept.is_demanded_everywhere() {
                met
            } else {
                let demanded = since(graph, kept.demanded);
                graph.or(met, !demanded)
            });
        }
        let bad = graph.all(&closed);
        let bad = graph.and(bad, typed);
        if bad == Edge::FALSE || initial == Edge::FALSE {
            return Ok(Some(false));
        }
        let effort = Effort::limited(budget, &self.calls, CALLS);
        let mut ic3 = Ic3::new(graph, &machine, initial, typed, &effort)?;
        let answer = match ic3.ask(graph, bad, &mut Alone, &effort) {
            Err(Halt::TooLarge(reason)) if effort.is_spent() && !reason.contains("internal") => {
                return Ok(None);
            }
            answer => answer?,
        };
        self.note(Technique::Liveness);
        match answer {
            Answer::Reachable(_) => Ok(Some(true)),
            Answer::Unreachable => {
                let certificate = Certificate { excluded: ic3.invariant().to_vec() };
                let claim = Claim { machine: &machine, initial, typed, bad };
                let effort = Effort::new(budget, &self.calls);
                match flaw(&mut self.system.graph, &claim, &certificate, &effort)? {
                    None => Ok(Some(false)),
                    Some(_) => Err(internal("an invariant that is none")),
                }
            }
        }
    }
}
