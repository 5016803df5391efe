//! Where values and members are in a text that should be JSON. Nothing is understood or changed, so that doubled keys and long numbers
//! stay as they are.

use std::ops::Range;

/// What was found in a line.
#[derive(Default)]
pub(super) struct Places {
    /// Every value.
    pub(super) values: Vec<Range<usize>>,
    /// Every key with its quotes, its value behind it, and where its object ends.
    pub(super) members: Vec<Member>,
}

/// A member of an object.
pub(super) struct Member {
    pub(super) key: Range<usize>,
    pub(super) value: Range<usize>,
}

/// Looks as far as the text is JSON.
pub(super) fn places(text: &[u8]) -> Places {
    let mut places = Places::default();
    let mut reader = Reader { text, at: 0, places: &mut places };
    reader.value(0);
    places
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    places: &'t mut Places,
}

impl Reader<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn eat(&mut self, byte: u8) -> bool {
        self.blank();
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        if !self.eat(b'"') {
            return None;
        }
        while let Some(byte) = self.text.get(self.at) {
            self.at += if *byte == b'\\' { 2 } else { 1 };
            if *byte == b'"' {
                return Some(start..self.at);
            }
        }
        None
    }

    fn value(&mut self, depth: usize) -> Option<Range<usize>> {
        self.blank();
        let start = self.at;
        match self.text.get(self.at)? {
            _ if depth > 100 => return None,
            b'{' => self.inside(b'}', depth)?,
            b'[' => self.inside(b']', depth)?,
            b'"' => {
                self.string()?;
            }
            _ => {
                let is_end = |byte: &u8| b",]}".contains(byte) || byte.is_ascii_whitespace();
                self.at += self.text[self.at..].iter().position(is_end).unwrap_or(self.text.len() - self.at);
            }
        }
        let range = start..self.at;
        self.places.values.push(range.clone());
        Some(range)
    }

    fn inside(&mut self, end: u8, depth: usize) -> Option<()> {
        self.at += 1;
        if self.eat(end) {
            return Some(());
        }
        loop {
            self.blank();
            if end == b'}' {
                let key = self.string()?;
                if !self.eat(b':') {
                    return None;
                }
                let value = self.value(depth + 1)?;
                self.places.members.push(Member { key, value });
            } else {
                self.value(depth + 1)?;
            }
            if self.eat(end) {
                return Some(());
            }
            if !self.eat(b',') {
                return None;
            }
        }
    }
}
