//! Behavioural equivalences and preorders of labelled transition systems.
//!
//! Given two systems and a [`Relation`] or [`Preorder`], [`compare`] says whether they are related, and if not, why: with a formula
//! that holds in one and not in the other, or with a trace that only one of them has, perhaps with what it refuses then.
//! [`conforms`] asks the like of an agent and its protocol. Before such an explanation is
//! given, an evaluator that shares nothing with the decision but the systems confirms it. [`minimise`] gives the
//! smallest system equivalent to a given one. docs/equivalences.md defines the relations.
//!
//! How it works:
//!
//! - *Strong* and *branching* bisimilarity are decided by refining a partition by signatures (Blom and Orzan, 2003,
//!   and Blom and van de Pol, 2009), with one more rule: the largest part of a split block keeps its number, so only
//!   the predecessors of the smaller parts are looked at again. Cycles of internal steps are collapsed first.
//! - *Weak* bisimilarity is strong bisimilarity of the saturated branching quotient.
//! - *Trace* equivalence determinises both systems on the fly and merges what is known to be equal (Hopcroft and
//!   Karp, 1971), breadth first.
//! - *Simulation* and ready simulation refute pairs of states, starting from those where one can do what the other cannot, over
//!   the strong quotient; the weak ones over the branching quotient, without saturating it.
//! - *Inclusion* of traces and failures determinises one side on the fly and keeps antichains of sets.
//! - Distinguishing formulas follow Cleaveland (1990), those for branching bisimilarity Korver (1991).
//!
//! ```
//! use servanda_engine::NoLimits;
//! use servanda_equiv::{Relation, compare};
//! use servanda_lts::{Labels, Lts, State};
//!
//! let system = |transitions: &[(u32, &str, u32)]| {
//!     let mut labels = Labels::new();
//!     let step = |&(from, label, to): &(u32, &str, u32)| (State(from), labels.number(label), State(to));
//!     Lts::new(5, State(0), transitions.iter().map(step).collect(), labels)
//! };
//! let early = system(&[(0, "a", 1), (0, "a", 2), (1, "b", 3), (2, "c", 4)]);
//! let late = system(&[(0, "a", 1), (1, "b", 3), (1, "c", 4)]);
//! assert!(matches!(compare(&early, &late, Relation::Trace, &NoLimits), Ok(None)));
//! let Ok(Some(difference)) = compare(&early, &late, Relation::Strong, &NoLimits) else { panic!() };
//! assert_eq!(difference.to_string(), "<a>[c]false");
//! ```

mod compare;
mod determinise;
mod difference;
mod distinguish;
mod evaluate;
mod formula;
mod inclusion;
mod initials;
mod internal;
mod minimise;
mod partition;
mod quotient;
mod refine;
mod relation;
mod saturate;
mod show;
mod simulation;
mod trace;
mod translate;
mod watch;

pub use compare::{Duty, Failure, compare, conforms};
pub use difference::{Difference, Explanation, Run, Side};
pub use evaluate::{can_do, holds};
pub use formula::{Formula, FormulaId, Node};
pub use minimise::minimise;
pub use relation::{Comparison, Order, Preorder, Relation, Steps};
pub use translate::{property, usual_atom};
