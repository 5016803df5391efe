//! Length, closure and order: Definitions 8 to 10 of the CTL*CA paper.

use servanda_abta::{Logic, Measures, Options, Rules, measures, translate};
use servanda_logic::parse_formula;

fn measured(formula: &str, logic: Logic) -> Measures {
    let options = Options { rules: Rules::Paper, logic: Some(logic), ..Options::default() };
    measures(&translate(&parse_formula(formula).unwrap(), options).unwrap())
}

fn closure(measures: &Measures) -> Vec<String> {
    measures.closure.iter().map(ToString::to_string).collect()
}

/// Line by line as Definition 8 has it; one more for the quantifier.
#[test]
fn lengths() {
    for (formula, length) in [
        ("p", 1),
        ("!p", 2),
        ("p & q", 3),
        ("E (p U q)", 4),
        ("E X p", 3),
        ("E (p so q)", 8),
        ("SC(a, b, p)", 2),
        ("E Cr(a, SC(a, b, p))", 4),
        ("E Wit(a, SC(a, b, p))", 5),
        ("E Sat(a, SC(a, b, p))", 3),
        ("E Vio(a, SC(a, b, p))", 4),
        ("E Ch(b, SC(a, b, p))", 5),
        ("E Ac(b, SC(a, b, p))", 4),
        ("E Ref(b, SC(a, b, p))", 5),
        ("E Jus(a, SC(a, b, p), q)", 10),
    ] {
        assert_eq!(measured(formula, Logic::CtlCa).length, length, "{formula}");
    }
}

#[test]
fn closures() {
    let until = measured("E (p U q)", Logic::CtlCa);
    assert_eq!(closure(&until), ["E[p U q]", "p U q", "p", "q", "X (p U q)"]);
    let challenge = measured("E Ch(b, SC(a, b, p))", Logic::CtlCa);
    let all = ["E Ch(b, SC(a, b, p))", "Ch(b, SC(a, b, p))", "SC(b, a, ?p)", "?p", "p"];
    assert_eq!(closure(&challenge), all);
    for formula in ["E G F p", "A (F G Ac(b, PC(a, b, t, p)))", "E (p so q)", "AG (p -> AF (q & E (p U q)))"]
    {
        let measures = measured(formula, Logic::CtlCa);
        assert!(measures.bounds.iter().take(2).all(|bound| bound.holds), "{formula}: {:?}", measures.bounds);
    }
}

/// Lemma 1 of the CTL*CA paper holds for every rule but that for `A`; the first bound of the SCCTL* paper does not hold.
#[test]
fn where_the_lemmas_hold() {
    let failing = |formula: &str| {
        let order = measured(formula, Logic::CtlCa).order;
        order
            .iter()
            .filter(|pair| pair.clause.is_none())
            .map(|pair| pair.from.index() + 1)
            .collect::<Vec<_>>()
    };
    assert!(failing("E G F p").is_empty());
    assert!(failing("E (p U (q & X p))").is_empty());
    assert_eq!(failing("A F p"), [1]);
    let scctl = measured("E F p", Logic::Scctl);
    assert_eq!((scctl.bounds[0].value, scctl.length, scctl.bounds[0].holds), (4, 3, false));
}

/// The rules `<C>` and `<Act>` of the SCCTL* paper leave the content.
#[test]
fn the_rules_of_the_scctl_paper() {
    let options = Options { rules: Rules::Paper, logic: Some(Logic::Scctl), ..Options::default() };
    let formula = parse_formula("E (Cr(a, SC(a, b, p)) & X Wit(a, SC(a, b, q)))").unwrap();
    let translation = translate(&formula, options).unwrap();
    let rows = &translation.tableau.states;
    let labels: Vec<&str> = rows.iter().filter_map(|row| Some(row.rule.as_ref()?.label.as_str())).collect();
    assert!(labels.contains(&"<C>") && labels.contains(&"<Act>"), "{labels:?}");
    assert_eq!(rows[0].text, "E(Cr(a, SC(a, b, p)), X Wit(a, SC(a, b, q)))");
    assert_eq!(rows[1].text, "E(p, X Wit(a, SC(a, b, q)))");
}
