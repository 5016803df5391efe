//! A text that is edited. Editors count lines from 0, and in a line the units of UTF-16.

/// A place as editors name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// Units of UTF-16 before it in the line.
    pub character: u32,
}

/// A text with an index of its lines.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    starts: Vec<usize>,
}

impl Text {
    /// A text.
    pub fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text { text, starts }
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The line with this number, without its end.
    pub fn line(&self, line: u32) -> &str {
        let Some(start) = self.starts.get(line as usize) else { return "" };
        let end = self.starts.get(line as usize + 1).map_or(self.text.len(), |next| next - 1);
        self.text[*start..end].trim_end_matches('\r')
    }

    /// The offset of a place: at the end of the line where that is shorter, at the end of the text where that is.
    pub fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize) else { return self.text.len() };
        let mut units = 0;
        for (at, letter) in self.line(position.line).char_indices() {
            if units >= position.character {
                return start + at;
            }
            units += letter.len_utf16() as u32;
        }
        start + self.line(position.line).len()
    }

    /// The place of an offset.
    pub fn position(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        let character = before.chars().map(|letter| letter.len_utf16() as u32).sum();
        Position { line: line as u32, character }
    }

    /// Puts something in the place of what stands between two places.
    pub fn replace(&mut self, from: Position, to: Position, by: &str) {
        let (from, to) = (self.offset(from), self.offset(to));
        let (from, to) = (from.min(to), from.max(to));
        self.text.replace_range(from..to, by);
        let kept = self.starts.partition_point(|start| *start <= from);
        let gone = self.starts.partition_point(|start| *start <= to);
        let inserted = by.match_indices('\n').map(|(at, _)| from + at + 1);
        let moved = |start: usize| start - (to - from) + by.len();
        for start in &mut self.starts[gone..] {
            *start = moved(*start);
        }
        self.starts.splice(kept..gone, inserted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn places_count_units_of_utf16() {
        let text = Text::new("a𝕏b\r\n∧c");
        assert_eq!(text.offset(at(0, 3)), 5);
        assert_eq!(text.position(5), at(0, 3));
        assert_eq!(text.offset(at(0, 99)), 6, "before the end of the line");
        assert_eq!(text.position(text.as_str().len()), at(1, 2));
        assert_eq!(text.offset(at(9, 0)), text.as_str().len());
    }

    #[test]
    fn lines_are_counted_again_after_an_edit() {
        let mut text = Text::new("one\ntwo\nthree");
        text.replace(at(0, 2), at(1, 1), "x\ny\n");
        assert_eq!(text.as_str(), "onx\ny\nwo\nthree");
        assert_eq!(text.starts, Text::new(text.as_str()).starts);
        text.replace(at(3, 5), at(0, 0), "");
        assert_eq!((text.as_str(), text.starts.len()), ("", 1));
    }
}
