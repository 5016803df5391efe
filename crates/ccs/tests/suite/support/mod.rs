//! What tests share.

pub(crate) mod random;

use std::collections::{BTreeMap, VecDeque};

use servanda_ccs::{System, load};
use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Mover, StateView};
use servanda_symbolic::Symbolic;
use servanda_syntax::{Diagnostic, SourceFile};
use servanda_tableau::Tableau;

/// A process of a text without mistakes.
pub(crate) fn system(text: &str, process: Option<&str>) -> System {
    let loaded = load(&SourceFile::new("test.ccs", text), process);
    match loaded.system {
        Some(system) => system,
        None => panic!("{:#?}\n{text}", loaded.diagnostics),
    }
}

/// An example of the project.
pub(crate) fn example(name: &str) -> String {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("the example can be read")
}

/// Findings as `line:column severity code message | help`.
pub(crate) fn findings(text: &str, process: Option<&str>) -> Vec<String> {
    let source = SourceFile::new("test.ccs", text);
    let loaded = load(&source, process);
    assert_eq!(loaded.system.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error), "{text}");
    let show = |found: &Diagnostic| {
        let place = source.place(found.span.start);
        let severity = if found.is_error() { "" } else { "warning " };
        let help = found.help.as_ref().map_or(String::new(), |help| format!(" | {help}"));
        format!("{}:{} {severity}{} {}{help}", place.line, place.column, found.code, found.message)
    };
    loaded.diagnostics.iter().map(show).collect()
}

/// States, transitions and deadlocks.
pub(crate) fn size(model: &Model) -> (u64, u64, u64) {
    let explored = Explored::new(model, Options::default(), &NoLimits).expect("it can be explored");
    let space = &explored.space;
    (space.reachable_len() as u64, space.transitions(), space.deadlocks().count() as u64)
}

/// Is the formula true of the process? All engines must say the same.
pub(crate) fn holds(text: &str, process: Option<&str>, formula: &str) -> bool {
    let system = system(text, process);
    let formula = match system.formula(formula) {
        Ok(formula) => formula,
        Err(found) => panic!("{formula}: {found:#?}"),
    };
    let mut explored = Explored::new(&system.model, Options::default(), &NoLimits).expect("a small model");
    let verdict = explored.decide(&formula, &NoLimits).expect("no fault");
    let mut tableau = Tableau::new(&system.model, Options::default(), 1, &NoLimits).expect("a small model");
    assert_eq!(tableau.decide(&formula, &NoLimits).expect("no fault"), verdict, "tableau: {formula}");
    let mut symbolic = Symbolic::new(&system.model, Options::default(), 1 << 20, &NoLimits).expect("it fits");
    assert_eq!(symbolic.decide(&formula, &NoLimits).expect("no fault"), verdict, "bdd: {formula}");
    verdict.decided().expect("a verdict")
}

/// The transitions in words, states being numbered as they are met: `0 a 1, 1 tau 0`.
pub(crate) fn transitions(text: &str, process: Option<&str>) -> String {
    let system = system(text, process);
    let mut mover = Mover::new(&system.model);
    let start = mover.initial_states().next().expect("an initial state");
    let mut numbers = BTreeMap::from([(start.clone(), 0)]);
    let mut open = VecDeque::from([start]);
    let mut shown: Vec<String> = Vec::new();
    while let Some(state) = open.pop_front() {
        let from = numbers[&state];
        let mut found = Vec::new();
        mover
            .for_each(&state, |cause, next| found.push((system.model.show_cause(cause), next.to_vec())))
            .expect("no fault");
        for (label, next) in found {
            let count = numbers.len();
            let to = *numbers.entry(next.clone()).or_insert(count);
            if to == count {
                open.push_back(next);
            }
            let line = format!("{from} {label} {to}");
            if !shown.contains(&line) {
                shown.push(line);
            }
        }
    }
    shown.join(", ")
}

/// The initial state in words.
pub(crate) fn start(text: &str, process: Option<&str>) -> String {
    let system = system(text, process);
    let mover = Mover::new(&system.model);
    let state = mover.initial_states().next().expect("an initial state");
    StateView::new(&system.model, mover.layout(), &state).to_string()
}
