//! What is answered about the name at a place.

use std::rc::Rc;

use serde_json::{Map, Value, json};
use servanda_service::unfit;
use servanda_syntax::{Occurrence, SymbolKind};

use crate::across::{Files, Known};
use crate::documents::{Document, Documents};
use crate::places::{location, range};

pub(crate) fn definition(documents: &Documents, document: &Document, offset: u32) -> Value {
    let Some(here) = document.analysis.symbols.at(offset) else { return Value::Null };
    if here.kind == SymbolKind::Foreign {
        let files = Files::new(documents);
        let Some((name, known, declared)) = files.declared(document, offset) else { return Value::Null };
        return json!({ "uri": documents.uri(&name), "range": range(&known.text, declared.span) });
    }
    let Some(declared) = document.analysis.symbols.declaration(here) else { return Value::Null };
    location(documents, document, declared.span)
}

/// All places of the name at an offset in its own text.
fn places(document: &Document, offset: u32) -> Vec<&Occurrence> {
    let symbols = &document.analysis.symbols;
    symbols.at(offset).map_or(Vec::new(), |here| symbols.same(here).collect())
}

/// Can other files name it?
fn is_shared(document: &Document, declared: &Occurrence) -> bool {
    use SymbolKind::{Index, Property, Protocol, Scenario};
    let is_local = matches!(declared.kind, Index | Property | Protocol | Scenario | SymbolKind::Part);
    document.language == servanda_service::Language::Pact && !is_local
}

pub(crate) fn references(
    documents: &Documents,
    document: &Document,
    offset: u32,
    with_declaration: bool,
) -> Value {
    let files = Files::new(documents);
    match files.declared(document, offset).filter(|(.., declared)| is_shared(document, declared)) {
        Some((home, known, declared)) => {
            let mut found: Vec<Value> = Vec::new();
            for (name, (known, places)) in files.everywhere(&home, &known, &declared) {
                let wanted = places.iter().filter(|(_, declares)| with_declaration || !declares);
                found.extend(wanted.map(
                    |(span, _)| json!({ "uri": documents.uri(&name), "range": range(&known.text, *span) }),
                ));
            }
            found.into()
        }
        None => {
            let wanted = places(document, offset).into_iter();
            let wanted = wanted.filter(|found| with_declaration || !found.declares);
            wanted.map(|found| location(documents, document, found.span)).collect()
        }
    }
}

pub(crate) fn highlights(document: &Document, offset: u32) -> Value {
    let shown = |found: &Occurrence| json!({ "range": range(&document.text, found.span), "kind": if found.declares { 3 } else { 2 } });
    let source = &document.analysis.source;
    let own =
        places(document, offset).into_iter().filter(|found| source.file_of(found.span.start).base() == 0);
    own.map(shown).collect()
}

pub(crate) fn prepare_rename(document: &Document, offset: u32) -> Value {
    match document.analysis.symbols.at(offset) {
        Some(here) => {
            let name = here.name.rsplit('.').next().unwrap_or_default();
            // What is called so by somebody else keeps its name.
            if unfit(&document.analysis, here, name).is_some() {
                return Value::Null;
            }
            json!({ "range": range(&document.text, here.span), "placeholder": name })
        }
        None => Value::Null,
    }
}

/// The edits that give a name another one, in all files that name it.
///
/// # Errors
///
/// Why that cannot be.
pub(crate) fn rename(
    documents: &Documents,
    document: &Document,
    offset: u32,
    name: &str,
) -> Result<Value, String> {
    if document.analysis.symbols.at(offset).is_none() {
        return Err("there is no name here".to_owned());
    }
    let files = Files::new(documents);
    let Some((home, known, declared)) = files.declared(document, offset) else {
        return Err("the file in which this name is declared cannot be read".to_owned());
    };
    if let Some(reason) = unfit(&document.analysis, &declared, name) {
        return Err(reason);
    }
    free(&known, &declared, name)?;
    if declared.kind == SymbolKind::Part
        && let Some(user) = files.reaches_through(&home, &declared.name)
    {
        return Err(format!("{user} names something of `{}` through this file", declared.name));
    }
    let all = match is_shared(document, &declared) {
        true => files.everywhere(&home, &known, &declared),
        false => {
            let own = known.symbols.same(&declared).map(|found| (found.span, found.declares)).collect();
            [(home.clone(), (Rc::clone(&known), own))].into()
        }
    };
    if all.len() > 1 {
        told_apart(&known, &declared)?;
    }
    let mut changes = Map::new();
    for (file, (known, places)) in all {
        let edit = |span| json!({ "range": range(&known.text, span), "newText": name });
        let edits: Vec<Value> = places.iter().map(|(span, _)| edit(*span)).collect();
        changes.insert(documents.uri(&file), edits.into());
    }
    Ok(json!({ "changes": changes }))
}

/// Is a name free where something is declared?
fn free(known: &Known, declared: &Occurrence, name: &str) -> Result<(), String> {
    let taken = |found: &&Occurrence| {
        &*found.name == name && (found.scope == declared.scope || found.scope.is_empty())
    };
    match known.symbols.occurrences.iter().find(taken) {
        Some(taken) => Err(format!("`{name}` is the name of a {} already", taken.kind.word())),
        None => Ok(()),
    }
}

/// Other files name things of a part without saying of what kind they are.
fn told_apart(known: &Known, declared: &Occurrence) -> Result<(), String> {
    let other = |found: &&Occurrence| found.name == declared.name && !found.is_same(declared);
    match known.symbols.occurrences.iter().find(other) {
        Some(other) => {
            let (kind, name) = (other.kind.word(), &declared.name);
            Err(format!("a {kind} is called `{name}` too, and other files may mean that"))
        }
        None => Ok(()),
    }
}
