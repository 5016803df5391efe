//! Graphs of states, and what roles see of them.

use serde::{Deserialize, Serialize};

use super::{Place, StateData};

/// A graph of states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum GraphWord {
    State,
    Control,
    Variables,
}

/// A node of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Alike {
    pub state: usize,
    pub role: String,
    pub states: Vec<usize>,
    pub sees: Vec<Seen>,
    pub differs: Vec<Differs>,
}

/// What a role sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    pub name: String,
    pub value: String,
}

/// What a role does not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Differs {
    pub name: String,
    pub values: Vec<String>,
}
