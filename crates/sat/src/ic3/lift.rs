//! States enlarged to cubes by justification: the bits that a gate's value rests on, and no others.
//!
//! The circuit is evaluated once. A conjunction that is true needs both of its inputs, one that is false only one of those that are: the one
//! that costs fewer bits of the state. No solver is asked.

use servanda_circuit::{Edge, Graph};
use servanda_engine::Halt;

use crate::cube::Cube;
use crate::effort::internal;
use crate::machine::Machine;
use crate::template::{Gate, Pin, Template};

/// A circuit that states are lifted through.
pub(super) struct Lift {
    gates: Vec<Gate>,
    /// What must be true whatever the target.
    required: Vec<Pin>,
    next: Vec<Pin>,
}

impl Lift {
    /// For steps into cubes.
    pub(super) fn new(graph: &Graph, machine: &Machine) -> Self {
        let roots: Vec<Edge> = machine.next.iter().copied().chain([machine.valid]).collect();
        let Template { gates, roots: mut pins } = Template::new(graph, machine, &roots);
        let required = pins.split_off(machine.next.len());
        Lift { gates, required, next: pins }
    }

    /// For states of a set.
    pub(super) fn of_set(graph: &Graph, machine: &Machine, set: Edge) -> Self {
        let Template { gates, roots: required } = Template::new(graph, machine, &[set]);
        Lift { gates, required, next: Vec::new() }
    }

    /// Enlarges a state of the set to a cube within it.
    pub(super) fn to_set(&self, state: &[bool]) -> Result<Cube, Halt> {
        self.justify(state, &[], self.required.iter().map(|pin| (*pin, true)))
    }

    /// Enlarges a state to a cube that these choices lead into another cube.
    pub(super) fn to_cube(&self, state: &[bool], choices: &[bool], target: &Cube) -> Result<Cube, Halt> {
        let valid = self.required.iter().map(|pin| (*pin, true));
        let target = target.iter().map(|(at, value)| (self.next[*at], *value));
        self.justify(state, choices, valid.chain(target))
    }

    fn justify(
        &self,
        state: &[bool],
        choices: &[bool],
        claims: impl Iterator<Item = (Pin, bool)>,
    ) -> Result<Cube, Halt> {
        // For each gate its value, and about how many bits of the state that rests on.
        let mut values: Vec<(bool, u32)> = Vec::with_capacity(self.gates.len());
        for gate in &self.gates {
            values.push(match *gate {
                Gate::False => (false, 0),
                Gate::State(at) => (state[at], 1),
                Gate::Choice(at) => (choices[at], 0),
                Gate::And(a, b) => {
                    let (one, other) = (of(a, &values), of(b, &values));
                    match (one.0, other.0) {
                        (true, true) => (true, one.1.saturating_add(other.1)),
                        (true, false) => (false, other.1),
                        (false, true) => (false, one.1),
                        (false, false) => (false, one.1.min(other.1)),
                    }
                }
            });
        }
        let mut needed = vec![false; self.gates.len()];
        for (pin, value) in claims {
            if of(pin, &values).0 != value {
                return Err(internal("a state that is lifted from elsewhere"));
            }
            needed[pin.at] = true;
        }
        let mut cube = Cube::new();
        for at in (0..self.gates.len()).rev() {
            if !needed[at] {
                continue;
            }
            match self.gates[at] {
                Gate::State(bit) => cube.push((bit, state[bit])),
                Gate::And(a, b) => {
                    let (one, other) = (of(a, &values), of(b, &values));
                    if one.0 && other.0 {
                        needed[a.at] = true;
                        needed[b.at] = true;
                    } else if other.0 || !one.0 && (needed[a.at] || !needed[b.at] && one.1 <= other.1) {
                        needed[a.at] = true;
                    } else {
                        needed[b.at] = true;
                    }
                }
                Gate::False | Gate::Choice(_) => {}
            }
        }
        cube.sort_unstable();
        Ok(cube)
    }
}

fn of(pin: Pin, values: &[(bool, u32)]) -> (bool, u32) {
    let (value, cost) = values[pin.at];
    (value != pin.negated, cost)
}
