//! How formulas are read and printed: precedence, synonyms and contextual words.

use servanda_logic::{Arg, Binary, Formula, Kind, LabelPattern, Parser, Unary, parse_formula};

fn parse(text: &str) -> Formula {
    parse_formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

/// Reads `input`, prints it and reads it again.
fn check(input: &str, expected: &str) {
    let formula = parse(input);
    assert_eq!(formula.to_string(), expected, "{input}");
    assert_eq!(parse(expected), formula, "{input}");
}

#[test]
fn precedence() {
    let table = [
        ("(a & b) & c", "a & b & c"),
        ("a & (b & c)", "a & (b & c)"),
        ("(a -> b) -> c", "(a -> b) -> c"),
        ("a -> (b -> c)", "a -> b -> c"),
        ("a <-> (b <-> c)", "a <-> b <-> c"),
        ("(a <-> b) <-> c", "(a <-> b) <-> c"),
        ("((a | (b & c)) -> d) <-> e", "a | b & c -> d <-> e"),
        ("(a U b) & c", "a U b & c"),
        ("a U (b & c)", "a U (b & c)"),
        ("a U (b W (c R d))", "a U b W c R d"),
        ("(a U b) U c", "(a U b) U c"),
        ("(X a) U (!b)", "X a U !b"),
        ("X (a U b)", "X (a U b)"),
        ("AG x = 1", "AG (x = 1)"),
        ("!x = 3", "!(x = 3)"),
        ("(!x) & y", "!x & y"),
        ("AG p -> q", "AG p -> q"),
        ("AG (p -> q)", "AG (p -> q)"),
        ("x = 1 U y < 2 & z", "x = 1 U y < 2 & z"),
        ("a + b * c - d", "a + b * c - d"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a + b) * -c / (d % e)", "(a + b) * -c / (d % e)"),
        ("a * b / c % d", "a * b / c % d"),
        ("-(-a)", "-(-a)"),
        ("- -a - -b", "-(-a) - -b"),
        ("-(a + b)", "-(a + b)"),
        ("a + 1 >= b * 2", "a + 1 >= b * 2"),
        ("(a < b) = c", "(a < b) = c"),
        ("p so q so r", "p so q so r"),
        ("p S q & r", "p S q & r"),
        ("! ! p", "!!p"),
        ("?p & q", "?p & q"),
        ("<g>X p U q", "<g>X p U q"),
        ("!<g>F p & q", "!<g>F p & q"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
}

#[test]
fn spellings() {
    let table = [
        ("not a and b or c", "!a & b | c"),
        ("¬a ∧ b ∨ c → d ↔ e", "!a & b | c -> d <-> e"),
        ("a && b || c", "a & b | c"),
        ("a == 1 & b <> 2 & c ≠ 3 & d ≤ 4 & e ≥ 5", "a = 1 & b != 2 & c != 3 & d <= 4 & e >= 5"),
        ("∀□p", "AG p"),
        ("∃(◇p)", "EF p"),
        ("A X p", "AX p"),
        ("E G p", "EG p"),
        ("A[p U q]", "A[p U q]"),
        ("E(p W q)", "E[p W q]"),
        ("A p U q", "A p U q"),
        ("A (F p & G q)", "A (F p & G q)"),
        ("A Y p & AY p", "A Y p & AY p"),
        ("A H p & AH p", "A H p & AH p"),
        ("E P p & EP p", "E P p & EP p"),
        ("E Y p & EY p", "E Y p & EY p"),
        ("X- p & F- p & G- p & p U- q", "Y p & P p & H p & p S q"),
        ("X+ p & F+ p & G+ p & p U+ q", "X p & F p & G p & p U q"),
        ("X-p", "Y p"),
        ("X -1", "X -1"),
        ("p ∴ q", "p so q"),
        ("⊤ | ⊥", "true | false"),
        ("⟨g⟩◯p", "<g>X p"),
        ("<<A, B>> F p", "<{A, B}>F p"),
        ("<A, B>[p U q]", "<{A, B}>(p U q)"),
        ("<{}>G p", "<{}>G p"),
        ("<R[i + 1]>(X p)", "<R[i + 1]>X p"),
        ("<g>X x = 1", "<g>X (x = 1)"),
        ("C(i, c)", "Cr(i, c)"),
        ("Create(i, SC(i, j, (p))) | Withdraw(_, _)", "Cr(i, SC(i, j, p)) | Wit(_, _)"),
        ("Jus(Master, claim, demand)", "Jus(Master, claim, demand)"),
        ("Delegate(Ann, debt, R[i + 1])", "Del(Ann, debt, R[i + 1])"),
        ("does(Assign(_, SC(A, _, p), _))", "does(Ass(_, SC(A, _, p), _))"),
        ("Release(Bob, debt)", "Rel(Bob, debt)"),
        ("X active(debt[2]) & active(PC(A, _, _, _))", "X active(debt[2]) & active(PC(A, _, _, _))"),
        ("active(_) -> !active( SC(A,B,(p)) )", "active(_) -> !active(SC(A, B, p))"),
        ("Attack(_, SC(_, _, _), _)", "At(_, SC(_, _, _), _)"),
        ("Act(Slave, PC(A, B, _, F p))", "Act(Slave, PC(A, B, _, F p))"),
        ("PC(A, E, t1, p -> F q)", "PC(A, E, t1, p -> F q)"),
        ("PC(i[1], j, -3, p)", "PC(i[1], j, -3, p)"),
        ("K(i, p) & O(i, p) & KH(i, g, p)", "K(i, p) & O(i, p) & KH(i, g, p)"),
        ("KH(i, {A, B}, p) | KH(i, p)", "KH(i, {A, B}, p) | KH(i, p)"),
        ("GK(g, p) & DK({A, B}, p) & GCK(p)", "GK(g, p) & DK({A, B}, p) & GCK(p)"),
        ("B(i, p) & B (B, {A, B}, B & B(B, g, B))", "B(i, p) & B(B, {A, B}, B & B(B, g, B))"),
        ("GK(<A, B>X p)", "GK(<{A, B}>X p)"),
        ("does(_) & does(pay) & does(m[1])", "does(_) & does(pay) & does(m[1])"),
        (
            "does(Sender.sb0) & does('a) & does(P.'a(p & q))",
            "does(Sender.sb0) & does('a) & does(P.'a(p & q))",
        ),
        ("does(Vio(Cus, _)) & does(tau)", "does(Vio(Cus, _)) & does(tau)"),
        ("in idle & M in s & M[1] in s[2]", "in idle & M in s & M[1] in s[2]"),
        ("AF Desk in happy", "AF Desk in happy"),
        ("x[1][j + 1]", "x[1][j + 1]"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
}

#[test]
fn comprehensions_extend_to_the_right() {
    let table = [
        ("any i in 1..3 : p[i] | q", "any i in 1..3 : p[i] | q"),
        ("(any i in 1..3 : p[i]) | q", "(any i in 1..3 : p[i]) | q"),
        ("q | any i in 1..3 : p[i] -> r", "q | any i in 1..3 : p[i] -> r"),
        ("q | (any i in 1..3 : p[i]) -> r", "q | (any i in 1..3 : p[i]) -> r"),
        ("AG all i in 1..N : all j in 1..N : i = j", "AG all i in 1..N : all j in 1..N : i = j"),
        ("!(any i in 1..3 : p) & q", "!(any i in 1..3 : p) & q"),
        ("sum i in 1..N : x[i] >= 2", "(sum i in 1..N : x[i]) >= 2"),
        ("2 <= sum i in 1..N : x[i] + 1", "2 <= sum i in 1..N : x[i] + 1"),
        ("2 * (sum i in 1..N : x[i]) + 1", "2 * (sum i in 1..N : x[i]) + 1"),
        ("any i in N - 1..2 * N : p", "any i in N - 1..2 * N : p"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
    let sum = parse("sum i in 1..N : x[i] >= 2");
    assert!(matches!(sum.kind(), Kind::Binary(Binary::GreaterEqual, ..)), "{sum:?}");
}

#[test]
fn conditionals_extend_to_the_right() {
    let table = [
        ("if p then 1 else 2", "if p then 1 else 2"),
        ("if x < y then z > 1 else p", "if x < y then z > 1 else p"),
        ("x = if p then 1 else 2", "x = if p then 1 else 2"),
        ("x = (if p then 1 else 2) & q", "x = (if p then 1 else 2) & q"),
        ("if p then q else r & s", "if p then q else r & s"),
        ("(if p then q else r) & s", "(if p then q else r) & s"),
        ("s & if p then q else r", "s & if p then q else r"),
        ("AG if p then F q else r", "AG if p then F q else r"),
        ("if p then if q then 1 else 2 else 3", "if p then if q then 1 else 2 else 3"),
        ("if if p then q else r then 1 else 2", "if if p then q else r then 1 else 2"),
        ("a[if p then 1 else 2] = 3", "a[if p then 1 else 2] = 3"),
        ("x = (sum i in 1..3 : if a[i] then 1 else 0)", "x = sum i in 1..3 : if a[i] then 1 else 0"),
        ("(sum i in 1..3 : if a[i] then 1 else 0) = x", "(sum i in 1..3 : if a[i] then 1 else 0) = x"),
        ("if F then G else X", "if (F) then (G) else (X)"),
        ("1 + min(x, max(y, 2) + 1) * 2", "1 + min(x, max(y, 2) + 1) * 2"),
        ("a[a[x] + 1][y]", "a[a[x] + 1][y]"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
    let whole = parse("if p then q else r & s");
    assert!(matches!(whole.kind(), Kind::If(..)), "{whole:?}");
}

#[test]
fn bounds() {
    let table = [
        ("F<=3 p", "F<=3 p"),
        ("AG (p -> F <= N does(q))", "AG (p -> F<=N does(q))"),
        ("A F ≤ 3 p & E (G<=(2) q)", "AF<=3 p & EG<=2 q"),
        ("AF<=(N + 1) !p", "AF<=(N + 1) !p"),
        ("EF<=pay.Limit x = 1", "EF<=pay.Limit (x = 1)"),
        ("A[p U<=3 q & r]", "A (p U<=3 q & r)"),
        ("E(p U<=3 q)", "E[p U<=3 q]"),
        ("p U<=3 q U<=2 r", "p U<=3 q U<=2 r"),
        ("(p U<=3 q) U r -> s", "(p U<=3 q) U r -> s"),
        ("G<=1 F<=2 p U q", "G<=1 F<=2 p U q"),
        ("F<=A p", "F<=(A) p"),
        ("F<=-1 p", "F<=(-1) p"),
        ("F<=3 all i in 1..2 : p[i]", "F<=3 all i in 1..2 : p[i]"),
        ("F<=3 set", "F<=3 set"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
    // Where no operand follows the bound these are comparisons with variables of that name.
    let comparisons = [
        ("F <= 3", "(F) <= 3"),
        ("F <= 3 & p", "(F) <= 3 & p"),
        ("F <= 3 - x", "(F) <= 3 - x"),
        ("AG <= N -> q U p", "(AG) <= N -> q U p"),
        ("G F <= (x)", "G ((F) <= x)"),
        ("EF <= (x) - 1 | r", "(EF) <= x - 1 | r"),
        ("F <= k[2]", "(F) <= k[2]"),
        ("G <= x so p", "(G) <= x so p"),
    ];
    for (input, expected) in comparisons {
        check(input, expected);
    }
    // What comes after a condition does not belong to it.
    for (text, rest) in [
        ("F <= 3 set x = 1", "set"),
        ("F <= 3\nroles Cus", "roles"),
        ("F <= 3\nidle -- a --> b", "idle"),
        ("F <= 3\nidle[1] -- a --> b", "idle"),
        ("F <= 3 with properties", "with"),
    ] {
        let mut parser = Parser::new(text).with_statement_words(&["roles"]);
        assert_eq!(parser.formula().map(|read| read.to_string()).as_deref(), Some("(F) <= 3"), "{text}");
        assert_eq!(parser.spelling(0), rest, "{text}");
    }
}

#[test]
fn words_are_contextual() {
    let table = [
        ("x = A & y", "x = (A) & y"),
        ("if & then | else", "(if) & (then) | (else)"),
        ("if = 1", "(if) = 1"),
        ("F if", "F (if)"),
        ("min < max", "min < max"),
        ("if in s", "(if in s)"),
        ("F", "(F)"),
        ("X F", "X (F)"),
        ("A = 1", "(A) = 1"),
        ("K & SC | does", "K & SC | does"),
        ("active & active(active) & Del | Rel", "active & active(active) & Del | Rel"),
        ("any & all | sum > 1", "(any) & (all) | (sum) > 1"),
        ("all in idle", "(all in idle)"),
        ("x = U U y", "x = (U) U y"),
        ("F U p", "(F) U p"),
        ("in = 1", "(in) = 1"),
        ("X[1] < 2", "(X[1]) < 2"),
        ("X- U in p", "Y (U in p)"),
        ("Y (U[1])", "Y (U[1])"),
        ("F < 3", "(F) < 3"),
        ("F <g>X p", "F <g>X p"),
        ("F <R[1]>X p", "F <R[1]>X p"),
        ("F <R[(x < 2) + f[1]]>X p", "F <R[(x < 2) + f[1]]>X p"),
        ("K(A, E) & K(X, F F)", "K(A, (E)) & K(X, F (F))"),
        ("Cr(A, E)", "Cr(A, E)"),
    ];
    for (input, expected) in table {
        check(input, expected);
    }
}

#[test]
fn quantified_operators_are_two_nodes() {
    let formula = parse("AG p");
    let Kind::Unary(Unary::ForAll, inner) = formula.kind() else { panic!("{formula:?}") };
    assert!(matches!(inner.kind(), Kind::Unary(Unary::Globally, _)));
    assert_eq!((formula.span().start, formula.span().end), (0, 4));
}

#[test]
fn act_means_any_act_with_any_support_and_third_party() {
    let formula = parse("does(Act(i, c))");
    let Kind::Does(LabelPattern::Act(act)) = formula.kind() else { panic!("{formula:?}") };
    assert_eq!((&act.kind, &act.support, &act.third), (&Arg::Any, &Some(Arg::Any), &Some(Arg::Any)));
}

#[test]
fn spelling_and_parentheses_do_not_count() {
    assert_eq!(parse("SC(i, j, ((F (paid))))"), parse("SC(i,j,◇paid)"));
    assert_ne!(parse("SC(i, j, !!p)"), parse("SC(i, j, p)"));
    assert_ne!(parse("SC(i, j, F p)"), parse("SC(i, j, true U p)"));
}

#[test]
fn the_formula_ends_before_the_next_statement() {
    let mut parser = Parser::new("x = A\nU -- pay --> t");
    assert_eq!(parser.formula().map(|formula| formula.to_string()).as_deref(), Some("x = (A)"));
    assert!(parser.at("U") && parser.at_nth(1, "--"));

    let mut parser = Parser::new("AG p\nproperty q");
    assert_eq!(parser.formula().map(|formula| formula.to_string()).as_deref(), Some("AG p"));
    assert!(parser.at("property") && parser.starts_line(0));

    let mut parser = Parser::new("N + 1 .. M { Cr(Cus, quote) ");
    assert_eq!(parser.arithmetic().map(|low| low.to_string()).as_deref(), Some("N + 1"));
    assert!(parser.eat(".."));
    assert_eq!(parser.reference().map(|high| high.to_string()).as_deref(), Some("M"));
    assert!(parser.eat("{") && parser.at_act());
    assert_eq!(parser.act_pattern().map(|act| act.to_string()).as_deref(), Some("Cr(Cus, quote)"));
    assert!(parser.diagnostics.is_empty());
}

#[test]
fn tokens_know_whether_they_start_a_line() {
    let parser = Parser::new("a b\n  c /*\n*/ d");
    let starts: Vec<bool> = (0..5).map(|ahead| parser.starts_line(ahead)).collect();
    assert_eq!(starts, [true, false, true, true, false]);
}

#[test]
fn what_front_ends_make_is_printed_too() {
    use servanda_logic::Join;
    let parts = || vec![parse("a | b"), parse("c")];
    let joined = |join, parts| Formula::new(Kind::Joined(join, parts), Default::default()).to_string();
    assert_eq!(joined(Join::All, parts()), "((a | b) & c)");
    assert_eq!(joined(Join::Any, parts()), "(a | b | c)");
    assert_eq!(joined(Join::All, vec![]), "true");
    assert_eq!(joined(Join::Any, vec![]), "false");
    assert_eq!(joined(Join::Sum, vec![]), "0");
    assert_eq!(joined(Join::Sum, vec![parse("x"), parse("2 * y")]), "(x + 2 * y)");
}
