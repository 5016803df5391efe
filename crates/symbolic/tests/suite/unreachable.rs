//! Control states that no run reaches, against the reference engine.

use servanda_engine::{NoLimits, Options};
use servanda_enumerate::Explored;
use servanda_symbolic::Symbolic;

fn assert_same(text: &str) -> usize {
    let model = servanda_testkit::load(text).model;
    let reference = Explored::new(&model, Options::default(), &NoLimits).expect("a small model");
    let symbolic = Symbolic::new(&model, Options::default(), 1 << 18, &NoLimits).expect("a small model");
    let expected = reference.space.unreachable_locations();
    assert_eq!(symbolic.unreachable_locations().expect("small diagrams"), expected, "{text}");
    expected.len()
}

#[test]
fn diagrams_find_the_control_states_that_no_run_reaches() {
    let text = "protocol P\nroles A\nvar n : 0..9 = 0\nstart s\ns -- A: up when n < 5 set n = n + 1 --> s\n\
                s -- A: go when n = 5 --> t\ns -- A: far when n = 6 --> u\nu -- A: on --> v\n";
    assert_eq!(assert_same(text), 2, "u and v");
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["auction2.pact", "handshake.pact", "netbill.pact", "pnaws.pact", "tunnel.pact"] {
        assert_same(&std::fs::read_to_string(examples.join(name)).expect("the example can be read"));
    }
}
