//! A model as a circuit.
//!
//! A [`Graph`] is an and-inverter graph in which every distinct gate is stored once. [`System::new`] turns a model of any
//! front end into one: the bits of a state and the choices of a step are its inputs, the bits of the next state its
//! outputs, and [`System::valid`] says which choices are steps of the model.
//!
//! ```
//! use servanda_circuit::{Edge, Graph};
//!
//! let mut graph = Graph::new();
//! let (a, b) = (graph.input(), graph.input());
//! assert_eq!(graph.and(a, b), graph.and(b, a));
//! assert_eq!(graph.and(a, !a), Edge::FALSE);
//! ```

mod commands;
mod graph;
mod rounds;
mod system;

pub use graph::{Edge, Graph, Node};
pub use system::{Chosen, Fallible, Labelling, Steps, System};
