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
    /// `!` or `¬`
    Not,
    /// `&`, `&&` or `∧`
    And,
    /// `|`, `||` or `∨`
    Or,
    /// `->`, `→` or `⇒`
    Arrow,
    /// `<->`, `↔` or `⇔`
    DoubleArrow,
    /// `<=>`
    Equivalent,
    /// `=` or `==`
    Equal,
    /// `!=`, `<>` or `≠`
    NotEqual,
    /// `<`
    Less,
    /// `<=` or `≤`
    LessEqual,
    /// `>`
    Greater,
    /// `>=` or `≥`
    GreaterEqual,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `?`
    Question,
    /// `'`
    Quote,
    /// `--`
    Dashes,
    /// `-->`
    LongArrow,
    /// End of the text.
    End,
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

/// The ASCII spelling; nothing for the end of the text.
impl std::fmt::Display for TokenKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let symbol = match self {
            TokenKind::Word(word) => word,
            TokenKind::Number(number) => return write!(f, "{number}"),
            TokenKind::Text(text) => return write!(f, "\"{text}\""),
            TokenKind::Underscore => "_",
            TokenKind::Not => "!",
            TokenKind::And => "&",
            TokenKind::Or => "|",
            TokenKind::Arrow => "->",
            TokenKind::DoubleArrow => "<->",
            TokenKind::Equivalent => "<=>",
            TokenKind::Equal => "=",
            TokenKind::NotEqual => "!=",
            TokenKind::Less => "<",
            TokenKind::LessEqual => "<=",
            TokenKind::Greater => ">",
            TokenKind::GreaterEqual => ">=",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Star => "*",
            TokenKind::Slash => "/",
            TokenKind::Percent => "%",
            TokenKind::LeftParen => "(",
            TokenKind::RightParen => ")",
            TokenKind::LeftBracket => "[",
            TokenKind::RightBracket => "]",
            TokenKind::LeftBrace => "{",
            TokenKind::RightBrace => "}",
            TokenKind::Comma => ",",
            TokenKind::Semicolon => ";",
            TokenKind::Colon => ":",
            TokenKind::Dot => ".",
            TokenKind::DotDot => "..",
            TokenKind::Question => "?",
            TokenKind::Quote => "'",
            TokenKind::Dashes => "--",
            TokenKind::LongArrow => "-->",
            TokenKind::End => "",
        };
        f.write_str(symbol)
    }
}
