//! What is found about acts: does each do what it says?

use servanda_model::StateView;
use servanda_syntax::Span;

/// On which runs through a transition an act's formula (read `actl`) holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// On none.
    Never,
    /// On some.
    Possible,
    /// On all.
    Certain,
}

/// What is found of one act label.
#[derive(Clone, Debug)]
pub struct ActConformance {
    /// The act.
    pub label: String,
    /// The worst over its reachable transitions; `Certain` where it has none.
    pub certainty: Certainty,
    /// Its reachable transitions.
    pub transitions: u64,
    /// How many of them are certain.
    pub certain: u64,
    /// How many are possible only.
    pub possible: u64,
    /// How many never hold.
    pub never: u64,
    /// Why it is not certain, for the first worst transition.
    pub why: Option<String>,
    /// Where it was first written.
    pub span: Span,
}

/// What `conform` finds.
#[derive(Clone, Debug)]
pub struct Conformance {
    /// One entry per act label of the model, in the order of the source.
    pub acts: Vec<ActConformance>,
    /// Where a role speaks twice in a row; `None` where the parties take turns.
    pub turns: Option<TurnBreak>,
}

/// Two transitions in a row by the same role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnBreak {
    /// Who.
    pub role: String,
    /// The first label.
    pub first: String,
    /// The second label.
    pub second: String,
    /// The state between the two.
    pub state: StateView,
}
