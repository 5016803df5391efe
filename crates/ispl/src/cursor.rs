//! A position in a list of tokens, and what every rule of the grammar needs.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_syntax::{Span, Token, TokenKind};

use crate::ast::Name;

/// Deepest nesting that is read: each level costs stack here and in everything that walks the result.
const DEEPEST_NESTING: usize = 800;

/// The cursor of all languages, and what ISPL needs besides.
pub(crate) struct Cursor<'t> {
    base: servanda_syntax::Cursor<'t>,
    /// The names met, each stored once: generated files repeat a few names a million times.
    names: FxHashSet<Arc<str>>,
}

impl<'t> Deref for Cursor<'t> {
    type Target = servanda_syntax::Cursor<'t>;

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
        let base = servanda_syntax::Cursor::new(text, tokens, DEEPEST_NESTING, found);
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

    /// Reads a word as a name; `what` says what the name would be of.
    pub(crate) fn name(&mut self, what: &str) -> Option<Name> {
        let span = self.name_span(what)?;
        Some(Name { text: self.shared(self.slice(span)), span })
    }

    /// As [`Cursor::name`], where the text can be looked up later.
    pub(crate) fn name_span(&mut self, what: &str) -> Option<Span> {
        match self.word(0) {
            Some("end" | "if") | None => self.unexpected(what),
            Some(_) => Some(self.bump()),
        }
    }

    /// Reads `{a, b}`; an empty list is read too.
    pub(crate) fn names(&mut self, what: &str) -> Option<Vec<Name>> {
        self.expect("{")?;
        let mut names = Vec::new();
        let mut more = !self.eat("}");
        while more {
            names.push(self.name(what)?);
            more = self.another("}")?;
        }
        Some(names)
    }
}

/// The current token as messages name it, and advice for spellings of other notations.
fn found(cursor: &servanda_syntax::Cursor<'_>) -> Option<(String, Option<String>, Span)> {
    let found = match cursor.slice(cursor.span()) {
        "" => "the end of the text".to_owned(),
        text => format!("`{text}`"),
    };
    let slip = match cursor.spelling(0) {
        "&" => "write `and` between conditions; `&` is for boolean values",
        "|" => "write `or` between conditions; `|` is for boolean values",
        "AND" | "And" => "write `and`",
        "OR" | "Or" => "write `or`",
        "not" | "NOT" | "Not" => "write `!`",
        "implies" => "write `->`",
        _ if cursor.word(0).is_some() && matches!(cursor.previous_word(), Some("not" | "NOT" | "Not")) => {
            "write `!`"
        }
        _ => return Some((found, None, cursor.span())),
    };
    Some((found, Some(slip.to_owned()), cursor.span()))
}
