//! What an acts file says, statement by statement.

use servanda_logic::{ActPattern, ActionPattern, Formula, Reference};
use servanda_model::ActReading;
use servanda_syntax::Span;

/// A statement.
pub(crate) enum Statement {
    /// `process Spec`: the process of the file that the acts are about
    Process(Vec<Reference>),
    /// `roles A, B`
    Roles(Vec<Reference>),
    /// `semantics actl`
    Semantics(ActReading, Span),
    /// `group both = { A, B }`
    Group { name: Reference, members: Vec<Reference> },
    /// `prop done = P in s1 | P in s2`
    Proposition { name: Reference, formula: Formula },
    /// `commitment offer = SC(A, B, F join)`
    Commitment { name: Reference, formula: Formula },
    /// `access A -> B : guard`
    Access { debtor: Reference, creditor: Reference, guard: Formula },
    /// `fair formula`
    Fair(Formula),
    /// `property p expect true = formula`
    Property { name: Reference, expected: Option<bool>, formula: Formula, written: Span },
    /// `create(phi) is Cr(A, offer) and Ac(B, other)`
    Performance { condition: Condition, acts: Vec<(ActPattern, Span)> },
}

/// Which steps are meant.
pub(crate) enum Condition {
    /// `create(phi)`, `create(phi) by Ag`, `Agent.create`
    Done {
        action: ActionPattern,
        by: Option<Reference>,
        span: Span,
    },
    /// `Spec in S6`: a process leaves a control state, or comes back to it
    From(Formula),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}
