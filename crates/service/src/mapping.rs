//! Mappings: what is wrong with one, as `servanda audit` says it, and what its names stand for, in it and in the models of its views.

mod complete;
mod hover;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use servanda_audit::mapping::{Mapping, Names, Told, names};
use servanda_model::Model;
use servanda_syntax::{
    Diagnostic, Label, Occurrence, SourceFile, Span, SymbolKind, Symbols, Text, has_errors,
};

use crate::FindText;

pub(crate) use complete::proposals;
pub(crate) use hover::{about, is_own};

/// What the model of a view has names for.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Its labels as people read them.
    pub labels: Vec<String>,
    /// Its properties.
    pub properties: Vec<String>,
    /// Its roles, control states and variables.
    pub names: Vec<(SymbolKind, Arc<str>)>,
}

/// A model that a mapping names.
struct Used {
    model: Option<Model>,
    properties: Vec<String>,
    /// What its names stand for, with places in the source of the mapping.
    symbols: Symbols,
}

/// Reads a mapping and the models that it names; these become part of the source, so that there are places in them.
pub(crate) fn read(
    source: &mut SourceFile,
    find: &mut FindText<'_>,
    views: &mut Vec<Vocabulary>,
) -> (Vec<Diagnostic>, Symbols) {
    let (mapping, mut found) = Mapping::read(source);
    let named = names(source.text());
    let paths = named.models.iter().flatten().cloned();
    let stated = mapping.iter().flat_map(|mapping| mapping.views.iter().map(|view| view.model.clone()));
    let mut used: BTreeMap<String, Option<Used>> = BTreeMap::new();
    for path in stated.chain(paths) {
        if let Entry::Vacant(new) = used.entry(path.text.clone()) {
            new.insert(used_model(source, &path, find, mapping.is_some().then_some(&mut found)));
        }
    }
    if let Some(mapping) = &mapping {
        let known = |path: &Text| {
            let used = used.get(&path.text)?.as_ref()?;
            Some((used.model.as_ref()?, used.properties.clone()))
        };
        let models: Vec<_> = mapping.views.iter().map(|view| known(&view.model)).collect();
        found.extend(mapping.check_models(&models));
    }
    found.sort_by_key(|found| found.span);
    let used_by = |path: &Option<Text>| used.get(&path.as_ref()?.text)?.as_ref();
    views.extend(named.models.iter().map(|path| used_by(path).map_or_else(Vocabulary::default, vocabulary)));
    (found, joined(named, &used))
}

/// Reads a model. What is wrong with one is said where it can be used otherwise; it is the first mistake, as nothing follows from it.
fn used_model(
    source: &mut SourceFile,
    path: &Text,
    find: &mut FindText<'_>,
    found: Option<&mut Vec<Diagnostic>>,
) -> Option<Used> {
    let mut nowhere = Vec::new();
    let found = found.unwrap_or(&mut nowhere);
    let (name, text) = match find(source.name(), &path.text) {
        Ok(read) => read,
        Err(error) => {
            found.push(Diagnostic { span: path.span, ..*error });
            return None;
        }
    };
    let mut own = SourceFile::new(name, text);
    let read = servanda_pact::read_with(&mut own, find);
    let by = source.append(own);
    let place = |span: Span| Span { start: span.start + by, end: span.end + by };
    let loaded = read.loaded;
    if has_errors(&loaded.diagnostics) {
        let moved = |label: Label| Label { span: place(label.span), ..label };
        found.extend(loaded.diagnostics.into_iter().map(|found| Diagnostic {
            span: place(found.span),
            labels: found.labels.into_iter().map(moved).collect(),
            ..found
        }));
    }
    let mut symbols = read.symbols;
    declare(&mut symbols);
    for occurrence in &mut symbols.occurrences {
        let within = &occurrence.scope;
        let scope = if within.is_empty() { path.text.clone() } else { format!("{}: {within}", path.text) };
        occurrence.scope = scope.into();
        occurrence.span = place(occurrence.span);
        occurrence.statement = place(occurrence.statement);
    }
    let (model, properties) = match loaded.protocol {
        Some(protocol) => {
            let names = protocol.properties.into_iter().map(|property| property.name).collect();
            (Some(protocol.model), names)
        }
        None => (None, Vec::new()),
    };
    Some(Used { model, properties, symbols })
}

/// What nothing declares, as messages and control states, is declared by the first place that names it: not by one in the mapping.
fn declare(symbols: &mut Symbols) {
    let mut declared: BTreeSet<(SymbolKind, Arc<str>, Arc<str>)> = BTreeSet::new();
    let key = |found: &Occurrence| (found.kind, found.name.clone(), found.scope.clone());
    declared.extend(symbols.occurrences.iter().filter(|found| found.declares).map(key));
    for found in &mut symbols.occurrences {
        found.declares |= declared.insert(key(found));
    }
}

/// What a model has names for. One with mistakes has its names all the same.
fn vocabulary(used: &Used) -> Vocabulary {
    use SymbolKind::{Commitment, Message, Property, Role, State, Variable};
    let mut names: Vec<(SymbolKind, Arc<str>)> = Vec::new();
    for found in &used.symbols.occurrences {
        let wanted = matches!(found.kind, Role | State | Variable | Message | Commitment | Property);
        if wanted && !names.iter().any(|(kind, name)| *kind == found.kind && *name == found.name) {
            names.push((found.kind, found.name.clone()));
        }
    }
    let labels =
        used.model.as_ref().map(|model| model.labels().map(|(id, _)| model.show_label(id)).collect());
    let stated = names.iter().filter(|(kind, _)| *kind == Property).map(|(_, name)| name.to_string());
    let properties = if used.properties.is_empty() { stated.collect() } else { used.properties.clone() };
    Vocabulary { labels: labels.unwrap_or_default(), properties, names }
}

/// The names of a mapping with those of its models that it uses.
fn joined(named: Names, used: &BTreeMap<String, Option<Used>>) -> Symbols {
    let Names { mut symbols, models, told } = named;
    for (view, told, text) in told {
        let own = view.and_then(|view| models.get(view)?.as_ref());
        let all: Vec<&str> = match view {
            Some(_) => own.map(|path| path.text.as_str()).into_iter().collect(),
            None => used.keys().map(String::as_str).collect(),
        };
        for (at, word) in words(&text.text) {
            let start = text.span.start as usize + at;
            let span = Span::new(start, start + word.len());
            let is_role = text.text[at + word.len()..].trim_start().starts_with(':');
            let found = all.iter().find_map(|path| {
                let model = used.get(*path)?.as_ref()?;
                meant(&model.symbols, told, word, is_role)
            });
            if let Some(Occurrence { name, kind, scope, .. }) = found.cloned() {
                let statement = text.span;
                symbols.occurrences.push(Occurrence { name, kind, scope, span, declares: false, statement });
            }
        }
    }
    let of_models = used.values().flatten().flat_map(|used| used.symbols.occurrences.iter().cloned());
    symbols.occurrences.extend(of_models);
    symbols.in_order()
}

/// What a word names in a model: where several kinds of things are called so, what stands in such a place.
fn meant<'s>(symbols: &'s Symbols, told: Told, word: &str, is_role: bool) -> Option<&'s Occurrence> {
    use SymbolKind::{Channel, Commitment, Group, Machine, Message, Property, Role, State, Value};
    let kinds: &[SymbolKind] = match told {
        Told::Label if is_role => &[Role, Group],
        Told::Label => &[Message, Commitment, Value, Role, Group, Channel],
        Told::State => &[State, Machine],
        Told::Property => &[Property],
        Told::Role => &[Role],
    };
    let of_kind = |kind: &SymbolKind| {
        let is_it = |found: &&Occurrence| found.kind == *kind && *found.name == *word;
        let mut all = symbols.occurrences.iter().filter(is_it);
        let first = all.clone().next();
        all.find(|found| found.declares).or(first)
    };
    kinds.iter().find_map(of_kind)
}

/// The words of a text, with their places in it.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let pieces = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let begin = text.as_ptr() as usize;
    pieces.filter(|word| !word.is_empty()).map(move |word| (word.as_ptr() as usize - begin, word))
}
