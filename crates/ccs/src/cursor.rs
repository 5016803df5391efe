//! A position in a list of tokens, and what every rule of the grammar needs.

use servanda_syntax::{Code, Diagnostic, Span};

use crate::token::{Token, TokenKind, begins_definition};

/// Deepest nesting that is read: each level costs stack.
pub(crate) const DEEPEST_NESTING: usize = 400;

/// A rule that returns `None` has reported why.
pub(crate) struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [Token],
    position: usize,
    depth: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl<'t> Cursor<'t> {
    /// Starts at the first token; the last one is the end of the text.
    pub(crate) fn new(text: &'t str, tokens: &'t [Token]) -> Self {
        Cursor { text, tokens, position: 0, depth: 0, diagnostics: Vec::new() }
    }

    fn nth(&self, ahead: usize) -> Token {
        let end = Token { kind: TokenKind::End, span: Span::new(self.text.len(), self.text.len()) };
        self.tokens.get(self.position + ahead).copied().unwrap_or(end)
    }

    /// The position of the current token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Goes to a token, with no level entered.
    pub(crate) fn go_to(&mut self, position: usize) {
        self.position = position;
        self.depth = 0;
    }

    /// Where the current token stands.
    pub(crate) fn span(&self) -> Span {
        self.nth(0).span
    }

    /// Where the token before the current one stands.
    pub(crate) fn previous_span(&self) -> Span {
        let before = self.position.checked_sub(1).and_then(|before| self.tokens.get(before));
        before.map_or(Span::default(), |token| token.span)
    }

    pub(crate) fn kind(&self, ahead: usize) -> TokenKind {
        self.nth(ahead).kind
    }

    pub(crate) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The word `ahead` tokens from here, if one stands there.
    pub(crate) fn word(&self, ahead: usize) -> Option<&'t str> {
        let token = self.nth(ahead);
        (token.kind == TokenKind::Word).then(|| self.slice(token.span))
    }

    pub(crate) fn at(&self, symbol: char) -> bool {
        self.kind(0) == TokenKind::Symbol(symbol)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.kind(0) == TokenKind::End
    }

    /// Does a definition begin here, or the text end?
    pub(crate) fn at_border(&self) -> bool {
        self.at_end() || self.word(0).is_some_and(begins_definition)
    }

    /// Steps over the current token, but never past the end.
    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    pub(crate) fn eat(&mut self, symbol: char) -> bool {
        let found = self.at(symbol);
        if found {
            self.bump();
        }
        found
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
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::error(Code::UnexpectedToken, message, token.span);
        self.report(match help {
            Some(help) => error.help(help),
            None => error,
        });
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Goes one level deeper, or reports that the text is nested too deeply. The caller comes back with
    /// [`Cursor::shallower`], or gives up.
    pub(crate) fn deeper(&mut self) -> Option<()> {
        if self.depth >= DEEPEST_NESTING {
            self.too_deep(self.span());
            return None;
        }
        self.depth += 1;
        Some(())
    }

    pub(crate) fn shallower(&mut self) {
        self.depth -= 1;
    }

    /// Reports that the text is nested too deeply.
    pub(crate) fn too_deep(&mut self, span: Span) {
        let error = Diagnostic::error(Code::NestingTooDeep, "this is nested too deeply", span);
        self.report(error.help(format!("{DEEPEST_NESTING} levels are read")));
    }
}
