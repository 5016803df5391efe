//! A mapping as it is typed: keys and texts with the tables they stand in, also where the whole is no TOML yet.

mod words;

use servanda_syntax::{Span, Text, Token, TokenKind};

use super::keys::Section;
pub(super) use words::expression;

/// What comes next at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Next {
    #[default]
    Key,
    /// What follows a key: `.` or `=`.
    Equals,
    Value,
    /// What follows a value.
    After,
    /// The name of a table between brackets.
    Header,
    /// A comment.
    Nothing,
}

/// A key as it is written.
#[derive(Clone, Debug)]
pub(super) struct Named {
    pub(super) section: Option<Section>,
    pub(super) text: Text,
    /// All of it, with what stands behind it.
    pub(super) statement: Span,
    /// Which block it stands in.
    pub(super) block: usize,
}

/// A text as it is written.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub(super) section: Option<Section>,
    pub(super) key: String,
    /// What stands between the quotation marks.
    pub(super) inside: Span,
    /// Is it what it says, without escapes?
    pub(super) plain: bool,
    pub(super) block: usize,
    pub(super) statement: Span,
}

/// A table with a header, up to the next one.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) section: Option<Section>,
    /// The name of the table in the header.
    pub(super) name: Span,
    pub(super) span: Span,
    /// The last `[[view]]` or `[[table]]` up to here, by its number from 0.
    pub(super) number: Option<usize>,
}

/// An array or an inline table around a place.
struct Frame {
    section: Option<Section>,
    key: String,
    entry: Option<usize>,
    is_table: bool,
}

/// A text that has no end, up to where it was read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) start: usize,
    pub(super) plain: bool,
}

#[derive(Default)]
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
    pub(super) tokens: Vec<Token>,
    pub(super) keys: Vec<Named>,
    pub(super) texts: Vec<Written>,
    pub(super) blocks: Vec<Block>,
    /// Arrays over several lines.
    pub(super) folds: Vec<Span>,
    /// The table whose keys come next; `None` for one that is not known.
    pub(super) section: Option<Section>,
    pub(super) key: String,
    entry: Option<usize>,
    frames: Vec<Frame>,
    arrays: Vec<usize>,
    /// Where the inline tables begin that are open.
    tables: Vec<usize>,
    pub(super) next: Next,
    pub(super) open: Option<Open>,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let (name, span) = (Span::default(), Span::new(0, text.len()));
        let first = Block { section: Some(Section::Top), name, span, number: None };
        let section = Some(Section::Top);
        let mut scan = Scan { text, blocks: vec![first], section, ..Scan::default() };
        while let Some(letter) = scan.rest().chars().next() {
            scan.step(letter);
        }
        scan.end_entry();
        scan
    }

    /// Where the innermost inline table begins that is open at the end of the text; 0 where none is.
    pub(super) fn rule(&self) -> usize {
        self.tables.last().copied().unwrap_or(0)
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) -> Span {
        let span = Span::new(self.at, self.at + length);
        self.tokens.push(Token { kind, span });
        self.at += length;
        span
    }

    fn step(&mut self, letter: char) {
        // A comment ends with its line, and with it what it hid.
        match letter {
            '\n' => {
                self.at += 1;
                if self.frames.is_empty() || self.is_header() {
                    self.end_entry();
                    self.frames.clear();
                    self.arrays.clear();
                    self.tables.clear();
                    self.section = self.blocks.last().and_then(|block| block.section);
                    self.next = Next::Key;
                } else if self.next == Next::Nothing {
                    self.next = Next::After;
                }
            }
            letter if letter.is_whitespace() => self.at += letter.len_utf8(),
            '#' => {
                self.next = Next::Nothing;
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            }
            '[' if self.next == Next::Key && self.frames.is_empty() => self.header(),
            '"' | '\'' => self.quoted(letter),
            '=' | '.' if self.next == Next::Equals => {
                self.push(TokenKind::Broken, 1);
                match letter {
                    '=' => self.next = Next::Value,
                    _ => {
                        self.section = self.section.and_then(|section| section.inside(&self.key));
                        self.next = Next::Key;
                    }
                }
            }
            '[' | '{' => self.opened(letter == '{'),
            ']' | '}' => self.closed(),
            ',' => {
                self.push(TokenKind::Broken, 1);
                self.end_entry();
                self.next = match self.frames.last() {
                    Some(frame) if frame.is_table => Next::Key,
                    _ => Next::Value,
                };
            }
            _ => self.word(letter),
        }
    }

    /// Does a line begin here that is the header of a table, whatever was left open before it?
    fn is_header(&self) -> bool {
        let line =
            self.rest().lines().next().unwrap_or_default().split('#').next().unwrap_or_default().trim();
        let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) else { return false };
        let name = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        Section::Top.inside(name.split('.').next().unwrap_or_default().trim()).is_some()
    }

    fn header(&mut self) {
        let start = self.at;
        let line = self.rest().lines().next().unwrap_or_default();
        let several = line.starts_with("[[");
        self.push(TokenKind::Broken, if several { 2 } else { 1 });
        let inside = &self.text[self.at..start + line.len()];
        let length = inside.find([']', '#']).unwrap_or(inside.len());
        let name = &inside[..length];
        let known = name.split('.').try_fold(Section::Top, |section, part| section.inside(part.trim()));
        let place = match length {
            0 => Span::new(self.at, self.at),
            _ => self.push(TokenKind::Word, length),
        };
        let closing = self.rest().len() - self.rest().trim_start_matches(']').len();
        self.section = known;
        self.next = if closing == 0 { Next::Header } else { Next::After };
        if closing > 0 {
            self.push(TokenKind::Broken, closing);
        }
        if let Some(last) = self.blocks.last_mut() {
            last.span.end = start as u32;
        }
        let before = |section| {
            self.blocks.iter().filter(|block| block.section == Some(section) && block.is_first()).count()
        };
        let number = match known {
            Some(section @ (Section::View | Section::Table)) => Some(before(section)),
            Some(Section::Event | Section::Timer | Section::Levels | Section::Cites) => {
                before(Section::View).checked_sub(1)
            }
            _ => None,
        };
        self.blocks.push(Block {
            section: known,
            name: place,
            span: Span::new(start, self.text.len()),
            number,
        });
    }

    fn opened(&mut self, is_table: bool) {
        if is_table { &mut self.tables } else { &mut self.arrays }.push(self.at);
        self.push(TokenKind::Broken, 1);
        let inside = self.section.and_then(|section| section.inside(&self.key));
        self.frames.push(Frame { section: self.section, key: self.key.clone(), entry: self.entry, is_table });
        if is_table {
            self.section = inside;
            self.entry = None;
            self.next = Next::Key;
        } else {
            self.next = Next::Value;
        }
    }

    fn closed(&mut self) {
        self.push(TokenKind::Broken, 1);
        let Some(frame) = self.frames.pop() else { return };
        if frame.is_table {
            self.tables.pop();
            self.end_entry();
        } else if let Some(start) = self.arrays.pop() {
            self.folds.push(Span::new(start, self.at));
        }
        (self.section, self.key, self.entry) = (frame.section, frame.key, frame.entry);
        self.next = Next::After;
    }

    /// What a key says ends here.
    fn end_entry(&mut self) {
        let within_array = self.frames.last().is_some_and(|frame| !frame.is_table);
        if let Some(entry) = self.entry.filter(|_| !within_array) {
            let end = self.tokens.last().map_or(0, |token| token.span.end);
            self.keys[entry].statement.end = end.max(self.keys[entry].text.span.end);
            self.entry = None;
        }
    }
}

impl Block {
    /// Does it begin what it is about? `[view.cites]` goes on.
    pub(super) fn is_first(&self) -> bool {
        matches!(self.section, Some(Section::View | Section::Table))
    }
}
