//! No text makes the crate panic, and none takes long.

use crate::support::{EVERYTHING, examples, meaning, picked, protocol};
use proptest::prelude::*;
use servanda_pact::{format, load};
use servanda_syntax::{SourceFile, has_errors};

/// Loads and formats whatever it is; a protocol comes exactly when there is no error, and its standard form means
/// the same.
pub(crate) fn survives(text: &str) {
    let loaded = load(&SourceFile::new("fuzz.pact", text), &[]);
    assert_eq!(loaded.protocol.is_none(), has_errors(&loaded.diagnostics), "{text}");
    for found in &loaded.diagnostics {
        assert!(found.span.end as usize <= text.len(), "{text}\n{found:?}");
    }
    let Ok(standard) = format(text) else { return };
    assert_eq!(format(&standard).as_ref(), Ok(&standard), "{text}");
    let comments = |text: &str| text.matches("//").count() + text.matches("/*").count();
    assert_eq!(comments(&standard), comments(text), "{text}\n{standard}");
    if let Some(protocol) = &loaded.protocol {
        let again = load(&SourceFile::new("fuzz.pact", standard.clone()), &[]);
        let Some(again) = &again.protocol else { panic!("{text}\n{standard}\n{:?}", again.diagnostics) };
        assert_eq!(meaning(again), meaning(protocol), "{text}");
    }
}

/// Words and symbols of the language, for texts that come close to it.
const PIECES: &[&str] = &[
    "if p then",
    "else",
    "min(x, 1)",
    "set all i in 1..2 :",
    "x[p] = 1",
    "x in {1, 2}",
    "roles",
    "var",
    "private",
    "of",
    "bool",
    "prop",
    "commitment",
    "start",
    "machine",
    "for",
    "in",
    "property",
    "expect",
    "true",
    "group",
    "access",
    "fair",
    "red",
    "decompose",
    "param",
    "semantics",
    "protocol",
    "actl",
    "A",
    "B",
    "x",
    "p",
    "c",
    "i",
    "1",
    "2",
    "0",
    "..",
    "--",
    "-->",
    "->",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ";",
    ":",
    "=",
    "!",
    "?",
    "&",
    "|",
    "<",
    "+",
    "-",
    "/",
    "_",
    "SC",
    "PC",
    "Cr",
    "K",
    "GK",
    "AG",
    "EF",
    "X",
    "U",
    "S",
    "does",
    "any",
    "all",
    "sum",
    "when",
    "set",
    "so",
    "\n",
    "\n",
    "\n",
    "// c\n",
    "/* c */",
    "SC_A",
    "--[",
    "]-->",
    "<=>",
    "message",
    "channel",
    "carries",
    "capacity",
    "lossy",
    "duplicating",
    "unordered",
    "from",
    "to",
    "clock",
    "wait",
    "while",
    "final",
    "init",
    "type",
    "use",
    "\"part.pact\"",
    "as",
    "with",
    "properties",
    "weak",
    "strong",
    "scenario",
    "impossible",
    "...",
    "level",
    "should",
    "may",
    "cite",
    "if",
    "then",
    "else",
    "min",
    "max",
    "active",
    "tick",
    "Rel",
    "Del",
    "Ass",
    "F<=2",
    "U<=1",
    "G<=",
    "x.length",
    "has",
    "head",
    ".",
    "y?(n)",
    "y!(1)",
    "A -> B: y(2)",
    "3 - i",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters(text in "\\PC{0,60}") {
        survives(&text);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn words_of_the_language(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..60)) {
        survives(&pieces.join(" "));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Examples with a few tokens deleted, doubled, exchanged or replaced.
    #[test]
    fn examples_with_slips(
        example in 0_usize..100,
        slips in proptest::collection::vec((0_usize..4, any::<u32>(), any::<u32>()), 1..4),
    ) {
        let mut texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
        texts.resize(2 * texts.len(), EVERYTHING.to_owned());
        let mut text = texts.swap_remove(example % texts.len());
        for (kind, first, second) in slips {
            let (place, other) = (picked(&text, first), picked(&text, second));
            let other = text[other].to_owned();
            match kind {
                0 => text.replace_range(place, ""),
                1 => text.insert_str(place.end, &format!(" {} ", &text[place.clone()])),
                2 => text.replace_range(place, &other),
                _ => text.replace_range(place, PIECES[second as usize % PIECES.len()]),
            }
        }
        survives(&text);
    }
}

#[test]
fn deep_and_large_texts_are_refused_in_time() {
    let head = "roles A\nvar p : bool\n";
    let deep = format!("{head}prop q = {}p{}\n", "(".repeat(5000), ")".repeat(5000));
    let long = format!("{head}prop q = {}p\n", "p & ".repeat(900));
    let longer = format!("{head}prop q = {}p\n", "p & ".repeat(100_000));
    let bangs = format!("{head}prop q = {}p\n", "!".repeat(100_000));
    let blocks = format!("{}{}", "for i in 1..1 {\n".repeat(3000), "}".repeat(3000));
    let open = "machine M {\n".repeat(3000);
    let brackets = format!("{head}prop q = {}1{}\n", "x[".repeat(3000), "]".repeat(3000));
    let chain: String = (1..5000).map(|n| format!("prop q{n} = !q{}\n", n - 1)).collect();
    let chain = format!("{head}prop q0 = p\n{chain}");
    let backwards: String = (1..5000).rev().map(|n| format!("prop q{n} = !q{}\n", n - 1)).collect();
    let backwards = format!("{head}{backwards}prop q0 = p\n");
    let doubling: String = (1..60).map(|n| format!("prop q{n} = q{0} & q{0}\n", n - 1)).collect();
    let doubling = format!("{head}prop q0 = p\n{doubling}");
    let nested = "for i in 1..100000 { for j in 1..100000 { roles A[i][j] } }".to_owned();
    let comprehension = format!("{head}property f = any i in 1..90000 : any j in 1..90000 : i = j\n");
    let constant = "param N = sum i in 1..90000 : sum j in 1..90000 : i".to_owned();
    let array = "var x[1..300][1..300] : 0..1000\n".to_owned();
    let ring: String = (0..3000).map(|n| format!("prop q{n} = !q{}\n", (n + 1) % 3000)).collect();
    for text in [
        &deep,
        &long,
        &longer,
        &bangs,
        &blocks,
        &open,
        &brackets,
        &chain,
        &backwards,
        &doubling,
        &nested,
        &comprehension,
        &constant,
        &array,
        &ring,
    ] {
        survives(text);
    }
    assert_eq!(protocol(&long).model.agents.len(), 1);
    let errors = |text: &str| load(&SourceFile::new("test.pact", text), &[]).diagnostics;
    assert_eq!(errors(&nested)[0].code, "too-many-repetitions");
    assert_eq!(errors(&doubling)[0].code, "formula-too-large");
    assert_eq!(errors(&constant)[0].code, "too-many-repetitions");
    assert_eq!(errors(&array)[0].code, "too-many-values");
    // What is too deep refuses what uses it, and of a file only what the model needs.
    assert_eq!(errors(&format!("{ring}property f = q0\n"))[0].code, "refused-property");
    assert_eq!(errors(&format!("{ring}fair q0\n"))[0].code, "formula-too-deep");
    for definitions in [&chain, &backwards] {
        let text = format!("{definitions}property deep = AG q4999\nproperty shallow = AG q40\n");
        let loaded = load(&SourceFile::new("test.pact", text), &[]);
        let codes: Vec<&str> = loaded.diagnostics.iter().map(|found| found.code.word()).collect();
        assert_eq!(codes, ["refused-property"]);
        let refused = loaded.protocol.expect("the file is in order").properties;
        let refused: Vec<bool> = refused.iter().map(|property| property.refused.is_some()).collect();
        assert_eq!(refused, [true, false]);
    }
}
