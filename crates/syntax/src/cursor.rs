//! A position in a list of tokens, and what every rule of a grammar needs.

use crate::{Code, Diagnostic, Span};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<K> {
    /// What it is.
    pub kind: K,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of tokens of a language.
pub trait TokenKind: Copy + PartialEq {
    /// A word; what it stands for is known only where it stands.
    const WORD: Self;
    /// The end of the text.
    const END: Self;
}

/// Where a parser is, how deep, and what it has found wrong. A rule that returns `None` has reported why.
pub struct Cursor<'t, K> {
    text: &'t str,
    tokens: &'t [Token<K>],
    position: usize,
    depth: usize,
    /// Each level costs stack, here and in everything that walks the result.
    deepest: usize,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'t, K: TokenKind> Cursor<'t, K> {
    /// Starts at the first token and reads so many levels. The last token of the list is taken for the end of the text whatever it is.
    pub fn new(text: &'t str, tokens: &'t [Token<K>], deepest: usize) -> Self {
        Cursor { text, tokens, position: 0, depth: 0, deepest, diagnostics: Vec::new() }
    }

    /// The token `ahead` tokens from here.
    pub fn nth(&self, ahead: usize) -> Token<K> {
        let last = self.tokens.len().saturating_sub(1);
        match self.tokens.get((self.position + ahead).min(last)) {
            Some(token) if self.position + ahead < last => *token,
            Some(token) => Token { kind: K::END, ..*token },
            None => Token { kind: K::END, span: Span::new(self.text.len(), self.text.len()) },
        }
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

    /// The token before the current one.
    pub fn previous(&self) -> Option<Token<K>> {
        self.tokens.get(self.position.checked_sub(1)?).copied()
    }

    /// Where the current token stands.
    pub fn span(&self) -> Span {
        self.nth(0).span
    }

    /// Where the token before the current one stands.
    pub fn previous_span(&self) -> Span {
        self.previous().map_or(Span::default(), |token| token.span)
    }

    /// The kind of the token `ahead` tokens from here.
    pub fn kind(&self, ahead: usize) -> K {
        self.nth(ahead).kind
    }

    /// The text of a place.
    pub fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The word `ahead` tokens from here, if one stands there.
    pub fn word(&self, ahead: usize) -> Option<&'t str> {
        let token = self.nth(ahead);
        (token.kind == K::WORD).then(|| self.slice(token.span))
    }

    /// Has the text been read?
    pub fn at_end(&self) -> bool {
        self.kind(0) == K::END
    }

    /// Steps over the current token, but never past the end.
    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.position += 1;
        }
        span
    }

    /// Steps over the current token if it is what was looked for.
    pub fn eat_if(&mut self, found: bool) -> bool {
        if found {
            self.bump();
        }
        found
    }

    /// Reports something.
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports that the current token is not what was expected.
    pub fn expected(&mut self, expected: &str, found: &str, help: Option<&str>) {
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::error(Code::UnexpectedToken, message, self.span());
        self.report(match help {
            Some(help) => error.help(help),
            None => error,
        });
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
