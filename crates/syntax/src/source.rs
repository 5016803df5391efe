//! A source text and places in it.

use crate::Token;

/// A half-open range of byte offsets in one source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` to `end`.
    #[inline]
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both.
    #[inline]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

#[inline]
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// A line and a column, both counted from 1; the column counts characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

/// A named source text with an index of its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<usize>,
}

impl SourceFile {
    /// Wraps `text`; `name` is what diagnostics call the file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        SourceFile { name: name.into(), text, line_starts }
    }

    /// What diagnostics call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of `span`, cut to what exists.
    pub fn slice(&self, span: Span) -> &str {
        let end = (span.end as usize).min(self.text.len());
        let start = (span.start as usize).min(end);
        self.text.get(start..end).unwrap_or("")
    }

    /// The words among these tokens, those of the text, that lie in one of the places.
    pub fn words_in(&self, tokens: &[Token], places: &[Span]) -> impl Iterator<Item = &str> {
        let mut covered: Vec<Span> = Vec::new();
        let mut sorted = places.to_vec();
        sorted.sort();
        for place in sorted {
            match covered.last_mut() {
                Some(last) if place.start <= last.end => *last = last.to(place),
                _ => covered.push(place),
            }
        }
        let is_covered = move |inner: Span| {
            let first = covered.partition_point(|place| place.end < inner.end);
            covered.get(first).is_some_and(|place| place.start <= inner.start)
        };
        let inside = tokens.iter().filter(move |token| is_covered(token.span));
        inside.filter_map(|token| token.word(self.slice(token.span)))
    }

    /// Line and column of a byte offset.
    pub fn place(&self, offset: u32) -> Place {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let before = self.text.get(self.line_starts[line]..offset).unwrap_or("");
        Place { line: line + 1, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_start_at_one() {
        let file = SourceFile::new("f", "∧a\nb");
        assert_eq!(file.place(0), Place { line: 1, column: 1 });
        assert_eq!(file.place(3), Place { line: 1, column: 2 });
        assert_eq!(file.place(5), Place { line: 2, column: 1 });
        assert_eq!(file.place(900), Place { line: 2, column: 2 });
    }
}
