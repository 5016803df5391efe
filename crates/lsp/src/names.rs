//! What is answered about the name at a place.

use serde_json::{Value, json};
use servanda_service::Text;
use servanda_syntax::{Occurrence, SymbolKind};

use crate::documents::{Document, Documents};
use crate::places::{location, range, uri};

pub(crate) fn definition(documents: &Documents, document: &Document, offset: u32) -> Value {
    let Some(here) = document.analysis.symbols.at(offset) else { return Value::Null };
    if here.kind == SymbolKind::Foreign {
        return foreign(documents, document, here);
    }
    let Some(declared) = document.analysis.symbols.declaration(here) else { return Value::Null };
    location(&document.analysis, (&document.uri, &document.text), declared.span)
}

/// Where a name of a part is declared, in the file of the part.
fn foreign(documents: &Documents, document: &Document, here: &Occurrence) -> Value {
    let part = document.analysis.symbols.parts.iter().find(|(name, _)| **name == *here.scope);
    let Some((_, path)) = part else { return Value::Null };
    let name = documents.bench.path(&document.name, path);
    let Some(file) = document.analysis.source.texts().find(|text| text.name() == name) else {
        return Value::Null;
    };
    let symbols = servanda_service::Analysis::new(
        document.language,
        &name,
        file.text(),
        &mut servanda_service::nothing,
    )
    .symbols;
    let declared = symbols.occurrences.iter().find(|found| found.declares && found.name == here.name);
    let Some(declared) = declared else { return Value::Null };
    json!({ "uri": uri(&name), "range": range(&Text::new(file.text()), declared.span) })
}

/// All places of the name at an offset.
fn places(document: &Document, offset: u32) -> Vec<&Occurrence> {
    let symbols = &document.analysis.symbols;
    symbols.at(offset).map_or(Vec::new(), |here| symbols.same(here).collect())
}

pub(crate) fn references(document: &Document, offset: u32, with_declaration: bool) -> Value {
    let wanted = places(document, offset).into_iter().filter(|found| with_declaration || !found.declares);
    wanted.map(|found| location(&document.analysis, (&document.uri, &document.text), found.span)).collect()
}

pub(crate) fn highlights(document: &Document, offset: u32) -> Value {
    let shown = |found: &Occurrence| json!({ "range": range(&document.text, found.span), "kind": if found.declares { 3 } else { 2 } });
    places(document, offset).into_iter().map(shown).collect()
}

pub(crate) fn prepare_rename(document: &Document, offset: u32) -> Value {
    match document.analysis.symbols.at(offset).filter(|here| here.kind != SymbolKind::Foreign) {
        Some(here) => json!({ "range": range(&document.text, here.span), "placeholder": &*here.name }),
        None => Value::Null,
    }
}

/// The edits that give a name another one.
///
/// # Errors
///
/// Why that cannot be.
pub(crate) fn rename(document: &Document, offset: u32, name: &str) -> Result<Value, String> {
    let places = places(document, offset);
    let Some(here) = places.first() else { return Err("there is no name here".to_owned()) };
    if here.kind == SymbolKind::Foreign {
        return Err("this name is declared in another file, and can be changed there".to_owned());
    }
    let letters = |c: char| c.is_alphanumeric() || c == '_';
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') || !name.chars().all(letters) {
        return Err(format!("`{name}` is no name: letters, digits and `_`, a letter first"));
    }
    let symbols = &document.analysis.symbols;
    if symbols.keywords.contains(&name) {
        return Err(format!("`{name}` is a word of the language"));
    }
    let taken =
        |found: &&Occurrence| &*found.name == name && (found.scope == here.scope || found.scope.is_empty());
    if let Some(taken) = symbols.occurrences.iter().find(taken) {
        return Err(format!("`{name}` is the name of a {} already", taken.kind.word()));
    }
    let edits: Vec<Value> = places
        .iter()
        .map(|found| json!({ "range": range(&document.text, found.span), "newText": name }))
        .collect();
    Ok(json!({ "changes": { &document.uri: edits } }))
}
