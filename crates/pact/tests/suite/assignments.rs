//! What transitions assign: computed elements, choices, repetition.

use crate::support::protocol;
use servanda_model::{FaultKind, Layout, Model, Mover, StepFault};
use servanda_pact::format;

const HEAD: &str =
    "protocol P\nroles A, B\nvar i, j : 0..4 = 1\nvar x[1..3] : 0..9 = 0\nvar f : {calm, cross} = calm\n";

/// The values of `i`, `j`, `x[1]`, `x[2]`, `x[3]` and `f` after the steps from the state where `i` and `j` are such, or the fault that is
/// found.
fn after(set: &str, i: i64, j: i64) -> Result<Vec<Vec<i64>>, FaultKind> {
    let model = protocol(&format!("{HEAD}start s\ns -- A: go set {set} --> s\n")).model;
    let layout = Layout::new(&model);
    let mut state = vec![0; layout.words()];
    for (id, variable) in model.variables() {
        let value = match variable.name.as_str() {
            "i" => i,
            "j" => j,
            _ => variable.initial[0],
        };
        layout.variable(id).write(&mut state, value);
    }
    let mut found = Vec::new();
    let result = Mover::new(&model).for_each(&state, |_, next| {
        let value = |name: &&str| layout.variable(model.find_variable(name).expect("a variable")).read(next);
        found.push(["i", "j", "x[1]", "x[2]", "x[3]", "f"].iter().map(value).collect());
    });
    match result {
        Ok(()) => Ok(found),
        Err(StepFault::NoValue { kind, .. }) => Err(kind),
        Err(fault) => panic!("{fault:?}"),
    }
}

#[test]
fn a_computed_element_is_assigned_and_no_other() {
    assert_eq!(after("x[i] = 5", 2, 1), Ok(vec![vec![2, 1, 0, 5, 0, 0]]));
    assert_eq!(after("x[i + j] = 5, i = 0", 2, 1), Ok(vec![vec![0, 1, 0, 0, 5, 0]]));
    assert_eq!(after("x[x[i] + 1] = i", 3, 1), Ok(vec![vec![3, 1, 3, 0, 0, 0]]));
}

#[test]
fn an_index_out_of_range_is_a_fault() {
    assert_eq!(after("x[i] = 5", 4, 1), Err(FaultKind::IndexOutOfRange));
    assert_eq!(after("x[i] = 5", 0, 1), Err(FaultKind::IndexOutOfRange));
    assert_eq!(after("x[i] = x[j]", 1, 0), Err(FaultKind::IndexOutOfRange));
    assert_eq!(after("x[1 / i] = 5", 0, 1), Err(FaultKind::DivisionByZero));
    // Only the branch that is taken is read.
    assert_eq!(after("i = if j = 0 then 0 else x[j]", 1, 0), Ok(vec![vec![0, 0, 0, 0, 0, 0]]));
}

#[test]
fn two_assignments_to_one_element_must_agree() {
    assert_eq!(after("x[i] = 5, x[j] = 6", 1, 2), Ok(vec![vec![1, 2, 5, 6, 0, 0]]));
    assert_eq!(after("x[i] = 5, x[j] = 6", 2, 2), Err(FaultKind::ConflictingAssignments));
    assert_eq!(after("x[i] = 5, x[j] = i + 3", 2, 2), Ok(vec![vec![2, 2, 0, 5, 0, 0]]));
    assert_eq!(after("x[i] = 5, x[2] = 6", 1, 2), Ok(vec![vec![1, 2, 5, 6, 0, 0]]));
    assert_eq!(after("x[i] = 5, x[2] = 6", 2, 2), Err(FaultKind::ConflictingAssignments));
    assert_eq!(after("x[i] = 5, x[j] = 5, x[3 - i] = 7", 2, 2), Ok(vec![vec![2, 2, 7, 5, 0, 0]]));
    assert_eq!(after("x[i] = 5, x[j] = 5, x[4 - i] = 7", 2, 2), Err(FaultKind::ConflictingAssignments));
}

#[test]
fn choices_are_successors_in_order() {
    assert_eq!(after("i in 2..3", 1, 1), Ok(vec![vec![2, 1, 0, 0, 0, 0], vec![3, 1, 0, 0, 0, 0]]));
    let both = after("x[i] in {7, 9}, f in {calm, cross}", 3, 1).expect("no fault");
    assert_eq!(both.len(), 4);
    assert_eq!(both[3], [3, 1, 0, 0, 9, 1]);
    assert_eq!(after("i in {3, 1..2, 2}", 1, 1).map(|found| found.len()), Ok(3));
}

#[test]
fn all_repeats_an_assignment() {
    assert_eq!(
        after("all k in 1..3 : x[k] = if k = i then 1 else k + 1", 2, 1),
        Ok(vec![vec![2, 1, 2, 1, 4, 0]])
    );
    assert_eq!(
        after("all k in 2..3 : x[k - 1] = x[k] + k, f = cross", 2, 1),
        Ok(vec![vec![2, 1, 2, 3, 0, 1]])
    );
    assert_eq!(after("all k in 1..3 : x[k] in 1..2", 2, 1).map(|found| found.len()), Ok(8));
    assert_eq!(after("all k in 3..1 : x[k] = 1", 2, 1), Ok(vec![vec![2, 1, 0, 0, 0, 0]]));
}

#[test]
fn an_array_of_two_dimensions() {
    let model = protocol(
        "protocol P\nroles A\nvar i, j : 0..2 = 1\nvar g[0..1][1..2] : 0..9 = 0\nstart s\n\
         s -- A: go set all a in 0..1 : all b in 1..2 : g[a][b] = 3 * a + b, g[i][j] = 9 --> s\n",
    )
    .model;
    assert_eq!(model.behaviour.commands()[0].updates.len(), 4);
}

fn exchange(first: &str, second: &str) -> Result<Model, Vec<String>> {
    let text = format!(
        "{HEAD}machine M {{ start a\n a -- A: m! set {first} --> a }}\nmachine N {{ start a\n a -- B: m? set {second} --> a }}\n"
    );
    let loaded = servanda_pact::load(&servanda_syntax::SourceFile::new("p.pact", text), &[]);
    let codes = || loaded.diagnostics.iter().map(|found| found.code.to_string()).collect();
    loaded.protocol.map(|protocol| protocol.model).ok_or_else(codes)
}

#[test]
fn halves_of_an_exchange_assign_the_same_and_choose_nothing_together() {
    assert_eq!(
        exchange("i = 2, j in 1..2", "i = 2, f in {calm, cross}")
            .expect("no mistake")
            .behaviour
            .commands()
            .len(),
        4
    );
    assert_eq!(exchange("i = 2", "i = 3").unwrap_err(), ["conflicting-assignments"]);
    assert_eq!(exchange("i in 1..2", "i in 1..2").unwrap_err(), ["conflicting-assignments"]);
    assert_eq!(exchange("i in 1..2", "i = 1").unwrap_err(), ["conflicting-assignments"]);
    // Whether they hit one element is seen when it happens.
    assert_eq!(exchange("x[i] = 2", "x[j] = 3").expect("no mistake").behaviour.commands().len(), 1);
}

#[test]
fn the_standard_form() {
    let text = "protocol P\nroles A\nvar x[1..3] : 0..9 = 0\nstart s\n\
                s -- A: go set all k in 1..3 : x[k] = if k = 1 then min(x[k], 2) else 0 --> s\n\
                s -- A: go set x[x[1] + 1] = 1, x[1] in {1, 3..4}, x[2] in 2..4         --> s\n";
    let dense = "protocol P roles A var x[1..3]:0..9=0 start s s -- A:go set all k in 1..3:x[k]=(if k=1 then min(x[k],2) else 0)-->s \
                 s -- A:go set x[x[1]+1]=1,x[1] in {1,3..4},x[2] in 2..4-->s";
    for written in [text, dense] {
        assert_eq!(format(written).as_deref(), Ok(text));
    }
}

/// Values of variables that others get go there many at a time, also across words.
#[test]
fn what_is_moved_arrives_whatever_lies_between() {
    let text = "protocol P\nroles A\nvar x[0..99] : bool\nvar near : 0..3 = 2\nvar far, high : 0..9 = 0\nvar up : 5..9 = 7\n\
        start s\ns -- A: turn set x[99] = x[0], all k in 0..98 : x[k] = x[k + 1], far = near, near = far, high = up --> s\n";
    let model = protocol(text).model;
    let layout = Layout::new(&model);
    assert!(layout.words() > 1, "the row goes beyond a word");
    let mut state = vec![0; layout.words()];
    let value = |name: &str| model.find_variable(name).expect(name);
    for k in 0..100 {
        layout.variable(value(&format!("x[{k}]"))).write(&mut state, i64::from(k % 3 == 0));
    }
    for (name, number) in [("near", 2), ("far", 3), ("high", 0), ("up", 8)] {
        layout.variable(value(name)).write(&mut state, number);
    }
    let mut found = Vec::new();
    let moved = Mover::new(&model).for_each(&state, |_, next| found.push(next.to_vec()));
    assert!(moved.is_ok());
    let [next] = &found[..] else { panic!("one step") };
    let read = |name: &str| layout.variable(value(name)).read(next);
    for k in 0..100 {
        assert_eq!(read(&format!("x[{k}]")), i64::from((k + 1) % 100 % 3 == 0), "x[{k}]");
    }
    assert_eq!(["near", "far", "high", "up"].map(read), [3, 2, 8, 8]);
    // What need not fit is still looked at.
    layout.variable(model.find_variable("far").expect("far")).write(&mut state, 9);
    let moved = Mover::new(&model).for_each(&state, |_, _| ());
    assert!(matches!(moved, Err(StepFault::OutOfRange { value: 9, .. })));
}
