//! Words that no name should be, and what a name looks like.

use servanda_logic::{ActKind, Binary, EpistemicOp, prefix};
use servanda_syntax::{Occurrence, SymbolKind};

use crate::{Analysis, Language, mapping};

/// Words of formulas that are no operators.
const WORDS: &[&str] = &[
    "Act", "PC", "SC", "_", "active", "all", "any", "does", "else", "false", "if", "in", "sum", "then",
    "true",
];

/// Words of ISPL and of CCS.
const OF_ISPL: &[&str] =
    &["Action", "Other", "Environment", "bitand", "bitor", "bitxor", "boolean", "CTL", "LTL"];
const OF_CCS: &[&str] = &["nil", "proc", "set", "t", "tau"];

/// Why something cannot be called so; `None` where it can.
pub fn unfit(analysis: &Analysis, named: &Occurrence, name: &str) -> Option<String> {
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    if !name.starts_with(char::is_alphabetic) || !name.chars().all(letters) {
        return Some(format!("`{name}` is no name: letters, digits and `_`, a letter first"));
    }
    if analysis.language == Language::Mapping && !mapping::is_own(named.kind) {
        return Some(match named.kind {
            SymbolKind::Key | SymbolKind::Function => format!("`{}` is a word of mappings", named.name),
            SymbolKind::Part => format!("`{}` is a file", named.name),
            _ => format!("`{}` is a name of the model: rename it there", named.name),
        });
    }
    if analysis.symbols.keywords.contains(&name) {
        return Some(format!("`{name}` is a word of the language"));
    }
    let own = match analysis.language {
        Language::Pact => is_word_of_formulas(name),
        Language::Ispl => is_word_of_formulas(name) || OF_ISPL.contains(&name),
        Language::Ccs => OF_CCS.contains(&name),
        Language::Mapping => ["true", "false"].contains(&name),
    };
    if own {
        return Some(format!("`{name}` is a word of the language"));
    }
    // CCS tells processes from actions by their first letters.
    let is_large = name.starts_with(char::is_uppercase);
    match (analysis.language, named.kind) {
        (Language::Ccs, SymbolKind::Process) if !is_large => {
            Some(format!("`{name}` would be an action: processes begin with a capital letter"))
        }
        (Language::Ccs, SymbolKind::Action) if is_large => {
            Some(format!("`{name}` would be a process: actions begin with a small letter"))
        }
        _ => None,
    }
}

/// Could a formula read this word as something else than a name?
fn is_word_of_formulas(word: &str) -> bool {
    prefix(word).is_some()
        || Binary::written(word).is_some()
        || Binary::called(word).is_some()
        || EpistemicOp::written(word).is_some()
        || ActKind::from_name(word).is_some()
        || WORDS.contains(&word)
}
