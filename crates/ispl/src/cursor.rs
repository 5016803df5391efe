//! A position in a list of tokens, and what every rule of the grammar needs.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_syntax::Span;

use crate::ast::Name;
use crate::token::{Token, TokenKind};

/// Deepest nesting that is read: each level costs stack here and in everything that walks the result.
const DEEPEST_NESTING: usize = 800;

/// The cursor of all languages, and what ISPL needs besides.
pub(crate) struct Cursor<'t> {
    base: servanda_syntax::Cursor<'t, TokenKind>,
    /// The names met, each stored once: generated files repeat a few names a million times.
    names: FxHashSet<Arc<str>>,
}

impl<'t> Deref for Cursor<'t> {
    type Target = servanda_syntax::Cursor<'t, TokenKind>;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl DerefMut for Cursor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.base
    }
}

impl<'t> Cursor<'t> {
    /// Starts at the first token. The last token of the list is taken for the end of the text whatever it is.
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        let base = servanda_syntax::Cursor::new(text, tokens, DEEPEST_NESTING);
        Cursor { base, names: FxHashSet::default() }
    }

    /// Starts at one token and ends before another.
    pub(crate) fn between(text: &'t str, tokens: &'t [Token], range: std::ops::Range<usize>) -> Self {
        let end = (range.end + 1).min(tokens.len());
        let mut cursor = Cursor::new(text, &tokens[..end]);
        cursor.go_to(range.start);
        cursor
    }

    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let name: Arc<str> = Arc::from(text);
        self.names.insert(name.clone());
        name
    }

    /// The value of the number that is the current token, if it is one. One that is too large has been reported.
    pub(crate) fn number(&self) -> Option<i64> {
        let token = self.nth(0);
        (token.kind == TokenKind::Number).then(|| self.slice(token.span).parse().unwrap_or_default())
    }

    /// The symbol `ahead` tokens from here, if one stands there.
    pub(crate) fn symbol(&self, ahead: usize) -> Option<&'static str> {
        match self.kind(ahead) {
            TokenKind::Symbol(symbol) => Some(symbol.text()),
            _ => None,
        }
    }

    pub(crate) fn at(&self, symbol: &str) -> bool {
        self.at_nth(0, symbol)
    }

    pub(crate) fn at_nth(&self, ahead: usize, symbol: &str) -> bool {
        self.symbol(ahead) == Some(symbol)
    }

    /// Does this symbol stand right before the current token?
    pub(crate) fn after(&self, symbol: &str) -> bool {
        matches!(self.previous(), Some(Token { kind: TokenKind::Symbol(found), .. }) if found.text() == symbol)
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.word(0) == Some(word)
    }

    pub(crate) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        self.eat_if(found)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        self.eat_if(found)
    }

    /// Steps over a symbol, or reports that it is missing.
    pub(crate) fn expect(&mut self, symbol: &str) -> Option<Span> {
        let span = self.span();
        if self.eat(symbol) {
            return Some(span);
        }
        self.unexpected(&format!("`{symbol}`"));
        None
    }

    /// Steps over a word, or reports that it is missing.
    pub(crate) fn expect_word(&mut self, word: &str) -> Option<Span> {
        let span = self.span();
        if self.eat_word(word) {
            return Some(span);
        }
        self.unexpected(&format!("`{word}`"));
        None
    }

    /// Reads a word as a name; `what` says what the name would be of.
    pub(crate) fn name(&mut self, what: &str) -> Option<Name> {
        let span = self.name_span(what)?;
        Some(Name { text: self.shared(self.slice(span)), span })
    }

    /// As [`Cursor::name`], where the text can be looked up later.
    pub(crate) fn name_span(&mut self, what: &str) -> Option<Span> {
        match self.word(0) {
            Some("end" | "if") | None => {
                self.unexpected(what);
                None
            }
            Some(_) => Some(self.bump()),
        }
    }

    /// Reads `{a, b}`; an empty list is read too.
    pub(crate) fn names(&mut self, what: &str) -> Option<Vec<Name>> {
        self.expect("{")?;
        let mut names = Vec::new();
        if self.eat("}") {
            return Some(names);
        }
        loop {
            names.push(self.name(what)?);
            if self.eat("}") {
                return Some(names);
            }
            if !self.eat(",") {
                self.unexpected("`,` or `}`");
                return None;
            }
        }
    }

    /// The current token as messages name it.
    fn found(&self) -> String {
        let token = self.nth(0);
        match token.kind {
            TokenKind::End if self.slice(token.span).is_empty() => "the end of the text".to_owned(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    /// Reports that the current token is not what was expected.
    pub(crate) fn unexpected(&mut self, expected: &str) {
        let (found, help) = (self.found(), self.slip());
        self.expected(expected, &found, help);
    }

    /// Advice for spellings of other notations.
    fn slip(&self) -> Option<&'static str> {
        match self.symbol(0) {
            Some("&") => Some("write `and` between conditions; `&` is for boolean values"),
            Some("|") => Some("write `or` between conditions; `|` is for boolean values"),
            None => match self.word(0)? {
                "AND" | "And" => Some("write `and`"),
                "OR" | "Or" => Some("write `or`"),
                "not" | "NOT" | "Not" => Some("write `!`"),
                "implies" => Some("write `->`"),
                _ if matches!(self.previous(), Some(Token { kind: TokenKind::Word, .. })) => {
                    let before = self.slice(self.previous_span());
                    matches!(before, "not" | "NOT" | "Not").then_some("write `!`")
                }
                _ => None,
            },
            _ => None,
        }
    }
}
