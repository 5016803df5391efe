//! What the keys and functions of mappings are for.

use servanda_audit::mapping::{FUNCTIONS, Holds, Key, Section};
use servanda_syntax::{Occurrence, SymbolKind};

/// All tables that have keys of their own.
const SECTIONS: [Section; 6] =
    [Section::Top, Section::Source, Section::Table, Section::View, Section::Event, Section::Timer];

/// What is known of a key or a function, as Markdown.
pub(crate) fn about(here: &Occurrence) -> Option<String> {
    match here.kind {
        SymbolKind::Key => {
            let is_here = |section: &&Section| format!("@{section:?}") == *here.scope;
            let section = SECTIONS.iter().find(is_here)?;
            let key = section.keys().iter().find(|key| key.name == &*here.name)?;
            Some(format!("**key** `{}`\n\n{}{}", key.name, key.about, choices(key)))
        }
        SymbolKind::Function => {
            let function = FUNCTIONS.iter().find(|function| function.name == &*here.name)?;
            Some(format!("**function** `{}`\n\ngives {}", function.call, function.gives))
        }
        _ => None,
    }
}

fn choices(key: &Key) -> String {
    match key.holds {
        Holds::OneOf(words) => {
            let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
            format!("\n\none of {}", words.join(", "))
        }
        _ => String::new(),
    }
}

/// Is it a name that the author of the mapping chose?
pub(crate) fn is_own(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Field | SymbolKind::Definition | SymbolKind::Table | SymbolKind::View)
}
