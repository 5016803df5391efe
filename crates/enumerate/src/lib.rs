//! The reference engine: the whole state space in memory, then the semantics as written.
//!
//! It is the engine every other one is tested against, so it is written to be seen to be right: state formulas are evaluated
//! bottom up as sets of nodes, `E ψ` by a declarative tableau ([`tableau`](self)), the remembered past by splitting nodes until a node's
//! history decides what was remembered, commitments as docs/formulas.md section 4 defines them, knowledge by grouping local
//! states, ability by its fixpoints or by trying strategies. It is not clever, and it may be slow.
//!
//! ```
//! use servanda_engine::{NoLimits, Options, Verdict};
//! use servanda_enumerate::Explored;
//! use servanda_logic::parse_formula;
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//!
//! let mut model = Model::new("Lamp");
//! let on = model.add_variable(Variable::new("on", Domain::Bool, vec![0], Visibility::Public));
//! let toggle = model.add_label(Label::message("toggle", None));
//! model.add_command(Command { updates: vec![(on, Expr::variable(on).negate())], ..Command::new(toggle) });
//!
//! let mut explored = Explored::new(&model, Options::default(), &NoLimits).unwrap();
//! assert_eq!(explored.space.len(), 2);
//! let always_again = parse_formula("AG (on -> X !on)").unwrap();
//! assert_eq!(explored.decide(&always_again, &NoLimits).unwrap(), Verdict::True);
//! ```

mod ability;
mod branching_past;
mod commitments;
mod conformance;
mod evaluate;
mod explored;
mod fairness;
mod graph;
mod history;
mod knowledge;
mod points;
mod recall;
mod satisfying;
mod strict;
mod tableau;
mod unroll;
mod upper;
mod walk;

pub use explored::Explored;
pub use points::Points;
pub use servanda_engine::{Halt, RunFault};
pub use walk::{WalkPoint, Walker};
