//! Comments, which the lexer drops.

use servanda_logic::lex;
use servanda_syntax::Span;

/// A comment and where it stands.
pub(super) struct Comment {
    pub(super) text: String,
    pub(super) span: Span,
}

/// All comments, in order. They stand between tokens, and nothing else but white space does.
pub(super) fn comments(text: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut gap = 0;
    for token in lex(text).0 {
        comments_between(text, gap, token.span.start as usize, &mut comments);
        gap = token.span.end as usize;
    }
    comments
}

/// The text with a space in place of each comment.
pub(crate) fn without_comments(text: &str) -> String {
    let mut result = String::new();
    let mut at = 0;
    for comment in comments(text) {
        result.push_str(&text[at..comment.span.start as usize]);
        result.push(' ');
        at = comment.span.end as usize;
    }
    result.push_str(&text[at..]);
    result
}

fn comments_between(text: &str, start: usize, end: usize, comments: &mut Vec<Comment>) {
    let mut at = start;
    while let Some(found) = text.get(at..end).and_then(|rest| rest.find('/')) {
        let from = at + found;
        let rest = &text[from..end];
        let length = match rest.starts_with("/*") {
            true => rest[2..].find("*/").map_or(rest.len(), |close| close + 4),
            false => rest.find('\n').unwrap_or(rest.len()),
        };
        let written = rest[..length].trim_end().replace('\r', "");
        comments.push(Comment { text: written, span: Span::new(from, from + length) });
        at = from + length;
    }
}
