//! Release, delegation and assignment; `active(..)`; private commitments.

use servanda_engine::{Options, Strategies};
use servanda_model::ActReading;
use servanda_syntax::SourceFile;
use servanda_testkit::{assert_expectations, assert_expectations_with, load};

/// The codes and messages of what is found in a text.
fn findings(text: &str) -> Vec<String> {
    let loaded = servanda_pact::load(&SourceFile::new("test.pact", text), &[]);
    loaded.diagnostics.iter().map(|d| format!("{}: {}", d.code.word(), d.message)).collect()
}

const PASSED_ON: &str = "roles A, B, C
     var p : bool = false
     commitment c = SC(A, B, F p)
     commitment t = PC(A, B, 1, p)
     start s
     s -- Cr(A, c) --> s1
     s1 -- Cr(A, t) --> s2
     s2 -- Del(A, c, C) --> s3
     s3 -- Ass(B, SC(C, B, F p), A) --> s4
     s4 -- Assign(B, t, C) --> s5
     s5 -- Rel(A, SC(C, A, F p)) --> s6
     s6 -- Release(C, PC(A, C, 1, p)) --> s7
     s7 -- A: again set p = true --> s7
     s7 -- A: again set p = false --> s7
     ";

#[test]
fn acts_pass_on_and_release_and_keep_the_moment() {
    assert_expectations(&format!(
        "{PASSED_ON}
         property delegated expect true = AG (in s3 -> active(SC(C, B, F p)) & !active(c) & active(t))
         property assigned expect true = AG (in s4 -> active(SC(C, A, F p)) & !active(SC(_, B, _)))
         property with_its_moment expect true = AG (in s5 -> active(PC(A, C, 1, p)) & !active(SC(A, C, p)))
         property released expect true = AG (in s6 -> !active(SC(_, _, _)) & active(_))
         property nothing_left expect true = AG (in s7 -> !active(_))
         property any_act expect true = AG (in s2 -> A (does(Act(A, c)) & does(Del(_, _, _)) & does(Del(A, c, C))))
         property not_to_others expect true = A G !(does(Del(A, t, C)) | does(Ass(A, _, _)))
         property by_the_creditor expect true = AG (does(Rel(A, _)) -> in s5)"
    ));
}

#[test]
fn each_reading_has_its_own_demand() {
    let text = |properties: &str| format!("{PASSED_ON}{properties}");
    let actl = "
         property delegation expect true = AG (does(Del(A, c, C)) -> Del(A, c, C))
         property assignment expect true = AG (does(Ass(B, t, C)) -> Ass(B, t, C))
         property release expect true = AG (does(Rel(A, _)) -> Rel(A, SC(C, A, F p)))
         property wildcard expect true = AG (in s2 -> A Del(_, _, _))";
    assert_expectations(&text(actl));
    // What was passed on was never created, so acts on it are none in these readings.
    let looking_back = "
         property delegation expect true = AG (does(Del(A, c, C)) -> Del(A, c, C) & P Cr(A, c))
         property assignment expect true = AG (does(Ass(B, t, C)) -> Ass(B, t, C))
         property not_created expect true = AG (in s3 -> A !Ass(_, _, _) & A does(Ass(_, _, _)))
         property release expect true = AG (does(Rel(_, _)) -> !Rel(_, _))";
    for acts in [ActReading::Scctl, ActReading::Ctlca] {
        assert_expectations_with(&text(looking_back), Options { acts: Some(acts), ..Options::default() });
    }
    assert_expectations(
        "roles A, B var p : bool = true
         commitment c = SC(A, B, F p)
         start s
         s -- Cr(A, c) --> t
         t -- Rel(B, c) --> u
         property said expect true = EF does(Rel(B, c))
         property still_true expect false = EF Rel(B, c)",
    );
}

#[test]
fn the_third_party_is_neither_of_the_two() {
    let text = |act: &str| {
        format!(
            "roles A, B, C var p : bool commitment c = SC(A, B, p) start s s -- {act} --> t property f = E {act}"
        )
    };
    let debtor = "wrong-party: `A` is the debtor of this commitment: `Del` is to somebody else".to_owned();
    let creditor =
        "wrong-party: `B` is the creditor of this commitment: `Del` is to somebody else".to_owned();
    assert_eq!(findings(&text("Del(A, c, A)")), [debtor.clone(), debtor.clone()]);
    assert_eq!(findings(&text("Del(A, c, B)")), [creditor.clone(), creditor]);
    assert!(findings(&text("Ass(B, c, A)"))[0].contains("`Ass` is to somebody else"));
    assert!(findings(&text("Del(B, c, C)"))[0].contains("`Del` is an act of the debtor"));
    assert!(findings(&text("Ass(A, c, C)"))[0].contains("`Ass` is an act of the creditor"));
    assert!(findings(&text("Del(A, c, D)"))[0].starts_with("unknown-name"));
    assert!(findings(&text("Del(A, c, _)"))[0].starts_with("misplaced-wildcard"));
    assert!(findings(&text("Del(A, c)"))[0].starts_with("wrong-arguments"));
    let pattern = "roles A, B, C var p : bool start s s -- A: go --> s property f = E does(Del(A, _, A))";
    assert_eq!(findings(pattern), [debtor]);
}

#[test]
fn active_is_a_condition_on_the_state() {
    assert_expectations(
        "roles A, B
         var seen : bool = false
         commitment c = SC(A, B, F active(d))
         commitment d = SC(B, A, true)
         prop owed = active(SC(A, _, _))
         red A : active(c) & !active(d)
         fair !active(c) | active(d)
         start s
         s -- Cr(A, c) when !owed --> s
         s -- Cr(B, d) when active(c) set seen = active(c) --> t
         t -- Wit(A, c) when owed & active(_) --> t
         property guard expect true = A G (active(d) -> P active(c))
         property assigned expect true = AG (active(d) -> seen)
         property red_where_owed expect true = O(A, !owed | active(d))
         property nothing_first expect true = !active(_)
         property fair_runs expect true = AF active(d)
         property known expect true = AG (owed -> K(B, owed))",
    );
    // `?ψ` is some content, too; what no act puts in force is never active.
    assert_expectations(
        "roles A, B var active : bool = false
         commitment c = SC(A, B, active)
         commitment never = SC(B, A, F !active)
         start s
         s -- Ch(B, c) set active = true --> t
         t -- A: go --> t
         property doubt expect true = AX (active(SC(B, A, _)) & !active(SC(B, A, active)))
         property the_variable expect true = !active & AX active
         property out_of_reach expect true = AG !active(never)",
    );
}

#[test]
fn active_inside_a_content_sees_all_that_is_in_force() {
    // `SC` inside a content does not look at the commitment of the same depth; `active` does.
    assert_expectations(
        "roles A, B var p : bool = false
         commitment deep = SC(A, B, F SC(B, A, F p))
         commitment c = SC(A, B, active(deep) -> F p)
         start s
         s -- Cr(A, deep) --> t
         t -- Cr(A, c) --> u
         u -- A: pay set p = true --> u
         u -- A: wait --> u
         u -- Wit(A, deep) --> v
         v -- A: wait --> v
         property bound expect true = AG (in u -> SC(A, B, F p))
         property free expect false = AG (in v -> SC(A, B, F p))",
    );
}

#[test]
fn mistakes_in_what_active_asks_for() {
    let with = |condition: &str| {
        findings(&format!(
            "roles A, B var x : 0..2 commitment c = SC(A, B, F x = 1) start s s -- Cr(A, c) when {condition} --> s"
        ))
    };
    assert!(with("active(d)")[0].starts_with("unknown-name: no commitment is called `d`"));
    assert!(with("active(x)")[0].starts_with("not-a-commitment"));
    assert!(with("active(SC(A, C, _))")[0].starts_with("unknown-name"));
    assert!(with("active(SC(A, B, F x))")[0].starts_with("type"));
    assert!(with("active()")[0].starts_with("wrong-arguments"));
    assert!(with("active(c) + 1 = 2")[0].starts_with("type"));
    assert!(with("active(c) & active(PC(_, B, _, F x = 1))").is_empty());
}

const SECRET: &str = "roles A, B, C
     var p : bool = false
     ";

#[test]
fn private_commitments_are_seen_by_their_parties() {
    assert_expectations(&format!(
        "{SECRET}
         private commitment c = SC(A, B, F p)
         start s
         s -- Cr(A, c) --> s
         s -- Del(A, c, C) --> s
         s -- Ch(B, c) --> s
         property parties expect true = AG (active(c) -> GCK({{A, B}}, active(c)))
         property others expect true = AG (!K(C, active(c)) & !K(C, !active(c)))
         property together expect true = AG (active(c) -> DK({{B, C}}, active(c)))
         property everybody expect false = EF GK(active(c))
         property delegated expect true = AG (active(SC(C, B, F p)) -> K(C, active(SC(C, B, F p))) & !K(A, active(SC(C, B, F p))))
         property doubt expect true = AG !K(C, active(SC(B, A, _)))
         property doubted expect true = AG (active(SC(B, A, _)) -> K(A, active(SC(B, A, _))))"
    ));
}

#[test]
fn what_is_derived_is_private_unless_it_is_declared_in_public() {
    let hidden = |declarations: &str, acts: &str| {
        let protocol = load(&format!("{SECRET} {declarations} start s {acts}"));
        let model = &protocol.model;
        let shown = |id: &servanda_model::CommitmentId| model.show_promise(model.commitment(*id));
        model.private_commitments.iter().map(shown).collect::<Vec<String>>()
    };
    let both = "s -- Cr(A, c) --> s s -- Ac(B, c) --> s";
    let (c, answer) = ("c".to_owned(), "SC(B, A, p)".to_owned());
    assert_eq!(hidden("private commitment c = SC(A, B, p)", both), [c.clone(), answer.clone()]);
    let declared = "private commitment c = SC(A, B, p) commitment d = SC(B, A, p)";
    assert_eq!(hidden(declared, both), std::slice::from_ref(&c));
    let twice = "private commitment c = SC(A, B, p) commitment d = SC(A, B, p)";
    assert!(hidden(twice, both).is_empty());
    // What acts on what is derived derive, too; also of what was never created.
    let chain = "s -- Del(A, c, C) --> s s -- Ref(B, SC(C, B, p)) --> s";
    let derived = ["SC(C, B, p)".to_owned(), "SC(B, C, !p)".to_owned()];
    assert_eq!(hidden("private commitment c = SC(A, B, p)", chain), derived);
    // An act on a private commitment and one on a public one with the same result: it is what an act on a private one derives.
    let mixed = "private commitment c = SC(A, B, p) commitment d = SC(C, A, p)";
    assert_eq!(hidden(mixed, "s -- Del(A, c, C) --> s s -- Ass(A, d, B) --> s"), ["SC(C, B, p)".to_owned()]);
}

#[test]
fn uniform_strategies_and_red_states_go_by_what_is_seen() {
    let text = |private: &str| {
        format!(
            "{SECRET} {private}commitment c = SC(A, B, F p)
             start s
             s -- Cr(A, c) --> t
             s -- A: nothing --> t
             t -- C: one when active(c) --> good
             t -- C: two when active(c) --> bad
             t -- C: one when !active(c) --> bad
             t -- C: two when !active(c) --> good
             property able expect {} = <C>F in good",
            private.is_empty()
        )
    };
    let uniform = Options { strategies: Strategies::Uniform, ..Options::default() };
    for private in ["", "private "] {
        assert_expectations_with(&text(private), uniform);
    }
    let red = |role: &str| {
        findings(&format!(
            "{SECRET} private commitment c = SC(A, B, F p) red {role} : active(c) start s s -- Cr(A, c) --> s"
        ))
    };
    assert!(red("A").is_empty() && red("B").is_empty());
    assert_eq!(red("C"), ["not-observed: `C` does not observe whether `c` is in force"]);
}
