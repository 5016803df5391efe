//! docs/formulas.md section 10: the places where the papers contradict themselves, one test each.

use servanda_testkit::assert_expectations;

/// `s` has a successor with p and one without.
const FORK: &str = "
    roles A, B
    var p : bool = false
    start s
    s -- A: left set p = true --> t
    s -- B: right --> u
";

fn check(model: &str, properties: &str) {
    assert_expectations(&format!("{model}\n{properties}"));
}

#[test]
fn point_1_next_under_e_wants_some_successor_and_under_a_all() {
    check(
        FORK,
        "property some expect true = EX p
         property all expect false = AX p
         property none expect false = !EX p",
    );
}

#[test]
fn point_2_an_act_with_no_matching_transition_is_false() {
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, p)
        start s
        s -- A: hello --> t
        t -- Cr(A, c) --> u
    ";
    check(
        model,
        "property not_yet expect false = E Cr(A, c)
         property nor_its_negation_fails expect true = A !Cr(A, c)
         property later expect true = EX Cr(A, c)
         property never_at_all expect false = EF Wit(A, c)",
    );
}

#[test]
fn point_3_a_second_arrival_at_a_failed_node_stays_failed() {
    check(
        FORK,
        "property twice expect false = (EG p) | (EG p)
         property twice_under_one_quantifier expect false = E (G p | G p)
         property both expect false = E (G F p & G F !p)
         property each expect true = E G F p & E G F !p",
    );
}

#[test]
fn point_3_acceptance_is_a_set_of_sets() {
    // A loop that sees p and q again and again, but p for ever and q for ever only if it does not turn.
    let model = "
        roles A
        var p, q : bool = false
        start s
        s -- A: flip set p = !p --> s
        s -- A: flop set q = !q --> s
    ";
    check(
        model,
        "property both_for_ever_again expect true = E (G F p & G F q)
         property with_neither_settling expect true = E (G F p & G F !p & G F q & G F !q)
         property contradiction expect false = E (G F p & F G !p)",
    );
}

#[test]
fn point_4_e_does_not_distribute_over_two_path_formulas() {
    check(
        FORK,
        "property apart expect true = E X p & E X !p
         property together expect false = E (X p & X !p)
         property a_state_formula_may_be_split_off expect true = E (!p & X p) <-> (!p & E X p)",
    );
}

#[test]
fn point_5_a_commitment_speaks_of_all_accessible_paths() {
    let model = "
        roles A, B
        var p : bool = false
        start s
        s -- A: left set p = true --> t
        s -- B: right --> u
    ";
    check(
        model,
        "property some_path expect true = E F p
         property committed expect false = SC(A, B, F p)
         property committed_to_what_holds_anyway expect true = SC(A, B, F p | G !p)",
    );
}

#[test]
fn point_6_one_step_is_taken_by_all_formulas_of_a_set() {
    let model = "
        roles A, B
        var p, q : bool = false
        commitment c = SC(A, B, F q)
        start s
        s -- Cr(A, c) set p = true --> t
        t -- A: keep set q = true --> u
        t -- A: break_it set q = true --> u
    ";
    check(
        model,
        "property act_and_next expect true = E (Cr(A, c) & X p)
         property not_two_steps expect false = E (Cr(A, c) & X q)
         property two_steps expect true = E (Cr(A, c) & X X q)",
    );
}

#[test]
fn point_7_the_past_is_the_paths_own() {
    // w is reached with p seen before, or without.
    let model = "
        roles A, B
        var p : bool = false
        start s
        s -- A: left set p = true --> t
        s -- B: right --> u
        t -- A: on set p = false --> w
        u -- A: on --> w
    ";
    check(
        model,
        "property branching_past_sees_both expect true = AG (in w -> EY p & EY !p)
         property some_run_remembers_p expect true = E F (in w & Y p)
         property some_run_remembers_no_p expect true = E F (in w & Y !p)
         property not_both expect false = E F (in w & Y p & Y !p)
         property not_all expect false = AG (in w -> Y p)",
    );
}

#[test]
fn point_8_the_negation_of_accept_is_not_refuse() {
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, p)
        start s
        s -- Ch(B, c) --> t
        s -- Ac(B, c) --> t
        s -- Ref(B, c) --> t
    ";
    check(
        model,
        "property not_accepted expect true = E (!Ac(B, c) & !Ref(B, c) & does(_))
         property not_the_same expect false = A (!Ac(B, c) -> Ref(B, c))",
    );
}

#[test]
fn point_9_common_knowledge_is_the_greatest_fixpoint() {
    // Some related state satisfies p, but not all: the printed procedure would keep the state.
    let model = "
        roles A, B
        private var a of A : bool
        private var b of B : bool
        group both = { A, B }
        start s
    ";
    check(
        model,
        "property not_common expect false = GCK(both, a)
         property nor_where_it_holds expect true = a -> !GCK(both, a)
         property what_always_holds_is_common expect true = GCK(both, a | !a)",
    );
}

#[test]
fn point_9_common_knowledge_closes_over_reachable_states() {
    // With b fixed to true, no reachable state has b false, whatever other type-correct states there are.
    let model = "
        roles A, B
        private var a of A : bool
        private var b of B : bool = true
        group both = { A, B }
        start s
    ";
    check(model, "property common expect true = GCK(both, b)");
}

#[test]
fn point_10_knowledge_assuming_correct_behaviour_wants_all_of_the_group_green() {
    // p may be false only where A or B is red, never both; one green of the two must not suffice.
    let model = "
        roles A, B, C
        var p : bool = true
        private var ra of A : bool = false
        private var rb of B : bool = false
        private var q of A : bool = true
        red A : ra
        red B : rb
        group both = { A, B }
        start s
        s -- A: lie set ra = true, q = false --> s
        s -- B: lie set rb = true, q = false --> s
    ";
    check(
        model,
        "property all_green expect true = KH(C, both, q)
         property one_green_is_not_enough expect false = KH(C, A, q)
         property nor_the_other expect false = KH(C, B, q)
         property plain_knowledge expect false = K(C, q)",
    );
}

#[test]
fn point_11_validity_is_truth_in_all_initial_states() {
    let model = "
        roles A
        var p : bool
        start s
    ";
    check(
        model,
        "property neither expect false = p
         property nor_its_negation expect false = !p
         property either expect true = p | !p",
    );
}

#[test]
fn point_12_satisfaction_is_judged_along_the_rest_of_the_path() {
    // After Sat the content F p is kept on one continuation only.
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, F p)
        start s
        s -- Sat(A, c) --> t
        t -- A: keep set p = true --> u
        t -- A: forget --> v
    ";
    check(
        model,
        "property on_some_path expect true = E Sat(A, c)
         property not_on_all expect false = A Sat(A, c)
         property the_same_path_decides expect true = A (Sat(A, c) <-> F p)
         property as_does_its_violation expect true = A (does(Sat(A, c)) -> (Sat(A, c) <-> X F p))",
    );
}
