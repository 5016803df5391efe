//! What happened while a tableau was made, for the notes.

use std::collections::BTreeSet;

/// Something that a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fact {
    /// A step of the model is taken for `X`.
    Step,
    /// A step depends on a label.
    Action,
    /// A run can stay somewhere for ever.
    Cycle,
    /// A set has two path formulas.
    PathSet,
    /// An act shares its set with other path formulas.
    ActInCompany,
    /// A commitment is opened.
    Commitment,
    /// A past operator is unfolded.
    Past,
    /// Knowledge, a strategy, branching past or another atom that only an engine can decide is a leaf.
    Opaque,
    /// Papers: a conjunction became two formulas of a set without a row of its own.
    SilentConjunction,
    /// Papers: the `X` of an argument was stripped alone.
    ArgumentStep,
    /// Papers: `G` was unfolded.
    Always,
    /// Papers: `R` or `W` was unfolded.
    Release,
    /// Papers: a boolean combination of atoms was left whole.
    BooleanLeaf,
    /// Papers: `!Act` was treated as an action.
    NegatedAct,
    /// Papers: no rule takes this apart.
    NoRule,
}

/// Everything that happened.
pub(crate) type Facts = BTreeSet<Fact>;
