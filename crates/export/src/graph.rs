//! The state graph of a small model, drawn by the chart crate.

use servanda_chart::{Highlight, MOST_STATES, StateGraph};

use crate::{Failure, Subject, Writer};

pub(crate) const DOT: Writer = Writer {
    name: "dot",
    about: "writes the state graph of a model of at most 2000 states for Graphviz.",
    write: |subject| Ok(servanda_chart::dot(&graph(subject)?.picture(), &Highlight::default())),
    acts: None,
};

pub(crate) const SVG: Writer = Writer {
    name: "svg",
    about: "draws the same graph.",
    write: |subject| Ok(servanda_chart::graph_svg(&graph(subject)?.picture())),
    acts: None,
};

pub(crate) const JSON: Writer = Writer {
    name: "json",
    about: "writes the same graph for programs.",
    write: |subject| Ok(servanda_chart::graph_json(&graph(subject)?)),
    acts: None,
};

fn graph(subject: &Subject<'_>) -> Result<StateGraph, Failure> {
    StateGraph::new(subject.model, MOST_STATES, subject.budget).map_err(Failure::Graph)
}
