//! The explored space of a model: states, the steps between them, and the shortest ways to them.
//!
//! A [`Space`] finds the steps of a state when it is asked for them and keeps them, so whoever decides formulas, warns of something,
//! looks for evidence or draws a graph goes on with what is known already. [`Space::explore`] is the plain explorer: all
//! states, nearest first. (The other explorer, which has many threads and keeps no steps, belongs to the on-the-fly engine.)
//!
//! ```
//! use servanda_engine::{Deadlock, NoLimits};
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//! use servanda_space::Space;
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
//! let mut space = Space::new(&model, Deadlock::Strict, &NoLimits).unwrap();
//! space.explore(&NoLimits).unwrap();
//! assert_eq!(space.len(), 3);
//! assert_eq!(space.ways().path_to(&space, 2), ["tick", "tick"]);
//! ```

mod before;
mod expand;
mod lent;
mod recent;
mod set;
mod space;
mod steps;
mod tree;
mod walk;
mod wanted;
mod ways;

use std::sync::atomic::{AtomicU64, Ordering};

pub use before::Before;
pub use expand::Expander;
pub use lent::Lent;
pub use recent::Recent;
pub use set::StateSet;
pub use space::{Canonical, Space};
pub use steps::{Step, Steps, Via};
pub use tree::{Numbers, Shape, Tree, WIDE, word_in};
pub use walk::Walk;
pub use wanted::Wanted;
pub use ways::Ways;

/// How many spaces this process has made.
static MADE: AtomicU64 = AtomicU64::new(0);

/// How many spaces this process has made; for tests that demand that a model is not explored again and again.
pub fn spaces_made() -> u64 {
    MADE.load(Ordering::Relaxed)
}

/// Counts a space; also called by the explorer with many threads.
pub fn count_space() {
    MADE.fetch_add(1, Ordering::Relaxed);
}
