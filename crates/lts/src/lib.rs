//! Explicit labelled transition systems.
//!
//! An [`Lts`] is what equivalences look at: numbered states, one of them initial, and transitions with labels. What a
//! state *is*, which variables it has and which commitments are in force, is forgotten; only what can be done, and
//! what can be done afterwards, is left. [`explore`] makes one of any model.
//!
//! - A label is what the model shows (`Model::name_label`); where agents act in rounds, `A.x, B.y`.
//! - Internal labels ([`servanda_model::Label::is_internal`]) all become [`Action::INTERNAL`], shown as `tau`.
//! - The implicit loop of a deadlock (docs/formulas.md section 2) is no transition, so it is not here.
//! - Fairness constraints are not part of it.
//! - There is exactly one initial state. A model that has several, or none, has no transition system: an added root
//!   would do something that the model does not do.
//!
//! ```
//! use servanda_lts::{Action, Labels, Lts, State};
//!
//! let mut labels = Labels::new();
//! let pay = labels.number("pay");
//! let lts = Lts::new(2, State(0), vec![(State(0), pay, State(1)), (State(1), Action::INTERNAL, State(0))], labels);
//! assert_eq!(lts.transitions(), 2);
//! assert_eq!(lts.labels().name(lts.edges(State(1))[0].action), "tau");
//! ```

mod explore;
mod labels;
mod lts;
mod union;

pub use explore::{Unexplored, explore};
pub use labels::{Action, Labels};
pub use lts::{Edge, Lts, Rows, State};
pub use union::Union;
