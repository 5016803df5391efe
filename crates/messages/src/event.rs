//! What a job tells: findings, progress, verdicts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Alike, Audited, Evidence, Graph, SimulatorNode, Watched};

/// What a job tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Event {
    /// All findings that are known by now.
    Findings { findings: Vec<Finding> },
    /// What will be decided.
    Asked { properties: Vec<Asked> },
    /// How far the work has come.
    Progress(Progress),
    /// A property is decided, or will not be.
    Verdict { verdict: Verdict },
    /// How large the model is.
    Model(ModelSize),
    /// Why a verdict is what it is.
    Evidence {
        evidence: Option<Evidence>,
        verdict: Verdict,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        chart: Option<String>,
    },
    /// A drawing of why a verdict is what it is.
    Drawing { text: String },
    /// A moment that was visited.
    Node { node: SimulatorNode },
    /// What is watched, at a node.
    Watched { node: usize, watched: Vec<Watched> },
    /// What was said makes no sense.
    Refused {
        message: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        findings: Vec<Finding>,
    },
    /// The graph.
    Graph { graph: Graph },
    /// The states a role cannot tell apart.
    Alike { alike: Alike },
    /// The nodes where a formula holds, and in how many states it does.
    Satisfying { states: Vec<usize>, count: String },
    /// A shortest way.
    Path { states: Vec<usize>, edges: Vec<usize> },
    /// A formula.
    Formula { formula: FormulaView },
    /// The text in standard form.
    Formatted { text: String },
    /// A log was judged.
    Audited { audited: Audited },
}

/// A place in a text: lines and columns from 1, columns in UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub path: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub severity: Severity,
    pub code: String,
    pub message: String,
    pub help: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

servanda_syntax::named! {
    /// How bad a finding is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Severity {
        /// Nothing is decided before it is gone.
        Error = "error",
        /// It is probably a mistake.
        Warning = "warning",
        /// It is worth knowing.
        Note = "note",
    }
}

/// How far the work has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    pub phase: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    pub seconds: f64,
    pub decided: usize,
    pub of: usize,
}

/// How large a model is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelSize {
    pub states: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlocks: Option<String>,
    pub seconds: f64,
}

/// What will be decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Asked {
    pub name: String,
    pub formula: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    pub is_scenario: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// What is known of a property.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    pub name: String,
    pub verdict: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<bool>,
    pub as_wanted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    pub engine: String,
    pub seconds: f64,
    pub has_evidence: bool,
}

servanda_syntax::named! {
    /// A verdict.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Word {
        /// It holds.
        True = "true",
        /// It does not hold.
        False = "false",
        /// It was not decided, which is never a pass.
        Unknown = "unknown",
        /// Some run has the scenario.
        Possible = "possible",
        /// No run has the scenario.
        Impossible = "impossible",
    }
}

servanda_syntax::named! {
    /// How much a rule matters.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Level {
        /// It must be kept.
        Must = "must",
        /// It should be kept.
        Should = "should",
        /// It is only observed.
        May = "may",
    }
}

/// A formula, looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormulaView {
    pub text: String,
    pub words: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automaton: Option<String>,
    pub notes: Vec<String>,
    pub findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}
