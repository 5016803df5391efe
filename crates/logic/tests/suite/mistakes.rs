//! What is said about texts that are no formulas, and where.

use servanda_logic::{Features, Parser, parse_formula};

/// Every diagnostic as `start..end code: message`, with the help after a bar.
fn mistakes(text: &str) -> Vec<String> {
    let errors = parse_formula(text).expect_err(text);
    let show = |error: servanda_syntax::Diagnostic| {
        let help = error.help.map(|help| format!(" | {help}")).unwrap_or_default();
        format!("{}..{} {}: {}{help}", error.span.start, error.span.end, error.code, error.message)
    };
    errors.into_iter().map(show).collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(mistakes(text), expected, "{text}");
}

#[test]
fn one_message_for_one_mistake() {
    check("", &["0..0 unexpected-token: expected a formula, found the end of the text"]);
    check("p &", &["3..3 unexpected-token: expected a formula, found the end of the text"]);
    check("p q", &["2..3 unexpected-token: expected the end of the formula, found `q`"]);
    check("p & )", &["4..5 unexpected-token: expected a formula, found `)`"]);
    check("AG (p & q", &["9..9 unexpected-token: expected `)`, found the end of the text"]);
    check("AG (p q) & r", &["6..7 unexpected-token: expected `)`, found `q`"]);
    check("x[1", &["3..3 unexpected-token: expected `]`, found the end of the text"]);
    check("p # q", &["2..3 unknown-character: `#` has no meaning here"]);
    check("~p", &["0..1 unknown-character: `~` has no meaning here | write `!` for negation"]);
    check("p /* q", &["2..4 unterminated-comment: this comment has no end | close it with `*/`"]);
    check(
        "x = 99999999999999999999",
        &["4..24 number-too-large: this number is too large | the largest number is 9223372036854775807"],
    );
    check(
        "_p & q",
        &["0..2 bad-name: `_p` is not a name | a name starts with a letter; `_` alone is the wildcard"],
    );
    check(
        "<g> p",
        &["4..5 unexpected-token: expected `X`, `F`, `G` or `(.. U ..)` after the group, found `p`"],
    );
    check("<g>(p W q)", &["3..10 bad-goal: a group's goal is `X φ`, `F φ`, `G φ` or `φ U ψ`"]);
    check("<g>F<=3 p", &["3..9 bad-goal: a group's goal is `X φ`, `F φ`, `G φ` or `φ U ψ`"]);
    check("<g>(p U<=3 q)", &["3..13 bad-goal: a group's goal is `X φ`, `F φ`, `G φ` or `φ U ψ`"]);
    check(
        "p U<= & q",
        &[
            "6..7 unexpected-token: expected a number of ticks (a number, a name, or an expression in parentheses), found `&`",
        ],
    );
    check(
        "x = F<=3 p",
        &[
            "4..5 needs-parentheses: `F` must stand in parentheses here | comparisons and arithmetic bind more tightly than the operators of the logic",
        ],
    );
    check("K({A, B}, p)", &["2..3 unexpected-token: expected an agent, found `{`"]);
    check("any i in 1 : p", &["11..12 unexpected-token: expected `..`, found `:`"]);
    check("in & p in", &["7..9 unexpected-token: expected the end of the formula, found `in`"]);
}

#[test]
fn a_conditional_needs_all_its_parts() {
    check(
        "x = if p then 1",
        &[
            "4..15 unexpected-token: this `if` has no `else` | write `if p then 1 else ..`; for \"if this then that\" as \
             a condition write `->`",
        ],
    );
    check(
        "if p else 2",
        &[
            "3..4 unexpected-token: expected the end of the formula, found `p` | write `if c then a else b` for a value \
             that depends on a condition",
        ],
    );
    check("if p then else 2", &["10..14 unexpected-token: expected a formula, found `else`"]);
    check(
        "min(1)",
        &["0..3 wrong-arguments: `min` takes 2 arguments, found 1 | `min` takes a number and another one"],
    );
}

#[test]
fn likely_slips_get_advice() {
    check(
        "p AND q",
        &[
            "2..5 unexpected-token: expected the end of the formula, found `AND` | write `&` or `and` for conjunction",
        ],
    );
    check(
        "p <=> q",
        &[
            "2..5 unexpected-token: expected the end of the formula, found `<=>` | write `<->` for equivalence",
        ],
    );
    check(
        "always p",
        &[
            "7..8 unexpected-token: expected the end of the formula, found `p` | write `G` (or `AG`) for always",
        ],
    );
    check(
        "U q",
        &[
            "2..3 unexpected-token: expected the end of the formula, found `q` | write a formula on both sides of the operator",
        ],
    );
    check(
        "a < b < c",
        &["6..7 chained-comparison: comparisons cannot be chained | compare twice: `a < b & b < c`"],
    );
    check(
        "x = !y",
        &[
            "4..5 needs-parentheses: `!` must stand in parentheses here | comparisons and arithmetic bind more tightly than the operators of the logic",
        ],
    );
    check(
        "Satisfies(i, c)",
        &["0..9 unknown-operator: `Satisfies` takes no arguments | did you mean `Satisfy`?"],
    );
    check("sc(i, j, p)", &["0..2 unknown-operator: `sc` takes no arguments | did you mean `SC`?"]);
}

#[test]
fn operators_of_other_programs_are_named() {
    let (always, eventually) = ("write `G` (or `AG`) for always", "write `F` (or `AF`, `EF`) for eventually");
    check("[] p", &[&format!("0..2 unknown-operator: `[]` is not an operator here | {always}")]);
    check("<> p", &[&format!("0..2 unknown-operator: `<>` is not an operator here | {eventually}")]);
    check(
        "A[] (p -> <> q)",
        &[
            &format!("1..3 unknown-operator: `[]` is not an operator here | {always}"),
            &format!("10..12 unknown-operator: `<>` is not an operator here | {eventually}"),
        ],
    );
    check("<>", &["0..2 unexpected-token: expected a formula, found `!=`"]);
    check(
        "ag p",
        &["3..4 unexpected-token: expected the end of the formula, found `p` | write `AG`, in capitals"],
    );
    check("p & ef (p | q)", &["4..6 unknown-operator: `ef` takes no arguments | write `EF`, in capitals"]);
    check("x := 3", &["2..4 unexpected-token: expected the end of the formula, found `:=` | write `=`"]);
}

#[test]
fn words_that_take_arguments_want_parentheses() {
    let found = "unexpected-token: expected the end of the formula, found";
    check("K Ann p", &[&format!("2..5 {found} `Ann` | write `K(Ann, p)`, with parentheses and commas")]);
    check("DK both p", &[&format!("3..7 {found} `both` | write `DK(both, p)`, with parentheses and commas")]);
    check(
        "SC Ann Bob p",
        &[&format!("3..6 {found} `Ann` | write `SC(Ann, CREDITOR, p)`, with parentheses and commas")],
    );
    check(
        "E Cr Ann c",
        &[&format!("5..8 {found} `Ann` | write `Cr(Ann, COMMITMENT)`, with parentheses and commas")],
    );
}

#[test]
fn arguments_are_counted() {
    check(
        "Cr(i)",
        &["0..2 wrong-arguments: `Cr` takes 2 arguments, found 1 | `Cr` takes an actor and a commitment"],
    );
    check(
        "Jus(i)",
        &[
            "0..3 wrong-arguments: `Jus` takes 2 or 3 arguments, found 1 | `Jus` takes an actor, a commitment and a support (or nothing: it is in the content)",
        ],
    );
    check(
        "Act(i, c, p)",
        &["0..3 wrong-arguments: `Act` takes 2 arguments, found 3 | `Act` takes an actor and a commitment"],
    );
    check(
        "SC(i, p)",
        &[
            "0..2 wrong-arguments: `SC` takes 3 arguments, found 2 | `SC` takes a debtor, a creditor and a content",
        ],
    );
    check(
        "GK()",
        &[
            "0..2 wrong-arguments: `GK` takes 1 or 2 arguments, found none | `GK` takes a group (or nothing for all agents) and a formula",
        ],
    );
    check(
        "Del(i, c)",
        &[
            "0..3 wrong-arguments: `Del` takes 3 arguments, found 2 | `Del` takes an actor, a commitment and a third party",
        ],
    );
    check(
        "active(p & q) | active(p, q)",
        &[
            "9..10 unexpected-token: expected `)`, found `&`",
            "16..22 wrong-arguments: `active` takes 1 argument, found 2 | `active` takes a commitment",
        ],
    );
    check("does(a, b)", &["0..4 wrong-arguments: `does` takes 1 argument, found 2 | `does` takes a label"]);
    check("Cr(i, p & q)", &["8..9 unexpected-token: expected `)`, found `&`"]);
    check(
        "Cr(i, 3)",
        &["6..7 unexpected-token: expected a commitment (its name, `SC(..)` or `PC(..)`), found `3`"],
    );
    check(
        "SC(_, j, p)",
        &[
            "3..4 misplaced-wildcard: expected the debtor, found `_` | `_` stands for any argument of an act, as in `Vio(Cus, _)`",
        ],
    );
}

#[test]
fn several_mistakes_in_one_formula() {
    check(
        "(p &) | Cr(i) -> K(3, q) & x[&] & r",
        &[
            "4..5 unexpected-token: expected a formula, found `)`",
            "8..10 wrong-arguments: `Cr` takes 2 arguments, found 1 | `Cr` takes an actor and a commitment",
            "19..20 unexpected-token: expected an agent, found `3`",
            "29..30 unexpected-token: expected a formula, found `&`",
        ],
    );
    check(
        "AG ($ p) & (q r) s",
        &[
            "4..5 unknown-character: `$` has no meaning here",
            "14..15 unexpected-token: expected `)`, found `r`",
            "17..18 unexpected-token: expected the end of the formula, found `s`",
        ],
    );
}

#[test]
fn an_unclosed_parenthesis_names_the_one_that_opened() {
    let errors = parse_formula("AG (p & q").unwrap_err();
    assert_eq!((errors[0].labels[0].span.start, errors[0].labels[0].message.as_str()), (3, "opened here"));
}

#[test]
fn an_unclosed_parenthesis_does_not_hide_the_next_statement() {
    let text = "AG (p & q !\nproperty next = r";
    let mut parser = Parser::new(text).with_statement_words(&["property"]);
    assert!(parser.formula().is_none());
    assert_eq!(parser.diagnostics.len(), 1);

    let mut parser = Parser::new("(p !\n idle -- pay --> done)");
    assert!(parser.formula().is_none());
    assert_eq!(parser.diagnostics.len(), 1);
}

#[test]
fn nesting_and_length_are_limited() {
    let deep = format!("{}p{}", "(".repeat(100_000), ")".repeat(100_000));
    for text in
        [deep, "!".repeat(100_000), "- ".repeat(100_000), "p -> ".repeat(100_000), "A[".repeat(100_000)]
    {
        let errors = parse_formula(&text).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].code, "nesting-too-deep");
    }
    let errors = parse_formula(&"1 - ".repeat(100_000)).unwrap_err();
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].code, "formula-too-long");
    // What can be read in any order is read at any length.
    for (operator, operand) in [("&", "p"), ("|", "p"), ("+ 1 +", "1")] {
        let chain = format!("{}{operand}", format!("{operand} {operator} ").repeat(100_000));
        let text = if operand == "1" { format!("{chain} = 1") } else { chain };
        assert!(parse_formula(&text).is_ok(), "{operator}");
    }
    let nested = format!("{}p{}", "X (".repeat(90), ")".repeat(90));
    assert!(parse_formula(&nested).is_ok());
}

#[test]
fn the_longest_formula_can_be_walked() {
    let chain: Vec<String> = (0..700).map(|number| format!("p{number} U q")).collect();
    let text = format!("{} & ({}p)", chain.join(" & "), "!p -> X q & r | ".repeat(90));
    let formula = parse_formula(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
    assert!(formula.height() > 90);
    assert_eq!(parse_formula(&formula.to_string()).as_ref(), Ok(&formula));
    let normal = servanda_logic::nnf(&formula);
    assert!(normal.height() > 90, "{}", normal.height());
    assert_eq!(Features::of(&normal), Features::FUTURE | Features::PATH_FORMULAS);
    assert_eq!(servanda_logic::commitment_depth(&normal), 0);
}
