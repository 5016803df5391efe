//! Formulas on which the papers' automaton goes wrong, by the items of docs/formulas.md section 10, and others that a
//! tableau can go wrong on. The sound automaton says what is written here, and so does the reference engine.

use servanda_abta::{ActReading, Simplify};
use servanda_engine::Options;
use servanda_testkit::{Decider, Reference, Walks, load};

use crate::soundness::solve::decide;

fn check(model: &str, wanted: &[(&str, bool)]) {
    let properties: String = wanted
        .iter()
        .enumerate()
        .map(|(number, (formula, _))| format!("property f{number} = {formula}\n"))
        .collect();
    let protocol = load(&format!("{model}\n{properties}"));
    let walks = Walks::new(&protocol.model, 100).unwrap();
    let verdicts = Reference.verdicts(&protocol.model, &protocol.properties, Options::default());
    for ((property, (formula, wanted)), verdict) in protocol.properties.iter().zip(wanted).zip(verdicts) {
        assert_eq!(verdict, Some(*wanted), "the engine on {formula}");
        for simplify in [Simplify::Fully, Simplify::Not] {
            let found = decide(&protocol.model, &walks, &property.formula, simplify, ActReading::Actl);
            assert_eq!(found, Some(*wanted), "the automaton ({simplify:?}) on {formula}");
        }
    }
}

/// `s` has a successor with p and one without.
const FORK: &str = "
    roles A, B
    var p : bool = false
    start s
    s -- A: left set p = true --> t
    s -- B: right --> u
";

#[test]
fn point_1_a_step_under_e_is_some_transition() {
    check(
        FORK,
        &[("EX p", true), ("AX p", false), ("EX !p", true), ("E (X p & X X p)", true), ("A X X p", false)],
    );
}

#[test]
fn point_2_an_action_without_transition_is_false() {
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, p)
        start s
        s -- A: hello --> t
        t -- Cr(A, c) --> u
    ";
    let wanted = [
        ("E Cr(A, c)", false),
        ("A !Cr(A, c)", true),
        ("EX Cr(A, c)", true),
        ("E X X does(_)", false),
        ("A X X !does(_)", true),
        ("E does(hello)", true),
        ("A does(hello)", true),
    ];
    check(model, &wanted);
}

/// A loop in which p and q turn on and off, one at a time.
const SWITCHES: &str = "
    roles A
    var p, q : bool = false
    start s
    s -- A: flip set p = !p --> s
    s -- A: flop set q = !q --> s
";

#[test]
fn point_3_failure_is_remembered_and_acceptance_is_a_set_of_sets() {
    check(FORK, &[("(EG p) | (EG p)", false), ("E (G p | G p)", false), ("E (G F p & G F !p)", false)]);
    let wanted = [
        ("E (G F p & G F q)", true),
        ("E (G F p & G F !p & G F q & G F !q)", true),
        ("E (G F p & F G !p)", false),
        ("A (F G p | G F !p)", true),
        ("A (G F p | G F q)", true),
        ("A (F G p | F G !p)", false),
    ];
    check(SWITCHES, &wanted);
}

#[test]
fn point_4_only_state_formulas_are_split_off() {
    check(
        FORK,
        &[
            ("E X p & E X !p", true),
            ("E (X p & X !p)", false),
            ("E (!p & X p)", true),
            ("A (X p | X !p)", true),
            ("AX p | AX !p", false),
        ],
    );
}

#[test]
fn point_5_a_commitment_is_universal() {
    check(FORK, &[("E F p", true), ("SC(A, B, F p)", false), ("SC(A, B, F p | G !p)", true)]);
    // What is owed narrows the paths; where nothing can keep it, everything follows.
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, F p)
        start s
        s -- Cr(A, c) --> t
        t -- A: left set p = true --> u
        t -- B: right --> v
    ";
    let wanted = [
        ("AX SC(A, B, F p)", true),
        ("AX SC(A, B, X p)", true),
        ("AX AX p", false),
        ("E X X (in v & SC(A, B, false))", true),
        ("E X X (in u & SC(A, B, false))", false),
        ("E Cr(A, c)", true),
    ];
    check(model, &wanted);
}

#[test]
fn point_6_one_step_for_all_formulas_of_a_set() {
    let model = "
        roles A, B
        var p, q : bool = false
        commitment c = SC(A, B, F q)
        start s
        s -- Cr(A, c) set p = true --> t
        t -- A: keep set q = true --> u
    ";
    let wanted = [
        ("E (Cr(A, c) & X p)", true),
        ("E (Cr(A, c) & X q)", false),
        ("E (Cr(A, c) & X X q)", true),
        ("A (Cr(A, c) & X does(keep))", true),
    ];
    check(model, &wanted);
}

#[test]
fn point_7_the_past_is_the_runs_own() {
    let model = "
        roles A, B
        var p : bool = false
        start s
        s -- A: left set p = true --> t
        s -- B: right --> u
        t -- A: on set p = false --> w
        u -- A: on --> w
    ";
    let wanted = [
        ("E F (in w & Y p)", true),
        ("E F (in w & Y !p)", true),
        ("E F (in w & Y p & Y !p)", false),
        ("AG (in w -> Y p)", false),
        ("AG (in w -> P does(on))", true),
        ("AG (in w -> Y does(on))", false),
        ("E F (in w & H !p)", true),
        ("A G (Y true | in s)", true),
    ];
    check(model, &wanted);
}

#[test]
fn point_8_not_accepting_is_not_refusing() {
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, p)
        start s
        s -- Cr(A, c) --> t
        t -- B: wait --> t
        t -- Ac(B, c) --> u
        t -- Ref(B, c) --> v
    ";
    check(
        model,
        &[
            ("EX (!Ac(B, c) & !Ref(B, c))", true),
            ("E F Ref(B, c)", true),
            ("A G (!Ac(B, c) -> Ref(B, c))", false),
        ],
    );
}

#[test]
fn point_12_a_content_is_satisfied_along_the_rest_of_the_path() {
    let model = "
        roles A, B
        var p : bool = false
        commitment c = SC(A, B, F p)
        start s
        s -- Sat(A, c) --> t
        t -- A: later set p = true --> u
        t -- A: never --> v
    ";
    check(model, &[("E Sat(A, c)", true), ("A Sat(A, c)", false), ("E (Sat(A, c) & X !p)", true)]);
}

/// `X F p` is there at every position, whether `F p` was postponed or not.
#[test]
fn an_until_that_is_met_may_still_be_asked_for_next() {
    let wanted = [
        ("E G X F p", true),
        ("A F X G p", false),
        ("E G (X F p & X F !p)", true),
        ("E (F G !p & G X F p)", false),
        ("A (F G !p | G X F p)", true),
        ("E G (F p & X F p & X X F p)", true),
        ("E ((X F p) U G p)", true),
        ("E G ((F p) U q)", true),
        ("E G (F p & (X F p | q))", true),
    ];
    check(SWITCHES, &wanted);
}
