//! Tokens, of whatever language.

use crate::Span;

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
}

impl Token {
    /// The word that it is or stands for, if it is one, given what is written at its place.
    pub fn word(self, written: &str) -> Option<&str> {
        match self.kind {
            TokenKind::Word => Some(written),
            TokenKind::Symbol(symbol) => {
                Some(symbol.text()).filter(|text| text.starts_with(char::is_alphabetic))
            }
            _ => None,
        }
    }
}

/// The kinds of tokens. What a word is, a keyword or a name, is known only where it stands. Two bytes each: files of ten megabytes are
/// made by programs, and their tokens are what takes most room while they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters and what may follow them in a name.
    Word,
    /// Decimal digits.
    Number,
    /// Punctuation and operators.
    Symbol(Symbol),
    /// What stands between quotation marks or parentheses and is taken as it is; these are part of it.
    Text,
    /// Something that was reported already.
    Broken,
    /// The end of the text.
    End,
}

impl TokenKind {
    /// Is it this symbol?
    pub fn is(self, symbol: &str) -> bool {
        matches!(self, TokenKind::Symbol(found) if found.text() == symbol)
    }
}

/// A punctuation mark or an operator in its standard spelling: a position in the list of all. Where a language has a sign for a word, as
/// `∀` for `A`, the word is the standard spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol(u8);

/// Those of all languages, the most frequent first.
const SYMBOLS: &[&str] = &[
    "=", ".", "(", ")", ";", ",", ":", "{", "}", "[", "]", "<", ">", "!", "&", "|", "^", "~", "+", "-", "*",
    "/", "<->", "->", "<>", "<=", ">=", "..", "...", "-->", "--", "<=>", "!=", "%", "?", "'", "_", "\\",
    "true", "false", "A", "E", "G", "F", "X", "so", "X+", "X-", "U+", "U-", "F+", "F-", "G+", "G-", "AX+",
    "AX-", "EX+", "EX-", "AF+", "AF-", "EF+", "EF-", "AG+", "AG-", "EG+", "EG-",
];

impl Symbol {
    /// The symbol with this standard spelling, if some language has it.
    pub fn spelled(text: &str) -> Option<Symbol> {
        SYMBOLS.iter().position(|symbol| *symbol == text).map(|position| Symbol(position as u8))
    }

    /// As it is written.
    #[inline]
    pub fn text(self) -> &'static str {
        SYMBOLS[usize::from(self.0)]
    }
}
