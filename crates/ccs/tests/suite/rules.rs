//! The structural rules of CCS one by one, what a state is, how tightly operators bind, and what agents are called.

use crate::support::{start, system, transitions};

#[track_caller]
fn check(process: &str, expected: &str) {
    assert_eq!(transitions(&format!("proc Main = {process}"), Some("Main")), expected, "{process}");
}

#[test]
fn act() {
    check("nil", "");
    check("0", "");
    check("a.nil", "0 a 1");
    check("'a.0", "0 'a 1");
    check("tau.t.nil", "0 tau 1, 1 tau 2");
    check("'pay(x).Main", "0 'pay(x) 0");
}

#[test]
fn sum() {
    check("a.nil + 'b.c.nil", "0 a 1, 0 'b 2, 2 c 1");
    check("a.nil + a.nil", "0 a 1");
    check("nil + a.nil", "0 a 1");
    // A choice is made by a step, also by one that nobody sees.
    check("tau.a.nil + b.nil", "0 tau 1, 0 b 2, 1 a 2");
}

#[test]
fn par() {
    check("a.nil | b.nil", "0 a 1, 0 b 2, 1 b 3, 2 a 3");
    check("nil | nil", "");
}

#[test]
fn com() {
    check("a.nil | 'a.nil", "0 a 1, 0 tau<a> 2, 0 'a 3, 1 'a 2, 3 a 2");
    // The components on the two sides must be two.
    check("a.nil + 'a.nil", "0 a 1, 0 'a 1");
    // The content is the sender's, and does not decide who synchronises.
    check("(a(x).nil | 'a(y).nil) \\ a", "0 tau<a(y)> 1");
    check("(a.nil | 'a(y).nil) \\ a", "0 tau<a(y)> 1");
    check("(a(x).nil | 'a.nil) \\ a", "0 tau<a> 1");
    // Three may want to, two at a time do.
    check("(a.nil | 'a.nil | 'a.nil) \\ a", "0 tau<a> 1, 0 tau<a> 2");
    check("(tau.nil | 'tau2.nil | tau2.nil) \\ tau2", "0 tau 1, 0 tau<tau2> 2, 1 tau<tau2> 3, 2 tau 3");
}

#[test]
fn com_across_levels() {
    let expected = "0 tau<a> 1";
    for process in [
        "((a.nil | nil) | (nil | 'a.nil)) \\ a",
        "((a.nil \\ b) | 'a.nil) \\ a",
        "((c.nil)[a/c] | ('d.nil)[a/d]) \\ a",
        "(A | B) \\ a",
        "(b.nil) \\ b | (A | B) \\ a",
    ] {
        let text = format!("proc Main = {process}\nproc A = C | nil\nproc C = a.nil\nproc B = 'a.nil");
        assert_eq!(transitions(&text, Some("Main")), expected, "{process}");
    }
}

#[test]
fn res() {
    check("a.nil \\ a", "0 a 1");
    check("(a.nil) \\ a", "");
    check("('a.nil) \\ a", "");
    check("(a(x).nil + 'a(y).nil + b.nil) \\ a", "0 b 1");
    check("(tau.a.nil) \\ {a}", "0 tau 1");
    check("(a.nil + b.nil) \\ {a, b}", "");
    check("(a.nil) \\ {}", "0 a 1");
    // Inside of a restriction two can meet; from outside nobody can.
    check("(a.nil | 'a.nil) \\ a", "0 tau<a> 1");
    check("(a.nil) \\ a | 'a.nil", "0 'a 1");
    let text = "set Both = {a, b}\nproc Main = (a.nil + 'b.nil + c.nil) \\ Both";
    assert_eq!(transitions(text, None), "0 c 1");
}

#[test]
fn rel() {
    check("(a.'a.nil)[b/a]", "0 b 1, 1 'b 2");
    check("(a(x).nil)[b/a]", "0 b(x) 1");
    check("(a.tau.c.nil)[b/a, d/e]", "0 b 1, 1 tau 2, 2 c 3");
    // All at once: names can change places.
    check("(a.b.nil)[b/a, a/b]", "0 b 1, 1 a 2");
    // One after the other.
    check("(a.nil)[b/a][c/b]", "0 c 1");
    check("(a.nil | b.nil)[c/a, c/b]", "0 c 1, 0 c 2, 1 c 3, 2 c 3");
    // What has met inside has met under the inner name, and is not renamed.
    check("((a.nil | 'a.nil) \\ a)[b/a]", "0 tau<a> 1");
    check("((a.nil)[b/a] | 'b.nil) \\ b", "0 tau<b> 1");
}

#[test]
fn con() {
    let text = "proc Main = a.Other\nproc Other = b.Main + Third\nproc Third = c.nil";
    assert_eq!(transitions(text, Some("Main")), "0 a 1, 1 b 0, 1 c 2");
    // Definitions may be used before and inside of anything.
    let text = "proc Main = Third | a.nil\nproc Third = (b.nil) \\ b + c.Third";
    assert_eq!(transitions(text, None), "0 c 0, 0 a 1, 1 c 1");
}

#[test]
fn static_operators_inside_of_a_part() {
    let expected = "0 go 1, 1 tau<a> 2, 1 a 3, 1 'a 4, 3 'a 2, 4 a 2";
    assert_eq!(transitions("proc Main = go.(a.nil | 'a.nil)", None), expected);
    check("go.((a.nil | 'a.nil) \\ a)", "0 go 1, 1 tau<a> 2");
    check("go.(a.nil)[b/a]", "0 go 1, 1 b 2");
    check("(a.nil | 'a.nil) \\ a + b.nil", "0 tau<a> 1, 0 b 2");
    // A system that is started again by one of its parts.
    let text = "proc Main = go.Sys\nproc Sys = (A | B) \\ a\nproc A = a.A\nproc B = 'a.B";
    assert_eq!(transitions(text, Some("Main")), "0 go 1, 1 tau<a> 1");
}

#[test]
fn what_a_state_is() {
    // A constant is not its definition: there are two states here that can do the same.
    check("a.b.Other\nproc Other = b.Other", "0 a 1, 1 b 2, 2 b 2");
    // But a constant for something static is what it stands for.
    assert_eq!(transitions("proc Main = Sys\nproc Sys = A | nil\nproc A = a.A", Some("Main")), "0 a 0");
}

#[test]
fn restriction_and_relabelling_bind_most_tightly_then_prefix_then_parallel_then_sum() {
    check("a.b.nil \\ a", "0 a 1, 1 b 2");
    check("a.a.nil[b/a]", "0 a 1, 1 a 2");
    check("a.nil | b.nil + c.nil", "0 a 1, 0 b 2, 0 c 3, 1 b 4, 2 a 4");
    check("a.(nil | b.nil)", "0 a 1, 1 b 2");
    check("a.nil | b.nil \\ b", "0 a 1, 0 b 2, 1 b 3, 2 a 3");
    check("(a.nil | b.nil) \\ b", "0 a 1");
}

#[test]
fn definitions_span_lines_and_comments() {
    let text =
        "* first\nproc Main = a.\n  * within\n  b.nil * at the end\n  + c\n(x).nil\nset S = {a,\n* more\nb}";
    assert_eq!(transitions(text, None), "0 a 1, 0 c(x) 2, 1 b 2");
}

#[test]
fn contents_are_formulas_or_text() {
    // Spaces do not count, and in formulas neither do needless parentheses.
    check("a(p&q).nil + a( (p) & q ).nil", "0 a(p & q) 1");
    check("a(f(x) * (y  + 1)).nil", "0 a(f(x) * (y + 1)) 1");
    check("a(one  two, three).nil + a(one two, three).nil", "0 a(one two, three) 1");
}

#[test]
fn agents_are_the_components_of_the_outermost_composition() {
    let agents = |process: &str| -> String {
        let text = format!(
            "proc Main = {process}\nproc A = a.A\nproc B = b.B\nproc Pair = (A | B) \\ a\nproc A_2 = c.A_2\n\
             proc Top = (Main2 \\ b)\nproc Main2 = A | Pair"
        );
        let model = system(&text, Some("Main")).model;
        let agents: Vec<&str> = model.agents.iter().map(|agent| agent.name.as_str()).collect();
        let machines: Vec<&str> = model.machines.iter().map(|machine| machine.name.as_str()).collect();
        format!("{} / {}", agents.join(" "), machines.join(" "))
    };
    assert_eq!(agents("a.nil"), "Main / Main");
    assert_eq!(agents("A"), "Main / Main");
    assert_eq!(agents("(A | B | B) \\ {a}"), "A B B_2 / A B B_2");
    assert_eq!(agents("(A | (B | B))[c/a]"), "A B B_2 / A B B_2");
    assert_eq!(agents("A | Pair"), "A Pair / A Pair_1 Pair_2");
    assert_eq!(agents("A | (A | B) \\ a"), "A P2 / A P2_1 P2_2");
    assert_eq!(agents("a.nil | A[b/a] | B \\ a"), "P1 A B / P1 A B");
    assert_eq!(agents("A | A_2 | A | (A | A)"), "A A_2 A_3 A_4 A_5 / A A_2 A_3 A_4 A_5");
    assert_eq!(agents("Top"), "A Pair / A Pair_1 Pair_2");
    assert_eq!(agents("Top | A"), "Top A / Top_1 Top_2 Top_3 A");
}

#[test]
fn states_have_readable_names() {
    let text = "proc Main = A | b.(c.nil + nil) | nil\nproc A = a.A_1\nproc A_1 = a.(b.A + c.c.A)";
    let model = system(text, None).model;
    let names = |machine: usize| model.variables[machine].domain.describe();
    assert_eq!(names(0), "{A, A_1, A_1_1, A_1_2}");
    assert_eq!(names(1), "{Main_1, Main_2, nil}");
    assert_eq!(names(2), "{nil}");
    assert_eq!(start(text, None), "A in A, P2 in Main_1, P3 in nil");
}
