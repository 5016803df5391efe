//! Random protocols and formulas, for tests that compare.
//!
//! [`protocols`] gives [`Outline`]s and [`state_formulas`] and [`path_formulas`] give [`Sketch`]es, as proptest
//! strategies: seeded, and shrinking by themselves. An outline is written as a Pact text by [`Outline::text`], and
//! a sketch is written for a protocol by [`Names::formula`]; whatever the random choices were, the text has no
//! mistakes in it. Protocols are tiny, most of them of some dozens of states, so that thousands of cases run in
//! seconds.
//!
//! ```
//! use proptest::strategy::{Strategy, ValueTree};
//! use proptest::test_runner::TestRunner;
//! use servanda_logic::Features;
//! use servanda_testkit::random::cases;
//!
//! let case = cases(Features::ALL, 2).new_tree(&mut TestRunner::deterministic()).unwrap().current();
//! let protocol = servanda_testkit::load(&case.text());
//! assert_eq!(protocol.properties.len(), 2);
//! ```

mod dice;
mod formulas;
mod ispl;
mod meaning;
mod names;
mod outline;
mod protocols;
mod render;
mod shrink;
mod sketch;
pub mod talk;
mod variants;
mod write;

use std::fmt::Write as _;

use proptest::collection::{SizeRange, vec};
use proptest::strategy::{BoxedStrategy, Strategy};
use servanda_logic::Features;

pub use dice::Dice;
pub use formulas::{conditions, path_formulas, small_state_formulas, state_formulas, steps};
pub(crate) use ispl::IsplModels;
pub use meaning::{Meaning, PlainState};
pub use names::{Names, Promise};
pub use outline::{
    AccessOutline, CommitmentOutline, Condition, Initial, LabelOutline, NewValue, Outline, Pick, Roles, Side,
    Tag, TransitionOutline, Values, VariableOutline,
};
pub use protocols::{protocols, step_fairness};
pub use sketch::{ActSketch, GroupSketch, LabelSketch, Sketch, Written};

/// A protocol with formulas to be decided about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The protocol.
    pub outline: Outline,
    /// The formulas.
    pub formulas: Vec<Sketch>,
}

impl Case {
    /// The formulas as they are written for the protocol.
    pub fn written(&self) -> Vec<String> {
        let names = Names::new(&self.outline);
        self.formulas.iter().map(|formula| names.formula(formula)).collect()
    }

    /// The protocol as a Pact text, with the formulas (state formulas) as its properties.
    pub fn text(&self) -> String {
        let mut text = self.outline.text();
        for (number, formula) in self.written().iter().enumerate() {
            let _ = writeln!(text, "property f{number} = {formula}");
        }
        text
    }
}

/// Protocols of every kind, each with so many state formulas that use nothing but these features.
pub fn cases(features: Features, count: impl Into<SizeRange>) -> BoxedStrategy<Case> {
    (protocols(contents_within(features)), vec(state_formulas(features), count))
        .prop_map(|(outline, formulas)| Case { outline, formulas })
        .boxed()
}

/// What contents and supports may use where formulas may use `features`: the same, but no knowledge, strategies or
/// branching past, which are rare in promises and costly in tests.
pub fn contents_within(features: Features) -> Features {
    let rare = Features::KNOWLEDGE
        | Features::CORRECT_BEHAVIOUR
        | Features::STRATEGIC
        | Features::BRANCHING_PAST
        | Features::CHALLENGES;
    features.without(rare) | Features::FUTURE
}
