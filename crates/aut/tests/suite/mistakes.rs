//! Every mistake has a code and a place, and all are found in one go.

use servanda_aut::load;
use servanda_syntax::SourceFile;

/// A code with line and column.
type Found = (&'static str, usize, usize);

/// What is found in a text.
fn found(text: &str) -> Vec<Found> {
    let source = SourceFile::new("test.aut", text);
    let diagnostics = load(&source).diagnostics;
    diagnostics
        .iter()
        .map(|found| {
            let place = source.place(found.span.start);
            (found.code.word(), place.line, place.column)
        })
        .collect()
}

#[test]
fn mistakes() {
    let table: &[(&str, &[Found])] = &[
        ("", &[("no-header", 1, 1)]),
        ("\n \n", &[("no-header", 1, 1)]),
        ("des (0, 0, 1)", &[]),
        ("des(0,1,1)\n(0,a,0)", &[]),
        ("\u{feff}des (0, 1, 1)\r\n\r\n(0, \"a\", 0)\r\n", &[]),
        ("0, 0, 1", &[("bad-header", 1, 1)]),
        ("des (0, 0)", &[("bad-header", 1, 1)]),
        ("des (0, 0, 1) x", &[("bad-header", 1, 1)]),
        (
            "des (a, -1, 99999999999)",
            &[("bad-number", 1, 6), ("bad-number", 1, 9), ("number-too-large", 1, 13)],
        ),
        ("des (3, 0, 2)", &[("unknown-state", 1, 6)]),
        ("des (0, 0, 0)", &[("no-states", 1, 12)]),
        ("des (0, 2, 1)\n(0, a, 0)", &[("wrong-count", 1, 9)]),
        ("des (0, 0, 1)\n(0, a, 0)", &[("wrong-count", 1, 9)]),
        ("des (0, 1, 2)\n(0, a, 2)", &[("unknown-state", 2, 8)]),
        ("des (0, 1, 2)\n(5, a, 7)", &[("unknown-state", 2, 2), ("unknown-state", 2, 8)]),
        ("des (0, 1, 1)\n0, a, 0", &[("bad-transition", 2, 1)]),
        ("des (0, 1, 1)\n(0, a)", &[("bad-transition", 2, 1)]),
        ("des (0, 1, 1)\n(0, , 0)", &[("no-label", 2, 5)]),
        ("des (0, 1, 1)\n(0, \"a, 0)", &[("unterminated-label", 2, 5)]),
        ("des (0, 1, 1)\n(zero, a, 0)", &[("bad-number", 2, 2)]),
        ("des (0, 0, 4000000000)", &[("too-many-states", 1, 12)]),
        ("des (0, 1, 3)\n(0, a, 1)", &[("unreachable-states", 1, 12)]),
        (
            "des (0, 4, 1)\n(0, a, 1)\n(0 a 0)\n(x, a, 0)\n",
            &[("wrong-count", 1, 9), ("unknown-state", 2, 8), ("bad-transition", 3, 1), ("bad-number", 4, 2)],
        ),
    ];
    for (text, expected) in table {
        assert_eq!(found(text), *expected, "{text:?}");
    }
}

#[test]
fn mistakes_come_to_an_end() {
    let text = format!("des (0, 1000, 1)\n{}", "nonsense\n".repeat(1000));
    let codes = found(&text);
    assert_eq!(codes.len(), 101);
    assert_eq!(codes.last().map(|last| last.0), Some("too-many-mistakes"));
}

#[test]
fn messages_tell_what_was_expected() {
    let loaded = load(&SourceFile::new("test.aut", "des (0, 1, 2)\n(0, a, 2)"));
    let error = &loaded.diagnostics[0];
    assert_eq!(error.message, "state 2 is not one of the 2 states of the header");
    assert_eq!(error.help.as_deref(), Some("states are numbered from 0 to 1"));
}
