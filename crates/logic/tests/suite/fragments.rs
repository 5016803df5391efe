//! State formulas, features and commitment depth.

use servanda_logic::{Features, Formula, commitment_depth, is_state_formula, parse_formula, path_part};

fn parse(text: &str) -> Formula {
    parse_formula(text).unwrap_or_else(|errors| panic!("{text}: {errors:#?}"))
}

#[test]
fn state_formulas() {
    for text in [
        "p & x = 1 | in s",
        "AG p -> E (F p & G q)",
        "AY p & EP q",
        "K(i, F p) | <g>X p",
        "SC(i, j, F p)",
        "quote",
        "any i in 1..N : EF p[i]",
        "?F p",
    ] {
        assert!(is_state_formula(&parse(text)), "{text}");
    }
    for (text, part) in [
        ("F p", "F p"),
        ("AG p & X q", "X q"),
        ("p -> Cr(i, c)", "Cr(i, c)"),
        ("!does(a) & F p", "does(a)"),
        ("p so q", "p so q"),
        ("EF p & (q S r)", "q S r"),
        ("all i in 1..N : p U q", "p U q"),
    ] {
        assert_eq!(path_part(&parse(text)).map(ToString::to_string).as_deref(), Some(part), "{text}");
    }
}

#[test]
fn features_look_into_contents_but_not_into_labels() {
    let features = Features::of(&parse("SC(i, j, H K(i, p))"));
    assert!(features.contains(Features::COMMITMENTS | Features::LINEAR_PAST | Features::KNOWLEDGE));
    let features = Features::of(&parse("A does(Cr(i, SC(i, j, H K(i, p))))"));
    assert_eq!(features, Features::QUANTIFIERS | Features::DOES | Features::PATH_FORMULAS);
    let features = Features::of(&parse("A Jus(i, SC(i, j, F p), <g>X q)"));
    assert!(features.contains(Features::ACTS | Features::FUTURE | Features::STRATEGIC));
    assert!(!features.intersects(Features::COMMITMENTS));
}

#[test]
fn commitments_nest() {
    let table = [
        ("p & F q", 0),
        ("does(Cr(i, SC(i, j, SC(j, i, p))))", 0),
        ("SC(i, j, p)", 1),
        ("Cr(i, quote)", 1),
        ("Act(_, _)", 1),
        ("Cr(i, SC(i, j, p))", 1),
        ("Jus(i, SC(i, j, p), SC(j, i, q))", 2),
        ("SC(i, j, F Cr(i, SC(i, j, p)))", 2),
        ("SC(i, j, Sat(i, SC(i, j, SC(j, i, p)))) | SC(i, j, q)", 3),
        ("?SC(i, j, p)", 1),
        ("AG K(i, SC(i, j, p))", 1),
    ];
    for (text, expected) in table {
        assert_eq!(commitment_depth(&parse(text)), expected, "{text}");
    }
}
