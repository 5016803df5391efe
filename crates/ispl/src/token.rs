//! Tokens of ISPL.

use servanda_syntax::{Code, Diagnostic, Scanner, Symbol, Token, TokenKind};

/// What symbols consist of.
const SIGNS: &str = "=.();,:{}[]<>!&|^~+-*/";

/// The longest symbol that a text begins with, and how long it is there. Both spellings of two relations are read; one
/// of each is kept.
fn symbol(text: &str) -> Option<(Symbol, usize)> {
    let second = text.as_bytes().get(1).copied().unwrap_or_default();
    let (kept, length) = match (*text.as_bytes().first()?, second) {
        (b'<', b'-') if text.starts_with("<->") => ("<->", 3),
        (b'-', b'>') | (b'=', b'>') => ("->", 2),
        (b'<', b'>') | (b'!', b'=') => ("<>", 2),
        (b'<', b'=') => ("<=", 2),
        (b'>', b'=') => (">=", 2),
        (b'=', b'=') => ("=", 2),
        (b'.', b'.') => ("..", 2),
        _ => (text.get(..1).filter(|sign| SIGNS.contains(sign))?, 1),
    };
    Some((Symbol::spelled(kept)?, length))
}

/// Cuts a text into tokens, of which the last is the end. What cannot be read is reported and left out.
pub(crate) fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    Scanner::tokens(text, |scanner, next| match next {
        _ if next.is_whitespace() => {
            scanner.take(next.len_utf8());
        }
        _ if scanner.rest().starts_with("--") => scanner.skip_line(),
        '/' if foreign_comment(scanner) => {}
        'a'..='z' | 'A'..='Z' | '_' => {
            let bytes = scanner.rest().as_bytes();
            let length = bytes.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_');
            scanner.push(TokenKind::Word, length.unwrap_or(bytes.len()));
        }
        '0'..='9' => scanner.number("the largest is"),
        _ => match symbol(scanner.rest()) {
            Some((symbol, length)) => scanner.push(TokenKind::Symbol(symbol), length),
            None => unreadable(scanner),
        },
    })
}

/// Comments of other languages.
fn foreign_comment(scanner: &mut Scanner<'_>) -> bool {
    let rest = scanner.rest();
    if !rest.starts_with("//") && !rest.starts_with("/*") {
        return false;
    }
    let error = Diagnostic::error(Code::ForeignComment, "this is no comment in ISPL", scanner.span(2));
    scanner.report(error.help("write `--`: a comment reaches to the end of its line"));
    if rest.starts_with("//") {
        scanner.skip_line();
    } else {
        scanner.take(rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    true
}

fn unreadable(scanner: &mut Scanner<'_>) {
    let ordinary = |c: char| c.is_ascii_alphanumeric() || c.is_whitespace() || c == '_' || SIGNS.contains(c);
    let length = scanner.run_of(|c| !ordinary(c));
    let shown: String = scanner.rest()[..length].chars().take(20).collect();
    let span = scanner.take(length);
    let message = format!("`{shown}` has no meaning in ISPL");
    let error = Diagnostic::error(Code::UnknownCharacter, message, span);
    scanner.report(match shown.chars().next() {
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
        scanner.take(1);
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
