//! The one semantic object: a finite multi-agent model (docs/formulas.md section 1).
//!
//! Front ends build a [`Model`]: agents, finite-domain variables, guarded [`Command`]s labelled with acts and
//! messages, and the commitments that can ever be in force. Explicit engines turn it into a [`Mover`], which packs a
//! state into a few machine words and enumerates its moves; symbolic engines read the same
//! [`Expr`] trees.
//!
//! ```
//! use servanda_model::{Command, Domain, Expr, Label, Model, Mover, Variable, Visibility};
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
//! let mut mover = Mover::new(&model);
//! let start = mover.initial_states().next().unwrap();
//! let mut seen = Vec::new();
//! mover.for_each(&start, |_, next| seen.push(next.to_vec())).unwrap();
//! assert_eq!(seen.len(), 1);
//! assert_eq!(mover.layout().variable(x).read(&seen[0]), 1);
//! ```

mod action;
mod behaviour;
mod bind;
mod bounds;
mod describe;
mod ends;
mod expr;
mod flow;
mod fold;
mod footprint;
mod ids;
mod joints;
mod layout;
mod line_index;
mod message;
mod model;
mod mover;
mod pattern;
mod performance;
mod program;
mod queue;
mod ranges;
mod round_stepper;
mod show;
mod states;
mod step_kind;
mod stepper;
mod store;
mod subject;

pub use action::{ActionLabel, Alphabet, Port};
pub use behaviour::{AgentProgram, Behaviour, Block, Line, Permission};
pub use bind::{Local, bind_boolean, bind_boolean_with, bind_value, bind_value_with, element_of};
pub use bounds::Bounds;
pub use describe::{Change, StateView};
pub use ends::Ends;
pub use expr::{Arithmetic, Comparison, Expr, Range, Sum};
pub use flow::{Counted, Flow};
pub use footprint::{Footprint, Place, Places};
pub use ids::{AgentId, CommandId, CommitmentId, LabelId, MachineId, StateId, VariableId};
pub use joints::JointActions;
pub use layout::{Field, Layout, Sight};
pub use message::{Channel, MessageLabel, MessageType};
pub use model::{
    Access, ActLabel, ActReading, Agent, Command, Deadlock, Domain, Effect, Fairness, GroupDefinition, Label,
    Level, Machine, Model, NamedProposition, Promise, Property, Scenario, ScenarioStep, StepFairness,
    Strength, Variable, Visibility,
};
pub use mover::{Cause, MoveError, Mover};
pub use pattern::values_in_words;
pub use performance::{JointAct, NamedCommitment};
pub use program::{Fault, FaultKind, Program};
pub use queue::Guarded;
pub use ranges::{Ranges, guard_may_fault, range_everywhere, values_may_fault};
pub use show::CommitmentView;
pub use states::States;
pub use step_kind::StepKind;
pub use stepper::StepFault;
pub use store::StateStore;
pub use subject::{PromisePattern, not_a_commitment, resolve_agent};
