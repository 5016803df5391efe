//! The tableau rules: what one formula demands at one position of a path.
//!
//! | formula | ways to meet it |
//! |---|---|
//! | `a & b` | both |
//! | `a \| b` | one for each |
//! | `a U b` | `b`; or `a`, and `a U b` again at the next position |
//! | `a R b` | `b` and `a`; or `b`, and `a R b` again at the next position |
//!
//! An infinite path meets a formula when no until is put off from some position on for ever. The rules refer to some path; with ways
//! and what they demand exchanged ([`Shape::dual`]) they refer to all.
//!
//! The on-the-fly engine, the search for evidence and the automata that `servanda abta --rules sound` shows all apply these.

/// A formula that a rule takes apart, negations moved inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<F> {
    /// `a & b`
    And(F, F),
    /// `a | b`
    Or(F, F),
    /// `a U b`
    Until(F, F),
    /// `a R b`
    Release(F, F),
}

/// What is left of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfolded<F> {
    /// Both of these, now.
    Both([F; 2]),
    /// One of these ways.
    Either([Way<F>; 2]),
}

/// One way to meet a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<F> {
    /// What is demanded now.
    pub now: Vec<F>,
    /// Is the formula itself demanded at the next position?
    pub again: bool,
}

impl<F> Shape<F> {
    /// The shape of the negation, its operands left as they are.
    pub fn dual(self) -> Shape<F> {
        match self {
            Shape::And(a, b) => Shape::Or(a, b),
            Shape::Or(a, b) => Shape::And(a, b),
            Shape::Until(a, b) => Shape::Release(a, b),
            Shape::Release(a, b) => Shape::Until(a, b),
        }
    }

    /// Is it put off where it is demanded again?
    pub fn is_eventuality(&self) -> bool {
        matches!(self, Shape::Until(..))
    }

    /// Applies the rule.
    pub fn unfold(self) -> Unfolded<F>
    where
        F: Clone,
    {
        let way = |now: Vec<F>, again: bool| Way { now, again };
        match self {
            Shape::And(a, b) => Unfolded::Both([a, b]),
            Shape::Or(a, b) => Unfolded::Either([way(vec![a], false), way(vec![b], false)]),
            Shape::Until(a, b) => Unfolded::Either([way(vec![b], false), way(vec![a], true)]),
            Shape::Release(a, b) => Unfolded::Either([way(vec![b.clone(), a], false), way(vec![b], true)]),
        }
    }
}
