//! For Graphviz.

use std::fmt::Write as _;

use super::text::kind;
use crate::automaton::{Abta, State, StateId, StateKind};
use crate::options::Rules;
use crate::translation::Translation;

/// The automaton as a graph. Leaves are boxes without a border, components are framed, and states in all acceptance sets
/// that judge them have a double border.
pub fn dot(translation: &Translation) -> String {
    let abta = &translation.automaton;
    let mut shown = String::from("digraph abta {\n");
    let _ = writeln!(shown, "  label={};", quoted(&translation.formula.to_string()));
    shown.push_str("  node [shape=box, style=rounded, fontname=\"monospace\"];\n");
    shown.push_str("  start [shape=point, label=\"\"];\n");
    for (number, component) in abta.components.iter().enumerate() {
        let kind = component.quantifier;
        let _ = writeln!(shown, "  subgraph cluster_{} {{", number + 1);
        let _ = writeln!(shown, "    label=\"component {}, {kind}\";", number + 1);
        for id in &component.states {
            let _ = writeln!(shown, "    s{};", abta.state(*id).number);
        }
        shown.push_str("  }\n");
    }
    for (id, state) in abta.by_number() {
        let _ = writeln!(shown, "  s{} [{}];", state.number, attributes(translation, id, state));
    }
    if let Some(start) = abta.states.first() {
        let _ = writeln!(shown, "  start -> s{};", start.number);
    }
    for (_, state) in abta.by_number() {
        for successor in abta.numbers(&state.successors) {
            let _ = writeln!(shown, "  s{} -> s{successor};", state.number);
        }
    }
    shown.push_str("}\n");
    shown
}

fn attributes(translation: &Translation, id: StateId, state: &State) -> String {
    let first = match (translation.rules, &state.rule) {
        (Rules::Paper, Some(rule)) => format!("({}) {} {}", state.number, rule.name, rule.label),
        (Rules::Paper, None) | (Rules::Sound, None) => format!("({})", state.number),
        (Rules::Sound, Some(_)) => format!("({}) {}", state.number, kind(state)),
    };
    let mut attributes = format!("label={}", quoted(&format!("{first}\n{}", state.text)));
    let leaf = state.successors.is_empty();
    if leaf || matches!(state.kind, StateKind::Literal { .. }) {
        attributes.push_str(", shape=plaintext, style=\"\"");
    }
    if is_accepting(&translation.automaton, id, state) {
        attributes.push_str(", peripheries=2");
    }
    attributes
}

fn is_accepting(abta: &Abta, id: StateId, state: &State) -> bool {
    let mut judging = abta
        .acceptance
        .iter()
        .filter(|set| set.component.is_none() || set.component == state.component)
        .peekable();
    judging.peek().is_some() && judging.all(|set| set.states.contains(&id))
}

/// A string as Graphviz reads it; lines are centred.
fn quoted(text: &str) -> String {
    super::quoted(text).replace('\n', "\\n")
}
