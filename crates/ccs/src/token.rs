//! Tokens of CCS.

use servanda_syntax::{Code, Diagnostic, Span};

/// A token with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

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

/// Does a definition begin with this word?
pub(crate) fn begins_definition(word: &str) -> bool {
    matches!(word, "proc" | "set")
}

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer { text, at: 0, tokens: Vec::new(), diagnostics: Vec::new() };
    // Editors of other systems mark the beginning of a text.
    if text.starts_with('\u{feff}') {
        lexer.at = '\u{feff}'.len_utf8();
    }
    while let Some(next) = lexer.rest().chars().next() {
        lexer.step(next);
    }
    lexer.push(TokenKind::End, 0);
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    /// Reads whatever starts with `next`, the next character. Always moves on.
    fn step(&mut self, next: char) {
        match next {
            _ if next.is_whitespace() => self.at += next.len_utf8(),
            '*' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            _ if next.is_alphanumeric() => {
                let rest = self.rest();
                let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
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
            Some(Token { kind: TokenKind::Word, span }) => {
                !begins_definition(&self.text[span.start as usize..span.end as usize])
            }
            _ => false,
        }
    }

    /// Everything up to the closing parenthesis is content. One that is never closed ends before the next definition,
    /// so that the mistake does not swallow the rest of the file.
    fn content(&mut self) {
        let opening = self.at;
        let (mut depth, mut starts_line) = (0usize, false);
        for (offset, next) in self.rest().char_indices() {
            let here = &self.text[opening + offset..];
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
                self.at += 1;
                self.push(TokenKind::Content, offset - 1);
                self.at += 1;
                return;
            }
        }
        self.never_closed(self.rest().len());
    }

    fn never_closed(&mut self, length: usize) {
        let span = Span::new(self.at, self.at + 1);
        let error = Diagnostic::error(Code::UnexpectedToken, "this parenthesis is never closed", span);
        self.diagnostics
            .push(error.help("what stands in parentheses after a name is the content of an action"));
        self.push(TokenKind::Broken, length);
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
            ';' => error.help("a definition ends where the next one begins"),
            '#' | '%' | '-' => error.help("a comment begins with `*`"),
            '!' => error.help("an output is written `'a`"),
            '?' => error.help("an input is written `a`"),
            '_' => error.help("a name begins with a letter"),
            _ => error,
        });
        self.at += character.len_utf8();
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
