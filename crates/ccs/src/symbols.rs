//! What the names of a file stand for, told by how they are written, so that mistakes elsewhere do not matter.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use servanda_syntax::{Occurrence, Outlined, Span, SymbolKind, Symbols, Token, TokenKind};

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
    of_tokens(text, tokens)
}

/// The same for a text whose tokens are known.
pub(crate) fn of_tokens(text: &str, tokens: Vec<Token>) -> Symbols {
    let mut found = Symbols { keywords: &["proc", "set"], ..Symbols::default() };
    let written = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let word = |at: usize| tokens.get(at).map_or("", |token| written(token.span));
    let begins: Vec<usize> = (0..tokens.len()).filter(|at| begins_definition(word(*at))).collect();
    let sets: FxHashSet<&str> =
        begins.iter().filter(|at| word(**at) == "set").map(|at| word(at + 1)).collect();
    let mut statement = Span::default();
    for (at, token) in tokens.iter().enumerate() {
        let name = written(token.span);
        if begins_definition(name) {
            let after = begins.partition_point(|begin| *begin <= at);
            let next = begins.get(after).copied().unwrap_or(tokens.len() - 1);
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
        let declares = at > 0 && begins.binary_search(&(at - 1)).is_ok();
        let kind = match name.starts_with(char::is_uppercase) {
            _ if sets.contains(name) && (declares || word(at.wrapping_sub(1)) == "\\") => SymbolKind::Set,
            true => SymbolKind::Process,
            false => SymbolKind::Action,
        };
        let (name, scope): (Arc<str>, Arc<str>) = (name.into(), "".into());
        found.occurrences.push(Occurrence { name, kind, scope, span: token.span, declares, statement });
    }
    found.tokens = tokens;
    found.in_order()
}
