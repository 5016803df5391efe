//! A position in a text that is cut into tokens.

use crate::{Code, Diagnostic, Span};

/// Where a lexer is, and what it has found wrong. What a language makes of the text is its own business.
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t> Scanner<'t> {
    /// Starts at the beginning. Editors of some systems put a byte order mark there, which is no part of the text.
    pub fn new(text: &'t str) -> Self {
        let mark = '\u{feff}';
        let at = if text.starts_with(mark) { mark.len_utf8() } else { 0 };
        Scanner { text, at, diagnostics: Vec::new() }
    }

    /// What is still to be read.
    #[inline]
    pub fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// The next character.
    #[inline]
    pub fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The text of a place.
    #[inline]
    pub fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The place of the next `length` bytes.
    #[inline]
    pub fn span(&self, length: usize) -> Span {
        Span::new(self.at, self.at + length)
    }

    /// Steps over `length` bytes and gives their place.
    #[inline]
    pub fn take(&mut self, length: usize) -> Span {
        let span = self.span(length);
        self.at += length;
        span
    }

    /// How many bytes of the rest belong together, from the next one on.
    #[inline]
    pub fn run_of(&self, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !belongs(c)).unwrap_or(rest.len())
    }

    /// Steps over the rest of the line.
    #[inline]
    pub fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').unwrap_or(rest.len());
    }

    /// Reports something.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a character that no token begins with, and steps over it.
    pub fn unknown(&mut self, character: char, help: Option<&str>) {
        let shown = if character.is_control() {
            format!("U+{:04X}", u32::from(character))
        } else {
            format!("`{character}`")
        };
        let span = self.take(character.len_utf8());
        let error = Diagnostic::error(Code::UnknownCharacter, format!("{shown} has no meaning here"), span);
        self.report(match help {
            Some(help) => error.help(help),
            None => error,
        });
    }
}
