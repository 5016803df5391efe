//! The words of answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a call came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// All is as wanted. Nothing else counts as a pass.
    Ok,
    /// Something is not as wanted.
    Failed,
    /// Nothing speaks against it, but not all of it was decided.
    Undecided,
    /// What was asked has no meaning; nothing was decided.
    Invalid,
}

impl Status {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Failed => "FAILED",
            Status::Undecided => "UNDECIDED",
            Status::Invalid => "INVALID",
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Severity {
    /// Nothing is decided before it is gone.
    Error,
    /// It is probably a mistake.
    Warning,
    /// It is worth knowing.
    Note,
}

impl Severity {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Word {
    /// It holds.
    True,
    /// It does not hold.
    False,
    /// It was not decided, which is never a pass.
    Unknown,
    /// Some run has the scenario.
    Possible,
    /// No run has the scenario.
    Impossible,
}

impl Word {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Word::True => "true",
            Word::False => "false",
            Word::Unknown => "unknown",
            Word::Possible => "possible",
            Word::Impossible => "impossible",
        }
    }
}

/// How much a rule matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// It must be kept.
    Must,
    /// It should be kept.
    Should,
    /// It is only observed.
    May,
}

impl Level {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Level::Must => "must",
            Level::Should => "should",
            Level::May => "may",
        }
    }
}
