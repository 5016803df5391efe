//! What people write who know another notation, and what they want to hear.

use servanda_syntax::{Code, Cursor, Diagnostic, Span, TokenKind};

use super::{Parser, number};
use crate::act::ActKind;
use crate::tree::{EpistemicOp, Formula, Kind, Unary};

/// The current token as messages name it, and advice for spellings of other notations, here or just before.
pub(super) fn found(cursor: &Cursor<'_>) -> Option<(String, Option<String>, Span)> {
    if let Some(span) = becomes(cursor) {
        return Some(("`:=`".to_owned(), Some("write `=`".to_owned()), span));
    }
    let found = match (cursor.spelling(0), number(cursor, 0)) {
        ("", _) => "the end of the text".to_owned(),
        (_, Some(number)) => format!("`{number}`"),
        (text, None) => format!("`{text}`"),
    };
    let here = match cursor.spelling(0) {
        "AND" | "And" => Some("`&` or `and` for conjunction"),
        "OR" | "Or" => Some("`|` or `or` for disjunction"),
        "implies" | "IMPLIES" => Some("`->` for implication"),
        "iff" | "IFF" | "<=>" => Some("`<->` for equivalence"),
        "until" | "UNTIL" => Some("`U` for until"),
        "since" => Some("`S` for since"),
        "release" | "releases" => Some("`R` for release"),
        "mod" => Some("`%` for the remainder"),
        _ => None,
    };
    let before = || match cursor.previous_word()? {
        "forall" => Some("`all i in 1..N : ...` for all values, `A` for all paths"),
        "if" => Some("`if c then a else b` for a value that depends on a condition"),
        "U" | "W" | "R" | "S" | "so" | "U-" | "U+" => Some("a formula on both sides of the operator"),
        "exists" => Some("`any i in 1..N : ...` for some value, `E` for some path"),
        word => misspelled(word),
    };
    let advice = || here.or_else(before).map(|advice| format!("write {advice}"));
    let instead = arithmetic_instead(cursor.spelling(0)).or_else(|| without_parentheses(cursor));
    Some((found, instead.or_else(advice), cursor.span()))
}

/// The place of `:=`, if that stands here.
pub(super) fn becomes(cursor: &Cursor<'_>) -> Option<Span> {
    let (first, second) = (cursor.nth(0), cursor.nth(1));
    let adjacent = first.span.end == second.span.start;
    (adjacent && first.kind.is(":") && second.kind.is("=")).then(|| first.span.to(second.span))
}

/// The other reading of an operator with a sign.
pub(super) fn arithmetic_instead(operator: &str) -> Option<String> {
    let (word, sign) = operator.split_at_checked(operator.len().checked_sub(1)?)?;
    let what = match sign {
        "+" => "sum",
        "-" => "difference",
        _ => return None,
    };
    (!word.is_empty()).then(|| {
        format!(
            "`{operator}` is read as an operator of CTL*CA; for a {what} write `{word} {sign} ..` with spaces"
        )
    })
}

/// Advice where a word that takes arguments is followed by one without a parenthesis: `K Ann p`, `Cr Cus quote`.
fn without_parentheses(cursor: &Cursor<'_>) -> Option<String> {
    let word = cursor.previous_word()?;
    let argument = cursor.word(0).filter(|_| cursor.kind(0) == TokenKind::Word)?;
    if let Some(op) = EpistemicOp::written(word) {
        let what = if op.has_agent() && op.has_group() { "GROUP, p" } else { "p" };
        return Some(format!("write `{word}({argument}, {what})`, with parentheses and commas"));
    }
    if matches!(word, "SC" | "PC") {
        let what = if word == "PC" { "CREDITOR, MOMENT, p" } else { "CREDITOR, p" };
        return Some(format!("write `{word}({argument}, {what})`, with parentheses and commas"));
    }
    let kind = ActKind::from_name(word)?;
    let what = if kind.has_support() {
        "COMMITMENT, SUPPORT"
    } else if kind.has_third() {
        "COMMITMENT, ROLE"
    } else {
        "COMMITMENT"
    };
    Some(format!("write `{word}({argument}, {what})`, with parentheses and commas"))
}

/// What to write for an operator of other notations that stands before its operand.
pub(super) fn misspelled(word: &str) -> Option<&'static str> {
    match word {
        "NOT" | "Not" => Some("`!` or `not` for negation"),
        "always" | "globally" => Some("`G` (or `AG`) for always"),
        "eventually" | "finally" => Some("`F` (or `AF`, `EF`) for eventually"),
        "next" => Some("`X` for next"),
        "ax" | "Ax" => Some("`AX`, in capitals"),
        "ex" | "Ex" => Some("`EX`, in capitals"),
        "af" | "Af" => Some("`AF`, in capitals"),
        "ef" | "Ef" => Some("`EF`, in capitals"),
        "ag" | "Ag" => Some("`AG`, in capitals"),
        "eg" | "Eg" => Some("`EG`, in capitals"),
        "ay" | "Ay" => Some("`AY`, in capitals"),
        "ey" | "Ey" => Some("`EY`, in capitals"),
        "ah" | "Ah" => Some("`AH`, in capitals"),
        "ep" | "Ep" => Some("`EP`, in capitals"),
        _ => None,
    }
}

impl Parser<'_> {
    /// `[] p` and `<> p`, which other programs write for `G p` and `F p`: reported, and read so.
    pub(super) fn boxed(&mut self) -> Option<Option<Formula>> {
        let (written, operator, advice) = match (self.spelling(0), self.spelling(1)) {
            ("[", "]") => ("[]", Unary::Globally, "write `G` (or `AG`) for always"),
            ("!=", _) if self.slice(self.span()) == "<>" && self.operand_ahead(1, true) => {
                ("<>", Unary::Finally, "write `F` (or `AF`, `EF`) for eventually")
            }
            _ => return None,
        };
        let start = self.bump();
        if written == "[]" {
            self.bump();
        }
        let message = format!("`{written}` is not an operator here");
        let place = start.to(self.previous_span());
        self.report(Diagnostic::error(Code::UnknownOperator, message, place).help(advice));
        let operand = self.nested(Self::prefixed);
        Some(operand.map(|operand| {
            let span = start.to(operand.span());
            Formula::new(Kind::Unary(operator, operand), span)
        }))
    }

    /// Steps over `=`, also where it is written `:=`, which is reported.
    pub fn equals(&mut self) -> Option<()> {
        if self.eat("=") {
            return Some(());
        }
        let Some(span) = becomes(self) else { return self.unexpected("`=`") };
        self.skip(2);
        self.report(
            Diagnostic::error(Code::UnexpectedToken, "expected `=`, found `:=`", span).help("write `=`"),
        );
        Some(())
    }

    /// Does `=` stand here, or `:=`, which is meant to be that?
    pub fn at_equals(&self) -> bool {
        self.at("=") || becomes(self).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::prefix;

    #[test]
    fn operators_in_small_letters_are_those_in_capitals() {
        for word in ["ax", "ex", "af", "ef", "ag", "eg", "ay", "ey", "ah", "ep"] {
            let advice = misspelled(word).expect(word);
            let capitals = word.to_uppercase();
            assert!(prefix(&capitals).is_some());
            assert_eq!(advice, format!("`{capitals}`, in capitals"));
        }
    }
}
