//! Runs at random, 64 at once: one word for each gate, one bit of it for each run.

use servanda_circuit::{Edge, Graph, Node};

use crate::ic3::Start;
use crate::machine::Machine;
use crate::template::{Gate, Pin, Template};

/// So often choices that are no step are made again, as far as they are to blame.
const TRIES: usize = 8;

/// The runs.
pub(crate) struct Walks {
    /// What choices must meet to be a step, and for each the choices that it depends on.
    valid: Evaluated,
    blamed: Vec<Vec<usize>>,
    /// The next state, and last the set that is watched for.
    step: Evaluated,
    state: Vec<u64>,
    choices: Vec<u64>,
    dice: u64,
    /// How many gates have been evaluated.
    work: u64,
}

/// What a step of all runs has come to.
pub(crate) struct Stepped {
    /// Those whose choices were a step; the others stay where they are.
    pub(crate) moved: u64,
    /// Those that were in the set before.
    pub(crate) met: u64,
}

/// A circuit, and what its gates are worth in each run.
struct Evaluated {
    template: Template,
    values: Vec<u64>,
}

impl Evaluated {
    fn new(graph: &Graph, machine: &Machine, roots: &[Edge]) -> Self {
        let template = Template::new(graph, machine, roots);
        Evaluated { values: vec![0; template.gates.len()], template }
    }

    fn evaluate(&mut self, state: &[u64], choices: &[u64]) {
        for (at, gate) in self.template.gates.iter().enumerate() {
            self.values[at] = match *gate {
                Gate::False => 0,
                Gate::State(bit) => state[bit],
                Gate::Choice(bit) => choices[bit],
                Gate::And(a, b) => self.of(a) & self.of(b),
            };
        }
    }

    fn of(&self, pin: Pin) -> u64 {
        self.values[pin.at] ^ if pin.negated { u64::MAX } else { 0 }
    }

    /// What a root is worth.
    fn root(&self, at: usize) -> u64 {
        self.of(self.template.roots[at])
    }
}

/// The parts of a conjunction.
fn conjuncts(graph: &Graph, edge: Edge) -> Vec<Edge> {
    let (mut parts, mut todo) = (Vec::new(), vec![edge]);
    while let Some(edge) = todo.pop() {
        match graph.node(edge.node()) {
            Node::And(a, b) if !edge.is_negated() => todo.extend([a, b]),
            _ => parts.push(edge),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}

impl Walks {
    /// Runs of a machine that watch for a set of states.
    pub(crate) fn new(graph: &Graph, machine: &Machine, set: Edge) -> Self {
        let parts = conjuncts(graph, machine.valid);
        let choices_of = |part: &Edge| -> Vec<usize> {
            let gates = Template::new(graph, machine, &[*part]).gates;
            gates
                .iter()
                .filter_map(|gate| if let Gate::Choice(at) = gate { Some(*at) } else { None })
                .collect()
        };
        let next: Vec<Edge> = machine.next.iter().copied().chain([set]).collect();
        Walks {
            blamed: parts.iter().map(choices_of).collect(),
            valid: Evaluated::new(graph, machine, &parts),
            step: Evaluated::new(graph, machine, &next),
            state: vec![0; machine.state.len()],
            choices: vec![0; machine.choices.len()],
            dice: 0x9E37_79B9_7F4A_7C15,
            work: 0,
        }
    }

    /// How many gates have been evaluated so far.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// All runs are in this state.
    pub(crate) fn begin(&mut self, state: &[bool]) {
        for (word, bit) in self.state.iter_mut().zip(state) {
            *word = if *bit { u64::MAX } else { 0 };
        }
    }

    /// All runs are in this initial state, or in others where these are a cube.
    pub(crate) fn begin_anywhere(&mut self, state: &[bool], start: &Start) {
        self.begin(state);
        if start.is_exact() {
            for (at, fixed) in start.fixed().iter().enumerate() {
                if fixed.is_none() {
                    self.state[at] = self.roll();
                }
            }
        }
    }

    /// The states of the runs: for each bit a word.
    pub(crate) fn state(&self) -> &[u64] {
        &self.state
    }

    /// What was chosen for the last step: for each choice a word.
    pub(crate) fn choices(&self) -> &[u64] {
        &self.choices
    }

    /// A word of random bits: a xorshift generator with a product, the same every time.
    fn roll(&mut self) -> u64 {
        self.dice ^= self.dice >> 12;
        self.dice ^= self.dice << 25;
        self.dice ^= self.dice >> 27;
        self.dice.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// One choice at random for each run.
    pub(crate) fn step(&mut self) -> Stepped {
        for at in 0..self.choices.len() {
            self.choices[at] = self.roll();
        }
        let mut moved = 0;
        for _ in 0..TRIES {
            self.work += self.valid.values.len() as u64;
            self.valid.evaluate(&self.state, &self.choices);
            moved = (0..self.blamed.len()).fold(u64::MAX, |all, part| all & self.valid.root(part));
            if moved == u64::MAX {
                break;
            }
            for part in 0..self.blamed.len() {
                let broken = !self.valid.root(part);
                for place in 0..if broken == 0 { 0 } else { self.blamed[part].len() } {
                    let again = broken & self.roll();
                    let at = self.blamed[part][place];
                    self.choices[at] = self.choices[at] & !again | self.roll() & again;
                }
            }
        }
        self.work += self.step.values.len() as u64;
        self.step.evaluate(&self.state, &self.choices);
        let bits = self.state.len();
        for at in 0..bits {
            self.state[at] = self.step.root(at) & moved | self.state[at] & !moved;
        }
        Stepped { moved, met: self.step.root(bits) }
    }
}
