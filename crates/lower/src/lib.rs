//! A formula bound to a model and reduced to the small core that every engine sees.
//!
//! The surface language is rich; engines should not be. [`Lowering`] turns a ground formula into [`State`] and [`Path`] nodes:
//! booleans, state propositions, labels, `E`, `X`, `U`, `Y`, `S`, branching past, knowledge, strategies, and one modality for
//! commitments. Acts disappear: an act formula is its label plus what it brings about, in the chosen reading. All
//! static checks of formulas happen on the way, so [`validate`] is the same code with the result thrown away.
//!
//! ```
//! use servanda_lower::{Lowering, State};
//! use servanda_logic::parse_formula;
//! use servanda_model::{Deadlock, Domain, Model, Variable, Visibility};
//!
//! let mut model = Model::new("Empty");
//! model.add_variable(Variable::new("paid", Domain::Bool, vec![0], Visibility::Public));
//! let mut lowering = Lowering::new(&model, None, Deadlock::Loop).unwrap();
//! let property = lowering.property(&parse_formula("AG (paid -> EF !paid)").unwrap()).unwrap();
//! assert!(matches!(lowering.arena.state(property), State::Not(_)));
//! ```

mod actions;
mod acts;
mod arena;
mod attributes;
mod bounded;
mod core;
mod counted;
mod even;
mod lowerer;
mod lowering;
mod parts;
mod promises;
mod recall;
mod resolve;
mod step_fairness;
mod table;
mod vacuity;

pub use actions::{resolve_action, resolve_part};
pub use arena::{Arena, CoreFormula};
pub use core::{
    Action, Ctl, Goal, LabelSetId, Over, Path, PathFormula, PropositionId, Relation, State, StateFormula,
};
pub use even::{is_even, is_shown_by_a_part};
pub use lowering::{Context, IntoLowering, Lowering, MaybeLowering, models_lowered, validate};
pub use resolve::{resolve_act, resolve_group, resolve_promise};
pub use servanda_model::resolve_agent;
pub use step_fairness::StepConstraint;
pub use vacuity::conditions_under_always;
