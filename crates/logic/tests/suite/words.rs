//! Formulas in words.

use std::collections::BTreeMap;

use servanda_logic::{Binary, Formula, Kind, Unary, parse_formula, words};

fn table(formulas: &[&str]) -> String {
    let line = |text: &&str| {
        let formula = parse_formula(text).unwrap_or_else(|found| panic!("{text}: {found:?}"));
        format!("{text}\n    {}\n", words(&formula))
    };
    formulas.iter().map(line).collect()
}

#[test]
fn time() {
    insta::assert_snapshot!(table(&[
        "AG (paid -> AF delivered)",
        "AG EF !on",
        "AX on",
        "EX (on & off)",
        "E[waiting U served]",
        "A[waiting W (served | gone)]",
        "A[served R waiting]",
        "A F G bright",
        "A (G F !home -> F camp)",
        "AG (ordered -> A[!sent U paid & checked])",
        "A (clouds so rain)",
        "AG (p & q | !r)",
        "AG p & EF q",
        "p & (q -> r) & s",
        "(p -> q) -> r",
        "p -> q -> r",
        "(p -> q) <-> !p | q",
        "!(p & q)",
        "AF (p & q)",
        "if p then q else AG r",
        "any i in 1..N : all j in i + 1..N : AG !(x[i] = x[j])",
    ]));
}

#[test]
fn bounds_and_past() {
    insta::assert_snapshot!(table(&[
        "AF<=3 paid",
        "AG (asked -> AF<=(2 * N) answered)",
        "EG<=1 quiet",
        "AG<=N quiet",
        "A[waiting U<=5 served]",
        "AG (does(enter) -> Y does(scratch))",
        "AG (in house -> A P does(scratch) | A P does(sneak))",
        "AG (in wait -> H !in house)",
        "A (p S q)",
        "EP p & AH q",
        "AY p | EY q",
    ]));
}

#[test]
fn steps_and_values() {
    insta::assert_snapshot!(table(&[
        "does(_)",
        "!does(_)",
        "does(pay)",
        "!does(Cus.pay)",
        "does(Mer -> Cus: quote(3, _))",
        "does(-> Cus: quote)",
        "does(Bob.pay?)",
        "!does(pay?(2))",
        "does('a)",
        "does(\"Cus: pay\")",
        "x = 1 & y != 2 & x + 1 < 3 & x <= 4 & x > 5 & x >= y * 2",
        "!(x = 1) & !(x < 2)",
        "(sum i in 1..3 : x[i]) = min(x, y)",
        "in paid & !in done & Bob in ready & !Bob in ready",
        "wire.has(m(1)) & !wire.has(m) & wire.head(m) & !wire.head(m)",
        "wire.length = 0",
    ]));
}

#[test]
fn commitments_and_acts() {
    insta::assert_snapshot!(table(&[
        "AG (active(quote) -> SC(Cus, Mer, F paid))",
        "PC(Cus, Mer, t1, AG !late)",
        "active(_)",
        "!active(_)",
        "active(SC(Cus, _, _))",
        "!active(PC(Cus, Mer, _, F paid))",
        "active(PC(_, Mer, t1, _))",
        "Cr(Cus, quote)",
        "!Sat(Cus, SC(Cus, Mer, F paid))",
        "Jus(_, claim, rain & clouds)",
        "At(Mer, claim, _)",
        "Del(Shop, delivery, Carrier)",
        "Ass(Client, delivery, _)",
        "Rel(Client, delivery)",
        "Act(Cus, _)",
        "AG (does(Wit(Cus, rent)) -> X !active(rent))",
        "!does(Act(Cus, _))",
        "EF does(Vio(_, _))",
    ]));
}

#[test]
fn knowledge_and_strategies() {
    insta::assert_snapshot!(table(&[
        "AG (K(Ann, card = low) | K(Ann, card = high))",
        "!K(Bob, p & q)",
        "K(Ann, !K(Bob, p))",
        "GK({Ann, Bob, Cay}, p)",
        "GK(p)",
        "DK(g, p -> q)",
        "GCK({Ann}, AG p)",
        "O(Ann, p)",
        "KH(Ann, {Bob, Cay}, p)",
        "B(Ann, Bob, p)",
        "<Guard>G !in inside",
        "<Guard, Thief>F in inside",
        "<Guard>(in shut U in ajar)",
        "<Guard>X in ajar & <Guard>X in shut",
    ]));
}

/// `&` and `|` of several parts with the parts in a row: words do not tell how these are grouped, and nothing depends on it.
fn shape(formula: &Formula) -> String {
    fn parts(formula: &Formula, op: Binary, found: &mut Vec<String>) {
        match formula.kind() {
            Kind::Binary(own, left, right) if *own == op => {
                parts(left, op, found);
                parts(right, op, found);
            }
            _ => found.push(shape(formula)),
        }
    }
    match formula.kind() {
        Kind::Binary(op @ (Binary::And | Binary::Or), ..) => {
            let mut found = Vec::new();
            parts(formula, *op, &mut found);
            format!("{}({})", op.symbol(), found.join(", "))
        }
        Kind::Binary(op, left, right) => format!("{}({}, {})", op.symbol(), shape(left), shape(right)),
        Kind::Unary(op, operand) => format!("{}({})", op.symbol(), shape(operand)),
        _ => formula.to_string(),
    }
}

/// All formulas with operators nested so deep: no two that differ say the same.
#[test]
fn different_formulas_say_different_things() {
    use Binary::{And, Iff, Implies, Or, Release, Since, So, Until, WeakUntil};
    use Unary::{Exists, Finally, ForAll, Globally, Next, Not, Once, SomePast};
    let atoms = ["p", "q"].map(|name| parse_formula(name).expect("a name"));
    let mut all = atoms.to_vec();
    for _ in 0..2 {
        let mut next = atoms.to_vec();
        for op in [Not, ForAll, Exists, Next, Finally, Globally, Once, SomePast] {
            next.extend(all.iter().map(|operand| operand.clone().unary(op)));
        }
        for op in [And, Or, Implies, Iff, Until, WeakUntil, Release, Since, So] {
            next.extend(
                all.iter()
                    .flat_map(|left| all.iter().map(move |right| left.clone().binary(op, right.clone()))),
            );
        }
        all = next;
    }
    // A third level above what is most often nested.
    let deep: Vec<Formula> =
        all.iter().flat_map(|operand| [ForAll, Not, Globally].map(|op| operand.clone().unary(op))).collect();
    all.extend(deep);
    assert!(all.len() > 80_000, "{}", all.len());
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    for formula in &all {
        let shape = shape(formula);
        let before = said.insert(words(formula), shape.clone());
        assert!(
            before.as_ref().is_none_or(|before| *before == shape),
            "{}: {before:?}, {shape}",
            words(formula)
        );
    }
}
