//! The satisfiability engine: a model as a circuit, and a SAT solver that is asked about it.
//!
//! Sets of states are circuits over the bits of a state. `EX`, knowledge and the like quantify over choices or over what
//! an agent does not see; `project` does that with cubes that cores have enlarged (the `forall` of the UMC paper, Kacprzak,
//! Lomuscio and Penczek, "Unbounded model checking for knowledge and time", made to work with today's solvers), and
//! `backward` and `forward` are the fixpoints over it. Reachability questions, `AG` above all, go to `induction` and `ic3`
//! first, which need no sets at all. See docs/sat.md for what is decided how.
//!
//! ```
//! use servanda_engine::{NoLimits, Options, Verdict};
//! use servanda_logic::parse_formula;
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//! use servanda_sat::{Sat, SatOptions};
//!
//! let mut model = Model::new("counter");
//! let x = model.add_variable(Variable::new("x", Domain::Range { low: 0, high: 5 }, vec![0], Visibility::Public));
//! let mut command = Command::new(model.add_label(Label::message("add", None)));
//! command.guard = Expr::variable(x).less_than(Expr::Constant(4));
//! command.updates = vec![(x, Expr::variable(x).plus(Expr::Constant(1)))];
//! model.add_command(command);
//! let mut sat = Sat::new(&model, Options::default(), SatOptions::default(), &NoLimits).unwrap();
//! let formula = parse_formula("AG x < 5").unwrap();
//! assert_eq!(sat.decide(&formula, &NoLimits).unwrap(), Verdict::True);
//! ```

mod ability;
mod backward;
mod bounded;
mod cdcl;
mod certificate;
mod certify;
mod chance;
mod cube;
mod deep;
mod definitions;
mod dimacs;
mod effort;
mod encoded;
mod engine;
mod evaluate;
mod existential;
mod fairness;
mod forward;
mod gates;
mod habits;
mod ic3;
mod induction;
mod knowledge;
mod liveness;
mod machine;
mod memory;
mod paths;
mod project;
mod safety;
mod sat;
mod satisfying;
mod solver;
mod template;
mod walks;

pub use certificate::{Certificate, Flaw};
pub use certify::{Certified, Obligations};
pub use encoded::{Encoded, Question};
pub use fairness::Kept;
pub use machine::Machine;
pub use paths::Product;
pub use sat::{Sat, SatOptions, Technique};
pub use solver::{Cadical, Solver};
