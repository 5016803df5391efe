//! What a user sees of a diagnostic.

use servanda_report::{Colour, Finding, Style, diagnostics};
use servanda_syntax::{Code, Diagnostic, Severity, SourceFile, Span};

fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
    rendered(SourceFile::new("shop.pact", text), diagnostics, Colour::Off)
}

fn rendered(file: SourceFile, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let findings = Finding::all_placed(diagnostics.to_vec(), &file.into());
    diagnostics::render_findings(&findings, Style { colour, ..Style::plain() })
}

fn error(start: usize, end: usize) -> Diagnostic {
    Diagnostic::error(Code::UnexpectedToken, "something is wrong", Span::new(start, end))
}

#[test]
fn message_place_source_and_help() {
    let text = "roles Cus, Mer\nvar paid : bool\nproperty p = AF piad\n";
    let at = text.find("piad").unwrap();
    let diagnostic = Diagnostic::error(Code::UnknownName, "nothing is called `piad`", Span::new(at, at + 4))
        .at_span("not declared")
        .label(Span::new(19, 23), "this one is")
        .help("did you mean `paid`?");
    insta::assert_snapshot!(shown(text, &[diagnostic]));
}

#[test]
fn several_are_apart() {
    let warning = Diagnostic::warning(Code::UnexpectedToken, "something is odd", Span::new(6, 9));
    insta::assert_snapshot!(shown("roles Cus\n", &[error(0, 5), warning]));
}

#[test]
fn characters_of_several_bytes() {
    let text = "AG (été ∧ piad)";
    let at = text.find("piad").unwrap();
    insta::assert_snapshot!(shown(text, &[error(at, at + 4), error(4, 9)]));
}

#[test]
fn ends_of_files() {
    let cases = [("roles Cus\n", 10), ("roles Cus", 9), ("", 0)];
    let shown: Vec<String> = cases.iter().map(|(text, at)| shown(text, &[error(*at, *at)])).collect();
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn over_several_lines() {
    let text = "decompose Cr(Cus, c) {\n  0 : p\n}\nroles Cus\n";
    insta::assert_snapshot!(shown(text, &[error(0, 32)]));
}

#[test]
fn carriage_returns_do_not_shift_lines() {
    insta::assert_snapshot!(shown("roles Cus\r\nroles Mer\r\n", &[error(11, 16)]));
}

#[test]
fn control_sequences_do_not_reach_the_terminal() {
    let text = "roles \u{1b}[31mCus\u{2028}\u{b}x\ry\nvar";
    let diagnostic = Diagnostic::error(Code::UnexpectedToken, "a stray \u{1b}", Span::new(6, 7));
    let shown = shown(text, &[diagnostic]);
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
    assert!(shown.contains("shop.pact:1:7"), "{shown}");
}

/// Spans come from many places; a wrong one must not cost the user the message.
#[test]
fn no_span_is_too_odd() {
    let text = "a∧b\n\r\n∧\t\u{2028}\n\n";
    for start in 0..20 {
        for end in 0..20 {
            let shown = shown(text, &[error(start, end)]);
            assert!(
                shown.contains("something is wrong") && shown.contains("shop.pact:"),
                "{start}..{end}: {shown}"
            );
        }
    }
    assert!(shown(text, &[error(usize::MAX, usize::MAX)]).contains("something is wrong"));
    let far = error(0, 1).label(Span::new(900, 1000), "elsewhere");
    assert!(shown(text, &[far]).contains("something is wrong"));
}

/// The line and column shown are those that every other output format gives.
#[test]
fn the_place_is_that_of_the_source_file() {
    let text = "a∧b\n\r\n∧\tx\ry\n\nend\n";
    let file = SourceFile::new("shop.pact", text);
    for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
        let place = file.place(u32::try_from(at).unwrap());
        let shown = shown(text, &[error(at, at)]);
        assert!(shown.contains(&format!("shop.pact:{}:{} ", place.line, place.column)), "{at}: {shown}");
    }
}

#[test]
fn without_a_place() {
    let diagnostic =
        Diagnostic::new(Severity::Note, Code::Deadlock, "one state has no successor", Span::default())
            .at_span("for example: in done\nx = 1")
            .help("allow it");
    insta::assert_snapshot!(diagnostics::render_findings(&[Finding::general(diagnostic)], Style::plain()));
}

#[test]
fn colours_only_when_asked_for() {
    let file = SourceFile::new("shop.pact", "roles Cus");
    assert!(!rendered(file.clone(), &[error(0, 5)], Colour::Off).contains('\u{1b}'));
    assert!(
        rendered(file.clone(), &[error(0, 5)], Colour::On).contains("\u{1b}[31merror[unexpected-token]:")
    );
}

#[test]
fn places_in_several_files() {
    let mut file = SourceFile::new("shop.pact", "roles Cus\nuse \"pay.pact\" as pay\n");
    let base = file.add("pay.pact", "roles Ann\nvar paid : bol\n");
    let wrong =
        Diagnostic::error(Code::UnknownName, "no type is called `bol`", Span::new(base + 21, base + 24))
            .label(Span::new(10, 24), "used here")
            .help("did you mean `bool`?");
    insta::assert_snapshot!(rendered(file, &[wrong, error(6, 9)], Colour::Off));
}
