//! What jobs tell, as far as assistants want to know it: the messages of `web/src/protocol.ts`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::words::{Level, Severity, Word};

/// Something that a job tells.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Event {
    Findings {
        findings: Vec<Finding>,
    },
    Asked {
        properties: Vec<Asked>,
    },
    Progress(Progress),
    Verdict {
        verdict: Verdict,
    },
    Model(Size),
    Evidence {
        evidence: Option<Evidence>,
        verdict: Verdict,
        why: Option<String>,
        chart: Option<String>,
    },
    Node {
        node: Box<Node>,
    },
    Watched {
        watched: Vec<Watched>,
    },
    Refused {
        message: String,
        #[serde(default)]
        findings: Vec<Finding>,
    },
    Formatted {
        text: String,
    },
    Audited {
        audited: Audited,
    },
    #[serde(other)]
    Other,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Place {
    pub(crate) path: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) code: String,
    pub(crate) message: String,
    #[serde(default)]
    pub(crate) help: Vec<String>,
    pub(crate) place: Option<Place>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) formula: String,
    pub(crate) place: Option<Place>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Progress {
    pub(crate) phase: String,
    pub(crate) states: Option<u64>,
    pub(crate) nodes: Option<u64>,
    pub(crate) rate: Option<f64>,
    pub(crate) seconds: f64,
    pub(crate) decided: usize,
    pub(crate) of: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Verdict {
    pub(crate) name: String,
    pub(crate) verdict: Word,
    pub(crate) reason: Option<String>,
    pub(crate) expected: Option<bool>,
    pub(crate) as_wanted: bool,
    pub(crate) level: Option<Level>,
    pub(crate) engine: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Size {
    pub(crate) states: String,
    pub(crate) transitions: Option<String>,
    pub(crate) deadlocks: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Evidence {
    pub(crate) runs: Vec<Run>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Run {
    moments: Vec<Moment>,
    loop_step: Option<Step>,
    branches: Vec<Branch>,
}

#[derive(Debug, Deserialize)]
struct Branch {
    run: Run,
}

#[derive(Debug, Deserialize)]
struct Moment {
    step: Option<Step>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Step {
    pub(crate) label: String,
    pub(crate) from: Option<String>,
    pub(crate) to: Vec<String>,
    pub(crate) places: Vec<Place>,
}

impl Run {
    /// Where the steps of the run, and of what branches off, are written, in order.
    pub(crate) fn places(&self) -> Vec<Place> {
        let steps = self.moments.iter().filter_map(|moment| moment.step.as_ref()).chain(&self.loop_step);
        let own = steps.flat_map(|step| step.places.clone());
        own.chain(self.branches.iter().flat_map(|branch| branch.run.places())).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Value {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct State {
    pub(crate) values: Vec<Value>,
    pub(crate) in_force: Vec<InForce>,
    pub(crate) is_deadlock: bool,
    pub(crate) is_final: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct InForce {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A moment of a simulation.
#[derive(Debug, Deserialize)]
pub(crate) struct Node {
    pub(crate) node: usize,
    pub(crate) step: Option<Step>,
    pub(crate) state: State,
    pub(crate) changed: Vec<String>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) initial: Option<Vec<State>>,
    pub(crate) trouble: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    pub(crate) index: usize,
    pub(crate) step: Step,
    pub(crate) changes: Vec<Change>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) to: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Watched {
    pub(crate) text: String,
    pub(crate) value: Word,
    pub(crate) reason: Option<String>,
}

/// A log that was judged.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Audited {
    pub(crate) lines: u64,
    pub(crate) slices: Vec<Slice>,
    pub(crate) findings: Vec<AuditFinding>,
    pub(crate) message: Option<String>,
    #[serde(default)]
    pub(crate) models: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Slice {
    pub(crate) view: String,
    pub(crate) key: String,
    pub(crate) commitments: Vec<Commitment>,
    pub(crate) verdicts: Vec<AuditVerdict>,
}

/// What became of a commitment: `open` may still be kept, `owed` was not when the log ended.
#[derive(Debug, Deserialize)]
pub(crate) struct Commitment {
    pub(crate) name: String,
    pub(crate) debtor: String,
    pub(crate) creditor: String,
    pub(crate) outcome: String,
}

/// What is known of a property of a conversation: `open` where that is nothing.
#[derive(Debug, Deserialize)]
pub(crate) struct AuditVerdict {
    pub(crate) verdict: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditFinding {
    pub(crate) kind: String,
    pub(crate) is_certain: bool,
    pub(crate) level: Level,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) citation: Option<String>,
    /// 0: the end of the log.
    pub(crate) line: u64,
    #[serde(default)]
    pub(crate) since: Option<u64>,
    pub(crate) view: String,
    pub(crate) key: String,
    pub(crate) possible: Vec<Possible>,
    pub(crate) explanation: Option<String>,
    pub(crate) rule: Option<Place>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Possible {
    pub(crate) labels: Vec<String>,
}
