//! Verdicts that authors and generators write beside formulas, for tests.

use crate::parse;
use crate::token::lex;

/// What a comment right after each formula says: `p; -- TRUE`. Upper and lower case do not count, and what follows
/// the word does not either.
pub fn verdicts_in_comments(text: &str) -> Vec<Option<bool>> {
    let (tokens, _) = lex(text);
    let file = parse::parse(text, &tokens);
    let after = |range: &std::ops::Range<usize>| {
        let semicolon = tokens.get(range.end).filter(|token| token.kind.is(";"))?;
        let rest = text.get(semicolon.span.end as usize..)?;
        let comment = rest.lines().next()?.trim_start().strip_prefix("--")?;
        let word: String = comment.trim_start().chars().take_while(char::is_ascii_alphabetic).collect();
        match word.to_ascii_lowercase().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    };
    file.formulae.iter().map(after).collect()
}
