//! What was once wrong, each under the name of what broke.

use servanda_engine::{NoLimits, Options, Past, Verdict};
use servanda_syntax::SourceFile;
use servanda_tableau::Tableau;
use servanda_testkit::assert_expectations_with;

#[test]
fn knowledge_in_a_strategy_speaks_of_runs_and_their_past() {
    // The points from which a strategy is judged are not all points of runs: nobody may hold them for possible.
    let text = "roles Ann, Bob start s
                s -- Ann: go --> t
                property next expect true = <Ann>X K(Bob, A P in s)
                property always expect true = <Ann>G K(Bob, A P in s)
                property not_now expect false = <Ann>X K(Bob, A H in s)";
    for past in [Past::Reachable, Past::All] {
        assert_expectations_with(text, Options { past, ..Options::default() });
    }
}

#[test]
fn common_knowledge_in_a_strategy_with_past_met_a_node_it_did_not_know() {
    let text = "proc A0 = 'c.a.(tau.B0)[a/b]
proc A1 = nil + (c.A0 + a(x).A2 + b.A1)
proc A2 = (tau.B2) \\ {a, b}
proc B0 = c(x).B2 + b.B0
proc B1 = tau.nil
proc B2 = a(y).('a(x).B1 + 'b.B1 + 'a.B2)
proc Main = A1[b/b, b/c]
";
    let system = servanda_ccs::load(&SourceFile::new("m.ccs", text), Some("Main")).system.expect("a process");
    let formula = system.formula("<Main>X (GCK(A (does(_) | P (Main in A0_4))))").expect("a formula");
    let mut engine = Tableau::new(&system.model, Options::default(), 1, &NoLimits).expect("one state");
    let mut reference = servanda_enumerate::Explored::new(&system.model, Options::default(), &NoLimits)
        .expect("a small model");
    let verdict = engine.decide(&formula, &NoLimits).expect("no fault");
    assert_ne!(verdict, Verdict::Unknown(String::new()));
    assert_eq!(verdict, reference.decide(&formula, &NoLimits).expect("no fault"));
}

#[test]
fn what_one_initial_state_had_found_was_no_way_for_the_next() {
    // The search from the second initial state comes to the first, of which the answer is known already.
    let text = "roles Ann var v[1..2] : bool = {false, true} start s
                s -- ask set v[1] = !v[1] --> s
                s -- ask set v[2] = true --> s
                property both expect true = E F !v[1]
                property never expect false = AG v[1]";
    assert_expectations_with(text, Options::default());
}
