//! No text makes the reader panic, and every finding has a place in the text.

use crate::support::example;
use crate::support::random::{Dice, definitions, text};
use proptest::prelude::*;
use servanda_ccs::load;
use servanda_syntax::{Diagnostic, SourceFile};

fn read(text: &str) {
    for process in [None, Some("Main")] {
        let loaded = load(&SourceFile::new("fuzz.ccs", text), process);
        assert_eq!(loaded.system.is_none(), loaded.diagnostics.iter().any(Diagnostic::is_error), "{text}");
        for found in &loaded.diagnostics {
            assert!(found.span.start <= found.span.end && found.span.end as usize <= text.len(), "{found:?}");
            let (start, end) = (found.span.start as usize, found.span.end as usize);
            assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{found:?}\n{text}");
        }
    }
}

#[test]
fn changed_texts() {
    let pieces = [
        "proc",
        "set",
        "=",
        "(",
        ")",
        "a(",
        "[",
        "]",
        "b/a",
        "{",
        "}",
        "\\",
        "'",
        ".",
        "+",
        "|",
        ",",
        "nil",
        "0",
        "tau",
        "t",
        "P",
        "Main",
        "*",
        "é",
        "\u{feff}",
        "τ",
        "1",
        "_",
        "\n",
        "a.(P | Q)",
        "proc Main = ",
    ];
    let mut dice = Dice::new(13);
    let seeds: Vec<String> = (0..40)
        .map(|_| text(&definitions(&mut dice)))
        .chain([example("pnaws.ccs"), example("scheduler.ccs")])
        .collect();
    for _ in 0..4000 {
        let mut bytes = dice.pick(&seeds).clone().into_bytes();
        for _ in 0..=dice.below(6) {
            let at = dice.below(bytes.len());
            match dice.below(5) {
                0 => bytes[at] = dice.below(256) as u8,
                1 => drop(bytes.drain(at..(at + dice.below(40)).min(bytes.len()))),
                2 if dice.chance(30) => bytes.truncate(at + 1),
                3 => {
                    let from = dice.below(bytes.len());
                    let copy = bytes[from..(from + dice.below(80)).min(bytes.len())].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let piece = format!(" {} ", dice.pick(&pieces));
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn arbitrary_texts(text in "\\PC{0,80}") {
        read(&text);
    }

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn texts_of_tokens(tokens in prop::collection::vec(prop::sample::select(vec![
        "proc ", "set ", "P ", "Q ", "a", "'", ".", "+", "|", "(", ")", "\\", "{a}", "[b/a]", "nil", "=", "tau", "*\n", "a(x)",
    ]), 0..40)) {
        read(&tokens.concat());
    }

    #[test]
    fn arbitrary_formulas(formula in "\\PC{0,60}") {
        let loaded = load(&SourceFile::new("one.ccs", "proc P = a(x).P"), None);
        let _ = loaded.system.expect("no mistakes").formula(&formula);
    }
}
