//! A circuit as a question to any SAT solver: clauses in the DIMACS format.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use servanda_circuit::{Edge, Graph, Node};

/// The question whether all the edges can be true at once. Inputs that have a name are listed with their variables.
pub(crate) fn write(graph: &Graph, required: &[Edge], named: &[(Edge, &str)], comments: &[String]) -> String {
    let mut roots: Vec<Edge> = required.to_vec();
    roots.extend(named.iter().map(|(edge, _)| *edge));
    let nodes = graph.cone(&roots);
    let variables: FxHashMap<usize, usize> = nodes.iter().copied().zip(1..).collect();
    let literal = |edge: Edge| {
        let sign = if edge.is_negated() { "-" } else { "" };
        format!("{sign}{}", variables[&edge.node()])
    };
    let mut clauses: Vec<String> = Vec::new();
    for node in &nodes {
        let own = variables[node];
        match graph.node(*node) {
            Node::False => clauses.push(format!("-{own}")),
            Node::Input => {}
            Node::And(a, b) => {
                clauses.push(format!("-{own} {}", literal(a)));
                clauses.push(format!("-{own} {}", literal(b)));
                clauses.push(format!("{own} {} {}", literal(!a), literal(!b)));
            }
        }
    }
    clauses.extend(required.iter().map(|edge| literal(*edge)));
    let mut text = String::new();
    for comment in comments {
        let _ = writeln!(text, "c {}", comment.replace(['\n', '\r'], " "));
    }
    for (edge, name) in named {
        let _ = writeln!(text, "c variable {} is {}", literal(*edge), name.replace(['\n', '\r'], " "));
    }
    let _ = writeln!(text, "p cnf {} {}", nodes.len(), clauses.len());
    for clause in clauses {
        let _ = writeln!(text, "{clause} 0");
    }
    text
}
