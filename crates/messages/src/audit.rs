//! A log that was judged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Level, Place};

/// A log that was judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Audited {
    pub lines: u64,
    pub slices: Vec<AuditSlice>,
    pub findings: Vec<AuditFinding>,
    pub is_whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
}

/// What is found in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditFinding {
    pub kind: AuditKind,
    pub level: Level,
    pub is_certain: bool,
    pub code: String,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citation: Option<String>,
    pub line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
    pub view: String,
    pub key: String,
    pub possible: Vec<PossibleNow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Place>,
}

servanda_syntax::named! {
    /// What sort of finding it is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum AuditKind {
        NotPossible = "not-possible",
        Property = "property",
        Commitment = "commitment",
        Unmatched = "unmatched",
        LateLine = "late-line",
        BadLine = "bad-line",
        Limit = "limit",
    }
}

/// What a role could have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PossibleNow {
    pub role: String,
    pub labels: Vec<String>,
}

/// One conversation of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditSlice {
    pub view: String,
    pub key: String,
    pub lines: Vec<u64>,
    pub verdicts: Vec<AuditVerdict>,
    pub commitments: Vec<AuditCommitment>,
    pub fitness: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
}

/// What is known of a property of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditVerdict {
    pub name: String,
    pub verdict: AuditWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    pub level: Level,
}

/// A verdict about a conversation in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AuditWord {
    True,
    False,
    Open,
    Left,
}

/// What became of a commitment in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditCommitment {
    pub name: String,
    pub debtor: String,
    pub creditor: String,
    pub outcome: CommitmentWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

/// What became of a commitment, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CommitmentWord {
    Kept,
    Broken,
    Open,
    Owed,
    Released,
    Claimed,
}
