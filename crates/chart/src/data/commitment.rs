//! Commitments as bars.

/// A commitment that the chart refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// What the chart calls it: its name, or `c1`.
    pub tag: String,
    /// The commitment written out.
    pub text: String,
    /// The lifeline of who owes it, where that is known.
    pub debtor: Option<usize>,
}

/// A time during which a commitment is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The position of the commitment.
    pub commitment: usize,
    /// The first moment at which it is in force.
    pub from: usize,
    /// How that ends.
    pub end: End,
}

/// How a commitment ends. Moments are the first at which it is no longer in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It was satisfied.
    Satisfied(usize),
    /// It was violated.
    Violated(usize),
    /// It was withdrawn.
    Withdrawn(usize),
    /// The creditor released the debtor.
    Released(usize),
    /// It was delegated or assigned: somebody else owes it now, or is owed it.
    PassedOn(usize),
    /// Another one took its place: a party changed its mind.
    Replaced(usize),
    /// It is still in force where the chart ends.
    InForce,
}

impl End {
    /// The first moment at which it is no longer in force, if there is one.
    pub fn moment(self) -> Option<usize> {
        match self {
            End::Satisfied(at)
            | End::Violated(at)
            | End::Withdrawn(at)
            | End::Released(at)
            | End::PassedOn(at)
            | End::Replaced(at) => Some(at),
            End::InForce => None,
        }
    }

    /// The sign that stands at the end of its bar.
    pub fn sign(self) -> char {
        match self {
            End::Satisfied(_) => '✓',
            End::Violated(_) => '✗',
            End::Withdrawn(_) => '↩',
            End::Released(_) => '○',
            End::PassedOn(_) => '↷',
            End::Replaced(_) => '╹',
            End::InForce => '▼',
        }
    }

    /// What became of it, in words.
    pub fn words(self) -> String {
        match self {
            End::Satisfied(at) => format!("satisfied at {at}"),
            End::Violated(at) => format!("violated at {at}"),
            End::Withdrawn(at) => format!("withdrawn at {at}"),
            End::Released(at) => format!("released at {at}"),
            End::PassedOn(at) => format!("passed on at {at}"),
            End::Replaced(at) => format!("replaced at {at}"),
            End::InForce => "still in force".to_owned(),
        }
    }
}
