//! What could stand at a place of a mapping.

use std::collections::BTreeSet;

use servanda_audit::mapping::{FUNCTIONS, Section, Told, Wanted, wanted};
use servanda_syntax::SymbolKind;

use super::Vocabulary;
use crate::{Analysis, Completion, CompletionKind};

/// What could stand at an offset.
pub(crate) fn proposals(analysis: &Analysis, offset: usize) -> Vec<Completion> {
    let Some((wanted, span, quoted)) = wanted(analysis.text(), offset) else { return Vec::new() };
    let mut found: BTreeSet<(CompletionKind, String)> = BTreeSet::new();
    let mut add = |kind, texts: &mut dyn Iterator<Item = &str>| {
        found.extend(texts.map(|text| (kind, text.to_owned())));
    };
    let name = CompletionKind::Name;
    match wanted {
        Wanted::Header => {
            let tables = Section::Top.keys().iter().filter(|key| key.name != "version").map(|key| key.name);
            add(CompletionKind::Keyword, &mut tables.chain(["view.levels", "view.cites"]));
        }
        Wanted::Key(section, given) => {
            let keys = section.keys().iter().map(|key| key.name);
            // Tables of the whole file have headers; only the version is written so.
            let keys = keys.filter(|key| section != Section::Top || *key == "version");
            add(name(SymbolKind::Key), &mut keys.filter(|key| !given.iter().any(|given| given == key)));
        }
        Wanted::Expression(_) => {
            let own = [SymbolKind::Field, SymbolKind::Definition];
            let fits = |kind| own.contains(&kind);
            for occurrence in declared(analysis).filter(|found| fits(found.kind)) {
                add(name(occurrence.kind), &mut [&*occurrence.name].into_iter());
            }
            add(name(SymbolKind::Function), &mut FUNCTIONS.iter().map(|function| function.name));
            add(CompletionKind::Operator, &mut ["true", "false"].into_iter());
        }
        Wanted::Table => {
            for occurrence in declared(analysis).filter(|found| found.kind == SymbolKind::Table) {
                add(name(SymbolKind::Table), &mut [&*occurrence.name].into_iter());
            }
        }
        Wanted::Told(told, view) => {
            let views = match view {
                Some(view) => analysis.views.get(view).map_or(&[][..], std::slice::from_ref),
                None => &analysis.views,
            };
            views.iter().for_each(|view| of_model(view, told, &mut add));
        }
        Wanted::OneOf(words) => add(CompletionKind::Keyword, &mut words.iter().copied()),
    }
    let written = |text: String| if quoted { text } else { format!("\"{text}\"") };
    let proposal = |(kind, text)| Completion { kind, text: written(text), replaces: Some(span) };
    found.into_iter().map(proposal).collect()
}

/// The names that a mapping declares itself.
fn declared(analysis: &Analysis) -> impl Iterator<Item = &servanda_syntax::Occurrence> {
    analysis.symbols.occurrences.iter().filter(|found| found.declares)
}

/// What a model has names for.
fn of_model(
    view: &Vocabulary,
    told: Told,
    add: &mut dyn FnMut(CompletionKind, &mut dyn Iterator<Item = &str>),
) {
    let kinds: &[SymbolKind] = match told {
        Told::Label => {
            add(CompletionKind::Name(SymbolKind::Message), &mut view.labels.iter().map(String::as_str));
            // A model with mistakes has no labels, but names of which some are made.
            if view.labels.is_empty() { &[SymbolKind::Role, SymbolKind::Message] } else { &[] }
        }
        Told::State => &[SymbolKind::State, SymbolKind::Variable],
        Told::Role => &[SymbolKind::Role],
        Told::Property => {
            add(CompletionKind::Name(SymbolKind::Property), &mut view.properties.iter().map(String::as_str));
            &[]
        }
    };
    for (kind, name) in view.names.iter().filter(|(kind, _)| kinds.contains(kind)) {
        add(CompletionKind::Name(*kind), &mut [&**name].into_iter());
    }
}
