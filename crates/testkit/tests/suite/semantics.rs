//! docs/formulas.md sections 1 to 9: every rule, a test named after it.

use servanda_engine::{Deadlock, Engine as _, NoLimits, Options, Past, Strategies, Validity, Verdict};
use servanda_enumerate::Explored;
use servanda_model::{ActReading, Mover, StateView};
use servanda_syntax::SourceFile;
use servanda_testkit::{assert_expectations, assert_expectations_with, load};

fn strict() -> Options {
    Options { deadlock: Deadlock::Strict, ..Options::default() }
}

/// The codes of the errors of a text.
fn errors(text: &str) -> Vec<&'static str> {
    let loaded = servanda_pact::load(&SourceFile::new("test.pact", text), &[]);
    loaded.diagnostics.iter().filter(|d| d.is_error()).map(|d| d.code.word()).collect()
}

/// What is in force after the transitions of a protocol without choices, in the order they happen.
fn in_force_along(text: &str) -> Vec<Vec<String>> {
    let protocol = load(text);
    let mut mover = Mover::new(&protocol.model);
    let mut state = mover.initial_states().next().expect("an initial state");
    let mut seen = Vec::new();
    loop {
        let mut next = None;
        mover.for_each(&state, |_, successor| next = Some(successor.to_vec())).expect("no fault");
        let Some(successor) = next else { return seen };
        let view = StateView::new(&protocol.model, mover.layout(), &successor);
        seen.push(view.in_force.into_iter().map(|promise| promise.text).collect());
        state = successor;
    }
}

// Section 1: models

#[test]
fn section_1_a_local_state_is_what_the_agent_owns_and_what_is_public() {
    assert_expectations(
        "roles A, B
         var open : bool
         private var own of A : bool
         private var other of B : bool
         start s
         property knows_public expect true = K(A, open) | K(A, !open)
         property knows_own expect true = K(A, own) | K(A, !own)
         property not_the_others expect true = !K(A, other) & !K(A, !other)",
    );
}

#[test]
fn section_1_control_states_and_commitments_are_public() {
    assert_expectations(
        "roles A, B, C
         var p : bool = false
         private var x of A : bool
         commitment c = SC(A, B, F p)
         start s
         s -- Cr(A, c) when x --> t
         s -- A: pass when !x --> t
         property the_store_tells expect true = AG (in t & x -> K(C, x))
         property so_does_its_absence expect true = AG (in t & !x -> K(C, !x))
         property before_nobody_knows expect true = !K(C, x) & !K(C, !x)
         property control_is_seen expect true = AG (in t -> K(C, in t))",
    );
}

#[test]
fn section_1_transitions_are_counted_as_distinct_triples() {
    let text = "roles A, B
         var p : bool = false
         start s
         s -- A: go --> t
         s -- A: go --> t
         s -- B: go --> t
         s -- A: go set p = true --> t";
    let protocol = load(text);
    let explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let space = &explored.space;
    // The sender is part of a label; the implicit loops of the two deadlocks are not counted.
    assert_eq!((space.len(), space.transitions(), space.deadlocks().count()), (3, 3, 2));
}

#[test]
fn section_1_nothing_declared_means_green_everywhere() {
    assert_expectations(
        "roles A
         var p : bool
         start s
         property o_is_validity expect false = O(A, p)
         property and_no_more expect true = O(A, p | !p)",
    );
}

#[test]
fn pact_one_letter_operators_may_be_enumeration_values() {
    assert_expectations(
        "roles A
         var grade : {A, B, F} = A
         start s
         s -- A: worse when grade = A set grade = F --> t
         t -- A: better when grade != A & grade = F set grade = B --> u
         property now expect true = grade = A
         property then expect true = AX grade = F & AX AX (grade = B)",
    );
}

// Section 2: paths and deadlocks

const STUCK: &str = "roles A
    var p : bool = false
    start s
    s -- A: go set p = true --> t
";

#[test]
fn section_2_a_deadlock_is_continued_by_a_loop_with_an_empty_label() {
    assert_expectations(&format!(
        "{STUCK}
         property next_is_here expect true = AX AX p & AX EX p
         property always expect true = AF AG p
         property no_action expect true = AX A G !does(_)
         property negated_action expect true = AX A !does(go)"
    ));
}

#[test]
fn section_2_strict_deadlocks_use_the_relation_as_it_is() {
    assert_expectations_with(
        &format!(
            "{STUCK}
             property no_next expect true = AX !EX true
             property every_next expect true = AX AX false
             property finally_holds expect true = AF false
             property until_holds expect true = A [p | !p U false]
             property no_globally expect true = !EG true
             property until_may_end_in_a_deadlock expect true = EF p & E [!p U p]
             property no_infinite_path expect false = E (X p & F p)
             property so_all_of_them expect true = A (X false & G false)
             property weak_until expect true = A [!p W p]
             property release expect true = E [p R !p] <-> false"
        ),
        strict(),
    );
}

#[test]
fn section_2_strict_commitments_speak_of_infinite_paths() {
    // Found by comparing engines: with nothing in force the claim looked like a CTL operator.
    assert_expectations_with(
        "roles A, B
         var p : bool = false
         start s
         s -- A: go --> t
         property no_infinite_path_at_all expect true = SC(A, B, G p) & SC(A, B, false)
         property whatever_is_claimed expect true = SC(A, B, X p) & SC(A, B, does(_) & !does(_))
         property unlike_ctl expect false = AG p",
        strict(),
    );
}

#[test]
fn section_2_strict_what_was_not_written_as_a_ctl_operator_is_none() {
    // Found by a law on simplification: folding constants turned path formulas into CTL operators.
    assert_expectations_with(
        "roles A
         var v : bool = false
         start s
         s -- A: stay --> s
         s -- A: go set v = true --> t
         property ctl expect false = A G !v
         property a expect true = A (G !v | X false)
         property b expect true = A (G !v | false)
         property c expect true = A (G !v & G !v)
         property d expect true = A !(v U v & does(_) & !does(_)) ",
        strict(),
    );
}

#[test]
fn section_2_strict_and_loop_differ_only_where_there_are_deadlocks() {
    let text = "roles A
         var p : bool = false
         start s
         s -- A: go set p = !p --> s
         property again expect true = AG (AF p & AF !p)
         property stays expect false = EG p";
    assert_expectations(text);
    assert_expectations_with(text, strict());
}

// Section 3: the core logic

#[test]
fn section_3_a_and_e_quantify_over_the_continuations_of_the_run() {
    assert_expectations(
        "roles A
         var p : bool = false
         start s
         s -- A: left set p = true --> t
         s -- A: right --> u
         t -- A: back set p = false --> s
         u -- A: back --> s
         property ctl_star expect false = A (G F p)
         property fairly expect true = A (G F (in s) & (G F p -> G F in t))
         property exists expect true = E (G F p & G F in u)
         property nested expect true = A G (E X p | E Y true)",
    );
}

#[test]
fn section_3_the_present_is_included() {
    assert_expectations(
        "roles A
         var p : bool = true
         start s
         s -- A: go set p = false --> t
         property f expect true = AF p
         property u expect true = A [false U p]
         property g expect false = AG p
         property w expect true = A [p W !p]
         property r expect true = A [!p R true] & !A [!p R p]",
    );
}

#[test]
fn section_3_so_is_now_and_if_still_then_next() {
    // `p so q` is p & X(p -> q)
    assert_expectations(
        "roles A
         var p, q : bool = false
         start s
         s -- A: one set p = true --> a
         a -- A: two set q = true --> b
         b -- A: three set p = false, q = false --> c
         property not_now expect false = A (p so q)
         property supported expect true = AX A (p so q)
         property vacuous_next expect true = AX AX A (p so q)
         property unfolds expect true = A G ((p so q) <-> (p & X (p -> q)))",
    );
}

#[test]
fn section_3_action_atoms_match_the_leaving_transition() {
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         start s
         s -- A: pay --> t
         t -- B: pay --> u
         u -- Cr(A, c) --> v
         property by_any_role expect true = A (does(pay) & X does(pay))
         property by_one_role expect true = A (does(A.pay) & X (does(B.pay) & !does(A.pay)))
         property an_act_by_its_label expect true = A X X does(Cr(A, _))
         property any expect true = A (does(_) & X does(_) & X X does(_) & X X X !does(_))",
    );
}

#[test]
fn section_3_a_property_must_be_a_state_formula() {
    assert_eq!(errors("roles A var p : bool start s property f = F p"), ["path-formula"]);
    assert_eq!(errors("roles A var p : bool start s property f = p & does(_)"), ["path-formula"]);
    assert_eq!(errors("roles A var p : bool start s property f = K(A, X p)"), ["path-formula"]);
    assert!(errors("roles A var p : bool start s property f = A (F p)").is_empty());
}

// Section 4: commitments and acts

#[test]
fn section_4_identity_is_as_parsed() {
    // `!!p` is not `p`, `F p` is not `true U p`; parentheses, spelling and names of definitions do not count.
    let same = "roles A, B var p : bool = false prop q = p
         commitment c = SC(A, B, F p)
         commitment d = SC(A, B, (◇ (q)))
         start s
         s -- Cr(A, c) --> t
         t -- Wit(A, d) --> u";
    assert_eq!(in_force_along(same), [vec!["SC(A, B, F p)"], vec![]]);
    let different = "roles A, B var p : bool = false
         commitment c = SC(A, B, F p)
         commitment d = SC(A, B, true U p)
         commitment e = SC(A, B, F !!p)
         start s
         s -- Cr(A, c) --> t
         t -- Wit(A, d) --> u
         u -- Wit(A, e) --> v";
    assert!(in_force_along(different).iter().all(|set| set == &["SC(A, B, F p)"]));
}

#[test]
fn section_4_a_tag_is_part_of_the_identity() {
    let text = "roles A, B var p : bool = false
         commitment c = PC(A, B, t1, F p)
         commitment d = PC(A, B, 2, F p)
         commitment e = SC(A, B, F p)
         start s
         s -- Cr(A, c) --> t
         t -- Wit(A, d) --> u
         u -- Wit(A, e) --> v
         v -- Ac(B, c) --> w
         w -- Wit(A, c) --> x";
    let kept = "PC(A, B, t1, F p)".to_owned();
    let accepted = "PC(B, A, t1, F p)".to_owned();
    let expected = [
        vec![kept.clone()],
        vec![kept.clone()],
        vec![kept.clone()],
        vec![kept, accepted.clone()],
        vec![accepted],
    ];
    assert_eq!(in_force_along(text), expected);
}

#[test]
fn section_4_effect_of_create_reactivate_withdraw_satisfy_violate() {
    let text = "roles A, B var p : bool = false
         commitment c = SC(A, B, F p)
         start s0
         s0 -- Cr(A, c) --> s1
         s1 -- Wit(A, c) --> s2
         s2 -- React(A, c) --> s3
         s3 -- Sat(A, c) --> s4
         s4 -- Sat(A, c) --> s5
         s5 -- Create(A, c) --> s6
         s6 -- Vio(A, c) --> s7";
    let c = || vec!["SC(A, B, F p)".to_owned()];
    assert_eq!(in_force_along(text), [c(), vec![], c(), vec![], vec![], c(), vec![]]);
}

#[test]
fn section_4_effect_of_accept_refuse_challenge_is_one_stance_at_a_time() {
    let text = "roles A, B var p : bool = false
         commitment c = SC(A, B, p)
         start s0
         s0 -- Ac(B, c) --> s1
         s1 -- Ref(B, c) --> s2
         s2 -- Ch(B, c) --> s3
         s3 -- Ac(B, c) --> s4
         s4 -- Ch(B, c) --> s5
         s5 -- Ref(B, c) --> s6";
    let stances: Vec<String> = in_force_along(text).into_iter().map(|set| set.join(" and ")).collect();
    assert_eq!(
        stances,
        ["SC(B, A, p)", "SC(B, A, !p)", "SC(B, A, ?p)", "SC(B, A, p)", "SC(B, A, ?p)", "SC(B, A, !p)"]
    );
}

#[test]
fn section_4_effect_of_attack_defend_justify() {
    let text = "roles A, B var p, q : bool = false
         commitment c = SC(A, B, p)
         start s0
         s0 -- At(B, c, q) --> s1
         s1 -- Def(A, c, q) --> s2
         s2 -- Jus(A, c, !q) --> s3";
    assert_eq!(
        in_force_along(text).last().map(Vec::as_slice),
        Some(
            &["SC(B, A, q so !p)".to_owned(), "SC(A, B, q so p)".to_owned(), "SC(A, B, !q so p)".to_owned()]
                [..]
        )
    );
}

#[test]
fn section_4_an_act_by_the_wrong_party_is_an_error() {
    let text = |act: &str| {
        format!(
            "roles A, B var p : bool commitment c = SC(A, B, p) start s s -- {act} --> t property f = E {act}"
        )
    };
    for act in ["Cr(B, c)", "Wit(B, c)", "Ac(A, c)", "Ch(A, c)", "At(A, c, p)", "Jus(B, c, p)"] {
        assert_eq!(errors(&text(act)), ["wrong-party", "wrong-party"], "{act}");
    }
    for act in ["Cr(A, c)", "Wit(A, c)", "Ac(B, c)", "Ch(B, c)", "At(B, c, p)", "Jus(A, c, p)"] {
        assert!(errors(&text(act)).is_empty(), "{act}");
    }
}

#[test]
fn section_4_a_pattern_that_contains_itself_is_an_error() {
    // Found by fuzzing: what such an act brings about is defined by itself, which recursed until the stack was used up.
    let content =
        "roles A, B var p : bool = false commitment c = SC(A, B, F Cr(A, _)) start s s -- Cr(A, c) --> t";
    assert!(errors(content).contains(&"circular-pattern"));
    let support =
        "roles A, B var p : bool = false commitment c = SC(A, B, p) start s s -- Jus(A, c, Act(A, c)) --> t";
    assert!(errors(support).contains(&"circular-pattern"));
    let label = "roles A, B var p : bool = false commitment c = SC(A, B, F does(Cr(A, _))) start s s -- Cr(A, c) --> t";
    assert!(errors(label).is_empty());
}

#[test]
fn section_4_an_act_is_possible_whether_or_not_its_commitment_is_in_force() {
    assert_expectations(
        "roles A, B var p : bool = false
         commitment c = SC(A, B, F p)
         start s
         s -- Sat(A, c) set p = true --> t
         property possible expect true = E Sat(A, c)",
    );
}

/// A promises F p, and may keep or break it.
const PROMISE: &str = "roles A, B
    var p : bool = false
    commitment c = SC(A, B, F p)
    start s
    s -- Cr(A, c) --> t
    t -- A: keep set p = true --> done
    t -- A: forget --> over
";

#[test]
fn section_4_accessible_paths_keep_every_promise_in_force() {
    assert_expectations(&format!(
        "{PROMISE}
         property not_before expect false = SC(A, B, F p)
         property once_promised expect true = AX SC(A, B, F p)
         property only_to_that_creditor expect true = AX !SC(B, A, F p)
         property not_on_all_paths expect true = AX !AF p
         property what_it_implies expect true = AX SC(A, B, F in done)"
    ));
}

#[test]
fn section_4_without_accessible_paths_every_commitment_holds_and_the_promise_is_unkeepable() {
    let text = format!(
        "{PROMISE}
         property all_hold expect true = AG (in over -> SC(A, B, false))
         property consistent_elsewhere expect true = AG (in t -> !SC(A, B, false))"
    );
    assert_expectations(&text);
    let protocol = load(&text);
    let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let unkeepable = explored.unkeepable(&NoLimits).unwrap();
    assert_eq!(unkeepable.len(), 1);
    assert_eq!(unkeepable[0].debtor, "A");
    assert_eq!(unkeepable[0].commitments, ["c = SC(A, B, F p)"]);
    assert_eq!(unkeepable[0].states, 1_u32.into());
    assert_eq!(unkeepable[0].path, ["Cr(A, c)", "A: forget"]);
}

#[test]
fn section_4_access_guards_narrow_the_accessible_paths() {
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         access A -> B : !does(forget) & !Vio(A, _)
         start s
         s -- A: keep set p = true --> done
         s -- A: forget --> over
         s -- Vio(A, c) --> over
         property narrowed expect true = SC(A, B, F p)
         property not_for_others expect false = SC(B, A, F p)
         property in_a_guard_an_act_is_its_label_alone expect true = SC(A, B, !does(Vio(A, c)))",
    );
}

#[test]
fn section_4_an_access_guard_that_leaves_no_path_is_reported_as_unkeepable() {
    let protocol = load("roles A, B start s s -- A: go --> s access A -> B : !does(go)");
    let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let unkeepable = explored.unkeepable(&NoLimits).unwrap();
    assert_eq!(unkeepable.len(), 1);
    assert!(unkeepable[0].commitments.is_empty());
}

#[test]
fn section_4_sc_obeys_axiom_4_and_on_consistent_points_d() {
    assert_expectations(&format!(
        "{PROMISE}
         property four expect true = AG (SC(A, B, F p) -> SC(A, B, SC(A, B, F p)))
         property d expect true = AG (in t -> !(SC(A, B, F p) & SC(A, B, !F p)))"
    ));
}

#[test]
fn section_4_contents_see_only_commitments_that_nest_less_deeply() {
    // The content of d (depth 1) sees c (depth 0), but not d itself; c is kept on the path that sets p.
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         commitment d = SC(A, B, SC(A, B, F p))
         start s
         s -- Cr(A, d) --> t
         t -- A: keep set p = true --> done
         t -- A: forget --> over
         property d_alone_is_not_kept expect true = AX SC(A, B, false)
         property because_inside_it_c_is_not_in_force expect true = AX !SC(B, A, false)",
    );
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         commitment d = SC(A, B, SC(A, B, F p))
         start s
         s -- Cr(A, c) --> r
         r -- Cr(A, d) --> t
         t -- A: keep set p = true --> done
         t -- A: forget --> over
         property inside_d_the_content_of_c_counts expect true = AX AX !SC(A, B, false)
         property and_is_implied expect true = AX AX SC(A, B, F p)",
    );
}

#[test]
fn section_4_a_challenge_is_opaque_and_true_while_it_is_in_force() {
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, p)
         start s
         s -- Ch(B, c) --> t
         t -- Ac(B, c) set p = true --> u
         property challenged expect true = E Ch(B, c)
         property then_accepted expect true = AX E Ac(B, c)",
    );
}

#[test]
fn section_4_wildcards_are_read() {
    assert_expectations(
        "roles A, B
         var p, q : bool = false
         commitment c = SC(A, B, F p)
         commitment d = SC(B, A, F q)
         start s
         s -- Jus(A, c, q) set q = true --> t
         t -- Cr(B, d) set p = true --> u
         property support expect true = E Jus(A, c, _)
         property actor expect true = E Jus(_, c, _)
         property commitment_ expect true = E Jus(A, _, _)
         property act expect true = E Act(A, c)
         property content expect true = AX E Cr(B, SC(B, A, _))
         property other_party expect false = E Act(B, c)",
    );
}

/// The commitment is created on one of two ways to t.
const READINGS: &str = "roles A, B
    var p : bool = false
    commitment c = SC(A, B, F p)
    start s
    s -- Cr(A, c) --> t
    s -- A: pass --> t
    t -- Wit(A, c) set p = true --> u
";

#[test]
fn section_4_reading_actl() {
    assert_expectations(&format!(
        "{READINGS}
         property created expect true = E Cr(A, c)
         property withdrawn expect false = E F Wit(A, c)
         property because_it_holds_anyway expect true = AX AX SC(A, B, F p)"
    ));
}

#[test]
fn section_4_reading_scctl() {
    assert_expectations(&format!(
        "semantics scctl {READINGS}
         property created expect true = E Cr(A, c)
         property withdrawn_if_created expect true = E (Cr(A, c) & X Wit(A, c))
         property not_if_not expect false = E (does(pass) & X Wit(A, c))
         property though_it_happens expect true = E (does(pass) & X does(Wit(A, c)))"
    ));
}

#[test]
fn section_4_reading_ctlca() {
    let text = format!(
        "{READINGS}
         property created expect true = E Cr(A, c)
         property withdrawn_if_created expect true = E (Cr(A, c) & X Wit(A, c))
         property not_if_not expect false = E (does(pass) & X Wit(A, c))"
    );
    assert_expectations_with(&text, Options { acts: Some(ActReading::Ctlca), ..Options::default() });
}

#[test]
fn section_4_a_commitments_name_denotes_its_sc() {
    assert_expectations(&format!("{PROMISE} property named expect true = AX c & !c"));
}

// Section 5: knowledge and correct behaviour

const OBSERVERS: &str = "roles A, B
    private var a of A : bool
    private var b of B : bool
    var both : bool = false
    red A : !a
    group pair = { A, B }
    start s
    s -- A: tell when a & b set both = true --> t
    s -- A: tell when !(a & b) --> t
";

#[test]
fn section_5_knowledge_modalities() {
    assert_expectations(&format!(
        "{OBSERVERS}
         property k expect true = AG (a -> K(A, a))
         property not_the_other expect true = AG (in s -> !K(A, b) & !K(A, !b))
         property learnt expect true = AG (both -> K(A, b))
         property also_by_silence expect true = AG (in t & a & !both -> K(A, !b))
         property gk_needs_all expect true = AG (in s & a & b -> !GK(pair, a))
         property gk expect true = AG (both -> GK(pair, a & b))
         property dk_adds_up expect true = AG (a & b -> DK(pair, a & b))
         property gck_of_what_is_public expect true = AG (both -> GCK(pair, both & a & b))
         property gck_not_before expect true = AG (in s -> !GCK(pair, a | b))
         property everybody_by_default expect true = AG (both -> GCK(both))"
    ));
}

#[test]
fn section_5_correct_behaviour() {
    assert_expectations(&format!(
        "{OBSERVERS}
         property o expect true = O(A, a)
         property o_is_no_more_than_that expect false = O(B, a)
         property kh expect true = AG KH(B, A, a)
         property kh_of_red_points expect true = AG (!a -> KH(A, A, false))
         property kh_with_two expect true = AG (in t & !both -> KH(A, {{A, B}}, a))"
    ));
}

#[test]
fn section_5_knowledge_speaks_of_points_with_their_past() {
    // B sees t, but not how it was reached.
    assert_expectations(
        "roles A, B
         private var x of A : bool = false
         start s
         s -- A: left set x = true --> l
         s -- A: right set x = false --> r
         l -- A: on set x = false --> t
         r -- A: on --> t
         property remembered expect true = AG (in t & E Y in l -> E Y in l)
         property nobody_knows_the_way expect true = AG (in t -> !K(B, E Y in l) & !K(B, E Y in r))
         property but_that_there_was_one expect true = AG (in t -> K(B, E (Y (in l | in r) | Y in t)))",
    );
}

// Section 6: the past

#[test]
fn section_6_linear_past() {
    assert_expectations(
        "roles A
         var n : 0..3 = 0
         start s
         s -- A: up when n < 3 set n = n + 1 --> s
         property no_yesterday_at_the_start expect true = A !Y true & A H (n = 0)
         property yesterday expect true = A G (n = 2 -> Y n = 1 | Y n = 2)
         property once expect true = A G (n = 3 -> P n = 1)
         property since expect true = A G (n >= 2 -> (n >= 2 S n = 1) | ((n >= 1) S (n = 1)))
         property historically expect false = A G H (n < 3)
         property act_in_the_past expect true = A G (n = 1 -> Y (does(up) | n = 1))
         property mixed expect true = A G (n = 1 -> P (n = 0 & X n = 1))",
    );
}

#[test]
fn section_6_the_past_is_remembered_through_quantifiers() {
    assert_expectations(
        "roles A
         var p : bool = false
         start s
         s -- A: left set p = true --> l
         s -- A: right --> r
         l -- A: on set p = false --> t
         r -- A: on --> t
         t -- A: stay --> t
         property remembered expect true = A G (in t -> (A X P p) | (A X !P p))
         property the_state_does_not_tell expect false = (A G (in t -> A P p)) | A G (in t -> A !P p)",
    );
}

#[test]
fn section_6_the_past_is_remembered_in_commitments() {
    assert_expectations(
        "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         start s
         s -- A: left set p = true --> l
         s -- A: right --> r
         l -- A: on set p = false --> t
         r -- A: on --> t
         property in_the_content expect true = E F (in t & SC(A, B, P p)) & E F (in t & !SC(A, B, P p))",
    );
}

#[test]
fn section_6_branching_past() {
    assert_expectations(
        "roles A
         var p : bool = false
         start s
         s -- A: left set p = true --> l
         s -- A: right --> r
         l -- A: on set p = false --> t
         r -- A: on --> t
         property no_predecessor expect true = AY false & !EY true
         property ey expect true = AG (in t -> EY in l & EY in r)
         property ay expect true = AG (in t -> AY (in l | in r | in t))
         property a_deadlock_is_its_own_predecessor expect true = AG (in t -> EY in t)
         property ep expect true = AG EP in s & AG (in t -> EP p)
         property ah expect true = AG (in r -> AH !p) & AG (in t -> !AH !p)
         property itself_included expect true = AG (in l -> EP p)",
    );
}

#[test]
fn section_6_a_deadlock_is_not_its_own_predecessor_in_strict_mode() {
    assert_expectations_with(
        "roles A var p : bool = false start s
         s -- A: go set p = true --> t
         property not_itself expect true = AG (in t -> !EY in t & EY in s)",
        strict(),
    );
}

#[test]
fn section_6_past_all_sees_all_type_correct_states() {
    let text = |expected: &str| {
        format!(
            "roles A
             var n : 0..3 = 1
             start s
             s -- A: up when n < 3 set n = n + 1 --> s
             property from_outside expect {expected} = EY n = 0
             property reachable_unchanged expect true = AG (n = 2 -> EY n = 1)"
        )
    };
    assert_expectations(&text("false"));
    assert_expectations_with(&text("true"), Options { past: Past::All, ..Options::default() });
}

#[test]
fn section_6_past_all_takes_an_out_of_range_assignment_for_no_transition() {
    assert_expectations_with(
        "roles A
         var n : 0..3 = 0
         var on : bool = true
         start s
         s -- A: up when on set n = n + 2, on = false --> s
         property no_way_back_to_zero expect true = AG (n = 0 -> !EY true)
         property from_one expect true = EF (n = 2 & EY n = 0)",
        Options { past: Past::All, ..Options::default() },
    );
}

#[test]
fn section_6_linear_past_that_reaches_out_is_an_error() {
    let with = |formula: &str| {
        errors(&format!("roles A var p : bool start s s -- A: go --> s property f = {formula}"))
    };
    assert_eq!(with("EP E Y p"), ["past-reaches-out"]);
    assert_eq!(with("AY A P p"), ["past-reaches-out"]);
    assert_eq!(with("EY E X (p S p)"), ["past-reaches-out"]);
    assert_eq!(with("<A> F E H p"), ["past-reaches-out"]);
    assert!(with("EP E X Y p").is_empty());
    assert!(with("EP K(A, E Y p)").is_empty());
    assert_eq!(with("EP E X Y Y p"), ["past-reaches-out"]);
}

// Section 7: strategies

const GAME: &str = "roles A, B
    var p, q : bool = false
    start s
    s -- A: good set p = true --> t
    s -- A: bad --> u
    t -- B: spoil set p = false --> u
    t -- B: stay set q = true --> t
";

#[test]
fn section_7_a_coalition_chooses_among_its_enabled_transitions() {
    assert_expectations(&format!(
        "{GAME}
         property a_next expect true = <A> X p
         property b_cannot expect false = <B> X p
         property a_cannot_keep_it expect false = <A> X <A> G p
         property b_can expect true = <A> X <B> G p
         property together expect true = <{{A, B}}> X <{{A, B}}> G p
         property until expect true = <{{A, B}}> (!q U p) & <{{A, B}}> F q
         property a_deadlock_stays expect true = AG (in u -> (<A> X !p <-> !p))"
    ));
}

#[test]
fn section_7_transitions_made_by_nobody_may_always_happen() {
    assert_expectations(
        "roles A
         var p : bool = false
         start s
         s -- A: good set p = true --> t
         s -- slip --> u
         property cannot expect false = <A> X p
         property but_possible expect true = EX p",
    );
}

#[test]
fn section_7_a_uniform_strategy_chooses_by_local_state() {
    // A must guess what it does not see. Once the coin lies, the right guess exists (objective ability), but no one
    // choice is right for both sides of it.
    let text = |expected: &str| {
        format!(
            "roles A, B
             private var coin of B : bool = false
             var won : bool = false
             start s
             s -- toss set coin = true --> t
             s -- toss --> t
             t -- A: heads set won = coin --> u
             t -- A: tails set won = !coin --> u
             property wins expect {expected} = <A> F won
             property wins_next expect {expected} = AX <A> X won & <A> (!won U won)
             property judged_from_the_state_itself expect true = AX <A> X won & AX <A> F won"
        )
    };
    assert_expectations(&text("true"));
    let uniform = Options { strategies: Strategies::Uniform, ..Options::default() };
    assert_expectations_with(&text("false"), uniform);
}

#[test]
fn section_7_a_uniform_choice_is_a_label_where_the_agent_cannot_know_the_transition() {
    let uniform = Options { strategies: Strategies::Uniform, ..Options::default() };
    assert_expectations_with(
        "roles A, B
         private var coin of B : bool
         var done : bool = false
         start s
         s -- A: go when coin set done = true --> t
         s -- A: go when !coin set done = true --> u
         property can expect true = <A> F done & <A> X done",
        uniform,
    );
    assert_expectations_with(
        "roles A, B
         private var coin of B : bool
         var done : bool = false
         start s
         s -- A: left when coin set done = true --> t
         s -- A: right when !coin set done = true --> u
         property cannot_tell_what_it_may_do expect false = <A> F done",
        uniform,
    );
}

// Section 8: fairness

const FAIR: &str = "roles A
    var p : bool = false
    start s
    s -- A: wait --> s
    s -- A: go set p = true --> t
    t -- A: back set p = false --> s
    t -- A: die --> dead
";

#[test]
fn section_8_fairness_restricts_runs() {
    assert_expectations(&format!("{FAIR} property unfair expect false = AF p"));
    assert_expectations(&format!(
        "{FAIR} fair in t
         property fair_runs_get_there expect true = AF p & AG AF p
         property the_dead_end_is_on_no_run expect true = AG !(in dead) & AG EF in s
         property knowledge_too expect true = AG K(A, !(in dead))
         property past_too expect true = AG !EP in dead"
    ));
}

#[test]
fn section_8_fairness_constraints_are_evaluated_without_fairness() {
    // EF in dead holds at t without fairness, although no fair run gets to the dead end.
    assert_expectations(&format!(
        "{FAIR} fair in t
         fair EF in dead
         property holds_still expect true = AF p
         property with_fairness_it_is_false expect false = EF in dead"
    ));
}

/// Calm can always go, Shy only while the fork is free.
const STEPS: &str = "roles Calm, Shy, Hasty
    var calm, shy : bool = false
    machine Fork  { start free   free -- Hasty: grab --> taken   taken -- Hasty: drop --> free }
    machine Calms { start here   here -- Calm: go set calm = true --> gone }
    machine Shys  { start here   here -- Shy: leave when Fork in free set shy = true --> gone }
";

#[test]
fn section_8_weak_fairness_of_steps() {
    assert_expectations(&format!("{STEPS} property lazy expect false = AF calm"));
    assert_expectations(&format!(
        "{STEPS} fair weak does(go) fair weak does(leave)
         property always_possible expect true = AF calm
         property not_always_possible expect false = AF shy
         property unless_the_fork_stays expect true = A (F G Fork in free -> F shy)"
    ));
}

#[test]
fn section_8_strong_fairness_of_steps() {
    assert_expectations(&format!(
        "{STEPS} fair strong does(leave)
         property again_and_again_possible expect true = AF shy
         property the_other_is_free expect false = AF calm
         property nothing_else_is_left expect true = A (F calm -> G F does(grab))
         property knows expect true = AG K(Calm, AF shy)
         property branches expect true = AG (!shy -> E F (shy & !calm) | calm)"
    ));
    // Who takes the fork and keeps it makes it impossible, and that is fair.
    assert_expectations(
        "roles Shy, Hasty
         var shy : bool = false
         machine Fork { start free   free -- Hasty: grab --> taken   taken -- Hasty: hold --> taken }
         machine Shys { start here   here -- Shy: leave when Fork in free set shy = true --> gone }
         fair strong does(leave)
         property kept expect false = AF shy
         property while_free expect true = A (G Fork in free -> F shy)",
    );
}

#[test]
fn section_8_fairness_of_steps_leaves_points_out() {
    // Strong fairness of `back`, which `die` makes impossible: that is fair. Strong fairness of what is always possible and never
    // enough is not.
    let text = "roles A
         var p : bool = false
         start s
         s -- A: go --> t
         t -- A: turn set p = true --> t
         t -- A: back --> s
         s -- A: stop --> u
         u -- A: rest --> u
         fair strong does(back) fair strong does(stop)
         property ends expect true = AF in u
         property possible_is_not_asked_of_fair_runs expect true = AG (in t -> E does(turn))";
    assert_expectations(text);
    assert_expectations(
        "roles A
         start s
         s -- A: stay --> s
         s -- A: leave --> t
         t -- A: stay --> t
         t -- A: idle --> t
         fair weak does(leave) fair weak does(idle) fair strong does(stay)
         property leaves expect true = AF in t
         property often expect true = AG A G F does(stay) & A G F does(idle)",
    );
}

#[test]
fn section_8_fairness_of_steps_that_no_run_has() {
    // Both must be done again and again, and one ends the other.
    let text = "roles A
         start s
         s -- A: one --> t
         t -- A: two --> t
         t -- A: three --> t
         fair !(in t)
         fair weak does(two)
         property f expect true = false property g expect true = EF in s";
    assert_expectations(text);
    let protocol = load(text);
    let explored = Explored::new(&protocol.model, Options::default(), &NoLimits);
    assert!(explored.unwrap().no_fair_run(&NoLimits).unwrap());
}

#[test]
fn section_8_strategies_with_fairness_of_steps_are_unknown() {
    let protocol = load(&format!("{STEPS} fair weak does(go) property f = <Calm> F calm"));
    let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let verdict = explored.decide(&protocol.properties[0].formula, &NoLimits);
    assert!(matches!(verdict, Ok(Verdict::Unknown(_))));
}

#[test]
fn section_8_no_fair_run_makes_everything_true() {
    let text =
        format!("{FAIR} fair false property f expect true = false property g expect true = EF in dead");
    assert_expectations(&text);
    let protocol = load(&text);
    assert!(
        Explored::new(&protocol.model, Options::default(), &NoLimits)
            .unwrap()
            .no_fair_run(&NoLimits)
            .unwrap()
    );
}

#[test]
fn section_8_strategies_with_fairness_are_unknown() {
    let text = format!("{FAIR} fair in t property f = <A> F p");
    let protocol = load(&text);
    let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let verdict = explored.decide(&protocol.properties[0].formula, &NoLimits);
    assert!(matches!(verdict, Ok(Verdict::Unknown(_))));
}

#[test]
fn section_8_unkeepability_speaks_of_fair_runs() {
    let text = "roles A, B
         var p : bool = false
         commitment c = SC(A, B, F p)
         start s
         s -- Cr(A, c) --> t
         t -- A: wait --> t
         t -- A: keep set p = true --> u
         u -- A: rest --> u
         fair !p";
    let protocol = load(text);
    let mut explored = Explored::new(&protocol.model, Options::default(), &NoLimits).unwrap();
    let unkeepable = explored.unkeepable(&NoLimits).unwrap();
    assert_eq!(unkeepable.iter().map(|u| u.states.to_string()).collect::<Vec<_>>(), ["1"]);
    assert_eq!(unkeepable[0].example.locations, [(String::new(), "t".to_owned())]);
}

// Section 9: validity

#[test]
fn section_9_validity_in_initial_or_in_all_reachable_states() {
    let text = |expected: &str| {
        format!(
            "roles A var p : bool = true start s s -- A: go set p = false --> t
             property now expect {expected} = p"
        )
    };
    assert_expectations(&text("true"));
    assert_expectations_with(&text("false"), Options { validity: Validity::Reachable, ..Options::default() });
}
