//! A protocol in outline: what it contains, before its parts have names.
//!
//! Parts refer to each other by [`Pick`], a number that is taken modulo the number of things there are. So every
//! outline can be written as a protocol without mistakes, and stays so while shrinking takes parts away.

use servanda_logic::{ActKind, Binary};
use servanda_model::{ActReading, Strength};

use super::sketch::{Sketch, Written};

/// A choice among things whose number is known only when the choice is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick(pub u8);

impl Pick {
    /// The position of the chosen one among `count` things; `None` where there is nothing to choose from.
    pub fn index(self, count: usize) -> Option<usize> {
        (count > 0).then(|| usize::from(self.0) % count)
    }

    /// The chosen one.
    pub fn among<T>(self, things: &[T]) -> Option<&T> {
        self.index(things.len()).map(|index| &things[index])
    }
}

/// Who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roles {
    /// `Ann, Bob`
    Two,
    /// `Ann, Bob, Cyd`
    Three,
    /// `Ann, Peer[1..N]` with `N = 2`
    Array,
}

/// The values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// `bool`
    Bool,
    /// `low..low + size - 1`
    Range {
        /// The smallest value.
        low: i64,
        /// The number of values.
        size: u8,
    },
    /// The first few of a fixed list of names.
    Enumeration {
        /// How many.
        size: u8,
    },
}

/// What a variable may be initially.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// One value.
    One(Pick),
    /// One of these.
    Set(Vec<Pick>),
    /// Nothing declared: any value.
    Undeclared,
}

/// A declared variable, or an array of two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableOutline {
    /// Its values.
    pub values: Values,
    /// Its initial values.
    pub initial: Initial,
    /// Who alone observes it; `None`: it is public.
    pub owner: Option<Pick>,
    /// `v[1..2]`?
    pub is_array: bool,
}

/// A condition on the present state that is no boolean combination of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `true` or `false`
    Constant(bool),
    /// A variable compared with one of its values; of a truth value, itself or its negation.
    Variable(Pick, Binary, Pick),
    /// Two integer variables compared, one of them moved by a constant.
    Integers(Pick, Binary, Pick, i64),
    /// `in NAME`, `M in NAME`
    At(Pick, Pick),
    /// A declared proposition.
    Defined(Pick),
    /// `any` or `all` elements of an array of truth values, or the `sum` of an array of integers compared.
    Elements(Pick, Binary),
    /// `active(..)` of a declared commitment or of a pattern that it matches.
    Active(Pick, Written),
}

/// A declared commitment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitmentOutline {
    /// Who owes it.
    pub debtor: Pick,
    /// To whom; another role than the debtor.
    pub creditor: Pick,
    /// Now and then a role promises something to itself.
    pub is_to_itself: bool,
    /// The moment: makes it a `PC`.
    pub tag: Option<Tag>,
    /// What is promised; named commitments in it are earlier ones.
    pub content: Sketch,
    /// Declared with `for` for each element of an array of roles.
    pub is_family: bool,
    /// Seen by its parties alone?
    pub is_private: bool,
}

/// The moment of a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `t0`, `t1`
    Name(Pick),
    /// `0`, `1`
    Number(Pick),
}

/// Which part of a synchronisation a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// None.
    Alone,
    /// `message!`
    Sends,
    /// `message?`
    Receives,
}

/// What a transition is labelled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelOutline {
    /// A message.
    Message {
        /// Which.
        name: Pick,
        /// By whom; `None`: by nobody.
        by: Option<Pick>,
        /// Alone or with a partner.
        side: Side,
        /// Declared with `for` for each element of an array of roles.
        is_family: bool,
    },
    /// An act on a declared commitment.
    Act {
        /// Which act.
        kind: ActKind,
        /// On which commitment.
        commitment: Pick,
        /// The support, where the kind has one.
        support: Sketch,
        /// Is the commitment written out where it could be named?
        is_written_out: bool,
        /// The third party, where the kind has one.
        third: Pick,
    },
}

/// What a variable is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewValue {
    /// One of its values.
    Constant(Pick),
    /// The next value, after the last the first.
    Step,
    /// One more; only where there is room.
    Up,
    /// One less; only where there is room.
    Down,
    /// The value of another variable with the same values.
    Copy(Pick),
    /// Whether a condition holds.
    Whether(Sketch),
}

/// One transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionOutline {
    /// Where it starts: among the control states that earlier transitions lead to.
    pub from: Pick,
    /// What it is.
    pub label: LabelOutline,
    /// When it is possible.
    pub guard: Option<Sketch>,
    /// What it assigns; of several assignments to one variable the first counts.
    pub sets: Vec<(Pick, NewValue)>,
    /// Where it ends.
    pub to: Pick,
}

/// `access i -> j : guard`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessOutline {
    /// Whose paths.
    pub debtor: Pick,
    /// Towards whom; another role.
    pub creditor: Pick,
    /// A condition on a state and a label.
    pub guard: Sketch,
}

/// A protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// How acts are read.
    pub reading: ActReading,
    /// Who takes part.
    pub roles: Roles,
    /// Its variables.
    pub variables: Vec<VariableOutline>,
    /// Its propositions.
    pub definitions: Vec<Sketch>,
    /// Where roles do not behave correctly; only what the role observes is read.
    pub red: Vec<(Pick, Sketch)>,
    /// Its commitments.
    pub commitments: Vec<CommitmentOutline>,
    /// Its machines, by their transitions. A single one is written without a block.
    pub machines: Vec<Vec<TransitionOutline>>,
    /// The number of control states that transitions may lead to, for each machine.
    pub locations: usize,
    /// Does a transition that is always possible leave every control state of the first machine?
    pub is_deadlock_free: bool,
    /// Narrowed accessible paths.
    pub access: Vec<AccessOutline>,
    /// Fairness constraints.
    pub fairness: Vec<Sketch>,
    /// Fairness constraints of steps, which are given by `does(..)`.
    pub step_fairness: Vec<(Strength, Sketch)>,
    /// Groups.
    pub groups: Vec<Vec<Pick>>,
}
