//! What the names of a file stand for, told by how they are written, so that mistakes elsewhere do not matter.

use std::sync::Arc;

use servanda_syntax::{Occurrence, Outlined, Span, SymbolKind, Symbols, TokenKind};

use crate::token::{begins_definition, lex};

/// What the names of a file stand for. The file need not be right.
///
/// ```
/// use servanda_syntax::SymbolKind::{Action, Process, Set};
///
/// let symbols = servanda_ccs::symbols("set L = {a}\nproc P = a.P \\ L\nproc");
/// let kinds: Vec<_> = symbols.occurrences.iter().map(|found| found.kind).collect();
/// assert_eq!(kinds, [Set, Action, Process, Action, Process, Set]);
/// ```
pub fn symbols(text: &str) -> Symbols {
    let (tokens, _) = lex(text);
    let mut found = Symbols { keywords: &["proc", "set"], ..Symbols::default() };
    let written = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let word = |at: usize| tokens.get(at).map_or("", |token| written(token.span));
    let begins: Vec<usize> = (0..tokens.len()).filter(|at| begins_definition(word(*at))).collect();
    let is_set = |name: &str| begins.iter().any(|at| word(*at) == "set" && word(at + 1) == name);
    let mut statement = Span::default();
    for (at, token) in tokens.iter().enumerate() {
        let name = written(token.span);
        if begins_definition(name) {
            let next = begins.iter().find(|next| **next > at).copied().unwrap_or(tokens.len() - 1);
            statement = token.span.to(tokens[next.saturating_sub(1).max(at)].span);
            if let Some(named) = tokens.get(at + 1).filter(|named| named.kind == TokenKind::Word) {
                let kind = if name == "set" { SymbolKind::Set } else { SymbolKind::Process };
                found.folds.push(statement);
                found.outline.push(Outlined {
                    name: written(named.span).to_owned(),
                    kind,
                    name_span: named.span,
                    span: statement,
                    children: Vec::new(),
                });
            }
            continue;
        }
        if token.kind != TokenKind::Word || name == "tau" || !name.starts_with(char::is_alphabetic) {
            continue;
        }
        let declares = at > 0 && begins.contains(&(at - 1));
        let kind = match name.starts_with(char::is_uppercase) {
            _ if is_set(name) && (declares || word(at.wrapping_sub(1)) == "\\") => SymbolKind::Set,
            true => SymbolKind::Process,
            false => SymbolKind::Action,
        };
        let (name, scope): (Arc<str>, Arc<str>) = (name.into(), "".into());
        found.occurrences.push(Occurrence { name, kind, scope, span: token.span, declares, statement });
    }
    found.tokens = tokens;
    found.in_order()
}
