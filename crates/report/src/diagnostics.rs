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

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ariadne::{Color, Config, IndexType, Label, LabelAttach, Report, ReportKind, sources};
use servanda_syntax::{Code, Diagnostic, Place, Severity, SourceFile, Span};

use crate::excerpt::Excerpt;
use crate::style::Ink;
use crate::{Colour, Detail, Finding, Style, visible};

/// Renders findings in their order, each with its own source, a blank line between them: only errors where little is
/// to be said, with further detail where much is. Of very many the first are shown, and the others are counted.
pub fn render_findings<'a>(findings: impl IntoIterator<Item = &'a Finding>, style: Style) -> String {
    let findings = findings.into_iter().filter(|finding| is_wanted(finding, style));
    first_in_full(findings, style, counted)
}

/// The same style for what follows these findings in the same run, which has shown them.
pub fn after<'a>(findings: impl IntoIterator<Item = &'a Finding>, style: Style) -> Style {
    let shown = findings.into_iter().filter(|finding| is_wanted(finding, style)).count();
    Style { findings: style.findings.saturating_sub(shown), ..style }
}

fn is_wanted(finding: &Finding, style: Style) -> bool {
    style.detail != Detail::Quiet || finding.diagnostic.is_error()
}

/// Renders all findings: the first in full, and then one line for each.
pub(crate) fn render_all<'a>(findings: impl IntoIterator<Item = &'a Finding>, style: Style) -> String {
    first_in_full(findings.into_iter(), style, |rest| {
        Some(rest.map(in_short).collect()).filter(|rest: &String| !rest.is_empty())
    })
}

/// The first findings in full, and what is said of the rest.
fn first_in_full<'a, I: Iterator<Item = &'a Finding>>(
    mut findings: I,
    style: Style,
    rest: impl FnOnce(I) -> Option<String>,
) -> String {
    let mut shown: Vec<String> =
        findings.by_ref().take(style.findings).map(|finding| in_full(finding, style)).collect();
    shown.extend(rest(findings));
    shown.join("\n")
}

fn in_full(finding: &Finding, style: Style) -> String {
    let mut shown = match &finding.source {
        Some(source) => render_one(source, &finding.diagnostic, style.colour),
        None => render_general(&finding.diagnostic, style.colour),
    };
    if style.detail == Detail::Verbose {
        shown.push_str(&indented(&finding.more));
    }
    shown
}

/// A finding on one line.
fn in_short(finding: &Finding) -> String {
    let heading = heading(&finding.diagnostic, Colour::Off);
    match &finding.source {
        Some(source) => {
            let start = finding.diagnostic.span.start;
            let Place { line, column } = source.place(start);
            format!("{}:{line}:{column}: {heading}", visible(source.name_at(start)))
        }
        None => heading,
    }
}

/// How many findings there are of each kind, if there are any.
fn counted<'a>(findings: impl Iterator<Item = &'a Finding>) -> Option<String> {
    let mut kinds: BTreeMap<(Severity, Code), usize> = BTreeMap::new();
    for finding in findings {
        *kinds.entry((finding.diagnostic.severity, finding.diagnostic.code)).or_default() += 1;
    }
    let all: usize = kinds.values().sum();
    let kinds: Vec<String> = kinds
        .iter()
        .map(|((severity, code), count)| format!("{count} {}[{code}]", severity.word()))
        .collect();
    (all > 0).then(|| format!("… and {all} more: {}\n", kinds.join(", ")))
}

fn render_one(file: &SourceFile, diagnostic: &Diagnostic, colour: Colour) -> String {
    let (main_colour, _) = colours(diagnostic.severity);
    let home = file.file_of(diagnostic.span.start).base();

    let mut labels = vec![(diagnostic.span, diagnostic.note_at_span.as_deref().unwrap_or(""), main_colour)];
    labels.extend(diagnostic.labels.iter().map(|label| (label.span, label.message.as_str(), Color::Cyan)));
    // Labels out of order would make the same excerpt appear twice; the file that the finding is about comes first.
    labels.sort_by_key(|(span, ..)| (file.file_of(span.start).base() != home, span.start, span.end));

    let excerpts = excerpts(file, diagnostic.span, labels.iter().map(|(span, ..)| *span).collect());
    let excerpt = |span: Span| {
        let base = file.file_of(span.start).base();
        excerpts.iter().find(|(other, _)| *other == base).map(|(_, excerpt)| excerpt)
    };
    let place = |span: Span| match excerpt(span) {
        Some(excerpt) => (excerpt.name.clone(), excerpt.marked(file.inside(span))),
        None => (String::new(), 0..0),
    };

    let config = Config::new()
        .with_index_type(IndexType::Byte)
        .with_color(colour == Colour::On)
        .with_label_attach(LabelAttach::Start);
    let mut report = Report::build(ReportKind::Error, place(diagnostic.span)).with_config(config);
    // What the renderer takes for a place, and what it is.
    let mut places: Vec<(String, String)> = Vec::new();
    for (span, message, colour) in labels {
        // Without a message the renderer marks by colour alone, which is no mark where there are no colours.
        let message = if message.is_empty() { "here".to_owned() } else { clean(message) };
        report = report.with_label(Label::new(place(span)).with_color(colour).with_message(message));
        let at = file.place(span.start);
        if let Some(excerpt) = excerpt(span) {
            let right = format!(" {}:{}:{} ", excerpt.name, at.line, at.column);
            places.push((excerpt.taken_for(file.inside(span), at), right));
        }
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(clean(help));
    }

    let mut drawn = Vec::new();
    let mut shown = heading(diagnostic, colour);
    let texts = excerpts.iter().map(|(_, excerpt)| (excerpt.name.clone(), excerpt.text.clone()));
    match report.finish().write(sources(texts), &mut drawn) {
        // The first line is the renderer's own heading, which would be coloured even without colours.
        Ok(()) => shown.push_str(&with_places(&String::from_utf8_lossy(&drawn), &places)),
        // Writing to memory does not fail; should it ever, the place must still reach the user.
        Err(_) => {
            let at = file.place(diagnostic.span.start);
            let name = visible(file.name_at(diagnostic.span.start));
            let _ = writeln!(shown, "  {name}:{}:{}", at.line, at.column);
        }
    }
    shown
}

/// Of every file that is marked what is shown of it, with the offset at which the file begins: the file that comes first in the marks first.
fn excerpts(file: &SourceFile, main: Span, marks: Vec<Span>) -> Vec<(usize, Excerpt)> {
    let base = |span: Span| file.file_of(span.start).base();
    let mut excerpts: Vec<(usize, Excerpt)> = Vec::new();
    for part in marks.iter().map(|span| file.file_of(span.start)) {
        if excerpts.iter().all(|(known, _)| *known != part.base()) {
            // What the finding is about is seen, whatever else stands on its line.
            let own = marks.iter().copied().filter(|span| base(*span) == part.base() && *span != main);
            let first = (part.base() == base(main)).then_some(main);
            let own: Vec<Span> = first.into_iter().chain(own).map(|span| file.inside(span)).collect();
            let mut made = Excerpt::new(part, &own);
            // The renderer knows texts by their names.
            if excerpts.iter().any(|(_, other)| other.name == made.name) {
                made.name.push_str(" (another)");
            }
            excerpts.push((part.base(), made));
        }
    }
    excerpts
}

/// What was drawn, with places as they are instead of what the renderer takes for them.
fn with_places(drawn: &str, places: &[(String, String)]) -> String {
    let mut shown = String::new();
    for line in drawn.lines().skip(1) {
        let wrong =
            places.iter().find(|(wrong, right)| wrong != right && line.contains("─") && line.contains(wrong));
        let line = match wrong {
            Some((wrong, right)) => line.replacen(wrong, right, 1),
            None => line.to_owned(),
        };
        shown.push_str(line.trim_end());
        shown.push('\n');
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
    message.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}
