//! States, steps and runs: evidence, and the moments of a simulation.

use serde::{Deserialize, Serialize};

use super::{Place, Word};

/// One value of a state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ValueKind {
    Control,
    Variable,
    Clock,
    Channel,
}

/// A commitment in force.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StateData {
    pub values: Vec<Value>,
    pub in_force: Vec<InForce>,
    pub is_deadlock: bool,
    pub is_final: bool,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    pub kind: EvidenceWord,
    pub roles: Vec<String>,
    pub runs: Vec<Run>,
    pub legend: Vec<Legend>,
}

impl Evidence {
    /// Where the steps of its runs are written, in order.
    pub fn places(&self) -> Vec<Place> {
        self.runs.iter().flat_map(Run::places).collect()
    }
}

/// What evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EvidenceWord {
    Counterexample,
    Witness,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Legend {
    pub name: String,
    pub text: String,
}

/// A run, with what was shown besides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

impl Run {
    /// Where the steps of the run, and of what branches off, are written, in order.
    fn places(&self) -> Vec<Place> {
        let steps = self.moments.iter().filter_map(|moment| moment.step.as_ref()).chain(&self.loop_step);
        let own = steps.flat_map(|step| step.places.clone());
        own.chain(self.branches.iter().flat_map(|branch| branch.run.places())).collect()
    }
}

/// What else was shown at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Branch {
    pub at: usize,
    pub run: Run,
    pub why: String,
}

/// A part of the formula that holds or fails at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    pub at: usize,
    pub text: String,
    pub value: bool,
}

/// A moment of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<StepData>,
    pub state: StateData,
    pub changed: Vec<String>,
    pub knows: Vec<Knows>,
}

/// What a role knows of a condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Knows {
    pub role: String,
    pub text: String,
    pub value: KnownValue,
}

/// A value that a role knows, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum KnownValue {
    #[serde(rename = "true")]
    True,
    #[serde(rename = "false")]
    False,
    #[serde(rename = "not known")]
    NotKnown,
}

/// A moment that was visited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    pub index: usize,
    pub step: StepData,
    pub changes: Vec<ValueChange>,
}

/// What a step changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ValueChange {
    pub name: String,
    pub from: String,
    pub to: String,
}

/// The value of a watched formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Watched {
    pub text: String,
    pub value: Word,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
