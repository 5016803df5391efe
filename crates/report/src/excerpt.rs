//! What is shown of a source beside a finding: the marked lines, cut where they are long, with nothing in them that a terminal would obey.

use std::collections::BTreeMap;
use std::ops::Range;

use servanda_syntax::{Place, SourceFile, Span};

use crate::visible;

/// The most characters of a line.
const WIDTH: usize = 160;

/// So many of them stand before the mark, where the line is cut.
const BEFORE: usize = 60;

/// A mark over at most so many lines is shown with all of them.
const LINES: usize = 20;

/// As much of a text as is shown. Lines that are not shown are empty, so that the others keep their numbers.
pub(crate) struct Excerpt {
    /// What the text is called.
    pub(crate) name: String,
    pub(crate) text: String,
    /// Where the bytes of the text are in the excerpt, as far as they are.
    places: BTreeMap<usize, usize>,
}

impl Excerpt {
    /// An excerpt of one text with these marks, which are places in it.
    pub(crate) fn new(file: &SourceFile, marks: &[Span]) -> Self {
        let number = |offset: usize| file.place(Span::new(file.base() + offset, 0).start).line;
        // Each line with the place on it that must be seen.
        let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
        for mark in marks {
            let (start, end) = (mark.start as usize, mark.end.max(mark.start) as usize);
            let (first, last) = (number(start), number(end.saturating_sub(1).max(start)));
            lines.entry(first).or_insert(start);
            lines.entry(last).or_insert(end);
            if last - first <= LINES {
                for between in first..last {
                    lines.entry(between).or_insert(0);
                }
            }
        }
        let name = visible(file.name()).into_owned();
        let mut excerpt = Excerpt { name, text: String::new(), places: BTreeMap::new() };
        let mut shown = 1;
        for (line, seen) in lines {
            (shown..line).for_each(|_| excerpt.text.push('\n'));
            let (start, text) = file.line(line);
            excerpt.push(start, text.strip_suffix('\r').unwrap_or(text), seen.saturating_sub(start));
            // So that the end of the file can be pointed at.
            if line == file.lines() && text.is_empty() {
                excerpt.text.push(' ');
            }
            excerpt.text.push('\n');
            shown = line + 1;
        }
        excerpt
    }

    /// Adds a line that begins at `start` of the text, so that the byte `seen` of it is shown.
    fn push(&mut self, start: usize, line: &str, seen: usize) {
        let seen = line.floor_char_boundary(seen.min(line.len()));
        let is_short = line.len() <= WIDTH || line.chars().nth(WIDTH).is_none();
        let before = line[..seen].char_indices().rev().take(BEFORE).last().map_or(seen, |(at, _)| at);
        let begin = if is_short { 0 } else { before };
        if begin > 0 {
            self.text.push('…');
        }
        self.places.insert(start, self.text.len());
        let mut end = begin;
        let most = if is_short { usize::MAX } else { WIDTH };
        for (at, character) in line[begin..].char_indices().take(most) {
            self.places.insert(start + begin + at, self.text.len());
            let written = &line[begin + at..begin + at + character.len_utf8()];
            match character {
                '\t' => self.text.push('\t'),
                _ => self.text.push_str(&visible(written)),
            }
            end = begin + at + character.len_utf8();
        }
        self.places.insert(start + end, self.text.len());
        if end < line.len() {
            self.text.push('…');
        }
    }

    /// The bytes that are underlined for a mark: on whole characters, never backwards and at least one character wide where there is one
    /// on the line.
    pub(crate) fn marked(&self, mark: Span) -> Range<usize> {
        let place = |offset: u32| self.places.range(..=offset as usize).next_back().map_or(0, |(_, at)| *at);
        let (start, end) = (place(mark.start), place(mark.end));
        if start < end {
            // The line's end is never meant, and underlining it would show an empty line more.
            let kept = self.text[start..end].trim_end_matches('\n').len();
            return start..start + kept;
        }
        match self.text[start..].chars().next() {
            Some(character) if character != '\n' => start..start + character.len_utf8(),
            _ => start..start,
        }
    }

    /// What the renderer takes for the place of a mark: it does not know of what is not shown.
    pub(crate) fn taken_for(&self, mark: Span, place: Place) -> String {
        let start = self.marked(mark).start;
        let line = self.text[..start].rsplit('\n').next().unwrap_or_default();
        format!(" {}:{}:{} ", self.name, place.line, line.chars().count() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, marks: &[(usize, usize)]) -> (String, Vec<String>) {
        let file = SourceFile::new("f", text);
        let marks: Vec<Span> = marks.iter().map(|(start, end)| Span::new(*start, *end)).collect();
        let excerpt = Excerpt::new(&file, &marks);
        let marked = marks.iter().map(|mark| excerpt.text[excerpt.marked(*mark)].to_owned()).collect();
        (excerpt.text, marked)
    }

    #[test]
    fn other_lines_are_empty_and_marks_stay_where_they_are() {
        let (text, marked) = shown("one\ntwo\r\nthree\nfour", &[(4, 7), (15, 19)]);
        assert_eq!((text.as_str(), marked), ("\ntwo\n\nfour\n", vec!["two".to_owned(), "four".to_owned()]));
        assert_eq!(shown("", &[(0, 0)]), (" \n".to_owned(), vec![" ".to_owned()]));
        assert_eq!(shown("ab\n", &[(1, 3)]).1, ["b"]);
        assert_eq!(shown("ab\ncd\n", &[(1, 5)]).1, ["b\ncd"]);
        assert_eq!(shown("a", &[(0, 0), (1, 1), (900, 901)]).1, ["a", "", ""]);
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let text = format!("{}BAD{}", "a".repeat(10_000_000), "é".repeat(1000));
        let (text, marked) = shown(&text, &[(10_000_000, 10_000_003)]);
        assert_eq!(marked, ["BAD"]);
        assert_eq!(text, format!("…{}BAD{}…\n", "a".repeat(60), "é".repeat(97)));
        let (text, marked) = shown(&"x".repeat(5000), &[(0, 5000), (10, 11)]);
        assert_eq!((text.chars().count(), marked[0].len(), marked[1].as_str()), (162, 160, "x"));
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let (text, marked) = shown("a\u{1b}[2J\u{9b}b\u{202e}c\n", &[(7, 8), (1, 2)]);
        assert_eq!(text, "a\\u{1b}[2J\\u{9b}b\\u{202e}c\n");
        assert_eq!(marked, ["b", "\\u{1b}"]);
    }
}
