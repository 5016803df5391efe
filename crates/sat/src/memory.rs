//! The remembered past as bits of the state.
//!
//! A `Y` or `S` whose operands look no further than the next state needs one bit: what it was a step ago. The bit is
//! false at the start and follows the run. Operands that look ahead would need a set of possible pasts, which the reference
//! engine keeps. This engine decides them in initial states, where there is one past only (`paths`), and says elsewhere
//! that it does not.

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph};
use servanda_engine::{Halt, Past};
use servanda_lower::{Path, PathFormula};

use crate::paths::far_ahead;
use crate::sat::Sat;

/// The bits beyond the model's own: for each past operator what it was a step ago.
#[derive(Default)]
pub(crate) struct Memory {
    recalled: FxHashMap<PathFormula, Edge>,
}

impl Memory {
    pub(crate) fn is_empty(&self) -> bool {
        self.recalled.is_empty()
    }

    /// What a past operator was a step ago, if that is a bit of the state.
    pub(crate) fn recalled(&self, id: PathFormula) -> Option<Edge> {
        self.recalled.get(&id).copied()
    }

    /// A set that does not depend on what is remembered, without mentioning it.
    pub(crate) fn forget(&self, graph: &mut Graph, set: Edge) -> Edge {
        let map = self.recalled.values().map(|bit| (bit.node(), Edge::FALSE)).collect();
        graph.substitute(&[set], &map)[0]
    }
}

impl Sat<'_> {
    /// Adds the bits that a path formula's past operators need. Its state formulas have been evaluated.
    pub(crate) fn remember(&mut self, psi: PathFormula) -> Result<(), Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(far_ahead());
        }
        let mut operators = self.lowering.arena.past_operators(psi);
        operators.retain(|id| !self.memory.recalled.contains_key(id));
        if operators.is_empty() {
            return Ok(());
        }
        if self.options.past == Past::All {
            return Err(Halt::TooLarge("linear past together with `--past all`".to_owned()));
        }
        for id in &operators {
            let bit = self.system.graph.input();
            self.memory.recalled.insert(*id, bit);
            self.initial = self.system.graph.without(self.initial, bit);
        }
        for id in &operators {
            let held = self.present(self.lowering.arena.remembered_of(*id))?;
            self.machine.state.push(self.memory.recalled[id]);
            self.machine.next.push(held);
        }
        // What was found out about runs said nothing of these bits.
        self.ic3 = None;
        self.reached = None;
        Ok(())
    }

    /// The value of a formula of present and past at a step: a circuit over the state and the choices.
    fn present(&mut self, id: PathFormula) -> Result<Edge, Halt> {
        Ok(match *self.lowering.arena.path(id) {
            Path::State(state) => self.truth[&state],
            Path::Not(a) => !self.present(a)?,
            Path::And(a, b) => {
                let (a, b) = (self.present(a)?, self.present(b)?);
                self.system.graph.and(a, b)
            }
            Path::Or(a, b) => {
                let (a, b) = (self.present(a)?, self.present(b)?);
                self.system.graph.or(a, b)
            }
            Path::Next(a) => {
                let a = self.present(a)?;
                self.machine.at_next(&mut self.system.graph, a)
            }
            Path::Previous(_) => self.memory.recalled[&id],
            Path::Since(a, b) => {
                let (a, b) = (self.present(a)?, self.present(b)?);
                let before = self.memory.recalled[&id];
                let still = self.system.graph.and(a, before);
                self.system.graph.or(b, still)
            }
            Path::Does(_) | Path::Acts { .. } => self.matches(id)?,
            Path::Until(..) => return Err(far_ahead()),
        })
    }

    /// Where a step matches an action atom.
    pub(crate) fn matches(&mut self, atom: PathFormula) -> Result<Edge, Halt> {
        Ok(match *self.lowering.arena.path(atom) {
            Path::Does(set) => {
                let labels = self.lowering.arena.labels(set).to_vec();
                self.system.labelled(&labels)
            }
            Path::Acts { agent, action } => self.system.takes(agent, action)?,
            _ => Edge::FALSE,
        })
    }
}
