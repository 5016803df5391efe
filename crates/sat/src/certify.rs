//! Proofs that others can check: an inductive invariant as three questions in the DIMACS format, none of which may be
//! satisfiable.
//!
//! The invariant holds at first, no step leaves it, and it excludes what must never be: whoever trusts the circuit of the model and
//! a SAT solver of their own choice need not trust this engine.

use servanda_circuit::{Edge, Graph};
use servanda_engine::{Budget, Halt, Validity};
use servanda_logic::Formula;

use crate::certificate::{Certificate, Claim, allowed, flaw};
use crate::dimacs;
use crate::effort::{Effort, internal};
use crate::ic3::{Alone, Answer, Ic3};
use crate::sat::Sat;

/// A proof that a property holds: three texts in the DIMACS format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligations {
    /// Some initial state is outside of the invariant.
    pub initiation: String,
    /// Some step leaves the invariant.
    pub consecution: String,
    /// Some state of the invariant violates the property.
    pub safety: String,
}

impl Obligations {
    /// The texts with what each of them asks.
    pub fn named(&self) -> [(&'static str, &str); 3] {
        [("initiation", &self.initiation), ("consecution", &self.consecution), ("safety", &self.safety)]
    }
}

/// Whether there is a proof of this kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certified {
    /// Here it is.
    Proof(Box<Obligations>),
    /// There is none, and why.
    Nothing(String),
}

impl Sat<'_> {
    /// A proof that a property holds, for those that say that a condition of one state always holds.
    ///
    /// # Errors
    ///
    /// When the budget stops the search, or something is wrong with the formula.
    pub fn certify(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Certified, Halt> {
        let id = self.lowering.property(formula).map_err(Halt::Invalid)?;
        let bad = match self.lowering.arena.never(id) {
            None if self.options.validity == Validity::Reachable => self.lowering.arena.not(id),
            None => return Ok(nothing("it does not have the form AG φ")),
            Some(bad) => bad,
        };
        if !self.lowering.arena.is_condition(bad) {
            return Ok(nothing("what must always hold is more than a condition of one state"));
        }
        let bad = self.evaluate(bad, budget)?;
        let bad = self.system.graph.and(bad, self.system.typed);
        let effort = Effort::new(budget, &self.calls);
        let (machine, initial, typed) = (self.base.clone(), self.system.initial, self.system.typed);
        let mut ic3 = Ic3::new(&self.system.graph, &machine, initial, typed, &effort)?;
        if let Answer::Reachable(_) = ic3.ask(&self.system.graph, bad, &mut Alone, &effort)? {
            let fair = if self.fair.is_empty() { "it does not hold" } else { "it rests on fairness" };
            return Ok(nothing(fair));
        }
        let mut certificate = Certificate { excluded: ic3.invariant().to_vec() };
        certificate.excluded.sort();
        certificate.excluded.dedup();
        let claim = Claim { machine: &machine, initial, typed, bad };
        if flaw(&mut self.system.graph, &claim, &certificate, &effort)?.is_some() {
            return Err(internal("an invariant that is none"));
        }
        Ok(Certified::Proof(Box::new(self.obligations(&claim, &certificate))))
    }

    fn obligations(&mut self, claim: &Claim<'_>, certificate: &Certificate) -> Obligations {
        let names = self.bit_names();
        let graph = &mut self.system.graph;
        let inside = allowed(graph, claim.machine, &certificate.excluded);
        // That all variables are within their types is part of what is shown.
        let inside = graph.and(inside, claim.typed);
        let next = claim.machine.at_next(graph, inside);
        let text = |graph: &Graph, what: &str, required: &[Edge]| {
            let bits: Vec<(Edge, &str)> =
                claim.machine.state.iter().copied().zip(names.iter().map(String::as_str)).collect();
            let mut comments = vec![
                format!("{}: {what}; not satisfiable if the proof is right", self.system.encoding.model.name),
                format!("the invariant excludes {} cubes:", certificate.excluded.len()),
            ];
            comments.extend(certificate.excluded.iter().map(|cube| shown(cube, &names)));
            dimacs::write(graph, required, &bits, &comments)
        };
        Obligations {
            initiation: text(graph, "an initial state outside of the invariant", &[claim.initial, !inside]),
            consecution: text(
                graph,
                "a step that leaves the invariant",
                &[inside, claim.machine.valid, !next],
            ),
            safety: text(graph, "a state of the invariant that violates the property", &[inside, claim.bad]),
        }
    }
}

fn shown(cube: &[(usize, bool)], names: &[String]) -> String {
    let literals = cube.iter().map(|(at, set)| format!("{}{}", if *set { "" } else { "!" }, names[*at]));
    format!("  {}", literals.collect::<Vec<_>>().join(" & "))
}

fn nothing(why: &str) -> Certified {
    Certified::Nothing(why.to_owned())
}
