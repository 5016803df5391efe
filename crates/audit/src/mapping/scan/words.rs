//! Words and texts of a mapping, and what stands in these.

use servanda_syntax::{Span, Text, Token, TokenKind};

use super::super::keys::Holds;
use super::super::tree;
use super::{Named, Next, Open, Scan, Written};

impl Scan<'_> {
    pub(super) fn word(&mut self, letter: char) {
        let in_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
        if !in_word(letter) {
            self.push(TokenKind::Broken, letter.len_utf8());
            return;
        }
        let in_word =
            |letter: char| in_word(letter) || self.next == Next::Value && matches!(letter, '.' | ':' | '+');
        let length = self.rest().find(|letter| !in_word(letter)).unwrap_or(self.rest().len());
        let kind = match self.next {
            Next::Value if letter.is_ascii_digit() => TokenKind::Number,
            _ => TokenKind::Word,
        };
        let span = self.push(kind, length);
        self.read(span, span);
    }

    /// A key, or a value that is no text.
    fn read(&mut self, whole: Span, inside: Span) {
        if self.next != Next::Key {
            self.next = Next::After;
            return;
        }
        let text = self.text[inside.start as usize..inside.end as usize].to_owned();
        self.key.clone_from(&text);
        self.entry = Some(self.keys.len());
        let (section, block) = (self.section, self.blocks.len() - 1);
        self.keys.push(Named { section, text: Text { text, span: inside }, statement: whole, block });
        self.next = Next::Equals;
    }

    pub(super) fn quoted(&mut self, quote: char) {
        let start = self.at;
        let triple: String = std::iter::repeat_n(quote, 3).collect();
        let marks = if self.rest().starts_with(&triple) { 3 } else { 1 };
        let body = &self.text[start + marks..];
        let (length, closed) = text_length(body, quote, marks == 3);
        let inside = Span::new(start + marks, start + marks + length);
        let plain = quote == '\'' || !body[..length].contains('\\');
        if !closed && start + marks + length == self.text.len() {
            self.open = Some(Open { start: start + marks, plain });
        }
        let whole = Span::new(start, start + marks + length + if closed { marks } else { 0 });
        if self.next == Next::Key {
            self.push(TokenKind::Text, whole.end as usize - start);
            return self.read(whole, inside);
        }
        let statement = self.entry.map_or(whole, |entry| self.keys[entry].text.span.to(whole));
        let (section, key, block) = (self.section, self.key.clone(), self.blocks.len() - 1);
        match section.and_then(|section| section.holds(&key)) {
            Some(Holds::Expression | Holds::Keys) if plain => self.parts(whole, inside, expression),
            Some(Holds::Labels) if plain => self.parts(whole, inside, label),
            _ => drop(self.push(TokenKind::Text, whole.end as usize - start)),
        }
        self.texts.push(Written { section, key, inside, plain, block, statement });
        self.next = Next::After;
    }

    /// The tokens of what stands in a text.
    fn parts(&mut self, whole: Span, inside: Span, read: fn(&str, usize, &mut Vec<Token>)) {
        self.push(TokenKind::Broken, (inside.start - whole.start) as usize);
        read(&self.text[inside.start as usize..inside.end as usize], inside.start as usize, &mut self.tokens);
        self.at = inside.end as usize;
        if whole.end > inside.end {
            self.push(TokenKind::Broken, (whole.end - inside.end) as usize);
        }
    }
}

/// How long a text is up to its end, and whether there is one.
fn text_length(body: &str, quote: char, lines: bool) -> (usize, bool) {
    let bytes = body.as_bytes();
    let end = [quote as u8; 3];
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if quote == '"' => at += 1,
            b'\n' if !lines => return (at, false),
            byte if byte == quote as u8 && (!lines || bytes[at..].starts_with(&end)) => return (at, true),
            _ => {}
        }
        at += 1;
    }
    (bytes.len(), false)
}

/// The tokens of an expression.
pub(in crate::mapping) fn expression(text: &str, base: usize, tokens: &mut Vec<Token>) {
    tokens.extend(tree::tokens(text, base));
}

/// The tokens of a label: words, what stands between them, and expressions between braces.
fn label(text: &str, base: usize, tokens: &mut Vec<Token>) {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if letter == '{' {
            let length = rest.find('}').unwrap_or(rest.len());
            tokens.push(Token { kind: TokenKind::Broken, span: Span::new(base + at, base + at + 1) });
            expression(&rest[1..length.max(1)], base + at + 1, tokens);
            at += length.max(1);
            continue;
        }
        let is_word = in_word(letter);
        let length = rest.find(|other| in_word(other) != is_word || other == '{').unwrap_or(rest.len());
        let length = length.max(letter.len_utf8());
        let kind = if is_word { TokenKind::Word } else { TokenKind::Text };
        tokens.push(Token { kind, span: Span::new(base + at, base + at + length) });
        at += length;
    }
}
