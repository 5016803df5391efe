//! For Graphviz.

use std::fmt::Write as _;

use super::{Highlight, Picture};
use crate::escape::dot as quoted;

/// The graph in the language of Graphviz. Initial states have an arrow from nowhere, states without successor a double border;
/// what is highlighted is bold and red.
pub fn dot(graph: &Picture, highlight: &Highlight) -> String {
    let mut out = String::from("digraph states {\n");
    let title: Vec<String> = std::iter::once(&graph.name).chain(&graph.legend).cloned().collect();
    let _ = writeln!(out, "  label={};", quoted(&title));
    out.push_str("  node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10];\n");
    out.push_str("  edge [fontname=\"monospace\", fontsize=9];\n");
    let ends = graph.ends();
    for (number, boxed) in graph.boxes.iter().enumerate() {
        let mut attributes = format!("label={}", quoted(&boxed.lines));
        if ends[number] {
            attributes.push_str(", peripheries=2");
        }
        if highlight.states.contains(&number) {
            attributes.push_str(", color=\"#c01c28\", penwidth=2");
        }
        let _ = writeln!(out, "  s{number} [{attributes}];");
    }
    for number in &graph.initial {
        let _ = writeln!(out, "  start{number} [shape=point, label=\"\"];\n  start{number} -> s{number};");
    }
    for transition in &graph.transitions {
        let mut attributes = format!("label={}", quoted(std::slice::from_ref(&transition.label)));
        if highlight.transitions.contains(transition) {
            attributes.push_str(", color=\"#c01c28\", fontcolor=\"#c01c28\", penwidth=2");
        }
        let _ = writeln!(out, "  s{} -> s{} [{attributes}];", transition.from, transition.to);
    }
    out.push_str("}\n");
    out
}
