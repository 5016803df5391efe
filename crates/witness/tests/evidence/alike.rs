//! Evidence in models with many states in which roles are alike: it names the roles as they are, and is as short as without symmetries.

use servanda_engine::{NoLimits, Options};
use servanda_testkit::load;
use servanda_witness::{Checker, Decided, Evidence, Shown};

/// A token goes from one worker to another, who does two things with it, unless it is given to the one that the last state names.
const WORKERS: &str = "protocol Workers roles Boss, W[1..7]
    var x[1..7] : 0..2 = 0  var token : 0..7 = 0
    start s
    for i in 1..7 {
      s -- Boss -> W[i]: give when token = 0 & x[i] < 2 set token = i --> s
      s -- W[i]: work when token = i & x[i] < 2 set x[i] = x[i] + 1, token = 0 --> s
      s -- W[i]: rest when token = 0 & x[i] = 2 set x[i] = 0 --> s
    }";

fn evidence(formula: &str, verdict: bool, unreduced: bool) -> Evidence {
    let protocol = load(&format!("{WORKERS}\nproperty asked = {formula}"));
    let property = &protocol.properties[0];
    let decided = Decided { formula: &property.formula, text: &property.text, verdict };
    let options = Options { unreduced, ..Options::default() };
    match Checker::new(&protocol.model, options).show(decided, &NoLimits) {
        Ok(Shown::Evidence(evidence)) => *evidence,
        other => panic!("{formula}: {other:?}"),
    }
}

#[test]
fn paths_name_roles_as_they_are_and_are_as_short_as_without_symmetries() {
    for (formula, verdict) in [
        ("AG all i in 1..7 : x[i] < 2", false),
        ("EF all i in 1..7 : x[i] > 0", true),
        ("EF (x[3] = 2 & x[5] = 1 & token = 6)", true),
        ("AG (x[2] = 0 | x[4] < 2 | x[7] < 2)", false),
        ("AG (does(rest) -> X any i in 1..7 : x[i] = 2)", false),
        ("AG all i in 1..7 : x[i] = 2 -> AX x[i] = 2", false),
    ] {
        let (with, without) = (evidence(formula, verdict, false), evidence(formula, verdict, true));
        assert_eq!(with.line().path.steps.len(), without.line().path.steps.len(), "{formula}");
    }
}

#[test]
fn loops_among_states_that_stand_for_others_become_loops_of_the_model() {
    for (formula, verdict) in [
        ("AF all i in 1..7 : x[i] = 2", false),
        ("E G F (any i in 1..7 : x[i] = 2)", true),
        ("E (G F (token = 1) & G F (token = 4))", true),
        ("A F G (all i in 1..7 : x[i] < 2)", false),
    ] {
        let evidence = evidence(formula, verdict, false);
        assert!(evidence.line().path.loop_to.is_some(), "{formula}");
    }
}
