//! What becomes of properties, commitments and slices.

use servanda_model::Level;

use super::Line;

/// What has been decided of a property or of a commitment in a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The property is true on every run that agrees with the slice, or the commitment is kept.
    Held,
    /// It is false on every such run, or broken.
    Broken,
    /// Some runs satisfy it and some do not; of a commitment: still owed.
    Open,
    /// The commitment was withdrawn or released.
    Released,
    /// It was said to be kept though its content was not true.
    Claimed,
}

impl Outcome {
    /// The word for it, of a property.
    pub fn of_property(self) -> &'static str {
        match self {
            Outcome::Held => "true",
            Outcome::Broken => "false",
            Outcome::Open | Outcome::Released | Outcome::Claimed => "open",
        }
    }

    /// The word for it, of a commitment.
    pub fn of_commitment(self) -> &'static str {
        match self {
            Outcome::Held => "kept",
            Outcome::Broken => "broken",
            Outcome::Open => "owed",
            Outcome::Released => "released",
            Outcome::Claimed => "claimed",
        }
    }
}

/// A verdict: said once, at the line that decides it, and at the end of a slice for what is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The view.
    pub view: String,
    /// The key of the slice.
    pub key: Vec<String>,
    /// The line; none: at the end of the log.
    pub at: Option<Line>,
    /// The property, or the commitment.
    pub name: String,
    /// Who owes it to whom, of a commitment.
    pub parties: Option<(String, String)>,
    /// What it is.
    pub outcome: Outcome,
    /// How much it matters.
    pub level: Level,
}

/// A slice that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The view.
    pub view: String,
    /// The key.
    pub key: Vec<String>,
    /// The line that ended it; none: the end of the log.
    pub at: Option<Line>,
    /// How many steps it made.
    pub length: u32,
    /// How many changes would have put it in order.
    pub cost: u32,
}

impl Ended {
    /// Changes for each step: 0 where all is in order.
    pub fn fitness(&self) -> f64 {
        f64::from(self.cost) / f64::from(self.length.max(1))
    }
}

/// A line that a slice was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The view.
    pub view: String,
    /// The key of the slice.
    pub key: Vec<String>,
    /// The line.
    pub at: Line,
    /// What it meant.
    pub labels: Vec<String>,
}
