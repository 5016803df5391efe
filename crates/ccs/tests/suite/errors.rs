//! Every mistake is reported once, where it was made, with the nearest valid name where there is one.

use crate::support::findings;

#[track_caller]
fn check(text: &str, process: Option<&str>, expected: &[&str]) {
    assert_eq!(findings(text, process), expected, "{text}");
}

#[test]
fn names() {
    check(
        "proc Main = a.Mian + 'b.Spac\nproc Spec = a.Main",
        Some("Main"),
        &[
            "1:15 unknown-name no process is called `Mian` | did you mean `Main`?",
            "1:25 unknown-name no process is called `Spac` | did you mean `Spec`?",
        ],
    );
    check(
        "proc A = a.A\nproc A = b.A\nset S = {a}\nset S = {b}",
        None,
        &[
            "2:6 duplicate-name the process `A` is defined twice",
            "4:5 duplicate-name the set `S` is defined twice",
        ],
    );
    check(
        "set Inner = {a}\nproc P = (a.nil | 'a.nil) \\ Iner",
        None,
        &["2:29 unknown-name no set is called `Iner` | did you mean `Inner`?"],
    );
}

#[test]
fn recursion_without_an_action() {
    check(
        "proc P = P + a.Q\nproc Q = a.Q",
        Some("P"),
        &[
            "1:10 unguarded-recursion `P` comes back to itself without an action | put an action before it: `a.P`",
        ],
    );
    check(
        "proc P = P | Q\nproc Q = a.Q",
        Some("P"),
        &[
            "1:10 unguarded-recursion `P` comes back to itself without an action | put an action before it: `a.P`",
        ],
    );
    check(
        "proc P = a.P + Q\nproc Q = (b.Q | R)\nproc R = P \\ a",
        Some("P"),
        &[
            "1:16 unguarded-recursion `P` comes back to itself through `Q` without an action | put an action before it: `a.Q`",
        ],
    );
}

#[test]
fn growth() {
    check(
        "proc P = a.(P | Q)\nproc Q = b.Q",
        Some("P"),
        &[
            "1:13 too-many-states `P` has too many states: each time it comes to `P` here it has grown | recursion through `|`, `\\` and `[]` makes a larger process each time; 20000 states were looked at",
        ],
    );
    check("proc P = a.P\nproc R = c.Q + P\nproc Q = b.(Q \\ b)", Some("R"), &[]);
    check(
        "proc P = a.P[b/a]",
        None,
        &[
            "1:12 too-many-states `P` has too many states: each time it comes to `P` here it has grown | recursion through `|`, `\\` and `[]` makes a larger process each time; 20000 states were looked at",
        ],
    );
}

#[test]
fn parentheses_and_ends() {
    check("proc P = (a.nil", None, &["1:16 unexpected-token expected `)`, found the end of the text"]);
    check(
        "proc P = a.nil)",
        None,
        &["1:15 unexpected-token expected an operator or the next definition, found `)`"],
    );
    check("proc P = a.", None, &["1:12 unexpected-token expected a process, found the end of the text"]);
    check("proc P = ", None, &["1:10 unexpected-token expected a process, found the end of the text"]);
    check("proc P a.nil", None, &["1:8 unexpected-token expected `=`, found `a`"]);
    check("proc = a.nil", None, &["1:6 unexpected-token expected the name of a process, found `=`"]);
    check("proc", None, &["1:5 unexpected-token expected the name of a process, found the end of the text"]);
}

#[test]
fn actions_without_processes() {
    check(
        "proc P = a",
        None,
        &["1:10 unknown-name no process is called `a` | an action stands before a process: `a.nil`"],
    );
    check(
        "proc P = a.nil + a",
        None,
        &["1:18 unknown-name no process is called `a` | an action stands before a process: `a.nil`"],
    );
    check(
        "proc P = 'a + b.nil",
        None,
        &["1:13 unexpected-token expected `.`, found `+` | an action stands before a process: `'a.nil`"],
    );
    check(
        "proc P = 'a(x) + b.nil",
        None,
        &["1:16 unexpected-token expected `.`, found `+` | an action stands before a process: `'a(x).nil`"],
    );
    check(
        "proc P = a(x)",
        None,
        &[
            "1:14 unexpected-token expected `.`, found the end of the text | an action stands before a process: `a(x).nil`",
        ],
    );
    check(
        "proc P = tau + t",
        None,
        &[
            "1:10 unexpected-token expected a process, found `tau` | an action stands before a process: `tau.nil`",
        ],
    );
}

#[test]
fn reserved_words() {
    check(
        "proc nil = a.nil\nproc t = b.nil\nproc 3 = nil\nset tau = {a}\nproc P = nil",
        None,
        &[
            "1:6 reserved-name `nil` cannot be the name of a process | a name begins with a letter; `nil`, `proc`, `set`, `t` and `tau` have a meaning",
            "2:6 reserved-name `t` cannot be the name of a process | a name begins with a letter; `nil`, `proc`, `set`, `t` and `tau` have a meaning",
            "3:6 reserved-name `3` cannot be the name of a process | a name begins with a letter; `nil`, `proc`, `set`, `t` and `tau` have a meaning",
            "4:5 reserved-name `tau` cannot be the name of a set | a name begins with a letter; `nil`, `proc`, `set`, `t` and `tau` have a meaning",
        ],
    );
}

#[test]
fn other_dialects() {
    check(
        "agent P = a.P;\nproc Q = nil",
        None,
        &[
            "1:1 unexpected-token expected `proc` or `set`, found `agent` | write `proc NAME = P`",
            "1:14 unknown-character `;` has no meaning here | a definition ends where the next one begins",
        ],
    );
    check(
        "proc P = a.P\nQ = b.Q",
        None,
        &[
            "2:1 unexpected-token expected an operator or the next definition, found `Q` | every definition begins with `proc` or `set`",
        ],
    );
    check(
        "proc P = a.P;\nproc Q = b?.nil # no\nproc R = _x.nil + b!.nil",
        Some("P"),
        &[
            "1:13 unknown-character `;` has no meaning here | a definition ends where the next one begins",
            "2:11 unknown-character `?` has no meaning here | an input is written `a`",
            "2:17 unknown-character `#` has no meaning here | a comment begins with `*`",
            "2:19 unexpected-token expected an operator or the next definition, found `no`",
            "3:10 unknown-character `_` has no meaning here | a name begins with a letter",
            "3:20 unknown-character `!` has no meaning here | an output is written `'a`",
        ],
    );
}

#[test]
fn contents() {
    check(
        "proc P = a(x.P\n  + b.P\nproc Q = a.Q",
        Some("Q"),
        &[
            "1:11 unexpected-token this parenthesis is never closed | what stands in parentheses after a name is the content of an action",
        ],
    );
    check(
        "proc P = a().P",
        None,
        &["1:12 unexpected-token this content is empty | leave out the parentheses"],
    );
    check(
        "proc P = A(x).nil | Q(R)",
        None,
        &[
            "1:25 unexpected-token expected `.`, found the end of the text | an action stands before a process: `Q(R).nil`",
        ],
    );
}

#[test]
fn internal_steps() {
    check(
        "proc P = tau(x).P + 'tau.P + 't.P",
        None,
        &[
            "1:10 internal-step an internal step has no other side and no content | write `tau.P`",
            "1:22 internal-step an internal step has no other side and no content | write `tau.P`",
            "1:31 internal-step an internal step has no other side and no content | write `t.P`",
        ],
    );
    check(
        "proc P = (a.P) \\ tau\nproc Q = (a.Q) \\ {a, t}",
        Some("P"),
        &[
            "1:18 internal-step `tau` cannot be restricted: nobody else takes part in it",
            "2:22 internal-step `t` cannot be restricted: nobody else takes part in it",
        ],
    );
    check(
        "proc P = (a.nil)[tau/a]\nproc Q = (a.nil)[b/tau]",
        Some("P"),
        &[
            "1:18 internal-step `tau` cannot be relabelled: nobody else takes part in it",
            "2:20 internal-step `tau` cannot be relabelled: nobody else takes part in it",
        ],
    );
}

#[test]
fn relabelling() {
    check("proc P = (a.nil)[b/a, c/a]", None, &["1:25 duplicate-name `a` is relabelled twice"]);
    check(
        "proc P = (a.nil)[b]\nproc Q = (a.nil)[b/a c/d]\nproc R = (a.nil)[]\nproc S = (a.nil)['b/a]",
        Some("P"),
        &[
            "1:19 unexpected-token expected `/`, found `]`",
            "2:22 unexpected-token expected `,` or `]`, found `c`",
            "3:18 unexpected-token expected the name of an action, found `]`",
            "4:18 unexpected-token expected the name of an action, found `'` | write the name alone: both sides of it are relabelled",
        ],
    );
}

#[test]
fn sets() {
    check(
        "set S = {a b}\nset T = {'a}\nset U = a\nset V = {a} + {b}\nproc P = nil",
        None,
        &[
            "1:12 unexpected-token expected `,` or `}`, found `b`",
            "2:10 unexpected-token expected the name of an action, found `'` | write the name alone: both sides of it are restricted",
            "3:9 unexpected-token expected `{`, found `a`",
            "4:13 unexpected-token expected the next definition, found `+`",
        ],
    );
    check(
        "proc P = (a.nil) \\\nproc Q = (a.nil) \\ 'a",
        Some("P"),
        &[
            "2:1 unexpected-token expected `{`, the name of an action or the name of a set, found `proc`",
            "2:20 unexpected-token expected the name of an action, found `'` | write the name alone: both sides of it are restricted",
        ],
    );
}

#[test]
fn warnings() {
    check(
        "proc P = (a.b.nil) \\ {a, c}\nproc Q = (a.nil)[a/b]",
        Some("P"),
        &[
            "1:26 warning unused-name `c` is restricted here, but this process never uses it | did you mean `a`?",
            "2:20 warning unused-name `b` is relabelled here, but this process never uses it | did you mean `a`?",
        ],
    );
    check(
        "set S = {a, bb}\nproc P = (a.b.nil) \\ S",
        Some("P"),
        &[
            "2:22 warning unused-name `bb` is restricted here, but this process never uses it | did you mean `b`?",
        ],
    );
}

#[test]
fn which_process() {
    check("", None, &["1:1 no-process the file defines no process | a definition is `proc NAME = P`"]);
    check(
        "* nothing",
        None,
        &["1:1 no-process the file defines no process | a definition is `proc NAME = P`"],
    );
    check(
        "proc P = a.Q\nproc Q = a.P",
        None,
        &[
            "1:6 which-process several processes could be meant: P, Q | say which one, for example --process P",
        ],
    );
    check("proc P = a.P", Some("Q"), &["1:1 unknown-name no process is called `Q` | did you mean `P`?"]);
    check(
        "proc Main = a.Main",
        Some("Mian"),
        &["1:1 unknown-name no process is called `Mian` | did you mean `Main`?"],
    );
}

#[test]
fn strange_tokens() {
    check(
        "proc P = a.nil b.nil",
        None,
        &["1:16 unexpected-token expected an operator or the next definition, found `b`"],
    );
    check("proc P = nil.a", None, &["1:10 unexpected-token expected the name of an action, found `nil`"]);
    check("proc P = a..nil | + b", None, &["1:12 unexpected-token expected a process, found `.`"]);
    check("proc P = 12.nil + 5", None, &["1:10 unexpected-token expected the name of an action, found `12`"]);
}

#[test]
fn deep_and_long_texts() {
    let codes = |text: &str| -> Vec<String> {
        let found = findings(text, Some("P"));
        let codes = found.iter().map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned());
        codes.filter(|code| code != "warning").collect()
    };
    let nested = |open: &str, close: &str, times: usize| {
        format!("proc P = {}a.nil{}", open.repeat(times), close.repeat(times))
    };
    assert_eq!(codes(&nested("(", ")", 300)), [""; 0]);
    assert_eq!(codes(&nested("(", ")", 100_000)), ["nesting-too-deep"]);
    assert_eq!(codes(&nested("b.(", ")", 100_000)), ["nesting-too-deep"]);
    assert_eq!(codes(&nested("b.", "", 100_000)), [""; 0]);
    assert_eq!(codes(&nested("b.nil + ", "", 100_000)), [""; 0]);
    assert_eq!(codes(&nested("b.nil | ", "", 10_000)), [""; 0]);
    assert_eq!(codes(&nested("", " \\ a", 300)), [""; 0]);
    assert_eq!(codes(&nested("(", ") \\ a", 100_000)), ["nesting-too-deep"]);
    assert_eq!(codes(&format!("proc Q = a.Q proc P = Q{}", " \\ a".repeat(100_000))), ["nesting-too-deep"]);
    // Chains of definitions are as deep as what they put around each other.
    let chain = |around: &str, times: usize| {
        let mut text = format!("proc P{times} = a.nil\nproc P = P0\n");
        for number in 0..times {
            text.push_str(&format!("proc P{number} = P{}{around}\n", number + 1));
        }
        text
    };
    assert_eq!(codes(&chain("", 50_000)), [""; 0]);
    assert_eq!(codes(&chain(" + b.nil", 50_000)), [""; 0]);
    assert_eq!(codes(&chain("[b/a, a/b]", 1000)), [""; 0]);
    assert_eq!(codes(&chain(" | nil", 50_000)), ["nesting-too-deep"]);
    let doubled = chain("", 0);
    let mut text = doubled.replace("P0\n", "D0\n");
    for number in 0..60 {
        text.push_str(&format!("proc D{number} = D{0} | D{0}\n", number + 1));
    }
    text.push_str("proc D60 = a.nil\n");
    assert_eq!(codes(&text), ["too-many-parts"]);
    // The same inside of a part.
    let inside = text.replace("proc P = D0", "proc P = b.D0");
    assert_eq!(codes(&inside), ["too-many-states"]);
    assert_eq!(codes(&format!("proc P = b.({}nil)", "a.nil | ".repeat(20_000))), ["too-many-states"]);
}
