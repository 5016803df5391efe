//! The remembered past as bits of the state; what they become is said by the crate `paths`.
//!
//! Operands that look far ahead are decided in initial states, where there is one past only (`paths.rs`), and nowhere else.

use servanda_circuit::{Edge, Graph, Labelling};
use servanda_engine::Halt;
use servanda_lower::{Action, Arena, PathFormula};
use servanda_paths::{Leaf, remembered, to_remember};

use crate::paths::far_ahead;
use crate::sat::Sat;

impl Sat<'_> {
    /// A set that does not depend on what is remembered, without mentioning it.
    pub(crate) fn forget(&mut self, set: Edge) -> Edge {
        let map = self.memory.values().map(|bit| (bit.node(), Edge::FALSE)).collect();
        self.system.graph.substitute(&[set], &map)[0]
    }

    /// Adds the bits that a path formula's past operators need. Its state formulas have been evaluated.
    pub(crate) fn remember(&mut self, psi: PathFormula) -> Result<(), Halt> {
        if self.lowering.arena.remembers_what_lies_ahead(psi) {
            return Err(far_ahead());
        }
        let operators = to_remember(&self.lowering.arena, psi, &self.memory, self.options.past)?;
        if operators.is_empty() {
            return Ok(());
        }
        let mut bits = Vec::new();
        for operator in &operators {
            let bit = self.system.graph.input();
            self.memory.insert(*operator, bit);
            self.initial = self.system.graph.without(self.initial, bit);
            bits.push(bit);
        }
        let (arena, machine) = (&self.lowering.arena, &self.machine);
        let (graph, labelling) = self.system.labelling();
        let held = remembered(arena, &operators, graph, |graph, of, leaf| match leaf {
            Leaf::State(state) => Ok(self.truth[&state]),
            Leaf::Action(action) => matches(&labelling, graph, arena, action),
            Leaf::Next(set) => Ok(machine.at_next(graph, *set)),
            Leaf::Before => Ok(self.memory[&of]),
            Leaf::Later => Err(far_ahead()),
        })?;
        self.machine.state.extend(bits);
        self.machine.next.extend(held);
        // What was found out about runs said nothing of these bits.
        self.ic3 = None;
        self.reached = None;
        Ok(())
    }
}

/// Where a step meets a condition.
pub(crate) fn matches(
    labelling: &Labelling<'_, '_>,
    graph: &mut Graph,
    arena: &Arena,
    action: Action,
) -> Result<Edge, Halt> {
    match action {
        Action::Does(set) => Ok(labelling.has(graph, arena.labels(set))),
        Action::Acts { agent, action } => labelling.takes(graph, agent, action),
    }
}
