//! Tokens shared by the formula parser and the Pact parser.

use servanda_syntax::Span;

/// A token with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Is it the first token of its line?
    pub starts_line: bool,
}

macro_rules! symbols {
    ($($name:ident $text:literal $($other:literal)*,)*) => {
        /// The kinds of tokens. Words are all `Word`: keywords are contextual. Unicode spellings are read as their ASCII
        /// tokens (`¬` as `Not`, `∧` as `And`, `∴` as the word `so`, `∀` as the word `A`, ...), and `and`, `or`, `not` stay words.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum TokenKind {
            /// A letter, then letters, digits and underscores. `X-`, `U-`, `F-`, `G-`, `X+`, `U+`, `F+`, `G+` are words too.
            Word(String),
            /// Decimal digits that fit an `i64`.
            Number(i64),
            /// `"..."`: a label as it is shown. Only after `does(`; elsewhere a quotation mark has no meaning.
            Text(String),
            /// `_` alone.
            Underscore,
            /// End of the text.
            End,
            $(#[doc = concat!("`", $text, "`")] $name,)*
        }

        /// All spellings of symbols, longer ones before their own beginnings.
        pub(crate) const SYMBOLS: &[(&str, TokenKind)] =
            &[$($(($other, TokenKind::$name),)* ($text, TokenKind::$name),)*];

        /// The ASCII spelling; nothing for the end of the text.
        impl std::fmt::Display for TokenKind {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    TokenKind::Word(word) => f.write_str(word),
                    TokenKind::Number(number) => write!(f, "{number}"),
                    TokenKind::Text(text) => write!(f, "\"{text}\""),
                    TokenKind::Underscore => f.write_str("_"),
                    TokenKind::End => Ok(()),
                    $(TokenKind::$name => f.write_str($text),)*
                }
            }
        }
    };
}

// A symbol, how it is printed, and how else it may be written. No row may come after the beginning of its own spelling.
symbols! {
    LongArrow "-->",
    DoubleArrow "<->" "↔" "⇔",
    Equivalent "<=>",
    Dashes "--",
    Arrow "->" "→" "⇒",
    DotDot "..",
    NotEqual "!=" "<>" "≠",
    LessEqual "<=" "≤",
    GreaterEqual ">=" "≥",
    Not "!" "¬",
    And "&" "&&" "∧",
    Or "|" "||" "∨",
    Equal "=" "==",
    Less "<" "⟨",
    Greater ">" "⟩",
    Plus "+",
    Minus "-" "−",
    Star "*",
    Slash "/",
    Percent "%",
    LeftParen "(",
    RightParen ")",
    LeftBracket "[",
    RightBracket "]",
    LeftBrace "{",
    RightBrace "}",
    Comma ",",
    Semicolon ";",
    Colon ":",
    Dot ".",
    Question "?",
    Quote "'",
}

impl TokenKind {
    /// The word, if it is one.
    pub fn as_word(&self) -> Option<&str> {
        match self {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// How messages speak of it: the token between backquotes, or what the end of the text is called.
    pub fn described(&self) -> String {
        match self {
            TokenKind::End => "the end of the text".to_string(),
            other => format!("`{other}`"),
        }
    }
}
