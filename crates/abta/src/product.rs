//! The papers' automaton over a model: the product graph (Definition 4 of the ACTL* paper, Definition 5 of the CTL*CA paper) and the
//! depth-first search that the papers print for it, with what is really so beside it.
//!
//! A node is a row of the tableau, a place in the model, and a sign. The search gives each node that it visits a value; what the row says
//! of the state, as a sound engine decides it, is the value that it should have. Where a value is wrong although all values that
//! it was made from are right, a clause of the papers is to blame: [`Fault`] says which.

mod build;
mod faults;
mod runs;
mod search;

use std::ops::Range;

use servanda_engine::{Budget, Halt};
use servanda_logic::Formula;
use servanda_model::{LabelId, Model};

use crate::automaton::StateId;
use crate::decompose::Decomposition;
use crate::measures::Bound;
use crate::options::Logic;
use crate::translation::Translation;

pub use faults::{Blame, Fault};
pub use search::{Call, Search};

/// A model as the product sees it: numbered states and labelled steps.
pub trait System {
    /// The model, for its labels.
    fn model(&self) -> &Model;

    /// How many states it has; the first are the initial ones.
    fn states(&self) -> u32;

    /// The initial states.
    fn initial(&self) -> Range<u32>;

    /// How many transitions it has, those of deadlocks not counted.
    fn transitions(&self) -> u64;

    /// Visits the steps of a state: label and target. A round of agents that act together has no label of its own.
    fn for_each_step(&self, state: u32, visit: &mut dyn FnMut(Option<LabelId>, u32));

    /// Does the model satisfy a state formula?
    ///
    /// # Errors
    ///
    /// The formula cannot be decided, or the budget says stop.
    fn satisfies(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<bool, Halt>;

    /// Where a state formula holds; `None` where that depends on how the state was reached.
    ///
    /// # Errors
    ///
    /// The formula cannot be decided, or the budget says stop.
    fn holds(&mut self, formula: &Formula, budget: &dyn Budget) -> Result<Vec<Option<bool>>, Halt>;
}

servanda_syntax::named! {
    /// The sign of a node.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Sign {
        /// What the row says is to be shown.
        Positive = "positive",
        /// That it is not so is to be shown.
        Negative = "negative",
        /// The form of an act is to be shown that the formula forbids.
        Neutral = "neutral",
    }
}

impl Sign {
    /// As papers write it.
    pub fn symbol(self) -> &'static str {
        match self {
            Sign::Positive => "+",
            Sign::Negative => "-",
            Sign::Neutral => "0",
        }
    }
}

/// A place: a state of the model, or inside it a state of the decomposition of the act that led there (Definition 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The state of the model.
    pub state: u32,
    /// A decomposition, by its position in [`Product::inside`], and a state of it.
    pub inside: Option<(usize, usize)>,
}

impl Place {
    /// The state itself.
    fn of(state: u32) -> Self {
        Place { state, inside: None }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.inside {
            None => write!(f, "s{}", self.state),
            Some((_, inner)) => write!(f, "s{}.{inner}", self.state),
        }
    }
}

/// A node of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The row of the tableau.
    pub row: StateId,
    /// Where.
    pub place: Place,
    /// Its sign.
    pub sign: Sign,
    /// The clause of the definition that gives its successors; empty where none fits or none is printed.
    pub clause: &'static str,
    /// Its successors, by their positions.
    pub successors: Vec<u32>,
    /// What the row says of the state, as the sign has it: the value that the node should have.
    pub sound: Option<bool>,
}

/// The product of a formula's automaton and a model, searched.
#[derive(Clone, Debug)]
pub struct Product {
    /// The formula and its automaton, by the papers' rules.
    pub translation: Translation,
    /// Whose definitions and search.
    pub logic: Logic,
    /// All nodes, breadth first.
    pub nodes: Vec<Node>,
    /// The first nodes: one for each initial state.
    pub roots: Vec<u32>,
    /// The decompositions that nodes are inside of, with the acts they belong to.
    pub inside: Vec<(LabelId, Decomposition)>,
    /// Is there a successful run? `None` for SCCTL*, whose paper does not define runs.
    pub run: Option<bool>,
    /// The printed search.
    pub search: Search,
    /// What is really so.
    pub sound: bool,
    /// Where the search goes wrong.
    pub faults: Vec<Fault>,
    /// The bounds of the lemmas about products.
    pub bounds: Vec<Bound>,
    /// States, transitions and states inside of states.
    pub size: (u64, u64, u64),
}

impl Product {
    /// Makes the product of an automaton by the papers' rules and a model, and searches it. `most` is how many nodes it may have.
    ///
    /// # Errors
    ///
    /// The product is too large, the formula cannot be decided, or the budget says stop.
    pub fn new(
        translation: Translation,
        system: &mut dyn System,
        most: usize,
        budget: &dyn Budget,
    ) -> Result<Self, Halt> {
        let logic = translation.logic.unwrap_or(Logic::Actl);
        let sound = system.satisfies(&translation.formula, budget)?;
        let graph = build::build(&translation.automaton, logic, system, most, budget)?;
        let search = search::search(&translation.automaton, logic, &graph, budget)?;
        let run = match logic {
            Logic::Scctl => None,
            Logic::Actl | Logic::CtlCa => {
                Some(runs::has_successful_run(&translation.automaton, &graph, budget)?)
            }
        };
        let mut product = Product {
            sound,
            translation,
            logic,
            nodes: graph.nodes,
            roots: graph.roots,
            inside: graph.inside,
            run,
            search,
            faults: Vec::new(),
            bounds: Vec::new(),
            size: (u64::from(system.states()), system.transitions(), 0),
        };
        product.size.2 = product.inside.iter().map(|(_, inside)| inside.states.len() as u64).sum();
        product.faults = faults::find(&product);
        product.bounds = product.bounds();
        Ok(product)
    }

    /// How many edges it has.
    pub fn edges(&self) -> usize {
        self.nodes.iter().map(|node| node.successors.len()).sum()
    }

    /// Do the printed search and the sound engine say different things?
    pub fn differs(&self) -> bool {
        self.search.verdict != self.sound
    }

    /// The label of a node's row, or the row itself where it is a leaf.
    pub fn label(&self, node: &Node) -> &str {
        let row = self.translation.automaton.state(node.row);
        row.rule.as_ref().map_or(&row.text, |rule| &rule.label)
    }

    /// A node as papers write it: `<∨, s0>`, with its sign before it.
    pub fn shown(&self, node: &Node) -> String {
        format!("{}<{}, {}>", node.sign.symbol(), self.label(node), node.place)
    }

    /// Lemma 6 of the CTL*CA paper, Lemma 2 of the SCCTL* paper.
    fn bounds(&self) -> Vec<Bound> {
        let (states, transitions, inner) = self.size;
        let rows = self.translation.automaton.states.len() as u64;
        let (lemma, size, sum) = match self.logic {
            Logic::Scctl => ("Lemma 2 of SCCTL*", states + transitions, "|S| + |→|"),
            Logic::Actl | Logic::CtlCa => {
                ("Lemma 6 of CTL*CA", states + transitions + inner, "|S| + |℘| + |→|")
            }
        };
        let product = size.saturating_mul(rows);
        let bound = format!("≤ |T| × |B| = {size} × {rows} = {product}, where |T| = {sum}");
        let calls = (states + inner).saturating_mul(rows);
        let called = format!("≤ |S| × |B| = {} × {rows} = {calls}", states + inner);
        let (nodes, edges) = (self.nodes.len() as u64, self.edges() as u64);
        let of = |what, value, bound: &str, most| {
            let (lemma, bound) = (lemma.to_owned(), bound.to_owned());
            Bound { lemma, what, value, bound, holds: value <= most }
        };
        vec![
            of("nodes and edges of the product", nodes + edges, &bound, product),
            of("calls of the search", self.search.calls.len() as u64, &called, calls),
        ]
    }
}
