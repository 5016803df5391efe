//! Stepping through a model, one transition at a time.
//!
//! A [`Simulation`] knows where it is, what can happen next, and how it came here. It shows what changes and the values of watched
//! expressions, and follows runs that were recorded elsewhere. It prints nothing and reads nothing; the
//! terminal is the business of whoever drives it.
//!
//! ```
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//! use servanda_engine::NoLimits;
//! use servanda_sim::Simulation;
//!
//! let mut model = Model::new("Counter");
//! let x = model.add_variable(Variable::new("x", Domain::Range { low: 0, high: 2 }, vec![0], Visibility::Public));
//! let tick = model.add_label(Label::message("tick", None));
//! model.add_command(Command {
//!     guard: Expr::variable(x).less_than(Expr::Constant(2)),
//!     updates: vec![(x, Expr::variable(x).plus(Expr::Constant(1)))],
//!     ..Command::new(tick)
//! });
//!
//! let mut simulation = Simulation::new(&model, &NoLimits).unwrap();
//! assert_eq!(simulation.choices()[0].label, "tick");
//! assert!(simulation.take(0));
//! assert_eq!(simulation.state().unwrap().to_string(), "x = 1");
//! assert!(simulation.undo());
//! assert_eq!(simulation.state().unwrap().to_string(), "x = 0");
//! ```

mod chance;
mod moves;
mod recording;
mod simulation;
mod tally;
mod watch;

pub use chance::Chance;
pub use moves::Choice;
pub use recording::{Departure, Recording};
pub use servanda_model::Change;
pub use simulation::{Simulation, Starts};
pub use tally::Tally;
pub use watch::Observation;
