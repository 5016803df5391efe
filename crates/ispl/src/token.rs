//! Tokens of ISPL.

use servanda_syntax::{Code, Diagnostic, Scanner};

/// A token with its place.
pub(crate) type Token = servanda_syntax::Token<TokenKind>;

/// The kinds of tokens. What a word is, a keyword or a name, is known only where it stands. One byte each: files of
/// ten megabytes are made by programs, and their tokens are what takes most room while they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores that do not begin with a digit.
    Word,
    /// Decimal digits.
    Number,
    /// Punctuation.
    Symbol(Symbol),
    /// The end of the text.
    End,
}

impl TokenKind {
    /// Is it this symbol?
    pub(crate) fn is(self, symbol: &str) -> bool {
        matches!(self, TokenKind::Symbol(found) if found.text() == symbol)
    }
}

impl servanda_syntax::TokenKind for TokenKind {
    const WORD: Self = TokenKind::Word;
    const END: Self = TokenKind::End;
}

/// A punctuation mark: a position in the list of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol(u8);

impl Symbol {
    /// As it is written.
    pub(crate) fn text(self) -> &'static str {
        SYMBOLS[usize::from(self.0)]
    }

    /// The longest one that a text begins with, and how long it is there. Both spellings of two relations are read; one
    /// of each is kept.
    fn at_start_of(text: &str) -> Option<(Symbol, usize)> {
        let second = text.as_bytes().get(1).copied().unwrap_or_default();
        let (kept, length) = match (*text.as_bytes().first()?, second) {
            (b'<', b'-') if text.starts_with("<->") => ("<->", 3),
            (b'-', b'>') => ("->", 2),
            (b'<', b'>') | (b'!', b'=') => ("<>", 2),
            (b'<', b'=') => ("<=", 2),
            (b'>', b'=') => (">=", 2),
            (b'=', b'=') => ("=", 2),
            (b'.', b'.') => ("..", 2),
            _ => (text.get(..1)?, 1),
        };
        let position = SYMBOLS.iter().position(|symbol| *symbol == kept)?;
        Some((Symbol(position as u8), length))
    }
}

/// The most frequent first.
const SYMBOLS: &[&str] = &[
    "=", ".", "(", ")", ";", ",", ":", "{", "}", "[", "]", "<", ">", "!", "&", "|", "^", "~", "+", "-", "*",
    "/", "<->", "->", "<>", "<=", ">=", "..",
];

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported and left out.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    // Tokens are rarely shorter than four bytes with the space around them; growing a list of millions would copy it.
    let tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut lexer = Lexer { scanner: Scanner::new(text), tokens };
    lexer.run();
    (lexer.tokens, lexer.scanner.diagnostics)
}

struct Lexer<'t> {
    scanner: Scanner<'t>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(next) = self.scanner.next() {
            match next {
                _ if next.is_whitespace() => {
                    self.scanner.take(next.len_utf8());
                }
                _ if self.scanner.rest().starts_with("--") => self.scanner.skip_line(),
                '/' if self.foreign_comment() => {}
                'a'..='z' | 'A'..='Z' | '_' => {
                    let length = self.word_length();
                    self.push(TokenKind::Word, length);
                }
                '0'..='9' => self.number(),
                _ => match Symbol::at_start_of(self.scanner.rest()) {
                    Some((symbol, length)) => self.push(TokenKind::Symbol(symbol), length),
                    None => self.unreadable(),
                },
            }
        }
        self.push(TokenKind::End, 0);
    }

    fn word_length(&self) -> usize {
        let bytes = self.scanner.rest().as_bytes();
        bytes.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(bytes.len())
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: self.scanner.take(length) });
    }

    fn number(&mut self) {
        let length = self.scanner.run_of(|c| c.is_ascii_digit());
        if self.scanner.rest()[..length].parse::<i64>().is_err() {
            let span = self.scanner.span(length);
            let error = Diagnostic::error(Code::NumberTooLarge, "this number is too large", span);
            self.scanner.report(error.help(format!("the largest is {}", i64::MAX)));
        }
        self.push(TokenKind::Number, length);
    }

    /// Comments of other languages.
    fn foreign_comment(&mut self) -> bool {
        let rest = self.scanner.rest();
        if !rest.starts_with("//") && !rest.starts_with("/*") {
            return false;
        }
        let error =
            Diagnostic::error(Code::ForeignComment, "this is no comment in ISPL", self.scanner.span(2));
        self.scanner.report(error.help("write `--`: a comment reaches to the end of its line"));
        if rest.starts_with("//") {
            self.scanner.skip_line();
        } else {
            self.scanner.take(rest.find("*/").map_or(rest.len(), |end| end + 2));
        }
        true
    }

    fn unreadable(&mut self) {
        let ordinary = |c: char| {
            c.is_ascii_alphanumeric()
                || c.is_whitespace()
                || c == '_'
                || SYMBOLS.iter().any(|s| s.starts_with(c))
        };
        let length = self.scanner.run_of(|c| !ordinary(c));
        let shown: String = self.scanner.rest()[..length].chars().take(20).collect();
        let span = self.scanner.take(length);
        let message = format!("`{shown}` has no meaning in ISPL");
        let error = Diagnostic::error(Code::UnknownCharacter, message, span);
        self.scanner.report(match shown.chars().next() {
            Some('\'' | '"') => error.help("names are written without quotation marks"),
            Some('∧') => error.help("write `and`"),
            Some('∨') => error.help("write `or`"),
            Some('¬') => error.help("write `!`"),
            Some('→' | '⇒') => error.help("write `->`"),
            Some('≠') => error.help("write `<>`"),
            Some('%') => error.help("ISPL has no remainder"),
            _ => error,
        });
        if length == 0 {
            // Never stand still.
            self.scanner.take(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        let (tokens, _) = lex(text);
        tokens.iter().map(|t| &text[t.span.start as usize..t.span.end as usize]).collect()
    }

    #[test]
    fn ranges_comments_and_relations() {
        assert_eq!(
            shown("x : -2 .. 7; -- a -> b\n1..3"),
            ["x", ":", "-", "2", "..", "7", ";", "1", "..", "3", ""]
        );
        assert_eq!(shown("a<>b!=c->d<->e"), ["a", "<>", "b", "!=", "c", "->", "d", "<->", "e", ""]);
        assert_eq!(shown("CTL* E"), ["CTL", "*", "E", ""]);
    }

    #[test]
    fn what_cannot_be_read_is_reported() {
        let codes = |text| lex(text).1.iter().map(|d| d.code.word()).collect::<Vec<_>>();
        assert_eq!(codes("a // b\nc /* d */ e"), ["foreign-comment", "foreign-comment"]);
        assert_eq!(
            codes("99999999999999999999 ∧ é"),
            ["number-too-large", "unknown-character", "unknown-character"]
        );
    }
}
