//! A source text and places in it.

use serde::{Deserialize, Serialize};

use crate::Token;

/// A half-open range of byte offsets in a source file, or in one of the texts that it uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
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

    /// What stands there in a text whose places count from `base`; nothing where the text does not reach.
    #[inline]
    pub(crate) fn within(self, text: &str, base: usize) -> &str {
        let (start, end) = ((self.start as usize).checked_sub(base), (self.end as usize).checked_sub(base));
        start.zip(end).and_then(|(start, end)| text.get(start..end)).unwrap_or("")
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

/// So many bytes are counted at once.
const BLOCK: usize = 4096;

/// How many characters begin among these bytes of a text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte as i8) >= -0x40).count()
}

/// A named source text with an index of its lines, and the texts that it uses. Offsets go on from text to text, so that an offset says
/// which text it is in.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    /// How many characters stand before each [`BLOCK`] of bytes, so that a column on a long line is known without counting from its
    /// beginning.
    characters: Vec<usize>,
    /// The first offset of the text.
    base: usize,
    /// Those that it uses, each behind the one before.
    further: Vec<SourceFile>,
}

impl SourceFile {
    /// Wraps `text`; `name` is what diagnostics call the file.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        SourceFile::at(0, name.into(), text.into())
    }

    fn at(base: usize, name: String, text: String) -> Self {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let characters = text.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            let here = *before;
            *before += characters(block);
            Some(here)
        });
        let characters = characters.collect();
        SourceFile { name, text, line_starts, characters, base, further: Vec::new() }
    }

    /// How many characters stand before a byte of the text.
    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        let before = self.characters.get(block).copied();
        // At the very end there may be no block any more.
        let (block, before) = match (before, self.characters.last()) {
            (Some(before), _) => (block, before),
            (None, Some(last)) => (self.characters.len() - 1, *last),
            (None, None) => return 0,
        };
        before + characters(&self.text.as_bytes()[block * BLOCK..offset])
    }

    /// What stands on a line of the text, counted from 1, without its end; and the offset in the text at which it begins.
    pub fn line(&self, number: usize) -> (usize, &str) {
        let start = self.line_starts.get(number.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let end = self.line_starts.get(number).copied().unwrap_or(self.text.len());
        (start, self.text[start..end].trim_end_matches('\n'))
    }

    /// How many lines the text has; after the last line's end there is another one.
    pub fn lines(&self) -> usize {
        self.line_starts.len()
    }

    /// Adds a text that this one uses, and gives the offset at which it begins: places in it count from there.
    ///
    /// ```
    /// use servanda_syntax::{SourceFile, Span};
    ///
    /// let mut file = SourceFile::new("shop.pact", "use \"pay.pact\" as pay\n");
    /// let base = file.add("pay.pact", "roles Ann\nroles Bob\n");
    /// let place = file.place(base as u32 + 16);
    /// assert_eq!((file.name_at(base as u32 + 16), place.line, place.column), ("pay.pact", 2, 7));
    /// assert_eq!(file.slice(Span::new(base + 16, base + 19)), "Bob");
    /// assert_eq!(file.name_at(16), "shop.pact");
    /// ```
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        let last = self.further.last().unwrap_or(self);
        // An offset between two texts belongs to the first: the end of a text is a place in it.
        let base = last.base + last.text.len() + 1;
        self.further.push(SourceFile::at(base, name.into(), text.into()));
        base
    }

    /// Adds a text with those that it uses, and gives by how much places in them move.
    pub fn append(&mut self, other: SourceFile) -> u32 {
        let SourceFile { name, text, further, .. } = other;
        let moved = self.add(name, text);
        for file in further {
            self.add(file.name, file.text);
        }
        moved as u32
    }

    /// What diagnostics call the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, without those that it uses.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first offset of the text.
    pub fn base(&self) -> usize {
        self.base
    }

    /// This text and those that it uses, in the order of their offsets.
    pub fn texts(&self) -> impl Iterator<Item = &SourceFile> {
        std::iter::once(self).chain(&self.further)
    }

    /// The text that an offset is in.
    pub fn file_of(&self, offset: u32) -> &SourceFile {
        let before = self.further.partition_point(|file| file.base <= offset as usize);
        before.checked_sub(1).map_or(self, |last| &self.further[last])
    }

    /// What diagnostics call the file that an offset is in.
    pub fn name_at(&self, offset: u32) -> &str {
        &self.file_of(offset).name
    }

    /// A span as offsets into the text of the file that it is in.
    pub fn inside(&self, span: Span) -> Span {
        let base = self.file_of(span.start).base;
        Span::new((span.start as usize).saturating_sub(base), (span.end as usize).saturating_sub(base))
    }

    /// The text of `span`, cut to what exists.
    pub fn slice(&self, span: Span) -> &str {
        let file = self.file_of(span.start);
        let end = (span.end as usize).saturating_sub(file.base).min(file.text.len());
        let start = (span.start as usize).saturating_sub(file.base).min(end);
        file.text.get(start..end).unwrap_or("")
    }

    /// The words among these tokens, those of one or more of the texts, that lie in one of the places.
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

    /// Line and column of a byte offset, in the file that it is in.
    pub fn place(&self, offset: u32) -> Place {
        let file = self.file_of(offset);
        let offset = (offset as usize).saturating_sub(file.base).min(file.text.len());
        let line = file.line_starts.partition_point(|&start| start <= offset) - 1;
        let before = file.characters_before(offset) - file.characters_before(file.line_starts[line]);
        Place { line: line + 1, column: before + 1 }
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

    #[test]
    fn columns_on_long_lines_are_counted_in_blocks() {
        let text = "∧aé\n".repeat(10) + &"ö€x".repeat(3 * BLOCK);
        let file = SourceFile::new("f", text.as_str());
        for offset in
            (0..text.len()).filter(|offset| text.is_char_boundary(*offset)).step_by(101).chain([text.len()])
        {
            let before = &text[..offset];
            let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
            assert_eq!(file.place(offset as u32).column, column, "{offset}");
        }
    }

    #[test]
    fn an_offset_says_which_text_it_is_in() {
        let mut file = SourceFile::new("a", "ab");
        let bases = [file.add("b", ""), file.add("c", "d\ne")];
        assert_eq!(bases, [3, 4]);
        let found: Vec<(&str, usize, usize)> =
            (0..9).map(|at| (file.name_at(at), file.place(at).line, file.place(at).column)).collect();
        let expected = [
            ("a", 1, 1),
            ("a", 1, 2),
            ("a", 1, 3),
            ("b", 1, 1),
            ("c", 1, 1),
            ("c", 1, 2),
            ("c", 2, 1),
            ("c", 2, 2),
            ("c", 2, 2),
        ];
        assert_eq!(found, expected);
        assert_eq!(file.slice(Span::new(6, 40)), "e");
        assert_eq!(file.slice(Span::new(1, 40)), "b", "no span reaches into another text");
        assert_eq!(file.inside(Span::new(4, 7)), Span::new(0, 3));
        let sizes: Vec<(usize, &str)> = file.texts().map(|part| (part.base(), part.text())).collect();
        assert_eq!(sizes, [(0, "ab"), (3, ""), (4, "d\ne")]);
    }
}
