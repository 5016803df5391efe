//! What an audit finds, as plain data.

mod outcome;

use servanda_model::{CommandId, Level};
use servanda_syntax::Span;

pub use outcome::{Ended, Outcome, Said, Verdict};

/// A line of a log: which of the files, and which line of it, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Line {
    /// Which of the files, counted from 0 by whoever reads them.
    pub file: u32,
    /// The line, from 1.
    pub line: u64,
}

servanda_syntax::named! {
    /// What kind of thing was found.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Kind {
        /// What the line says is not possible in the model.
        NotPossible = "not-possible",
        /// A property is false.
        Property = "property",
        /// A commitment is broken, or said to be kept and is not.
        Commitment = "commitment",
        /// No rule of a view that reports such lines matches the line.
        Unmatched = "unmatched",
        /// A line came later than the window of the mapping allows.
        LateLine = "late-line",
        /// A line cannot be read.
        BadLine = "bad-line",
        /// Something is not followed further because there would be too much of it.
        Limit = "limit",
    }
}

/// How certain it is, where lines of several senders may have come in another order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// In every order that the log allows.
    #[default]
    Certain,
    /// In some orders, among them that of the log: a warning.
    SomeOrders,
}

/// A step of a slice: what a line meant in the view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line.
    pub at: Line,
    /// The label.
    pub label: String,
}

/// What one role could have said instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Possible {
    /// Who; none: steps that are nobody's.
    pub role: Option<String>,
    /// The labels, nearest first.
    pub labels: Vec<String>,
}

/// One change that would have put a slice in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Something should have come before a line.
    Insert {
        /// The label that is missing.
        label: String,
        /// The line before which it should have come; none: at the end.
        before: Option<Line>,
    },
    /// A line should not have come.
    Drop {
        /// Its label.
        label: String,
        /// The line.
        at: Line,
    },
    /// A line should have said something else.
    Replace {
        /// What it says.
        label: String,
        /// What it should have said.
        by: String,
        /// The line.
        at: Line,
    },
}

/// The cheapest way to explain what was not possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// How many changes.
    pub cost: u32,
    /// Which.
    pub changes: Vec<Change>,
    /// In words: ``in order if `Agent: task` had come before line 2``.
    pub text: String,
}

/// Where the rule that was broken stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The model, as the mapping calls it.
    pub model: String,
    /// The place in its text; none where the rule is the absence of a transition.
    pub span: Option<Span>,
    /// Where the rule is the absence of a transition: the one for what is nearest of all that was possible.
    pub nearest: Option<CommandId>,
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// How much it matters.
    pub level: Level,
    /// Whether another order of the lines would be all right.
    pub certainty: Certainty,
    /// A stable name: that of the property or of the commitment, otherwise of the kind.
    pub code: String,
    /// One sentence without a full stop.
    pub message: String,
    /// The place in a specification that says so.
    pub citation: Option<String>,
    /// The line; none: at the end of the log.
    pub at: Option<Line>,
    /// The line since which what is possible has been so; of a commitment, the line that created it.
    pub since: Option<Line>,
    /// The view, where it is about one.
    pub view: Option<String>,
    /// The key of the slice, where it is about one.
    pub key: Vec<String>,
    /// What the line meant in the view.
    pub labels: Vec<String>,
    /// What was possible instead, grouped by role.
    pub possible: Vec<Possible>,
    /// What would have put it in order.
    pub explanation: Option<Explanation>,
    /// The model and the place in it.
    pub rule: Option<Rule>,
    /// The last steps of the slice, oldest first.
    pub steps: Vec<Step>,
}

impl Finding {
    /// A finding with nothing but what every one has.
    pub fn new(kind: Kind, level: Level, message: impl Into<String>, at: Option<Line>) -> Self {
        Finding {
            kind,
            level,
            certainty: Certainty::default(),
            code: kind.word().to_owned(),
            message: message.into(),
            citation: None,
            at,
            since: None,
            view: None,
            key: Vec::new(),
            labels: Vec::new(),
            possible: Vec::new(),
            explanation: None,
            rule: None,
            steps: Vec::new(),
        }
    }
}

/// Where findings and verdicts go.
pub trait Sink {
    /// Something is wrong.
    fn finding(&mut self, finding: Finding);

    /// Something is decided; or stays open at the end of a slice.
    fn verdict(&mut self, _verdict: Verdict) {}

    /// A slice is over.
    fn ended(&mut self, _slice: Ended) {}

    /// A slice is told a line.
    fn said(&mut self, _said: Said) {}

    /// A slice has begun.
    fn began(&mut self, _key: Vec<String>) {}

    /// Should it be told when slices begin?
    fn wants_slices(&self) -> bool {
        false
    }

    /// Should every line be told? That costs more than following it.
    fn wants_lines(&self) -> bool {
        false
    }

    /// Should verdicts be made? They cost a little where nobody wants them.
    fn wants_verdicts(&self) -> bool {
        false
    }
}

impl Sink for Vec<Finding> {
    fn finding(&mut self, finding: Finding) {
        self.push(finding);
    }
}
