//! Tokens of ISPL.

use servanda_syntax::{Diagnostic, Span};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

/// The kinds of tokens. What a word is, a keyword or a name, is known only where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores that do not begin with a digit.
    Word,
    /// Decimal digits.
    Number(i64),
    /// Punctuation, as it is written.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Longest first: the first that fits is taken.
const SYMBOLS: &[&str] = &[
    "<->", "->", "<>", "<=", ">=", "!=", "==", "..", "(", ")", "{", "}", "[", "]", "<", ">", "=", ";", ":",
    ",", ".", "!", "&", "|", "^", "~", "+", "-", "*", "/",
];

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported and left out.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    // Tokens are rarely shorter than four bytes with the space around them; growing a list of millions would copy it.
    let tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut lexer = Lexer { text, at: 0, tokens, diagnostics: Vec::new() };
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    fn run(&mut self) {
        // Editors of other systems mark the beginning of a text.
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while let Some(next) = self.rest().chars().next() {
            match next {
                _ if next.is_whitespace() => self.at += next.len_utf8(),
                _ if self.rest().starts_with("--") => self.at += self.line_length(),
                '/' if self.foreign_comment() => {}
                'a'..='z' | 'A'..='Z' | '_' => {
                    let length = self.run_of(|c| c.is_ascii_alphanumeric() || c == '_');
                    self.push(TokenKind::Word, length);
                }
                '0'..='9' => self.number(),
                _ => match SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol)) {
                    // Both spellings of two relations are read; one of each is kept.
                    Some(&"!=") => self.push(TokenKind::Symbol("<>"), 2),
                    Some(&"==") => self.push(TokenKind::Symbol("="), 2),
                    Some(symbol) => self.push(TokenKind::Symbol(symbol), symbol.len()),
                    None => self.unreadable(),
                },
            }
        }
        self.push(TokenKind::End, 0);
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn run_of(&self, belongs: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !belongs(c)).unwrap_or(rest.len())
    }

    fn line_length(&self) -> usize {
        self.run_of(|c| c != '\n')
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.tokens.push(Token { kind, span });
        self.at += length;
    }

    fn number(&mut self) {
        let length = self.run_of(|c| c.is_ascii_digit());
        let value = match self.rest()[..length].parse() {
            Ok(value) => value,
            Err(_) => {
                let span = Span::new(self.at, self.at + length);
                let error = Diagnostic::error("number-too-large", "this number is too large", span);
                self.diagnostics.push(error.help(format!("the largest is {}", i64::MAX)));
                0
            }
        };
        self.push(TokenKind::Number(value), length);
    }

    /// Comments of other languages.
    fn foreign_comment(&mut self) -> bool {
        let rest = self.rest();
        let length = if rest.starts_with("//") {
            self.line_length()
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            return false;
        };
        let span = Span::new(self.at, self.at + 2);
        self.diagnostics.push(
            Diagnostic::error("foreign-comment", "this is no comment in ISPL", span)
                .help("write `--`: a comment reaches to the end of its line"),
        );
        self.at += length;
        true
    }

    fn unreadable(&mut self) {
        let ordinary = |c: char| {
            c.is_ascii_alphanumeric()
                || c.is_whitespace()
                || c == '_'
                || SYMBOLS.iter().any(|s| s.starts_with(c))
        };
        let length = self.run_of(|c| !ordinary(c));
        let span = Span::new(self.at, self.at + length);
        let shown: String = self.rest()[..length].chars().take(20).collect();
        let message = format!("`{shown}` has no meaning in ISPL");
        let error = Diagnostic::error("unexpected-character", message, span);
        self.diagnostics.push(match shown.chars().next() {
            Some('\'' | '"') => error.help("names are written without quotation marks"),
            Some('∧') => error.help("write `and`"),
            Some('∨') => error.help("write `or`"),
            Some('¬') => error.help("write `!`"),
            Some('→' | '⇒') => error.help("write `->`"),
            Some('≠') => error.help("write `<>`"),
            Some('%') => error.help("ISPL has no remainder"),
            _ => error,
        });
        self.at += length.max(1);
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
        let codes = |text| lex(text).1.iter().map(|d| d.code).collect::<Vec<_>>();
        assert_eq!(codes("a // b\nc /* d */ e"), ["foreign-comment", "foreign-comment"]);
        assert_eq!(
            codes("99999999999999999999 ∧ é"),
            ["number-too-large", "unexpected-character", "unexpected-character"]
        );
    }
}
