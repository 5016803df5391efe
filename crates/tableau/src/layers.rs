//! The remembered past: layers of nodes above the states.
//!
//! Layer 0 is the states themselves. A node of a higher layer is a node of the layer below together with what the history
//! of a run allows the past formulas of this layer to be: a set of states of an automaton that guesses, position by position,
//! what each of them is worth. Where the operands of past operators do not look ahead every guess is settled at once and the
//! set has one member. The formulas of a layer speak, besides of time, only of what lower layers know, so what a step
//! does to the memory can be worked out from the layer below.

use rustc_hash::FxHashMap;
use servanda_engine::{Budget, Halt};
use servanda_lower::{Arena, PathFormula};
use servanda_model::{StateId, StateStore};
use servanda_paths::{Automaton, Look, Obligations, Position};

use crate::evaluate::Evaluation;
use crate::labels::satisfies;
use crate::search::{Ending, Search};
use servanda_space::{Step, Steps};

/// The most guesses that one node may hold.
const MOST_GUESSES: usize = 1 << 12;

/// A node of a layer: a state with what this layer and those below remember of the run to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The layer.
    pub layer: usize,
    /// Its number there.
    pub number: u32,
}

/// A layer above the states.
pub(crate) struct Layer {
    /// One word each: a node of the layer below, and the number of a memory.
    nodes: StateStore,
    steps: Steps,
    memories: Vec<Box<[u32]>>,
    memory_numbers: FxHashMap<Box<[u32]>, u32>,
    /// What the past formulas may be worth. The memories are sets of its states.
    history: Automaton,
    /// The search for paths that take the remembered past into account.
    pub(crate) search: Search,
    /// The past operators whose worth it remembers.
    pub(crate) remembered: Vec<PathFormula>,
}

impl Layer {
    /// The layer with this number.
    pub(crate) fn new(arena: &Arena, number: usize, remembered: Vec<PathFormula>) -> Result<Self, Halt> {
        let mut history = Automaton::remembering(remembered.clone())?;
        // Nothing is demanded at the beginning of a run, and nothing held before it.
        let start = history.state(arena, Obligations::default());
        let search = Search::new(Automaton::remembering(remembered.clone())?, number, Ending::Never);
        let mut layer = Layer {
            nodes: StateStore::new(1),
            steps: Steps::default(),
            memories: Vec::new(),
            memory_numbers: FxHashMap::default(),
            history,
            search,
            remembered,
        };
        layer.memory(vec![start]);
        Ok(layer)
    }

    /// The number of a memory; that of the beginning is 0.
    fn memory(&mut self, mut guesses: Vec<u32>) -> u32 {
        guesses.sort_unstable();
        guesses.dedup();
        let guesses: Box<[u32]> = guesses.into();
        if let Some(&number) = self.memory_numbers.get(&guesses) {
            return number;
        }
        let number = self.memories.len() as u32;
        self.memories.push(guesses.clone());
        self.memory_numbers.insert(guesses, number);
        number
    }

    fn node(&mut self, below: u32, memory: u32) -> u32 {
        self.nodes.insert(&[u64::from(below) << 32 | u64::from(memory)]).0.0
    }

    fn parts(&self, node: u32) -> (u32, u32) {
        let word = self.nodes.get(StateId(node))[0];
        ((word >> 32) as u32, word as u32)
    }
}

impl Evaluation<'_> {
    /// The number of nodes met in a layer.
    pub(crate) fn met(&self, layer: usize) -> usize {
        match layer.checked_sub(1) {
            None => self.space.len(),
            Some(above) => self.layers[above].nodes.len(),
        }
    }

    /// The node that this one is in a lower layer.
    pub fn projected(&self, Node { layer, mut number }: Node, to: usize) -> u32 {
        for above in (to..layer).rev() {
            number = self.layers[above].parts(number).0;
        }
        number
    }

    /// The node of a layer at which a run begins in this state.
    pub fn start(&mut self, layer: usize, state: u32) -> Node {
        let number = self.layers[..layer].iter_mut().fold(state, |below, above| above.node(below, 0));
        Node { layer, number }
    }

    /// The transitions of a node, the implicit loop of a deadlock included.
    pub fn steps(&mut self, at: Node, found: &mut Vec<Step>, budget: &dyn Budget) -> Result<(), Halt> {
        let Node { layer, number: node } = at;
        found.clear();
        let Some(above) = layer.checked_sub(1) else {
            found.extend_from_slice(self.space.expand(node, budget)?);
            return Ok(());
        };
        if let Some(steps) = self.layers[above].steps.of(node) {
            found.extend_from_slice(steps);
            return Ok(());
        }
        let (below, memory) = self.layers[above].parts(node);
        self.steps(Node { layer: above, number: below }, found, budget)?;
        let guesses = self.layers[above].memories[memory as usize].clone();
        let open = self.open_edges(above, below, &guesses, budget)?;
        for step in found.iter_mut() {
            let after: Vec<u32> = open
                .iter()
                .filter(|(label, _)| {
                    label.is_none_or(|number| {
                        let condition = self.layers[above].history.condition(number);
                        satisfies(&self.space, step.via, condition, &self.lowering.arena)
                    })
                })
                .map(|(_, next)| *next)
                .collect();
            let layer = &mut self.layers[above];
            let memory = layer.memory(after);
            if layer.memories[memory as usize].len() > MOST_GUESSES {
                return Err(Halt::TooLarge("the past leaves too much open about the future".to_owned()));
            }
            step.target = layer.node(step.target, memory);
        }
        self.layers[above].steps.enter(node, found);
        Ok(())
    }

    /// The edges of the guesses for what holds in the present state: the number of the condition on the label, and
    /// where the edge leads.
    fn open_edges(
        &mut self,
        above: usize,
        below: u32,
        guesses: &[u32],
        budget: &dyn Budget,
    ) -> Result<Vec<(Option<u32>, u32)>, Halt> {
        let mut open = Vec::new();
        let mut position = Position::default();
        for &guess in guesses {
            position.leave();
            let edges = loop {
                let history = &mut self.layers[above].history;
                match history.look(&self.lowering.arena, guess, &mut position, budget)? {
                    Look::Ask(id) => {
                        let at = Node { layer: above, number: below };
                        position.answer(self.holds(id, at, budget)?);
                    }
                    Look::Edges(edges) => break edges,
                }
            };
            let history = &self.layers[above].history;
            open.extend(edges.map(|number| {
                let edge = history.edge_at(number);
                (edge.label, edge.next)
            }));
        }
        open.sort_unstable();
        open.dedup();
        Ok(open)
    }

    /// What the history of a node allows: obligations that are still open, and what is remembered.
    pub(crate) fn guesses(&self, at: Node) -> Vec<Obligations> {
        let Some(above) = at.layer.checked_sub(1) else { return vec![Obligations::default()] };
        let layer = &self.layers[above];
        let (_, memory) = layer.parts(at.number);
        let guesses = layer.memories[memory as usize].iter();
        guesses.map(|guess| layer.history.obligations(*guess).clone()).collect()
    }
}
