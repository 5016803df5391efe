//! What the page and a job say to each other: the Rust side of `web/src/protocol.ts`, type for type and field for field. What a field
//! means is said there.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use servanda_model::Level as ModelLevel;

/// What a job is asked to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Request {
    /// Decide properties and formulas; none named: all properties.
    Check {
        /// The text.
        subject: Subject,
        /// When to give up.
        #[serde(default)]
        limits: Limits,
        /// Which properties.
        #[serde(default)]
        properties: Vec<String>,
        /// Further formulas.
        #[serde(default)]
        formulas: Vec<String>,
        /// Which engine; usually whatever suits the model.
        engine: Option<String>,
    },
    /// Say why a verdict is what it is.
    Explain {
        /// The text.
        subject: Subject,
        /// When to give up.
        #[serde(default)]
        limits: Limits,
        /// Of which property.
        property: Option<String>,
        /// Of which formula.
        formula: Option<String>,
    },
    /// Draw why a verdict is what it is.
    Draw {
        /// The text.
        subject: Subject,
        /// When to give up.
        #[serde(default)]
        limits: Limits,
        /// Of which property.
        property: Option<String>,
        /// Of which formula.
        formula: Option<String>,
        /// How.
        format: DrawingFormat,
    },
    /// Step through the model.
    Simulate {
        /// The text.
        subject: Subject,
        /// When to give up on one thing that is said.
        #[serde(default)]
        limits: Limits,
    },
    /// Give the graph of the states.
    Graph {
        /// The text.
        subject: Subject,
        /// When to give up on one thing that is said.
        #[serde(default)]
        limits: Limits,
        /// What its nodes are.
        by: GraphBy,
        /// How many of them there may be.
        most: usize,
    },
    /// Look at a formula.
    Formula {
        /// The text whose words it is written in.
        subject: Subject,
        /// When to give up.
        #[serde(default)]
        limits: Limits,
        /// The formula.
        formula: String,
    },
    /// Judge a log.
    Audit(Box<AuditRequest>),
}

/// The judging of a log.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRequest {
    /// When to give up.
    #[serde(default)]
    pub limits: Limits,
    /// What stands in the log.
    pub log: String,
    /// What it is called.
    pub log_name: String,
    /// The protocol of the library that it is judged by.
    pub library: Option<String>,
    /// Which of its sources the log is of.
    pub source: Option<String>,
    /// The mapping, where it is none of the library's.
    pub mapping: Option<String>,
    /// The models that the mapping names.
    #[serde(default)]
    pub models: BTreeMap<String, String>,
    /// Is the log known to go on to the end?
    #[serde(default)]
    pub complete: bool,
    /// The least level that counts.
    pub level: Option<Level>,
}

impl Request {
    /// Its limits.
    pub fn limits(&self) -> Limits {
        match self {
            Request::Check { limits, .. }
            | Request::Explain { limits, .. }
            | Request::Draw { limits, .. }
            | Request::Simulate { limits, .. }
            | Request::Graph { limits, .. }
            | Request::Formula { limits, .. } => *limits,
            Request::Audit(audit) => audit.limits,
        }
    }
}

/// The text a job is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    /// What it is written in.
    pub language: SubjectLanguage,
    /// What it is called: a path below the directory, or the name of an example.
    pub path: String,
    /// What stands in it.
    pub text: String,
    /// Other texts as they stand in the page.
    #[serde(default)]
    pub open: BTreeMap<String, String>,
    /// Values of parameters, which override those of the text.
    #[serde(default)]
    pub parameters: BTreeMap<String, i64>,
    /// Which of its processes is meant.
    pub process: Option<String>,
}

/// The languages of the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SubjectLanguage {
    /// Pact.
    Pact,
    /// ISPL.
    Ispl,
    /// CCS.
    Ccs,
}

/// When to give up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// After so many seconds.
    pub seconds: Option<f64>,
    /// Beyond so many megabytes.
    pub megabytes: Option<u64>,
}

/// What an explanation is drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DrawingFormat {
    Svg,
    Html,
    Itf,
    Mermaid,
    Text,
}

/// What the nodes of a graph are.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GraphBy {
    /// States.
    State,
    /// Control states.
    Control,
    /// What these variables hold.
    Variables(Vec<String>),
}

/// How much a property matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    Must,
    Should,
    May,
}

impl From<ModelLevel> for Level {
    fn from(level: ModelLevel) -> Self {
        match level {
            ModelLevel::Must => Level::Must,
            ModelLevel::Should => Level::Should,
            ModelLevel::May => Level::May,
        }
    }
}

/// What is said to a job that converses.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Say {
    /// Something happens, from a node on.
    Take { take: usize, at: usize },
    /// One of several initial states.
    Choose { choose: usize },
    /// Watch a formula.
    Watch { watch: String },
    /// Watch it no longer.
    Unwatch { unwatch: String },
    /// Tell a node again.
    Look { look: usize },
    /// Follow a run.
    Replay { replay: Replay },
    /// So many steps by chance, from a node on.
    Random { random: usize, at: usize },
    /// Which states can a role not tell from this one?
    Alike { alike: usize, role: String },
    /// Where does a formula hold?
    Find { find: String },
    /// What is a shortest way to a node?
    Way { way: usize },
}

/// Which run is followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// What shows the verdict of a property.
    pub property: Option<String>,
    /// A run that has a scenario.
    pub scenario: Option<String>,
    /// A run in the Informal Trace Format.
    pub itf: Option<String>,
}

/// What a job tells.
#[derive(Clone, Debug, Serialize)]
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
        #[serde(skip_serializing_if = "Vec::is_empty")]
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
    /// A log was judged.
    Audited { audited: Audited },
}

/// A place in a text: lines and columns from 1, columns in UTF-16 code units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub path: String,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub severity: Severity,
    pub code: String,
    pub message: String,
    pub help: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// How far the work has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A verdict in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Word {
    True,
    False,
    Unknown,
    Possible,
    Impossible,
}

/// One value of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Value {
    pub name: String,
    pub value: String,
    pub kind: ValueKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    pub seen_by: Vec<String>,
}

/// What holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ValueKind {
    Control,
    Variable,
    Clock,
    Channel,
}

/// A commitment in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InForce {
    pub name: String,
    pub debtor: String,
    pub creditor: String,
    pub content: String,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keepable: Option<bool>,
}

/// A state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateData {
    pub values: Vec<Value>,
    pub in_force: Vec<InForce>,
    pub is_deadlock: bool,
    pub is_final: bool,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepData {
    pub label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    pub to: Vec<String>,
    pub kind: StepSort,
    pub places: Vec<Place>,
}

/// What sort of step it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum StepSort {
    Message,
    Act,
    Internal,
    Time,
    Joint,
    Lost,
}

/// Why a verdict is what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    pub kind: EvidenceWord,
    pub roles: Vec<String>,
    pub runs: Vec<Run>,
    pub legend: Vec<Legend>,
}

/// What evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceWord {
    Counterexample,
    Witness,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Legend {
    pub name: String,
    pub text: String,
}

/// A run, with what was shown besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub title: String,
    pub moments: Vec<Moment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_to: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_step: Option<StepData>,
    pub branches: Vec<Branch>,
    pub judged: Vec<Judged>,
}

/// What else was shown at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    pub at: usize,
    pub run: Run,
    pub why: String,
}

/// A part of the formula that holds or fails at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    pub at: usize,
    pub text: String,
    pub value: bool,
}

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepData>,
    pub state: StateData,
    pub changed: Vec<String>,
    pub knows: Vec<Knows>,
}

/// What a role knows of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Knows {
    pub role: String,
    pub text: String,
    pub value: KnownValue,
}

/// A value that a role knows, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum KnownValue {
    #[serde(rename = "true")]
    True,
    #[serde(rename = "false")]
    False,
    #[serde(rename = "not known")]
    NotKnown,
}

/// A moment that was visited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SimulatorNode {
    pub node: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepData>,
    pub state: StateData,
    pub changed: Vec<String>,
    pub choices: Vec<Choice>,
    pub watched: Vec<Watched>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<Vec<StateData>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_to: Option<usize>,
}

/// What can happen next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub index: usize,
    pub step: StepData,
    pub changes: Vec<ValueChange>,
}

/// What a step changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueChange {
    pub name: String,
    pub from: String,
    pub to: String,
}

/// The value of a watched formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Watched {
    pub text: String,
    pub value: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A graph of states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Graph {
    pub by: GraphWord,
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
    pub states: String,
    pub is_whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub roles: Vec<String>,
    pub variables: Vec<String>,
}

/// What the nodes of a graph are, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum GraphWord {
    State,
    Control,
    Variables,
}

/// A node of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphNode {
    pub id: usize,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<StateData>,
    pub states: usize,
    pub is_initial: bool,
    pub is_deadlock: bool,
    pub is_final: bool,
    pub unkeepable: Vec<String>,
}

/// An edge of a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphEdge {
    pub id: usize,
    pub from: usize,
    pub to: usize,
    pub labels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
}

/// The states a role cannot tell from one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Alike {
    pub state: usize,
    pub role: String,
    pub states: Vec<usize>,
    pub sees: Vec<Seen>,
    pub differs: Vec<Differs>,
}

/// What a role sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    pub name: String,
    pub value: String,
}

/// What a role does not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differs {
    pub name: String,
    pub values: Vec<String>,
}

/// A formula, looked at.
#[derive(Clone, Debug, PartialEq, Serialize)]
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

/// A log that was judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audited {
    pub lines: u64,
    pub slices: Vec<AuditSlice>,
    pub findings: Vec<AuditFinding>,
    pub is_whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
}

/// What is found in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditFinding {
    pub kind: AuditKind,
    pub level: Level,
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

/// What sort of finding it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditKind {
    NotPossible,
    Property,
    Commitment,
    Unmatched,
    LateLine,
    BadLine,
    Limit,
}

/// What a role could have done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PossibleNow {
    pub role: String,
    pub labels: Vec<String>,
}

/// One conversation of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditSlice {
    pub view: String,
    pub key: String,
    pub lines: Vec<u64>,
    pub verdicts: Vec<AuditVerdict>,
    pub owed: Vec<String>,
    pub fitness: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
}

/// What is known of a property of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditVerdict {
    pub name: String,
    pub verdict: AuditWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    pub level: Level,
}

/// A verdict about a conversation in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum AuditWord {
    True,
    False,
    Open,
    Left,
}
