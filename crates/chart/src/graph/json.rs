//! For programs.

use servanda_json::{Object, legend, list, state};

use super::StateGraph;

/// The graph as a JSON object: `name`, `initial` (numbers of states), `states` and `transitions` with `from`, `label` and `to`. A state
/// gives every variable, `in` and `in_force`, as in the traces of `check`; `commitments` says what names in labels stand for.
pub fn graph_json(graph: &StateGraph) -> String {
    let transitions =
        list(&graph.transitions, |t| Object::new("from", t.from).with("label", &t.label).with("to", t.to));
    Object::new("name", &graph.name)
        .with("initial", graph.initial.clone())
        .with("states", list(&graph.states, state))
        .with("transitions", transitions)
        .with_some("commitments", legend(&graph.legend()))
        .pretty()
}
