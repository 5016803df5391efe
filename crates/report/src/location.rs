//! Where something is written, as tools that mark places in files want to know it.

use serde::{Deserialize, Serialize};
use servanda_syntax::{SourceFile, Span};

use crate::Finding;

/// A stretch of a file. Lines and columns count from 1, columns count characters, and the end is the place just after
/// the last character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file as the user named it.
    pub file: String,
    /// The line of the first character.
    pub line: usize,
    /// Its column.
    pub column: usize,
    /// The line of the end.
    pub end_line: usize,
    /// The column of the end.
    pub end_column: usize,
}

impl Location {
    /// The place of a span. There is none for a text that is in no file, such as a formula of the command line.
    pub fn of(source: &SourceFile, span: Span) -> Option<Self> {
        is_file(source.name_at(span.start)).then(|| Location::within(source, span))
    }

    /// The place of a span, also in a text that is in no file.
    pub fn within(source: &SourceFile, span: Span) -> Self {
        // A span that ends with a line's end would otherwise reach into the next line.
        let kept = source.slice(span).trim_end().len();
        let (start, end) = (source.place(span.start), source.place(span.start.saturating_add(kept as u32)));
        Location {
            file: source.name_at(span.start).to_owned(),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }

    /// The place of a finding, if it has one in a file.
    pub(crate) fn of_finding(finding: &Finding) -> Option<Self> {
        Location::of(finding.source.as_ref()?, finding.diagnostic.span)
    }
}

/// Texts that come from elsewhere go by names such as `<stdin>` and `--formula`.
pub(crate) fn is_file(name: &str) -> bool {
    !name.starts_with('<') && !name.starts_with("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_from_one_and_no_further_than_the_text() {
        let source = SourceFile::new("a.pact", "∧ab\ncd\n");
        let location = Location::of(&source, Span::new(3, 5));
        let Location { line, column, end_line, end_column, .. } = location.expect("it is a file");
        assert_eq!((line, column, end_line, end_column), (1, 2, 1, 4));
        let whole = Location::of(&source, Span::new(3, 9)).expect("it is a file");
        assert_eq!((whole.end_line, whole.end_column), (2, 3));
    }

    #[test]
    fn a_place_in_a_text_that_is_used_names_that_text() {
        let mut source = SourceFile::new("<stdin>", "p");
        let base = source.add("b.pact", "q\nr");
        let Location { file, line, .. } =
            Location::of(&source, Span::new(base + 2, base + 3)).expect("it is a file");
        assert_eq!((file.as_str(), line), ("b.pact", 2));
        assert_eq!(Location::of(&source, Span::new(0, 1)), None);
    }

    #[test]
    fn what_is_in_no_file_has_no_place() {
        for name in ["<stdin>", "--formula", "<formula>"] {
            assert_eq!(Location::of(&SourceFile::new(name, "p"), Span::new(0, 1)), None);
        }
    }
}
