//! Chains of operators of any length, and nesting without end: nothing here may need stack in proportion.

use servanda_logic::{Formula, Kind, parse_formula, words};

/// Operands enough to overflow any stack, if each took a frame.
const MANY: usize = 50_000;

fn chain(operator: &str, operand: impl Fn(usize) -> String) -> String {
    (0..MANY).map(operand).collect::<Vec<_>>().join(&format!(" {operator} "))
}

fn read(text: &str) -> Formula {
    parse_formula(text).unwrap_or_else(|found| panic!("{:?}", found.first()))
}

#[test]
fn chains_of_any_length_are_read_and_low() {
    for text in [
        format!("AG ({})", chain("&", |at| format!("x{at}"))),
        format!("E F ({})", chain("|", |at| format!("F x{at}"))),
        format!("{} <= 7", chain("+", |at| format!("x{at}"))),
        format!("x -> {}", chain("&", |at| format!("(a{at} | b{at} -> c)"))),
    ] {
        let formula = read(&text);
        assert!(formula.height() < 20, "{} levels", formula.height());
        // What is printed is the same formula, and is printed as it is.
        let printed = formula.to_string();
        let again = read(&printed);
        assert_eq!(again, formula);
        assert_eq!(again.to_string(), printed);
        assert!(words(&formula).len() > MANY);
    }
}

#[test]
fn a_short_chain_leans_to_the_left_as_ever() {
    let formula = read("a & b & c");
    let Kind::Binary(_, left, _) = formula.kind() else { panic!("{formula:?}") };
    assert_eq!(left.to_string(), "a & b");
    assert_eq!(read("(a & b) & c"), formula);
    assert_ne!(read("a & (b & c)"), formula);
}

#[test]
fn nesting_without_end_is_refused_and_nothing_more() {
    for (open, close) in [
        ("(", ")"),
        ("!", ""),
        ("!(", ")"),
        ("AG ", ""),
        ("A (G ", ")"),
        ("K(Ann, ", ")"),
        ("SC(Ann, Bob, ", ")"),
        ("<Ann> X ", ""),
        ("-", ""),
        ("- (", ")"),
        ("x[", "]"),
        ("if a then ", " else b"),
        ("a -> ", ""),
        ("a U ", ""),
        ("any i in 1..2 : ", ""),
        ("F<=3 ", ""),
        ("a & (", ")"),
        ("a - ", ""),
        ("min(1, ", ")"),
    ] {
        for levels in [MANY, 3_000] {
            let text = format!("{}x{}", open.repeat(levels), close.repeat(levels));
            if let Err(found) = parse_formula(&text) {
                assert_eq!(found.len(), 1, "{open}: {:?}", found.iter().take(3).collect::<Vec<_>>());
            } else {
                panic!("{open} is read {levels} levels deep");
            }
        }
    }
}
