//! What the words of a text are, for editors that colour them.

use servanda_syntax::{Span, SymbolKind, TokenKind};

use crate::{Analysis, Language};

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// A word of the language.
    Keyword,
    /// A comment.
    Comment,
    /// A text in quotation marks.
    Text,
    /// A number.
    Number,
    /// An operator.
    Operator,
    /// A name.
    Name(SymbolKind),
}

/// Words of Pact that are no names wherever they stand in a formula or statement.
const WORDS: &[&str] = &[
    "as",
    "bool",
    "capacity",
    "carries",
    "cite",
    "does",
    "duplicating",
    "else",
    "expect",
    "false",
    "from",
    "if",
    "impossible",
    "in",
    "level",
    "lossy",
    "of",
    "possible",
    "properties",
    "set",
    "then",
    "to",
    "true",
    "unordered",
    "when",
    "while",
    "with",
    "boolean",
    "Action",
    "Other",
    "any",
    "all",
    "sum",
    "active",
    "end",
];

/// The words of a text in order, each with what it is. None reaches over the end of a line.
pub fn coloured(analysis: &Analysis) -> Vec<(Span, Colour)> {
    let mut found = Vec::new();
    let mut last = 0;
    for token in &analysis.symbols.tokens {
        comments(analysis, Span { start: last, end: token.span.start }, &mut found);
        last = token.span.end;
        let written = analysis.slice(token.span);
        let name = analysis.symbols.at(token.span.start).filter(|name| name.span.start == token.span.start);
        let colour = match (token.kind, name) {
            (TokenKind::Word, Some(name)) => Colour::Name(name.kind),
            (TokenKind::Word, None) if is_word(analysis, written) => Colour::Keyword,
            (TokenKind::Word, None) => continue,
            (TokenKind::Number, _) => Colour::Number,
            (TokenKind::Text, _) => Colour::Text,
            (TokenKind::Symbol(_), Some(name)) => Colour::Name(name.kind),
            (TokenKind::Symbol(_), None) if written.starts_with(char::is_alphabetic) => Colour::Keyword,
            (TokenKind::Symbol(_), None) => Colour::Operator,
            (TokenKind::Broken | TokenKind::End, _) => continue,
        };
        lines(analysis, token.span, colour, &mut found);
    }
    found
}

fn is_word(analysis: &Analysis, written: &str) -> bool {
    analysis.symbols.keywords.contains(&written)
        || WORDS.contains(&written) && !matches!(analysis.language, Language::Ccs | Language::Mapping)
        || matches!(written, "true" | "false") && analysis.language == Language::Mapping
        || servanda_logic::ActKind::from_name(written).is_some() && analysis.language == Language::Pact
}

/// What stands between two tokens and is no white space is a comment.
fn comments(analysis: &Analysis, between: Span, found: &mut Vec<(Span, Colour)>) {
    let text = analysis.slice(between);
    let begins = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    if !trimmed.is_empty() {
        let start = between.start as usize + begins;
        lines(analysis, Span::new(start, start + trimmed.len()), Colour::Comment, found);
    }
}

/// The same line by line.
fn lines(analysis: &Analysis, span: Span, colour: Colour, found: &mut Vec<(Span, Colour)>) {
    let mut start = span.start as usize;
    for line in analysis.slice(span).split('\n') {
        let begins = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        if !trimmed.is_empty() {
            found.push((Span::new(start + begins, start + begins + trimmed.len()), colour));
        }
        start += line.len() + 1;
    }
}
