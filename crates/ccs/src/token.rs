//! Tokens of CCS.

use servanda_syntax::{Code, Diagnostic, Scanner, Symbol, Token, TokenKind};

/// Does a definition begin with this word?
pub(crate) fn begins_definition(word: &str) -> bool {
    matches!(word, "proc" | "set")
}

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    Scanner::tokens(text, step)
}

/// Reads whatever starts with `next`, the next character. Always moves on.
fn step(scanner: &mut Scanner<'_>, next: char) {
    match next {
        _ if next.is_whitespace() => {
            scanner.take(next.len_utf8());
        }
        '*' => scanner.skip_line(),
        _ if next.is_alphanumeric() => {
            let letters = scanner.run_of(|c| c.is_alphanumeric() || c == '_');
            // `Accept'` is another process than `Accept`; an output never follows a name directly.
            let quotes = scanner.rest()[letters..].bytes().take_while(|byte| *byte == b'\'').count();
            let primes = if next.is_uppercase() { quotes } else { 0 };
            scanner.push(TokenKind::Word, letters + primes);
        }
        // No operator of CCS can stand between a name and an opening parenthesis unseen, so it opens a content.
        '(' if matches!(scanner.back(0), Some((TokenKind::Word, word)) if !begins_definition(word)) => {
            content(scanner);
        }
        _ => match Symbol::spelled(&scanner.rest()[..next.len_utf8()]) {
            Some(symbol) if "'.+|\\{}[](),/=".contains(next) => scanner.push(TokenKind::Symbol(symbol), 1),
            _ => unknown(scanner, next),
        },
    }
}

/// Everything up to the closing parenthesis is content. One that is never closed ends before the next definition,
/// so that the mistake does not swallow the rest of the file.
fn content(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    let (mut depth, mut starts_line) = (0usize, false);
    for (offset, next) in rest.char_indices() {
        let here = &rest[offset..];
        if starts_line && ["proc", "set"].iter().any(|word| is_first_word(here, word)) {
            return never_closed(scanner, offset);
        }
        match next {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        starts_line = next == '\n' || starts_line && next.is_whitespace();
        if depth == 0 {
            return scanner.push(TokenKind::Text, offset + 1);
        }
    }
    never_closed(scanner, rest.len());
}

fn never_closed(scanner: &mut Scanner<'_>, length: usize) {
    let span = scanner.span(1);
    let error = Diagnostic::error(Code::UnexpectedToken, "this parenthesis is never closed", span);
    scanner.report(error.help("what stands in parentheses after a name is the content of an action"));
    scanner.push(TokenKind::Broken, length);
}

fn unknown(scanner: &mut Scanner<'_>, character: char) {
    let help = match character {
        ';' => Some("a definition ends where the next one begins"),
        '#' | '%' | '-' => Some("a comment begins with `*`"),
        '!' => Some("an output is written `'a`"),
        '?' => Some("an input is written `a`"),
        '_' => Some("a name begins with a letter"),
        _ => None,
    };
    scanner.unknown(character, help);
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
        let show = |token: &Token| &text[token.span.start as usize..token.span.end as usize];
        tokens.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn words_symbols_contents_and_comments() {
        assert_eq!(shown("a.P* not read\n|0"), "a . P | 0 ");
        assert_eq!(shown("'a(f(x) * (y)).(P)"), "' a (f(x) * (y)) . ( P ) ");
        assert_eq!(shown("proc(a)"), "proc ( a ) ");
        assert_eq!(shown("a (\n b )"), "a (\n b ) ");
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
