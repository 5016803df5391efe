//! From text to tokens.
//!
//! The lexer never gives up: what it cannot read it reports and steps over, so that one stray character does not hide
//! the other mistakes of a file.

use servanda_syntax::{Code, Diagnostic, Span};

use crate::token::{Token, TokenKind};

/// Splits a text into tokens; the last one is always [`TokenKind::End`]. Comments (`// ...` and `/* ... */`) and white
/// space separate tokens and are dropped.
///
/// ```
/// use servanda_logic::{TokenKind, lex};
///
/// let (tokens, diagnostics) = lex("p → 3 // not read");
/// assert!(diagnostics.is_empty());
/// let kinds: Vec<TokenKind> = tokens.into_iter().map(|token| token.kind).collect();
/// let p = TokenKind::Word("p".to_string());
/// assert_eq!(kinds, [p, TokenKind::Arrow, TokenKind::Number(3), TokenKind::End]);
/// ```
pub fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, starts_line: true, tokens: Vec::new(), diagnostics: Vec::new() };
    // A byte order mark is no part of the text.
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while let Some(first) = lexer.rest().chars().next() {
        lexer.step(first);
    }
    lexer.push(TokenKind::End, 0);
    (lexer.tokens, lexer.diagnostics)
}

/// ASCII symbols, longer ones before their own beginnings.
const SYMBOLS: [(&str, TokenKind); 42] = [
    ("-->", TokenKind::LongArrow),
    ("<->", TokenKind::DoubleArrow),
    ("<=>", TokenKind::Equivalent),
    ("--", TokenKind::Dashes),
    ("->", TokenKind::Arrow),
    ("..", TokenKind::DotDot),
    ("&&", TokenKind::And),
    ("||", TokenKind::Or),
    ("==", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("<>", TokenKind::NotEqual),
    ("<=", TokenKind::LessEqual),
    (">=", TokenKind::GreaterEqual),
    ("!", TokenKind::Not),
    ("&", TokenKind::And),
    ("|", TokenKind::Or),
    ("=", TokenKind::Equal),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("*", TokenKind::Star),
    ("/", TokenKind::Slash),
    ("%", TokenKind::Percent),
    ("(", TokenKind::LeftParen),
    (")", TokenKind::RightParen),
    ("[", TokenKind::LeftBracket),
    ("]", TokenKind::RightBracket),
    ("{", TokenKind::LeftBrace),
    ("}", TokenKind::RightBrace),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (":", TokenKind::Colon),
    (".", TokenKind::Dot),
    ("?", TokenKind::Question),
    ("'", TokenKind::Quote),
    // The characters of the papers that stand for one symbol.
    ("¬", TokenKind::Not),
    ("∧", TokenKind::And),
    ("∨", TokenKind::Or),
    ("≠", TokenKind::NotEqual),
    ("≤", TokenKind::LessEqual),
    ("≥", TokenKind::GreaterEqual),
];

/// Further symbols of the papers.
fn unicode_symbol(character: char) -> Option<TokenKind> {
    Some(match character {
        '→' | '⇒' => TokenKind::Arrow,
        '↔' | '⇔' => TokenKind::DoubleArrow,
        '⟨' => TokenKind::Less,
        '⟩' => TokenKind::Greater,
        '−' => TokenKind::Minus,
        _ => return None,
    })
}

/// Symbols of the papers that are read as words.
fn unicode_word(character: char) -> Option<&'static str> {
    Some(match character {
        '⊤' => "true",
        '⊥' => "false",
        '∀' => "A",
        '∃' => "E",
        '□' | '◻' => "G",
        '◇' | '◊' => "F",
        '◯' | '○' => "X",
        '∴' => "so",
        _ => return None,
    })
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    starts_line: bool,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Adds a token made of the next `length` bytes.
    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.tokens.push(Token { kind, span, starts_line: self.starts_line });
        self.starts_line = false;
        self.at += length;
    }

    /// Reads whatever starts with `first`, the next character. Always moves on.
    fn step(&mut self, first: char) {
        let rest = self.rest();
        if first == '\n' {
            self.starts_line = true;
            self.at += 1;
        } else if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.block_comment(rest);
        } else if first.is_ascii_digit() {
            self.number(rest);
        } else if first.is_alphabetic() || first == '_' {
            self.word(rest);
        } else if let Some(label) = self.quoted_label(rest) {
            self.push(TokenKind::Text(label.to_string()), label.len() + 2);
        } else if let Some((symbol, kind)) = SYMBOLS.iter().find(|(symbol, _)| rest.starts_with(symbol)) {
            self.push(kind.clone(), symbol.len());
        } else if let Some(kind) = unicode_symbol(first) {
            self.push(kind, first.len_utf8());
        } else if let Some(word) = unicode_word(first) {
            self.push(TokenKind::Word(word.to_string()), first.len_utf8());
        } else {
            self.unknown(first);
        }
    }

    /// The label of `does("...")`. It ends at the first quotation mark before the closing parenthesis.
    fn quoted_label(&self, rest: &'t str) -> Option<&'t str> {
        let inside = rest.strip_prefix('"')?;
        let [.., before, last] = self.tokens.as_slice() else { return None };
        if before.kind.as_word() != Some("does") || last.kind != TokenKind::LeftParen {
            return None;
        }
        let line = inside.lines().next()?;
        let closes = |at: &usize| line[at + 1..].trim_start().starts_with(')');
        let end = line.match_indices('"').map(|(at, _)| at).find(closes)?;
        Some(&line[..end])
    }

    fn block_comment(&mut self, rest: &str) {
        match rest[2..].find("*/") {
            Some(length) => {
                let comment = &rest[..length + 4];
                self.starts_line |= comment.contains('\n');
                self.at += comment.len();
            }
            None => {
                let span = Span::new(self.at, self.at + 2);
                let error = Diagnostic::error(Code::UnterminatedComment, "this comment has no end", span);
                self.diagnostics.push(error.help("close it with `*/`"));
                self.at = self.text.len();
            }
        }
    }

    fn number(&mut self, rest: &str) {
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let value = rest[..length].parse().unwrap_or_else(|_| {
            let span = Span::new(self.at, self.at + length);
            let error = Diagnostic::error(Code::NumberTooLarge, "this number is too large", span);
            self.diagnostics.push(error.help(format!("the largest number is {}", i64::MAX)));
            i64::MAX
        });
        self.push(TokenKind::Number(value), length);
    }

    fn word(&mut self, rest: &str) {
        let mut length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..length];
        if word == "_" {
            self.push(TokenKind::Underscore, length);
            return;
        }
        if word.starts_with('_') {
            let span = Span::new(self.at, self.at + length);
            let error = Diagnostic::error(Code::BadName, format!("`{word}` is not a name"), span);
            self.diagnostics.push(error.help("a name starts with a letter; `_` alone is the wildcard"));
        }
        if matches!(word, "X" | "U" | "F" | "G") {
            let mut after = rest[length..].chars();
            // `X-` is an operator, but `X --> y` and `X -> y` may be written without the space.
            if matches!(after.next(), Some('-' | '+')) && !matches!(after.next(), Some('-' | '>')) {
                length += 1;
            }
        }
        self.push(TokenKind::Word(rest[..length].to_string()), length);
    }

    fn unknown(&mut self, character: char) {
        let span = Span::new(self.at, self.at + character.len_utf8());
        let shown = if character.is_control() {
            format!("U+{:04X}", u32::from(character))
        } else {
            format!("`{character}`")
        };
        let error = Diagnostic::error(Code::UnknownCharacter, format!("{shown} has no meaning here"), span);
        self.diagnostics.push(match character {
            '~' => error.help("write `!` for negation"),
            '^' => error.help("write `&` for conjunction"),
            '"' | '“' | '”' | '’' | '`' => error.help("names are written without quotation marks"),
            '\\' => error.help("write `&` or `|` for the connectives"),
            _ => error,
        });
        self.at += character.len_utf8();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let (tokens, diagnostics) = lex(text);
        assert_eq!(diagnostics, [], "{text}");
        let shown: Vec<String> = tokens.iter().map(|token| format!("{:?}", token.kind)).collect();
        shown.join(" ").replace("\"", "")
    }

    #[test]
    fn the_longest_symbol_wins() {
        let table = [
            ("a-->b", "Word(a) LongArrow Word(b) End"),
            ("a--b", "Word(a) Dashes Word(b) End"),
            ("a->b", "Word(a) Arrow Word(b) End"),
            ("a<->b<=>c<=d", "Word(a) DoubleArrow Word(b) Equivalent Word(c) LessEqual Word(d) End"),
            ("1..3", "Number(1) DotDot Number(3) End"),
            ("a<-1", "Word(a) Less Minus Number(1) End"),
            ("!=!", "NotEqual Not End"),
            ("X-p", "Word(X-) Word(p) End"),
            ("X+ p U- q", "Word(X+) Word(p) Word(U-) Word(q) End"),
            ("X-->p", "Word(X) LongArrow Word(p) End"),
            ("X->p", "Word(X) Arrow Word(p) End"),
            ("X -p Y-q", "Word(X) Minus Word(p) Word(Y) Minus Word(q) End"),
            ("_ a_b", "Underscore Word(a_b) End"),
            ("∀□p ∧ ⟨g⟩◯⊤", "Word(A) Word(G) Word(p) And Less Word(g) Greater Word(X) Word(true) End"),
            ("a /* b\n*/ c // d\n/", "Word(a) Word(c) Slash End"),
            ("\u{feff}a", "Word(a) End"),
        ];
        for (text, expected) in table {
            assert_eq!(kinds(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_know_whether_they_start_a_line() {
        let (tokens, _) = lex("a b\n  c /*\n*/ d");
        let starts: Vec<bool> = tokens.iter().map(|token| token.starts_line).collect();
        assert_eq!(starts, [true, false, true, true, false]);
    }

    #[test]
    fn mistakes_are_reported_one_by_one() {
        let (tokens, diagnostics) = lex("a # _b 99999999999999999999 ~ /* c");
        let found: Vec<(&str, u32)> =
            diagnostics.iter().map(|found| (found.code.word(), found.span.start)).collect();
        let expected = [
            ("unknown-character", 2),
            ("bad-name", 4),
            ("number-too-large", 7),
            ("unknown-character", 28),
            ("unterminated-comment", 30),
        ];
        assert_eq!(found, expected);
        assert_eq!(tokens.last().map(|token| &token.kind), Some(&TokenKind::End));
    }
}
