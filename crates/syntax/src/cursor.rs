//! A position in a list of tokens, and what every rule of a grammar needs.

use std::borrow::Cow;

use crate::{Code, Diagnostic, Label, Span, Token, TokenKind};

/// What a language says of the current token where it is not what was expected: what it is, what to do about it, and which place to
/// mark. `None` where nothing is to be said, since something has been reported already.
pub type Found = fn(&Cursor<'_>) -> Option<(String, Option<String>, Span)>;

/// Where a parser is, how deep, and what it has found wrong. A rule that returns `None` has reported why.
pub struct Cursor<'t> {
    text: &'t str,
    /// The offset at which the text begins.
    base: usize,
    tokens: Cow<'t, [Token]>,
    position: usize,
    depth: usize,
    /// Each level costs stack, here and in everything that walks the result.
    deepest: usize,
    found: Found,
    /// Places that could not be read; an unexpected token right after one is no news.
    unread: Vec<Span>,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t> Cursor<'t> {
    /// Starts at the first token and reads so many levels. The last token of the list is taken for the end of the text whatever it is.
    pub fn new(text: &'t str, tokens: impl Into<Cow<'t, [Token]>>, deepest: usize, found: Found) -> Self {
        let (tokens, unread, diagnostics) = (tokens.into(), Vec::new(), Vec::new());
        Cursor { text, base: 0, tokens, position: 0, depth: 0, deepest, found, unread, diagnostics }
    }

    /// The same for a text whose places count from `base`, those of the tokens included.
    #[must_use]
    pub fn at_offset(self, base: usize) -> Self {
        Cursor { base, ..self }
    }

    /// The same with what could not be read, which has been reported so: that a token right after it is not what was expected is not.
    #[must_use]
    pub fn quiet_after(self, unread: Vec<Diagnostic>) -> Self {
        Cursor { unread: unread.iter().map(|found| found.span).collect(), diagnostics: unread, ..self }
    }

    /// The token `ahead` tokens from here.
    pub fn nth(&self, ahead: usize) -> Token {
        let last = self.tokens.len().saturating_sub(1);
        match self.tokens.get((self.position + ahead).min(last)) {
            Some(token) if self.position + ahead < last => *token,
            Some(token) => Token { kind: TokenKind::End, ..*token },
            None => {
                let end = self.base + self.text.len();
                Token { kind: TokenKind::End, span: Span::new(end, end) }
            }
        }
    }

    /// All tokens.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// All tokens and what is wrong with the text: what is left when it has been read.
    pub fn into_parts(self) -> (Vec<Token>, Vec<Diagnostic>) {
        (self.tokens.into_owned(), self.diagnostics)
    }

    /// The position of the current token.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Goes to a token, with no level entered.
    pub fn go_to(&mut self, position: usize) {
        self.position = position;
        self.depth = 0;
    }

    /// Steps over so many tokens, but never past the end.
    pub fn skip(&mut self, count: usize) {
        self.position = self.position.saturating_add(count).min(self.tokens.len().saturating_sub(1));
    }

    /// The token before the current one.
    pub fn previous(&self) -> Option<Token> {
        self.tokens.get(self.position.checked_sub(1)?).copied()
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.nth(0).span
    }

    /// Where the token before the current one stands; at the very start, where the text starts.
    pub fn previous_span(&self) -> Span {
        self.previous().map_or(Span::new(self.base, self.base), |token| token.span)
    }

    /// Does the token `ahead` tokens from here begin a line?
    pub fn starts_line(&self, ahead: usize) -> bool {
        let here = (self.position + ahead).min(self.tokens.len().saturating_sub(1));
        here.checked_sub(1).is_none_or(|before| {
            let between = Span { start: self.tokens[before].span.end, end: self.tokens[here].span.start };
            self.slice(between).contains('\n')
        })
    }

    /// The kind of the token `ahead` tokens from here.
    pub fn kind(&self, ahead: usize) -> TokenKind {
        self.nth(ahead).kind
    }

    /// The text of a place.
    pub fn slice(&self, span: Span) -> &'t str {
        span.within(self.text, self.base)
    }

    /// The token `ahead` tokens from here as it is written, symbols in their standard spelling; nothing at the end.
    pub fn spelling(&self, ahead: usize) -> &'t str {
        self.spelling_of(self.nth(ahead))
    }

    fn spelling_of(&self, token: Token) -> &'t str {
        match token.kind {
            TokenKind::Symbol(symbol) => symbol.text(),
            TokenKind::End => "",
            _ => self.slice(token.span),
        }
    }

    /// The word `ahead` tokens from here, if one stands there, or a sign for one.
    pub fn word(&self, ahead: usize) -> Option<&'t str> {
        let token = self.nth(ahead);
        token.word(self.slice(token.span))
    }

    /// The word before the current token, if one stands there.
    pub fn previous_word(&self) -> Option<&'t str> {
        let token = self.previous()?;
        token.word(self.slice(token.span))
    }

    /// Has the text been read?
    pub fn at_end(&self) -> bool {
        self.kind(0) == TokenKind::End
    }

    /// Is the current token this word or symbol?
    pub fn at(&self, text: &str) -> bool {
        self.at_nth(0, text)
    }

    /// Is the token `ahead` tokens from here this word or symbol?
    pub fn at_nth(&self, ahead: usize, text: &str) -> bool {
        self.spelling(ahead) == text
    }

    /// Does this word or symbol stand right before the current token?
    pub fn after(&self, text: &str) -> bool {
        self.previous().is_some_and(|token| self.spelling_of(token) == text)
    }

    /// Steps over the current token, but never past the end.
    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    /// Steps over this word or symbol, if it is the current token.
    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.bump();
        }
        found
    }

    /// Steps over this word or symbol, or reports that it is missing.
    pub fn expect(&mut self, text: &str) -> Option<Span> {
        if self.at(text) { Some(self.bump()) } else { self.unexpected(&format!("`{text}`")) }
    }

    /// After an item of a list: does another one follow? `None` where the list neither goes on nor ends.
    pub fn another(&mut self, close: &str) -> Option<bool> {
        match self.eat(close) {
            true => Some(false),
            false if self.eat(",") => Some(true),
            false => self.unexpected(&format!("`,` or `{close}`")),
        }
    }

    /// Reports something.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that the current token is not what was expected.
    pub fn unexpected<T>(&mut self, expected: &str) -> Option<T> {
        self.unexpected_with(expected, None)
    }

    /// As [`Cursor::unexpected`], with advice that goes before the language's own.
    pub fn unexpected_with<T>(&mut self, expected: &str, help: Option<String>) -> Option<T> {
        let (gap, here) = (self.previous_span().end, self.span());
        let first = self.unread.partition_point(|span| span.end <= gap);
        if self.unread.get(first).is_some_and(|span| span.start <= here.start) {
            return None;
        }
        let (found, advice, place) = (self.found)(self)?;
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::error(Code::UnexpectedToken, message, place);
        self.report(Diagnostic { help: help.or(advice), ..error });
        None
    }

    /// Reports that something is missing that a place before calls for; the label says how.
    pub fn missing<T>(&mut self, expected: &str, place: Span, label: impl Into<String>) -> Option<T> {
        let before = self.diagnostics.len();
        let nothing = self.unexpected(expected);
        if let Some(error) = self.diagnostics[before..].last_mut() {
            error.labels.push(Label { span: place, message: label.into() });
        }
        nothing
    }

    /// Goes one level deeper, or reports that the text is nested too deeply. The caller comes back with
    /// [`Cursor::shallower`], or gives up.
    pub fn deeper(&mut self) -> Option<()> {
        if self.depth >= self.deepest {
            self.too_deep(self.span());
            return None;
        }
        self.depth += 1;
        Some(())
    }

    /// Comes back from a level.
    pub fn shallower(&mut self) {
        self.depth -= 1;
    }

    /// Reports that the text is nested too deeply.
    pub fn too_deep(&mut self, span: Span) {
        let error = Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", span);
        self.report(error.help(format!("{} levels are read", self.deepest)));
    }
}
