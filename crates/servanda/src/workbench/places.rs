//! Places and findings as the page knows them.

use servanda_messages::{Finding, Level, Place, Severity};
use servanda_model::Level as Weight;
use servanda_syntax::{Severity as Grade, SourceFile, Span};

/// What a formula of the page is called where a text has a name.
pub(super) const FORMULA: &str = "formula";

/// The name under which a formula that is no property is read.
const GIVEN: &str = "--formula";

/// A place in one of the texts of a source.
pub(super) fn place(source: &SourceFile, span: Span) -> Place {
    let file = source.file_of(span.start);
    // A span that ends with a line's end would otherwise reach into the next line.
    let kept = source.slice(span).trim_end().len();
    let start = (span.start as usize).saturating_sub(file.base());
    let (line, column) = line_and_column(file.text(), start);
    let (end_line, end_column) = line_and_column(file.text(), start.saturating_add(kept));
    let path = if file.name() == GIVEN { FORMULA } else { file.name() };
    Place { path: path.to_owned(), line, column, end_line, end_column }
}

/// The place where something is written, if it is written anywhere.
pub(super) fn written(source: &SourceFile, span: Span) -> Option<Place> {
    (span != Span::default()).then(|| place(source, span))
}

/// Lines and columns from 1, columns in UTF-16 code units.
fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let before = &text[..offset];
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    (before.matches('\n').count() + 1, before[begin..].encode_utf16().count() + 1)
}

/// How much a property matters, in the word of the page.
pub(super) fn level(weight: Weight) -> Level {
    match weight {
        Weight::Must => Level::Must,
        Weight::Should => Level::Should,
        Weight::May => Level::May,
    }
}

/// Findings in the words of the page.
pub(super) fn findings(findings: &[servanda_report::Finding]) -> Vec<Finding> {
    findings.iter().map(finding).collect()
}

fn finding(finding: &servanda_report::Finding) -> Finding {
    let diagnostic = &finding.diagnostic;
    let source = finding.source.as_deref();
    let further = diagnostic.labels.iter().map(|label| match source {
        Some(source) => {
            let Place { path, line, column, .. } = place(source, label.span);
            format!("{} ({path}, line {line}, column {column})", label.message)
        }
        None => label.message.clone(),
    });
    Finding {
        severity: match diagnostic.severity {
            Grade::Error => Severity::Error,
            Grade::Warning => Severity::Warning,
            Grade::Note => Severity::Note,
        },
        code: diagnostic.code.to_string(),
        message: diagnostic.message.clone(),
        help: diagnostic.note_at_span.iter().cloned().chain(further).chain(diagnostic.help.clone()).collect(),
        place: source.map(|source| place(source, diagnostic.span)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf_16_code_units() {
        let source = SourceFile::new("a.pact", "x\n𝛼∧ab\ncd\n");
        let found = place(&source, Span::new(6, 10));
        assert_eq!((found.line, found.column, found.end_line, found.end_column), (2, 3, 2, 5));
        let whole = place(&source, Span::new(2, 14));
        assert_eq!((whole.line, whole.column, whole.end_line, whole.end_column), (2, 1, 3, 3));
        let beyond = place(&source, Span::new(900, 901));
        assert_eq!((beyond.line, beyond.column), (4, 1));
    }

    #[test]
    fn a_text_that_is_used_and_a_formula_have_names_of_their_own() {
        let mut source = SourceFile::new("a.pact", "p");
        let base = source.add("b.pact", "q\nr");
        assert_eq!(place(&source, Span::new(base + 2, base + 3)).path, "b.pact");
        assert_eq!(place(&SourceFile::new("--formula", "p"), Span::new(0, 1)).path, "formula");
        assert_eq!(written(&source, Span::default()), None);
    }
}
