//! From text to tokens.
//!
//! The lexer never gives up: what it cannot read it reports and steps over, so that one stray character does not hide
//! the other mistakes of a file.

use servanda_syntax::{Code, Diagnostic, Scanner};

use crate::token::{SYMBOLS, Token, TokenKind};

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
    let mut lexer = Lexer { scanner: Scanner::new(text), starts_line: true, tokens: Vec::new() };
    while let Some(first) = lexer.scanner.next() {
        lexer.step(first);
    }
    lexer.push(TokenKind::End, 0);
    (lexer.tokens, lexer.scanner.diagnostics)
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
    scanner: Scanner<'t>,
    starts_line: bool,
    tokens: Vec<Token>,
}

impl<'t> Lexer<'t> {
    /// Adds a token made of the next `length` bytes.
    fn push(&mut self, kind: TokenKind, length: usize) {
        let starts_line = std::mem::take(&mut self.starts_line);
        self.tokens.push(Token { kind, span: self.scanner.take(length), starts_line });
    }

    /// Reads whatever starts with `first`, the next character. Always moves on.
    fn step(&mut self, first: char) {
        let rest = self.scanner.rest();
        if first.is_whitespace() {
            self.starts_line |= first == '\n';
            self.scanner.take(first.len_utf8());
        } else if rest.starts_with("//") {
            self.scanner.skip_line();
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
                self.scanner.take(comment.len());
            }
            None => {
                let span = self.scanner.span(2);
                let error = Diagnostic::error(Code::UnterminatedComment, "this comment has no end", span);
                self.scanner.report(error.help("close it with `*/`"));
                self.scanner.take(rest.len());
            }
        }
    }

    fn number(&mut self, rest: &str) {
        let length = self.scanner.run_of(|c| c.is_ascii_digit());
        let value = rest[..length].parse().unwrap_or_else(|_| {
            let span = self.scanner.span(length);
            let error = Diagnostic::error(Code::NumberTooLarge, "this number is too large", span);
            self.scanner.report(error.help(format!("the largest number is {}", i64::MAX)));
            i64::MAX
        });
        self.push(TokenKind::Number(value), length);
    }

    fn word(&mut self, rest: &str) {
        let mut length = self.scanner.run_of(|c| c.is_alphanumeric() || c == '_');
        let word = &rest[..length];
        if word == "_" {
            self.push(TokenKind::Underscore, length);
            return;
        }
        if word.starts_with('_') {
            let span = self.scanner.span(length);
            let error = Diagnostic::error(Code::BadName, format!("`{word}` is not a name"), span);
            self.scanner.report(error.help("a name starts with a letter; `_` alone is the wildcard"));
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
        let help = match character {
            '~' => Some("write `!` for negation"),
            '^' => Some("write `&` for conjunction"),
            '"' | '“' | '”' | '’' | '`' => Some("names are written without quotation marks"),
            '\\' => Some("write `&` or `|` for the connectives"),
            _ => None,
        };
        self.scanner.unknown(character, help);
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
