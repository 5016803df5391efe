//! A position in a list of tokens, and what every rule of the grammar needs.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use servanda_syntax::{Code, Diagnostic, Span};

use crate::ast::Name;
use crate::token::{Token, TokenKind};

/// Deepest nesting that is read: each level costs stack here and in everything that walks the result.
const DEEPEST_NESTING: usize = 800;

/// A rule that returns `None` has reported why.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [Token],
    position: usize,
    depth: usize,
    /// The names met, each stored once: generated files repeat a few names a million times.
    names: FxHashSet<Arc<str>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'t> Cursor<'t> {
    /// Starts at the first token. The last token of the list is taken for the end of the text whatever it is.
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Cursor { text, tokens, position: 0, depth: 0, names: FxHashSet::default(), diagnostics: Vec::new() }
    }

    /// Starts at one token and ends before another.
    pub(crate) fn between(text: &'t str, tokens: &'t [Token], range: std::ops::Range<usize>) -> Self {
        let end = (range.end + 1).min(tokens.len());
        Cursor { position: range.start, ..Cursor::new(text, &tokens[..end]) }
    }

    fn nth(&self, ahead: usize) -> Token {
        let last = self.tokens.len().saturating_sub(1);
        match self.tokens.get((self.position + ahead).min(last)) {
            Some(token) if self.position + ahead < last => *token,
            Some(token) => Token { kind: TokenKind::End, ..*token },
            None => Token { kind: TokenKind::End, span: Span::new(self.text.len(), self.text.len()) },
        }
    }

    /// The position of the current token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Where the current token stands.
    pub(crate) fn span(&self) -> Span {
        self.nth(0).span
    }

    /// Where the token before the current one stands.
    pub(crate) fn previous_span(&self) -> Span {
        match self.position.checked_sub(1).and_then(|before| self.tokens.get(before)) {
            Some(token) => token.span,
            None => Span::default(),
        }
    }

    pub(crate) fn kind(&self, ahead: usize) -> TokenKind {
        self.nth(ahead).kind
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

    fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The word `ahead` tokens from here, if one stands there.
    pub(crate) fn word(&self, ahead: usize) -> Option<&'t str> {
        let token = self.nth(ahead);
        (token.kind == TokenKind::Word).then(|| self.slice(token.span))
    }

    pub(crate) fn at_end(&self) -> bool {
        self.kind(0) == TokenKind::End
    }

    pub(crate) fn at(&self, symbol: &str) -> bool {
        self.at_nth(0, symbol)
    }

    pub(crate) fn at_nth(&self, ahead: usize, symbol: &str) -> bool {
        self.symbol(ahead) == Some(symbol)
    }

    /// Does this symbol stand right before the current token?
    pub(crate) fn after(&self, symbol: &str) -> bool {
        let before = self.position.checked_sub(1).and_then(|before| self.tokens.get(before));
        matches!(before, Some(Token { kind: TokenKind::Symbol(found), .. }) if found.text() == symbol)
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.word(0) == Some(word)
    }

    /// Steps over the current token, but never past the end.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    pub(crate) fn eat(&mut self, symbol: &str) -> bool {
        let found = self.at(symbol);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
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
        let message = format!("expected {expected}, found {}", self.found());
        let error = Diagnostic::error(Code::UnexpectedToken, message, self.span());
        let error = match self.slip() {
            Some(help) => error.help(help),
            None => error,
        };
        self.diagnostics.push(error);
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
                _ if matches!(
                    self.position.checked_sub(1).map(|at| self.tokens[at].kind),
                    Some(TokenKind::Word)
                ) =>
                {
                    let before = self.slice(self.previous_span());
                    matches!(before, "not" | "NOT" | "Not").then_some("write `!`")
                }
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Goes one level deeper, or reports that the text is nested too deeply. The caller comes back with
    /// [`Cursor::shallower`], or gives up.
    pub(crate) fn deeper(&mut self) -> Option<()> {
        if self.depth >= DEEPEST_NESTING {
            let error = Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", self.span());
            self.report(error.help(format!("{DEEPEST_NESTING} levels are read")));
            return None;
        }
        self.depth += 1;
        Some(())
    }

    pub(crate) fn shallower(&mut self) {
        self.depth -= 1;
    }

    /// Forgets all levels, after giving up.
    pub(crate) fn leave_all(&mut self) {
        self.depth = 0;
    }
}
