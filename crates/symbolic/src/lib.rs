//! The symbolic engine: sets of states as binary decision diagrams, formulas as fixpoints over them.
//!
//! It decides the same core logic as the reference engine and must never disagree with it. CTL is decided by its fixpoints, `E ψ` of
//! CTL* by a symbolic tableau (one bit per temporal operator), knowledge by one quantification over what an agent does not
//! see, pure past by bits that remember it, commitments by their bits in the state. What it does not decide it says,
//! with the reason.
//!
//! ```
//! use servanda_engine::{NoLimits, Options, Verdict};
//! use servanda_logic::parse_formula;
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//! use servanda_symbolic::Symbolic;
//!
//! let mut model = Model::new("Lamp");
//! let on = model.add_variable(Variable::new("on", Domain::Bool, vec![0], Visibility::Public));
//! let toggle = model.add_label(Label::message("toggle", None));
//! model.add_command(Command { updates: vec![(on, Expr::variable(on).negate())], ..Command::new(toggle) });
//!
//! let mut symbolic = Symbolic::new(&model, Options::default(), 1 << 16, &NoLimits).unwrap();
//! assert_eq!(symbolic.states().to_string(), "2");
//! let always_again = parse_formula("AG (on -> X !on)").unwrap();
//! assert_eq!(symbolic.decide(&always_again, &NoLimits).unwrap(), Verdict::True);
//! ```

mod ability;
mod automaton;
mod build;
mod codes;
mod diagrams;
mod digits;
mod encoding;
mod engine;
mod evaluate;
mod events;
mod fairness;
mod knowledge;
mod multi;
mod nearest;
mod order;
mod paths;
mod reach;
mod recall;
mod recurring;
mod relation;
mod remember;
mod satisfying;
mod saturation;
mod schedule;
mod sets;
mod sift;
mod start;
mod stepping;
mod stopped_time;
mod symbolic;
mod unkeepable;

pub use order::usual_order;
pub use satisfying::Cube;
pub use sets::{FairStates, Sets, States, Steps};
pub use symbolic::{Statistics, Symbolic, TRIAL_NODES};
