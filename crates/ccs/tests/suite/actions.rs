//! `does(..)` over actions of processes, and states of machines in formulas.

use crate::support::{holds, system};

const TEXT: &str = "
    proc Main = (S | R) \\ ask + 'put(p & q).nil + get(r).nil + tau.nil
    proc S = 'ask(p).S
    proc R = ask(r).nil
    proc Other = never(zero).nil | 'put(two words).nil
";

#[track_caller]
fn check(formula: &str, expected: bool) {
    assert_eq!(holds(TEXT, Some("Main"), formula), expected, "{formula}");
}

#[test]
fn a_name_matches_inputs_and_synchronisations_with_any_content() {
    check("E does(get)", true);
    check("E does(get(r))", true);
    check("E does(ask)", true);
    check("E does(ask(p))", true);
    // The content of a synchronisation is the sender's.
    check("E does(ask(r))", false);
    check("E does(put)", false);
    check("E does(get(p & q))", false);
}

#[test]
fn a_quoted_name_matches_outputs_alone() {
    check("E does('put)", true);
    check("E does('put(p & q))", true);
    check("E does('put((p) & q))", true);
    check("E does('put(r))", false);
    // Nothing goes out in a synchronisation.
    check("E does('ask)", false);
    check("E does('get)", false);
}

#[test]
fn tau_matches_internal_steps_and_synchronisations() {
    check("E does(tau)", true);
    check("A (does(tau) | does(get) | does('put))", true);
    check("A (does(t) <-> does(tau))", true);
    check("A (does(ask) -> does(tau))", true);
    check("E (does(tau) & !does(ask))", true);
    check("E (does(tau) & does(get))", false);
}

#[test]
fn any_matches_every_transition_and_no_loop_of_a_deadlock() {
    check("A does(_)", true);
    check("AX E does(_)", false);
}

#[test]
fn what_the_process_never_does_is_false_and_what_nobody_does_is_a_mistake() {
    check("E does(never)", false);
    check("E does(never(zero))", false);
    let mistakes = |formula: &str| -> Vec<String> {
        let found = system(TEXT, Some("Main")).formula(formula).expect_err("a mistake");
        let show = |found: &servanda_syntax::Diagnostic| {
            format!(
                "{}-{} {} | {}",
                found.span.start,
                found.span.end,
                found.message,
                found.help.as_deref().unwrap_or("")
            )
        };
        found.iter().map(show).collect()
    };
    assert_eq!(mistakes("E does(nver)"), ["7-11 no action is called `nver` | did you mean `never`?"]);
    assert_eq!(mistakes("E does('gett)"), ["8-12 no action is called `gett` | did you mean `get`?"]);
    assert_eq!(mistakes("E does(taw)"), ["7-10 no action is called `taw` | did you mean `tau`?"]);
    assert_eq!(
        mistakes("E does(get(zerro))"),
        ["11-16 no action has the content `zerro` | did you mean `zero`?"]
    );
    assert_eq!(
        mistakes("E does(gt(zzz))"),
        ["7-9 no action is called `gt` | did you mean `get`?", "10-13 no action has the content `zzz` | "]
    );
    let internal = "an internal step has no other side and no content | write `does(tau)`";
    assert_eq!(mistakes("E does('tau)"), [format!("2-12 {internal}")]);
    assert_eq!(mistakes("E does(tau(p))"), [format!("2-14 {internal}")]);
    assert_eq!(
        mistakes("E does(S.'put(p))"),
        ["7-8 the label of a process does not say who moves | write `does('put(p))`"]
    );
    assert_eq!(mistakes("does(get)").len(), 1);
}

#[test]
fn states_and_knowledge() {
    let text = "proc Sys = (Pair | Ann) \\ go\nproc Pair = (B | B) \\ b\nproc Ann = 'go.nil\nproc B = go.b.B + b.nil";
    let check = |formula: &str, expected| assert_eq!(holds(text, None, formula), expected, "{formula}");
    check("Ann in Ann & Pair_1 in B & Pair_2 in B", true);
    check("AF Ann in nil", true);
    check("AG (Ann in nil -> A !does(_))", true);
    check("EF (Pair_1 in B_1 & Pair_2 in B)", true);
    // The pair is one agent and knows where both of its parts are; of the other one it knows what follows.
    check("AG (Pair_1 in B_1 -> K(Pair, Pair_2 in B & Ann in nil))", true);
    check("AG (Ann in nil -> K(Ann, Pair_1 in B_1))", false);
    check("AG (Ann in nil -> K(Ann, Pair_1 in B_1 | Pair_2 in B_1))", true);
    // The sender makes a synchronisation, so it can choose with whom.
    check("<Ann> X Pair_1 in B_1", true);
    check("<Pair> X Pair_1 in B_1", false);
    let found = system(text, None).formula("Ann in gone | Bob in B").expect_err("mistakes");
    let messages: Vec<&str> = found.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(messages, ["no control state is called `gone`", "no machine is called `Bob`"]);
}

#[test]
fn agents_may_be_called_like_operators() {
    let text = "proc A = a.B\nproc B = b.A\nproc G = B\nproc Sys = A | B | G";
    let check =
        |formula: &str, expected| assert_eq!(holds(text, Some("Sys"), formula), expected, "{formula}");
    check("A in A & B in B & G in G", true);
    check("!A in B & (A  in A)", true);
    check("AG (A in A -> E X A in B)", true);
    check("A in B | EX(A in B)", true);
    // What is not written as a name is none.
    for formula in ["AG in A", "∀ in A", "A (in A)", "X in A"] {
        assert!(system(text, Some("Sys")).formula(formula).is_err(), "{formula}");
    }
    // With one machine nothing is left to be said.
    assert!(holds("proc A = a.B\nproc B = b.nil", None, "A in A"));
    assert!(!holds("proc A = a.B\nproc B = b.nil", None, "AG A in A"));
}
