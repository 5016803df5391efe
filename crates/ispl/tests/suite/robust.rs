//! No text makes the reader panic.

use crate::support::{examples, sample};
use servanda_ispl::{load, verdicts_in_comments};
use servanda_syntax::SourceFile;
use servanda_testkit::random::Dice;

fn read(text: &str) {
    let loaded = load(&SourceFile::new("fuzz.ispl", text));
    assert_eq!(loaded.system.is_none(), loaded.diagnostics.iter().any(|found| found.is_error()));
    for found in &loaded.diagnostics {
        assert!(found.span.start <= found.span.end && found.span.end as usize <= text.len(), "{found:?}");
    }
    if let Some(system) = loaded.system {
        let _ = servanda_ispl::print(&system.model, &system.properties);
    }
    let _ = verdicts_in_comments(text);
}

#[test]
fn changed_texts() {
    let mut seeds: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    seeds.extend(sample().into_iter().map(|(_, text)| text).filter(|text| text.len() < 6000).step_by(7));
    let pieces = [
        "end",
        "Agent",
        ";",
        "(",
        ")",
        "{",
        "}",
        "=",
        "if",
        "and",
        "Other",
        ":",
        "..",
        "-",
        "/",
        "0",
        "Vars",
        "Lstate",
        "Ev",
        "U",
        "K(",
        "<",
        ">",
        "!",
        "CTL*",
        "LTL",
        "Environment",
        ".",
        "Action",
        "é",
        "--",
        "999999999999999999",
    ];
    let mut dice = Dice::new(0x5eed_1234_5678_9abc);
    for _ in 0..3000 {
        let mut bytes = seeds[dice.below(seeds.len())].clone().into_bytes();
        for _ in 0..=dice.below(6) {
            let at = dice.below(bytes.len().max(1));
            match dice.below(5) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => drop(bytes.drain(at..(at + dice.below(40)).min(bytes.len()))),
                2 => bytes.truncate(at),
                3 => {
                    let from = dice.below(bytes.len().max(1));
                    let copy = bytes[from..(from + dice.below(80)).min(bytes.len())].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let piece = format!(" {} ", pieces[dice.below(pieces.len())]);
                    bytes.splice(at..at, piece.into_bytes());
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        read(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn deep_and_long_texts() {
    let text = |condition: &str, formula: &str| {
        format!(
            "Agent A Vars: x : boolean; y : 0 .. 3; end Vars Actions = {{a}}; Protocol: end Protocol \
             Evolution: x = true if {condition}; end Evolution end Agent \
             Evaluation p if A.x; end Evaluation Formulae {formula}; end Formulae"
        )
    };
    let errors = |text: &str| {
        let loaded = load(&SourceFile::new("deep.ispl", text));
        loaded.diagnostics.iter().map(|found| found.code.word()).collect::<Vec<_>>()
    };
    let nested = |open: &str, inner: &str, close: &str, times| {
        format!("{}{inner}{}", open.repeat(times), close.repeat(times))
    };
    // Generated files nest chains of `or` like this.
    assert_eq!(errors(&text(&nested("(", "x = true", " or y = 1)", 20_000), "p")), [""; 0]);
    assert_eq!(errors(&text(&nested("(x = true and (y = 1 or ", "x", "))", 400), "p")), [""; 0]);
    assert_eq!(errors(&text(&nested("!(", "x", ")", 50_000), "p")), ["term-too-long"]);
    assert_eq!(
        errors(&text(&format!("{}y{} = 3", "(y + ".repeat(5000), ")".repeat(5000)), "p")),
        ["term-too-long"]
    );
    for chain in [" + y", " - y + y", " * y"] {
        assert_eq!(errors(&text(&format!("y{} = 3", chain.repeat(50_000)), "p")), [""; 0], "{chain}");
    }
    assert_eq!(errors(&text(&"(".repeat(100_000), "p")), ["unexpected-token"]);
    assert_eq!(errors(&text("x", &nested("(", "p", " and p)", 700))), [""; 0]);
    assert_eq!(errors(&text("x", &format!("p{}", " or p".repeat(20_000)))), [""; 0]);
    assert_eq!(errors(&text("x", &"(".repeat(100_000))), ["nesting-too-deep"]);
    assert_eq!(errors(&text("x", &format!("{}p", "AG ".repeat(100_000)))), ["nesting-too-deep"]);
    assert_eq!(errors(&text("x", &format!("{}p", "p -> ".repeat(100_000)))), ["nesting-too-deep"]);
    assert_eq!(errors(&text("x", &nested("K(A, ", "p", ")", 5000))), ["nesting-too-deep"]);
}
