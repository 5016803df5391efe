//! Protocols made elsewhere: `use "FILE" as NAME (..)`.
//!
//! The other file is read by itself, so that its mistakes are reported where they are. What it declares then joins this file, with the
//! name of the part before every name of it; nothing behind this knows of parts.

mod rename;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use servanda_logic::{Formula, Kind, Reference};
use servanda_syntax::{Code, Diagnostic, Findings, SourceFile, Span, has_errors};

use self::rename::Renamer;
use crate::ast::{Assignment, DomainItem, Item, ItemKind, Name, Transition, UseItem};
use crate::bindings::Bindings;
use crate::constant::{Evaluator, Parameters};
use crate::elaborate::{elaborate, parameters};
use crate::names::{self, Names};
use crate::parse::{File, parse};
use crate::{FindText, Loaded};

/// Files that use files that use files.
const DEEPEST_USE: usize = 20;

/// Reads what a file uses.
pub(crate) struct Composer<'a, 'f> {
    pub(crate) source: &'a mut SourceFile,
    pub(crate) find: &'a mut FindText<'f>,
    /// The files that are being read, outermost first.
    pub(crate) open: Vec<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// What a file declares that parts may refer to.
struct Here {
    names: Names,
    parameters: Parameters,
    types: FxHashMap<Arc<str>, DomainItem>,
}

impl Composer<'_, '_> {
    /// Adds to a file all that it uses.
    pub(crate) fn compose(&mut self, file: &mut File, overrides: &[(String, i64)]) {
        let uses: Vec<UseItem> = file
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Use(part) => Some(part.clone()),
                _ => None,
            })
            .collect();
        if uses.is_empty() {
            return;
        }
        // What is wrong with these is found again when the whole file is elaborated.
        let names = names::collect(&file.items, &mut Vec::new());
        let parameters = parameters(&file.items, &names, overrides, &mut Vec::new());
        let types = types(&file.items);
        let here = Here { names, parameters, types };
        let mut known: FxHashMap<Arc<str>, Span> = FxHashMap::default();
        for part in uses {
            if let Some(first) = known.insert(part.name.text.clone(), part.name.span) {
                let message = format!("the part `{}` is there twice", part.name.text);
                let error = Diagnostic::error(Code::DuplicateName, message, part.name.span);
                self.diagnostics.push(error.label(first, "first used here"));
                continue;
            }
            file.parts.push(part.name.text.to_string());
            match self.part(&part, &here) {
                Some(items) => file.items.extend(items),
                // Not knowing what the part declares is no further mistake.
                None => file.broken.push(part.name.span),
            }
        }
    }

    fn part(&mut self, part: &UseItem, here: &Here) -> Option<Vec<Item>> {
        let span = part.file.span;
        let user = self.open.last().cloned().unwrap_or_default();
        let (name, text) = match (self.find)(&user, &part.file.text) {
            Ok(found) => found,
            Err(error) => return self.diagnostics.refuse(Diagnostic { span, ..*error }),
        };
        if self.open.len() > DEEPEST_USE {
            let message = format!("files use files that use files, more than {DEEPEST_USE} of them");
            return self.diagnostics.error(Code::NestingTooDeep, message, span);
        }
        if self.open.contains(&name) {
            let message = format!("`{}` uses itself, directly or through others", part.file.text);
            return self.diagnostics.error(Code::CircularUse, message, span);
        }
        let base = self.source.add(name.clone(), text.clone());
        let mut file = parse(&text, base);
        let overrides = self.overrides(part, &file, here);
        self.open.push(name);
        if !file.incomplete {
            self.compose(&mut file, &overrides);
        }
        self.open.pop();
        let alone = match file.incomplete {
            true => Loaded { protocol: None, diagnostics: std::mem::take(&mut file.diagnostics) },
            false => elaborate(self.source, &file, &overrides),
        };
        let sound = alone.protocol.is_some();
        self.diagnostics
            .extend(alone.diagnostics.into_iter().filter(|found| has_errors(std::slice::from_ref(found))));
        let roles = self.roles(part, &file, here);
        let shared = self.shared_types(part, &file, here);
        let (roles, shared) = (roles?, shared?);
        if !sound {
            return None;
        }
        let renamer = Renamer::new(part, &file, roles, shared);
        Some(renamer.items(&file.items))
    }

    /// The parameters of the other file that are given values.
    fn overrides(&mut self, part: &UseItem, file: &File, here: &Here) -> Vec<(String, i64)> {
        let mut overrides = Vec::new();
        for (name, value) in &part.given {
            let is_parameter = |item: &Item| matches!(&item.kind, ItemKind::Param { name: other, .. } if other.text == name.text);
            if file.items.iter().any(is_parameter) {
                let bindings = Bindings::default();
                let value = Evaluator::new(&here.names, &here.parameters, &bindings, &mut self.diagnostics)
                    .integer(value);
                overrides.extend(value.map(|value| (name.text.to_string(), value)));
            }
        }
        overrides
    }

    /// The roles of the other file that are roles here. What is given and is neither role nor parameter is reported.
    fn roles(&mut self, part: &UseItem, file: &File, here: &Here) -> Option<FxHashMap<Arc<str>, Reference>> {
        let declared: Vec<&str> = file.items.iter().flat_map(|item| role_names(&item.kind)).collect();
        let parameters: Vec<&str> = file
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                ItemKind::Param { name, .. } => Some(&*name.text),
                _ => None,
            })
            .collect();
        let mut roles = FxHashMap::default();
        let mut sound = true;
        for (name, value) in &part.given {
            if parameters.contains(&&*name.text) {
                continue;
            }
            match (declared.contains(&&*name.text), value.kind()) {
                (true, Kind::Name(role)) if here.names.kind(&role.name).is_none() => {
                    roles.insert(name.text.clone(), role.clone());
                }
                (true, _) => {
                    let message = format!("`{}` is a role there, so a role is wanted here", name.text);
                    self.diagnostics.push(Diagnostic::error(Code::BadPart, message, value.span()));
                    sound = false;
                }
                (false, _) => {
                    let known = declared.iter().chain(&parameters).copied();
                    let what = "role or parameter of the other file";
                    self.diagnostics.push(Diagnostic::unknown(what, &name.text, name.span, known));
                    sound = false;
                }
            }
        }
        sound.then_some(roles)
    }

    /// The types that both files have a name for, which must be the same.
    fn shared_types(&mut self, part: &UseItem, file: &File, here: &Here) -> Option<Vec<Arc<str>>> {
        let mut shared = Vec::new();
        let mut sound = true;
        for (name, there) in types(&file.items) {
            let Some(own) = here.types.get(&name) else { continue };
            match (own, &there) {
                (DomainItem::Enumeration(own), DomainItem::Enumeration(theirs)) if same(own, theirs) => {
                    shared.push(name);
                }
                (DomainItem::Enumeration(_), DomainItem::Enumeration(_)) => {
                    let message = format!("the type `{name}` has other values in `{}`", part.file.text);
                    self.diagnostics.push(Diagnostic::error(Code::BadPart, message, part.name.span));
                    sound = false;
                }
                // Numbers are numbers, whatever the type is called.
                _ => {}
            }
        }
        sound.then_some(shared)
    }
}

fn same(own: &[Name], theirs: &[Name]) -> bool {
    own.iter().map(|name| &name.text).eq(theirs.iter().map(|name| &name.text))
}

fn types(items: &[Item]) -> FxHashMap<Arc<str>, DomainItem> {
    let types = items.iter().filter_map(|item| match &item.kind {
        ItemKind::Type { name, domain } => Some((name.text.clone(), domain.clone())),
        _ => None,
    });
    types.collect()
}

/// The roles that a statement declares, without indices.
fn role_names(kind: &ItemKind) -> Vec<&str> {
    match kind {
        ItemKind::Roles(roles) => roles.iter().map(|role| &*role.name).collect(),
        ItemKind::For { body, .. } => body.items.iter().flat_map(|item| role_names(&item.kind)).collect(),
        _ => Vec::new(),
    }
}

/// Does the guard or an assignment of a transition refer to a name?
pub(crate) fn mentions(transition: &Transition, name: &str) -> bool {
    fn inside(formula: &Formula, name: &str) -> bool {
        let mut found = matches!(formula.kind(), Kind::Name(reference) if &*reference.name == name);
        formula.for_each_child(|child| found = found || inside(child, name));
        found
    }
    let assigned = transition.sets.iter().flat_map(Assignment::formulas);
    transition.guard.iter().chain(assigned).any(|formula| inside(formula, name))
}
