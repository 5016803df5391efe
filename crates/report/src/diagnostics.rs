//! Diagnostics with the source they are about, underlined.
//!
//! ```
//! use servanda_report::{Finding, Style, diagnostics};
//! use servanda_syntax::{Code, Diagnostic, SourceFile, Span};
//!
//! let file = SourceFile::new("shop.pact", "roles Cus, Cus\n").into();
//! let error = Diagnostic::error(Code::DuplicateName, "the role `Cus` is declared twice", Span::new(11, 14));
//! let shown = diagnostics::render_findings(&[Finding::placed(error, &file)], Style::plain());
//! assert!(shown.starts_with("error[duplicate-name]: the role `Cus` is declared twice"));
//! assert!(shown.contains("shop.pact:1:12"));
//! ```

use std::fmt::Write as _;
use std::ops::Range;

use ariadne::{Color, Config, IndexType, Label, LabelAttach, Report, ReportKind, sources};
use servanda_syntax::{Diagnostic, Severity, SourceFile, Span};

use crate::style::Ink;
use crate::{Colour, Detail, Finding, Style};

/// Renders findings in their order, each with its own source, a blank line between them: only errors where little is
/// to be said, with further detail where much is.
pub fn render_findings<'a>(findings: impl IntoIterator<Item = &'a Finding>, style: Style) -> String {
    let wanted = |finding: &&Finding| style.detail != Detail::Quiet || finding.diagnostic.is_error();
    let shown = findings.into_iter().filter(wanted).map(|finding| {
        let mut shown = match &finding.source {
            Some(source) => render_one(source, &finding.diagnostic, style.colour),
            None => render_general(&finding.diagnostic, style.colour),
        };
        if style.detail == Detail::Verbose {
            shown.push_str(&indented(&finding.more));
        }
        shown
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn render_one(file: &SourceFile, diagnostic: &Diagnostic, colour: Colour) -> String {
    let (main_colour, _) = colours(diagnostic.severity);
    let home = file.file_of(diagnostic.span.start).base();

    let mut labels = vec![(diagnostic.span, diagnostic.note_at_span.as_deref().unwrap_or(""), main_colour)];
    labels.extend(diagnostic.labels.iter().map(|label| (label.span, label.message.as_str(), Color::Cyan)));
    // Labels out of order would make the same excerpt appear twice; the file that the finding is about comes first.
    labels.sort_by_key(|(span, ..)| (file.file_of(span.start).base() != home, span.start, span.end));

    let mut texts: Vec<(String, String)> = Vec::new();
    for part in labels.iter().map(|(span, ..)| file.file_of(span.start)) {
        if texts.iter().all(|(name, _)| name != part.name()) {
            texts.push((part.name().to_owned(), displayed_text(part.text())));
        }
    }
    let place = |span: Span| {
        let name = file.name_at(span.start);
        let text = texts.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text);
        (name.to_owned(), displayed_span(text, file.inside(span)))
    };

    let config = Config::new()
        .with_index_type(IndexType::Byte)
        .with_color(colour == Colour::On)
        .with_label_attach(LabelAttach::Start);
    let mut report = Report::build(ReportKind::Error, place(diagnostic.span)).with_config(config);
    for (span, message, colour) in labels {
        // Without a message the renderer marks by colour alone, which is no mark where there are no colours.
        let message = if message.is_empty() { "here".to_owned() } else { clean(message) };
        report = report.with_label(Label::new(place(span)).with_color(colour).with_message(message));
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(clean(help));
    }

    let mut excerpt = Vec::new();
    let mut shown = heading(diagnostic, colour);
    match report.finish().write(sources(texts), &mut excerpt) {
        // The first line is the renderer's own heading, which would be coloured even without colours.
        Ok(()) => {
            for line in String::from_utf8_lossy(&excerpt).lines().skip(1) {
                shown.push_str(line.trim_end());
                shown.push('\n');
            }
        }
        // Writing to memory does not fail; should it ever, the place must still reach the user.
        Err(_) => {
            let at = file.place(diagnostic.span.start);
            let name = file.name_at(diagnostic.span.start);
            let _ = writeln!(shown, "  {name}:{}:{}", at.line, at.column);
        }
    }
    shown
}

/// A diagnostic that has no place.
fn render_general(diagnostic: &Diagnostic, colour: Colour) -> String {
    let mut shown = heading(diagnostic, colour);
    shown.push_str(&indented(diagnostic.note_at_span.as_deref().unwrap_or("")));
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(shown, "  Help: {}", clean(help));
    }
    shown
}

fn colours(severity: Severity) -> (Color, Ink) {
    match severity {
        Severity::Error => (Color::Red, Ink::Red),
        Severity::Warning => (Color::Yellow, Ink::Yellow),
        Severity::Note => (Color::Blue, Ink::Blue),
    }
}

fn heading(diagnostic: &Diagnostic, colour: Colour) -> String {
    let (_, ink) = colours(diagnostic.severity);
    // The code leads to its page in docs/errors.
    let severity = format!("{}[{}]:", diagnostic.severity.word(), diagnostic.code);
    format!("{} {}\n", colour.paint(ink, &severity), clean(&diagnostic.message))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {}\n", clean(line))).collect()
}

/// A message that may quote a file: control sequences in it must not reach the terminal.
fn clean(message: &str) -> String {
    message.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// The text as it is shown. A line ends at `\n` only, as everywhere in Servanda, so other characters that a terminal or
/// the renderer would take for a line's end become blanks of as many bytes; and a text that ends with a line's end gets
/// a blank after it, so that the end of the file can be pointed at.
fn displayed_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 1);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => shown.push('\r'),
            '\r' | '\u{b}' | '\u{c}' => shown.push(' '),
            '\u{85}' => shown.push('\u{a0}'),
            '\u{2028}' | '\u{2029}' => shown.push('\u{2002}'),
            '\n' | '\t' => shown.push(character),
            // Control sequences in a file must not reach the terminal.
            character if character.is_ascii_control() => shown.push(' '),
            character => shown.push(character),
        }
    }
    if shown.is_empty() || shown.ends_with('\n') {
        shown.push(' ');
    }
    shown
}

/// The bytes that are underlined for a span: inside the text, on whole characters, never backwards and at least one
/// character wide where there is one on the line.
fn displayed_span(text: &str, span: Span) -> Range<usize> {
    let start = text.floor_char_boundary((span.start as usize).min(text.len()));
    let end = text.ceil_char_boundary((span.end as usize).min(text.len()));
    if start < end {
        // The line's end is never meant, and underlining it would show an empty line more.
        let kept = text[start..end].trim_end_matches(['\n', '\r']).len();
        return start..start + kept;
    }
    match text[start..].chars().next() {
        Some(character) if character != '\n' && character != '\r' => start..start + character.len_utf8(),
        _ => start..start,
    }
}
