//! A position in a list of tokens, and what every rule of the grammar needs.

use std::ops::{Deref, DerefMut};

use servanda_syntax::Span;

use crate::token::{Token, TokenKind, begins_definition};

/// Deepest nesting that is read: each level costs stack.
pub(crate) const DEEPEST_NESTING: usize = 400;

/// The cursor of all languages, and what CCS needs besides.
pub(crate) struct Cursor<'t>(servanda_syntax::Cursor<'t, TokenKind>);

impl<'t> Deref for Cursor<'t> {
    type Target = servanda_syntax::Cursor<'t, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Cursor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'t> Cursor<'t> {
    /// Starts at the first token; the last one is the end of the text.
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Cursor(servanda_syntax::Cursor::new(text, tokens, DEEPEST_NESTING))
    }

    pub(crate) fn at(&self, symbol: char) -> bool {
        self.kind(0) == TokenKind::Symbol(symbol)
    }

    /// Does a definition begin here, or the text end?
    pub(crate) fn at_border(&self) -> bool {
        self.at_end() || self.word(0).is_some_and(begins_definition)
    }

    pub(crate) fn eat(&mut self, symbol: char) -> bool {
        let found = self.at(symbol);
        self.eat_if(found)
    }

    /// Steps over a symbol, or reports that it is missing.
    pub(crate) fn expect(&mut self, symbol: char) -> Option<Span> {
        let span = self.span();
        if self.eat(symbol) {
            return Some(span);
        }
        self.unexpected(&format!("`{symbol}`"), None);
        None
    }

    /// Steps over everything up to the next definition.
    pub(crate) fn skip_to_border(&mut self) {
        while !self.at_border() {
            self.bump();
        }
    }

    /// Reports that the current token is not what was expected.
    pub(crate) fn unexpected(&mut self, expected: &str, help: Option<String>) {
        let token = self.nth(0);
        let found = match token.kind {
            TokenKind::Broken => return,
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::Content => format!("`({})`", self.slice(token.span)),
            TokenKind::Word | TokenKind::Symbol(_) => format!("`{}`", self.slice(token.span)),
        };
        self.expected(expected, &found, help.as_deref());
    }
}
