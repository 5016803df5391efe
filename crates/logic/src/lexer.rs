//! From text to tokens.
//!
//! The lexer never gives up: what it cannot read it reports and steps over, so that one stray character does not hide
//! the other mistakes of a file.

use servanda_syntax::{Code, Diagnostic, Scanner, Symbol, Token, TokenKind};

/// The symbols: the standard spelling, then how else each may be written. Some stand for words: keywords are contextual, so all words
/// are alike. No row may come after the beginning of its own spelling.
const SYMBOLS: &[&[&str]] = &[
    &["-->"],
    &["<->", "↔", "⇔"],
    &["<=>"],
    &["--"],
    &["->", "→", "⇒", "=>"],
    &["...", "…"],
    &[".."],
    &["!=", "<>", "≠"],
    &["<=", "≤"],
    &[">=", "≥"],
    &["!", "¬"],
    &["&", "&&", "∧"],
    &["|", "||", "∨"],
    &["=", "=="],
    &["<", "⟨"],
    &[">", "⟩"],
    &["+"],
    &["-", "−"],
    &["*"],
    &["/"],
    &["%"],
    &["("],
    &[")"],
    &["["],
    &["]"],
    &["{"],
    &["}"],
    &[","],
    &[";"],
    &[":"],
    &["."],
    &["?"],
    &["'"],
    &["true", "⊤"],
    &["false", "⊥"],
    &["A", "∀"],
    &["E", "∃"],
    &["G", "□", "◻"],
    &["F", "◇", "◊"],
    &["X", "◯", "○"],
    &["so", "∴"],
];

/// Splits a text into tokens; the last one is always [`TokenKind::End`]. Comments (`// ...` and `/* ... */`) and white
/// space separate tokens and are dropped. `"..."` is a token only after `does(`, where it is a label as it is shown, and after `use` and `cite`.
///
/// ```
/// use servanda_logic::lex;
/// use servanda_syntax::{Symbol, TokenKind};
///
/// let (tokens, diagnostics) = lex("p → 3 // not read");
/// assert!(diagnostics.is_empty());
/// let kinds: Vec<TokenKind> = tokens.into_iter().map(|token| token.kind).collect();
/// let arrow = TokenKind::Symbol(Symbol::spelled("->").unwrap());
/// assert_eq!(kinds, [TokenKind::Word, arrow, TokenKind::Number, TokenKind::End]);
/// ```
pub fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    lex_at(text, 0)
}

/// The same for a text whose places count from `base`: one that another text uses.
pub fn lex_at(text: &str, base: usize) -> (Vec<Token>, Vec<Diagnostic>) {
    Scanner::tokens_at(text, base, step)
}

/// Reads whatever starts with `first`, the next character. Always moves on.
fn step(scanner: &mut Scanner<'_>, first: char) {
    let rest = scanner.rest();
    if first.is_whitespace() {
        scanner.take(first.len_utf8());
    } else if rest.starts_with("//") {
        scanner.skip_line();
    } else if rest.starts_with("/*") {
        block_comment(scanner);
    } else if first.is_ascii_digit() {
        scanner.number("the largest number is");
    } else if first.is_alphabetic() || first == '_' {
        word(scanner);
    } else if let Some(length) = quoted_label(scanner) {
        scanner.push(TokenKind::Text, length);
    } else if let Some((symbol, length)) = symbol(rest) {
        scanner.push(TokenKind::Symbol(symbol), length);
    } else {
        let help = match first {
            '~' => Some("write `!` for negation"),
            '^' => Some("write `&` for conjunction"),
            '"' | '“' | '”' | '’' | '`' => Some("names are written without quotation marks"),
            '\\' => Some("write `&` or `|` for the connectives"),
            _ => None,
        };
        scanner.unknown(first, help);
    }
}

/// The symbol that a text begins with, and how long it is there.
fn symbol(text: &str) -> Option<(Symbol, usize)> {
    // Comparing one byte first is what makes this fast: hardly any row begins with it.
    let first = text.as_bytes().first();
    let begins = |spelling: &&&str| spelling.as_bytes().first() == first && text.starts_with(**spelling);
    SYMBOLS.iter().find_map(|row| {
        let written = row.iter().rev().find(begins)?;
        Some((Symbol::spelled(row[0])?, written.len()))
    })
}

/// The length of the label of `does("...")`, which ends at the first quotation mark before the closing parenthesis, or of the text after
/// `use` or `cite` (or what others write for `use`), which ends at the next one.
fn quoted_label(scanner: &Scanner<'_>) -> Option<usize> {
    let inside = scanner.rest().strip_prefix('"')?;
    if scanner.back(0).is_some_and(|(_, text)| matches!(text, "use" | "cite" | "import" | "include")) {
        return inside.lines().next()?.find('"').map(|end| end + 2);
    }
    let after_does = scanner.back(1).is_some_and(|(_, text)| text == "does");
    if !after_does || scanner.back(0).is_none_or(|(_, text)| text != "(") {
        return None;
    }
    let line = inside.lines().next()?;
    let closes = |at: &usize| line[at + 1..].trim_start().starts_with(')');
    line.match_indices('"').map(|(at, _)| at).find(closes).map(|end| end + 2)
}

fn block_comment(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    let length = rest[2..].find("*/").map(|length| length + 4);
    if length.is_none() {
        let error = Diagnostic::error(Code::UnterminatedComment, "this comment has no end", scanner.span(2));
        scanner.report(error.help("close it with `*/`"));
    }
    scanner.take(length.unwrap_or(rest.len()));
}

/// How the signs of CTL*CA may be written: `X-`, `X−`, `X⁻`, `X^-`, `X^{-}`.
const SIGNS: &[(&str, &str)] = &[
    ("+", "+"),
    ("⁺", "+"),
    ("^+", "+"),
    ("^{+}", "+"),
    ("-", "-"),
    ("−", "-"),
    ("⁻", "-"),
    ("^-", "-"),
    ("^−", "-"),
    ("^{-}", "-"),
    ("^{−}", "-"),
];

/// An operator of CTL*CA that begins with this word, and how long it is. Between the word and the sign nothing may stand: with a space it
/// is a sum or a difference.
fn signed(word: &str, after: &str) -> Option<(Symbol, usize)> {
    // A quantifier and an operator at most; most words are longer, and no sign follows most.
    if word.len() > 2 {
        return None;
    }
    let (written, sign) = SIGNS.iter().find(|(written, _)| after.starts_with(written))?;
    // `X --> y` and `X -> y` may be written without the space.
    if *written == "-" && after[1..].starts_with(['-', '>']) {
        return None;
    }
    Symbol::spelled(&format!("{word}{sign}")).map(|symbol| (symbol, word.len() + written.len()))
}

/// A letter, then letters, digits and underscores; or an operator with a sign.
fn word(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    let length = scanner.run_of(|c| c.is_alphanumeric() || c == '_');
    let word = &rest[..length];
    if word == "_"
        && let Some(wildcard) = Symbol::spelled("_")
    {
        return scanner.push(TokenKind::Symbol(wildcard), length);
    }
    if word.starts_with('_') {
        let span = scanner.span(length);
        let error = Diagnostic::error(Code::BadName, format!("`{word}` is not a name"), span);
        scanner.report(error.help("a name starts with a letter; `_` alone is the wildcard"));
    }
    match signed(word, &rest[length..]) {
        Some((symbol, length)) => scanner.push(TokenKind::Symbol(symbol), length),
        None => scanner.push(TokenKind::Word, length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tokens with bars between them, symbols in their standard spelling.
    fn shown(text: &str) -> String {
        let (tokens, diagnostics) = lex(text);
        assert_eq!(diagnostics, [], "{text}");
        let spelled = |token: &Token| match token.kind {
            TokenKind::Symbol(symbol) => symbol.text(),
            _ => &text[token.span.start as usize..token.span.end as usize],
        };
        tokens.iter().map(spelled).collect::<Vec<_>>().join(" ").trim_end().to_owned()
    }

    #[test]
    fn the_longest_symbol_wins() {
        let table = [
            ("a-->b", "a --> b"),
            ("a--b", "a -- b"),
            ("a->b", "a -> b"),
            ("a<->b<=>c<=d", "a <-> b <=> c <= d"),
            ("1..3", "1 .. 3"),
            ("a;...;b", "a ; ... ; b"),
            ("a<-1", "a < - 1"),
            ("!=!", "!= !"),
            ("X-p", "X- p"),
            ("X+ p U- q", "X+ p U- q"),
            ("X-->p", "X --> p"),
            ("X->p", "X -> p"),
            ("X -p Y-q", "X - p Y - q"),
            ("AG+p EF⁺ q AX^-r", "AG+ p EF+ q AX- r"),
            ("X−p X⁻p X^{−}p U^+ q", "X- p X- p X- p U+ q"),
            ("AG + p", "AG + p"),
            ("a=>b⇒c>=d", "a -> b -> c >= d"),
            ("_ a_b", "_ a_b"),
            ("∀□p ∧ ⟨g⟩◯⊤", "A G p & < g > X true"),
            ("a /* b\n*/ c // d\n/", "a c /"),
            ("\u{feff}a", "a"),
            ("does(\"a) b\")", "does ( \"a) b\" )"),
        ];
        for (text, expected) in table {
            assert_eq!(shown(text), expected, "{text}");
        }
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
        assert_eq!(tokens.last().map(|token| token.kind), Some(TokenKind::End));
    }
}
