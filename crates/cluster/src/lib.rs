//! The cluster engine: the reachable states of a model spread over workers by their hash.
//!
//! Every worker holds the states that are its own, expands them, and sends the successors to those whose own they are. The workers are
//! those of a timely dataflow computation (Murray et al., "Naiad: a timely dataflow system", SOSP 2013), which carries the parcels and
//! says when a round of them is over ([`fabric`](self)). All of them run the same program on their parts and agree on what to do next at
//! the end of each round, so that an answer does not depend on how many there are.
//!
//! ```
//! use servanda_cluster::{Cluster, Staff};
//! use servanda_engine::{Engine, NoLimits, Options};
//! use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
//!
//! let mut model = Model::new("Lamp");
//! let on = model.add_variable(Variable::new("on", Domain::Bool, vec![0], Visibility::Public));
//! let toggle = model.add_label(Label::message("toggle", None));
//! model.add_command(Command { updates: vec![(on, Expr::variable(on).negate())], ..Command::new(toggle) });
//!
//! let mut cluster = Cluster::new(&model, Options::default(), Staff::threads(2), &NoLimits).unwrap();
//! cluster.explore(&NoLimits).unwrap();
//! assert_eq!(cluster.counts().unwrap().states, 2_u32.into());
//! ```

mod answer;
mod board;
mod branching_past;
mod checkpoint;
mod cluster;
mod commitments;
mod complaint;
mod ctl;
mod depot;
mod evaluate;
mod explore;
mod fabric;
mod fairness;
mod fingerprint;
mod flood;
mod kept;
mod knowledge;
mod links;
mod net;
mod order;
mod product;
mod purse;
mod reach;
mod resume;
mod route;
mod shard;
mod spill;
mod staff;
mod storage;
mod words;
mod worker;

pub use cluster::Cluster;
pub use net::{Dismissed, Mesh, Place, Unmet};
pub use staff::Staff;
pub use storage::{Patience, Storage};
