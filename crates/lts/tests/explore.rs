//! Exploring models.

use servanda_engine::{Budget, Halt, NoLimits, Progress, Stop};
use servanda_lts::{Lts, Unexplored, explore};
use servanda_model::{Command, Domain, Expr, Label, Model, Variable, Visibility};
use servanda_syntax::SourceFile;

fn pact(text: &str) -> Model {
    servanda_pact::load(&SourceFile::new("test.pact", text), &[]).protocol.expect("no mistakes").model
}

fn shown(lts: &Lts) -> Vec<String> {
    let edges = lts.all_states().flat_map(|state| lts.edges(state).iter().map(move |edge| (state, edge)));
    edges
        .map(|(state, edge)| format!("{} {} {}", state.0, lts.labels().name(edge.action), edge.target.0))
        .collect()
}

#[test]
fn a_protocol() {
    let model = pact(
        "protocol P\nroles Ann, Bob\nvar x : 0..1 = 0\ncommitment c = SC(Ann, Bob, F x = 1)\nstart s\n\
         s -- Cr(Ann, c) --> t\nt -- tau --> u\nu -- Ann: go set x = 1 --> u\nu -- Ann: go set x = 1 --> u\n",
    );
    let lts = explore(&model, &NoLimits).unwrap();
    // The loop is there once, and the deadlock-free state has nothing implicit.
    assert_eq!(
        shown(&lts),
        ["0 Cr(Ann, SC(Ann, Bob, F (x = 1))) 1", "1 tau 2", "2 Ann: go 3", "3 Ann: go 3"]
    );
    assert!(lts.has_internal_steps());
}

#[test]
fn a_deadlock_has_no_transition() {
    let lts = explore(&pact("protocol P\nroles Ann\nstart s\ns -- Ann: go --> t\n"), &NoLimits).unwrap();
    assert_eq!(shown(&lts), ["0 Ann: go 1"]);
    assert!(!lts.has_internal_steps());
}

/// Only a message that nobody sends is internal.
#[test]
fn internal_labels() {
    let lts = explore(&pact("protocol P\nroles Ann\nstart s\ns -- Ann: tau --> s\n"), &NoLimits).unwrap();
    assert_eq!(shown(&lts), ["0 Ann: tau 0"]);
    assert!(!lts.has_internal_steps());
}

#[test]
fn rounds() {
    let text = "Agent A\n Vars:\n  x : boolean;\n end Vars\n Actions = {flip, stay};\n Protocol:\n  \
                x = false : {flip};\n  Other : {stay};\n end Protocol\n Evolution:\n  x = true if Action = flip;\n \
                end Evolution\nend Agent\nAgent B\n Vars:\n  y : boolean;\n end Vars\n Actions = {go};\n Protocol:\n  \
                Other : {go};\n end Protocol\n Evolution:\n  y = true if Action = go;\n end Evolution\nend Agent\n\
                Evaluation\n p if A.x = true;\nend Evaluation\nInitStates\n A.x = false and B.y = false;\n\
                end InitStates\nFormulae\n EF p;\nend Formulae\n";
    let loaded = servanda_ispl::load(&SourceFile::new("test.ispl", text));
    let model = loaded.system.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics)).model;
    let lts = explore(&model, &NoLimits).unwrap();
    assert_eq!(shown(&lts), ["0 A.flip, B.go 1", "1 A.stay, B.go 1"]);
}

fn counter(initial: Vec<i64>) -> Model {
    let mut model = Model::new("Counter");
    let domain = Domain::Range { low: 0, high: 9 };
    let x = model.add_variable(Variable::new("x", domain, initial, Visibility::Public));
    let tick = model.add_label(Label::message("tick", None));
    model.add_command(Command {
        updates: vec![(x, Expr::variable(x).plus(Expr::Constant(1)))],
        ..Command::new(tick)
    });
    model
}

#[test]
fn one_initial_state() {
    assert!(matches!(explore(&counter(vec![3, 4]), &NoLimits), Err(Unexplored::SeveralInitialStates)));
    assert!(matches!(explore(&counter(vec![]), &NoLimits), Err(Unexplored::NoInitialState)));
}

#[test]
fn what_cannot_be_done() {
    let Err(Unexplored::Halt(Halt::Fault(fault))) = explore(&counter(vec![0]), &NoLimits) else { panic!() };
    assert_eq!(fault.message, "`x` is set to 10, outside of its range 0..9");
}

struct NoTime;

impl Budget for NoTime {
    fn progress(&self, _: Progress) -> Result<(), Stop> {
        Err(Stop::Time)
    }
}

#[test]
fn limits() {
    let stopped = explore(&counter(vec![0]), &NoTime);
    assert!(matches!(stopped, Err(Unexplored::Halt(Halt::Stopped { stop: Stop::Time, .. }))));
}
