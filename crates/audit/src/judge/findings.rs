//! What a judge says.

use servanda_logic::ActKind;
use servanda_model::CommitmentId;

servanda_syntax::named! {
    /// What is known of a formula after a word: of the runs of the model that agree with it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Verdict {
        /// All of them satisfy it.
        True = "true",
        /// None of them does.
        False = "false",
        /// Some do, some do not.
        Open = "open",
        /// There is no such run: the word has left the protocol.
        Left = "left",
    }
}

impl Verdict {
    /// The verdict where some runs satisfy the formula, and where some do not.
    pub(crate) fn of(some_true: bool, some_false: bool) -> Self {
        match (some_true, some_false) {
            (true, true) => Verdict::Open,
            (true, false) => Verdict::True,
            (false, true) => Verdict::False,
            (false, false) => Verdict::Left,
        }
    }

    /// Is it true or false?
    pub fn is_decided(self) -> bool {
        matches!(self, Verdict::True | Verdict::False)
    }
}

/// How a slice stands: all that its word comes to. Two words that come to the same have the same standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Standing(pub(crate) u32);

/// What a step decided; [`crate::judge::Judge::news`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct News(pub(crate) u32);

impl News {
    /// Nothing new.
    pub const NONE: News = News(0);

    /// Is there nothing new?
    pub fn is_empty(self) -> bool {
        self == News::NONE
    }
}

/// What becomes of a slice with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It goes on.
    Went {
        /// How it stands now.
        to: Standing,
        /// What that decided.
        news: News,
    },
    /// No run of the model agrees with it.
    NotPossible,
    /// There are more standings than may be remembered: nothing is known from here on.
    TooMany,
}

/// How a slice stands before its first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// How it stands.
    pub standing: Standing,
    /// What is decided before anything has been said, since it is so on all runs or on none.
    pub news: News,
}

/// Something that a step decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decided {
    /// A property has another verdict now. One about the run keeps `True` and `False`; one that is judged now may change again.
    Property {
        /// Its position among the properties.
        property: usize,
        /// Its verdict; never `Open`.
        verdict: Verdict,
    },
    /// Something became of a commitment.
    Commitment {
        /// Which.
        commitment: CommitmentId,
        /// What.
        event: Event,
    },
}

/// What becomes of a commitment, for certain: on all runs that agree with the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// It was created.
    Created,
    /// Its content is true on every run that goes on from here.
    Kept,
    /// Its content is true on no run that goes on from here.
    Broken,
    /// It ended before its content was decided, by this act; none where no line tells by which.
    Released {
        /// Which act ended it.
        by: Option<ActKind>,
    },
    /// It was announced as satisfied though its content is not true.
    Claimed,
}

/// What is known of the content of a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// True on every run that goes on from here.
    Kept,
    /// True on none.
    Broken,
    /// Not decided yet.
    Open,
    /// Not judged; [`crate::judge::Judge::unjudged_commitment`] says why.
    Unjudged,
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::True => Status::Kept,
            Verdict::False => Status::Broken,
            Verdict::Open | Verdict::Left => Status::Open,
        }
    }
}

/// A commitment that is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InForce {
    /// Which.
    pub commitment: CommitmentId,
    /// In every state that agrees with the word, or only in some?
    pub certainly: bool,
    /// What is known of its content where it is in force.
    pub status: Status,
}

/// What is known where a slice is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The verdict of each property on the runs that stand still.
    pub verdicts: Vec<Verdict>,
    /// The commitments in force whose content is not true on all of them: still owed, or broken.
    pub owed: Vec<InForce>,
}
