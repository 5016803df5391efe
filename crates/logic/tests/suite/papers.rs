//! The spellings of the five papers: each is read as the paper means it, wherever it stands, or refused with both readings.

use servanda_logic::parse_formula;

/// A text in a paper's spelling is read as one in the standard spelling.
#[track_caller]
fn reads(written: &str, meant: &str) {
    let parse = |text: &str| parse_formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"));
    assert_eq!(parse(written), parse(meant), "{written}");
}

/// How a sign may be written directly behind an operator.
const PLUS: [&str; 4] = ["+", "⁺", "^+", "^{+}"];
const MINUS: [&str; 7] = ["-", "−", "⁻", "^-", "^−", "^{-}", "^{−}"];

#[test]
fn signed_operators_are_read_in_every_context() {
    let future = ["X", "F", "G", "AX", "EX", "AF", "EF", "AG", "EG"].map(|word| (word, word));
    let past = [
        ("X", "Y"),
        ("F", "P"),
        ("G", "H"),
        ("AX", "A Y"),
        ("EX", "E Y"),
        ("AF", "A P"),
        ("EF", "E P"),
        ("AG", "A H"),
        ("EG", "E H"),
    ];
    let signed =
        |table: &[(&'static str, &'static str)], signs: &[&'static str]| -> Vec<(String, &'static str)> {
            let pair = |(word, meant): &(&'static str, &'static str)| -> Vec<(String, &'static str)> {
                signs.iter().map(|sign| (format!("{word}{sign}"), *meant)).collect()
            };
            table.iter().flat_map(pair).collect()
        };
    let operators = signed(&future, &PLUS).into_iter().chain(signed(&past, &MINUS));
    for (written, meant) in operators {
        // The operator, with its operand in every way it may be written, after everything that may stand before it.
        for operand in [" p", "(p)", " (p)"] {
            let here = format!("{written}{operand}");
            reads(&here, &format!("{meant} p"));
            reads(&format!("q & {here}"), &format!("q & {meant} p"));
            reads(&format!("(q => {here})"), &format!("q -> {meant} p"));
            reads(&format!("!{here}"), &format!("!{meant} p"));
            reads(&format!("{here} | q"), &format!("{meant} p | q"));
            reads(&format!("AG+({here})"), &format!("AG {meant} p"));
            reads(&format!("A({here} U+ q)"), &format!("A ({meant} p U q)"));
            reads(&format!("E[q U- {here}]"), &format!("E (q S {meant} p)"));
            reads(&format!("SC(i, j, {here})"), &format!("SC(i, j, {meant} p)"));
            reads(&format!("K(i, {here})"), &format!("K(i, {meant} p)"));
        }
    }
}

#[test]
fn signed_until_is_read_between_operands() {
    for sign in PLUS {
        reads(&format!("A(p U{sign} q)"), "A (p U q)");
        reads(&format!("E((p & r) U{sign}(q))"), "E ((p & r) U q)");
    }
    for sign in MINUS {
        reads(&format!("A(p U{sign} q)"), "A (p S q)");
    }
}

#[test]
fn implication_has_the_arrows_of_the_papers() {
    for arrow in ["=>", "⇒", "->", "→"] {
        reads(&format!("AG(p {arrow} F q)"), "AG (p -> F q)");
        reads(&format!("p{arrow}q{arrow}r"), "p -> q -> r");
        reads(&format!("x >= 2{arrow}y <= 1"), "x >= 2 -> y <= 1");
    }
}

#[test]
fn acts_have_the_names_of_all_papers() {
    let names = [
        ("Cr", ["C", "Cr", "Create"]),
        ("Sat", ["Sa", "Sat", "Satisfy"]),
        ("Vio", ["Vi", "Vio", "Violate"]),
        ("Ref", ["Re", "Ref", "Refuse"]),
        ("Ac", ["Acc", "Ac", "Accept"]),
    ];
    for (meant, spellings) in names {
        for written in spellings {
            reads(&format!("{written}(i, SC(i, j, p))"), &format!("{meant}(i, SC(i, j, p))"));
        }
    }
    for written in ["Just", "Jus", "Justify"] {
        reads(&format!("{written}(i, SC(i, j, p), q)"), "Jus(i, SC(i, j, p), q)");
    }
    // Without arguments they are names like others.
    reads("Sa & Vi & Re & Acc & Just & C", "Sa & Vi & Re & Acc & Just & C");
}

#[test]
fn a_moment_may_be_left_out() {
    reads("PC(i, j, F p)", "SC(i, j, F p)");
    reads("Accept(j, PC(i, j, F p))", "Ac(j, PC(i, j, _, F p))");
    reads("Accept(j, PC(i, j, t, F p))", "Ac(j, PC(i, j, t, F p))");
}

#[test]
fn arguments_may_stand_in_the_content() {
    reads("Justify(i, PC(i, j, t, q so p))", "Jus(i, PC(i, j, t, p), q)");
    reads("Attack(j, SC(i, j, q ∴ p))", "At(j, SC(i, j, p), q)");
    reads("Attack(j, PC(i, j, p))", "At(j, PC(i, j, _, p), _)");
    reads("Defend(i, c)", "Def(i, c, _)");
    reads("Justify(i, q so p)", "Jus(i, PC(i, _, _, p), q)");
    reads("Attack(j, q so p)", "At(j, PC(_, j, _, p), q)");
    reads("Justify(_, _)", "Jus(_, _, _)");
}

#[test]
fn what_has_another_reading_names_both() {
    let errors = parse_formula("x = AG+ 1").expect_err("an operator inside of a comparison");
    let help = errors[0].help.as_deref();
    assert_eq!(
        help,
        Some("`AG+` is read as an operator of CTL*CA; for a sum write `AG + ..` with spaces"),
        "{errors:#?}"
    );
    reads("x = AG + 1", "x = (AG) + (1)");
    reads("x = G - 1", "x = (G) - (1)");
}
