//! Tokens of CCS.

use servanda_syntax::{Code, Diagnostic, Scanner};

/// A token with its place.
pub(crate) type Token = servanda_syntax::Token<TokenKind>;

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores.
    Word,
    /// What stands in the parentheses after a word; the place is that of the text inside.
    Content,
    /// Punctuation, as it is written.
    Symbol(char),
    /// Something that was reported already.
    Broken,
    /// The end of the text.
    End,
}

impl servanda_syntax::TokenKind for TokenKind {
    const WORD: Self = TokenKind::Word;
    const END: Self = TokenKind::End;
}

/// Does a definition begin with this word?
pub(crate) fn begins_definition(word: &str) -> bool {
    matches!(word, "proc" | "set")
}

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { scanner: Scanner::new(text), tokens: Vec::new() };
    while let Some(next) = lexer.scanner.next() {
        lexer.step(next);
    }
    lexer.push(TokenKind::End, 0);
    (lexer.tokens, lexer.scanner.diagnostics)
}

struct Lexer<'t> {
    scanner: Scanner<'t>,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn push(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: self.scanner.take(length) });
    }

    /// Reads whatever starts with `next`, the next character. Always moves on.
    fn step(&mut self, next: char) {
        match next {
            _ if next.is_whitespace() => {
                self.scanner.take(next.len_utf8());
            }
            '*' => self.scanner.skip_line(),
            _ if next.is_alphanumeric() => {
                let length = self.scanner.run_of(|c| c.is_alphanumeric() || c == '_');
                self.push(TokenKind::Word, length);
            }
            '(' if self.after_a_name() => self.content(),
            '\'' | '.' | '+' | '|' | '\\' | '{' | '}' | '[' | ']' | '(' | ')' | ',' | '/' | '=' => {
                self.push(TokenKind::Symbol(next), 1);
            }
            _ => self.unknown(next),
        }
    }

    /// No operator of CCS can stand between a name and an opening parenthesis unseen, so it opens a content.
    fn after_a_name(&self) -> bool {
        match self.tokens.last() {
            Some(Token { kind: TokenKind::Word, span }) => !begins_definition(self.scanner.slice(*span)),
            _ => false,
        }
    }

    /// Everything up to the closing parenthesis is content. One that is never closed ends before the next definition,
    /// so that the mistake does not swallow the rest of the file.
    fn content(&mut self) {
        let rest = self.scanner.rest();
        let (mut depth, mut starts_line) = (0usize, false);
        for (offset, next) in rest.char_indices() {
            let here = &rest[offset..];
            if starts_line && ["proc", "set"].iter().any(|word| is_first_word(here, word)) {
                return self.never_closed(offset);
            }
            match next {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            starts_line = next == '\n' || starts_line && next.is_whitespace();
            if depth == 0 {
                self.scanner.take(1);
                self.push(TokenKind::Content, offset - 1);
                self.scanner.take(1);
                return;
            }
        }
        self.never_closed(rest.len());
    }

    fn never_closed(&mut self, length: usize) {
        let span = self.scanner.span(1);
        let error = Diagnostic::error(Code::UnexpectedToken, "this parenthesis is never closed", span);
        self.scanner
            .report(error.help("what stands in parentheses after a name is the content of an action"));
        self.push(TokenKind::Broken, length);
    }

    fn unknown(&mut self, character: char) {
        let help = match character {
            ';' => Some("a definition ends where the next one begins"),
            '#' | '%' | '-' => Some("a comment begins with `*`"),
            '!' => Some("an output is written `'a`"),
            '?' => Some("an input is written `a`"),
            '_' => Some("a name begins with a letter"),
            _ => None,
        };
        self.scanner.unknown(character, help);
    }
}

fn is_first_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| rest.chars().next().is_some_and(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let (tokens, diagnostics) = lex(text);
        assert_eq!(diagnostics, [], "{text}");
        let show = |token: &Token| {
            let text = &text[token.span.start as usize..token.span.end as usize];
            match token.kind {
                TokenKind::Content => format!("<{text}>"),
                _ => text.to_owned(),
            }
        };
        tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_symbols_contents_and_comments() {
        assert_eq!(shown("a.P* not read\n|0"), "a . P | 0 ");
        assert_eq!(shown("'a(f(x) * (y)).(P)"), "' a <f(x) * (y)> . ( P ) ");
        assert_eq!(shown("proc(a)"), "proc ( a ) ");
        assert_eq!(shown("a (\n b )"), "a <\n b > ");
    }

    #[test]
    fn what_is_never_closed_ends_before_the_next_definition() {
        let (tokens, diagnostics) = lex("a(b\n.P\n proc Q");
        assert_eq!(diagnostics.len(), 1);
        let kinds: Vec<TokenKind> = tokens.iter().map(|token| token.kind).collect();
        let word = TokenKind::Word;
        assert_eq!(kinds, [word, TokenKind::Broken, word, word, TokenKind::End]);
    }
}
