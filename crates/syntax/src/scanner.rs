//! A position in a text that is cut into tokens.

use crate::{Code, Diagnostic, Span, Token, TokenKind};

/// Where a lexer is, its tokens so far, and what it has found wrong. What a language makes of the text is its own business.
pub struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// The offset at which the text begins.
    base: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Scanner<'t> {
    /// Cuts a text into tokens, of which the last is the end, and says what could not be read. `step` is given the next character and reads
    /// whatever starts with it; it always moves on.
    pub fn tokens(text: &'t str, step: impl Fn(&mut Self, char)) -> (Vec<Token>, Vec<Diagnostic>) {
        Scanner::tokens_at(text, 0, step)
    }

    /// The same for a text whose places count from `base` ([`crate::SourceFile::add`]).
    pub fn tokens_at(
        text: &'t str,
        base: usize,
        step: impl Fn(&mut Self, char),
    ) -> (Vec<Token>, Vec<Diagnostic>) {
        // Editors of some systems put a byte order mark at the beginning, which is no part of the text.
        let mark = '\u{feff}';
        let at = if text.starts_with(mark) { mark.len_utf8() } else { 0 };
        // Tokens are rarely shorter than four bytes with the space around them; growing a list of millions would copy it.
        let tokens = Vec::with_capacity(text.len() / 4 + 1);
        let mut scanner = Scanner { text, at, base, tokens, diagnostics: Vec::new() };
        while let Some(next) = scanner.next() {
            step(&mut scanner, next);
        }
        scanner.push(TokenKind::End, 0);
        (scanner.tokens, scanner.diagnostics)
    }

    /// Adds a token made of the next `length` bytes.
    #[inline]
    pub fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.take(length);
        self.tokens.push(Token { kind, span });
    }

    /// The token that is so many tokens back, as it is written; 0 is the last.
    pub fn back(&self, count: usize) -> Option<(TokenKind, &'t str)> {
        let token = self.tokens.get(self.tokens.len().checked_sub(count + 1)?)?;
        Some((token.kind, self.slice(token.span)))
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
    fn slice(&self, span: Span) -> &'t str {
        span.within(self.text, self.base)
    }

    /// The place of the next `length` bytes.
    #[inline]
    pub fn span(&self, length: usize) -> Span {
        Span::new(self.base + self.at, self.base + self.at + length)
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

    /// Adds the number that begins here. One that is too large is reported; `largest` says what the largest is.
    pub fn number(&mut self, largest: &str) {
        let length = self.run_of(|c| c.is_ascii_digit());
        if self.rest()[..length].parse::<i64>().is_err() {
            let span = self.span(length);
            let error = Diagnostic::error(Code::NumberTooLarge, "this number is too large", span);
            self.report(error.help(format!("{largest} {}", i64::MAX)));
        }
        self.push(TokenKind::Number, length);
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
        self.report(Diagnostic { help: help.map(str::to_owned), ..error });
    }
}
