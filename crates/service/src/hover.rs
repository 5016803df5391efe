//! What is known of a name.

use servanda_syntax::{Span, SymbolKind};

use crate::{Analysis, Language};

/// Longer statements are cut.
const MOST_LINES: usize = 12;

/// What is known of the name at an offset, as Markdown, with its place.
pub fn hover(analysis: &Analysis, offset: u32) -> Option<(Span, String)> {
    let here = analysis.symbols.at(offset)?;
    let declared = analysis.symbols.declaration(here)?;
    let mut words = format!("**{}** `{}`", here.kind.word(), here.name);
    if !here.scope.is_empty() && !here.scope.starts_with('@') {
        words.push_str(&format!(" of `{}`", here.scope));
    }
    let uses = analysis.symbols.same(here).filter(|other| !other.declares).count();
    match here.kind {
        SymbolKind::State => {
            let places = analysis.symbols.same(here);
            let statements: std::collections::BTreeSet<Span> = places.map(|place| place.statement).collect();
            words.push_str(&format!(", in {} statements", statements.len()));
        }
        SymbolKind::Foreign => {}
        _ => words.push_str(&format!(", named at {uses} other places")),
    }
    if declared.declares && !matches!(here.kind, SymbolKind::State | SymbolKind::Index | SymbolKind::Machine)
    {
        let language = match analysis.language {
            Language::Pact => "pact",
            Language::Ispl => "ispl",
            Language::Ccs => "ccs",
        };
        let statement = analysis.slice(declared.statement);
        let lines: Vec<&str> = statement.lines().take(MOST_LINES).collect();
        if statement != &*here.name {
            words.push_str(&format!("\n\n```{language}\n{}\n```", lines.join("\n")));
        }
    }
    Some((here.span, words))
}
