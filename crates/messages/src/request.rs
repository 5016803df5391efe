//! What a job is asked, and what is said to one that converses.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Level;

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
        /// Of how many verdicts that are not as wanted it is also said why, chart included.
        #[serde(default)]
        explain: usize,
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
        /// Is it drawn too, in characters?
        #[serde(default)]
        chart: bool,
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
        /// Where chance begins; usually anywhere.
        seed: Option<u64>,
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
    /// Write the text in standard form.
    Format {
        /// The text.
        subject: Subject,
        /// When to give up.
        #[serde(default)]
        limits: Limits,
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
            | Request::Format { limits, .. }
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
    pub language: Language,
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

servanda_syntax::named! {
    /// The languages of models.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Language {
        /// The language of this program: servanda://docs/pact.md
        Pact = "pact",
        /// The language of MCMAS.
        Ispl = "ispl",
        /// CCS in the dialect of the Concurrency Workbench.
        Ccs = "ccs",
    }
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
    /// This many random steps, from a node on.
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
