//! Names in several files: a name that a file declares, and where the files that use it name that.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use servanda_service::{Language, Text, names};
use servanda_syntax::{Occurrence, Span, SymbolKind, Symbols};

use crate::documents::{Document, Documents};

/// A text with what its names stand for.
pub(crate) struct Known {
    pub(crate) text: Text,
    pub(crate) symbols: Symbols,
}

/// The files that are looked at: as they stand in the editor, else on disk.
pub(crate) struct Files<'d> {
    documents: &'d Documents,
    known: RefCell<BTreeMap<String, Option<Rc<Known>>>>,
}

/// Where something is named, file by file.
pub(crate) type Places = BTreeMap<String, (Rc<Known>, Vec<(Span, bool)>)>;

impl<'d> Files<'d> {
    pub(crate) fn new(documents: &'d Documents) -> Self {
        Files { documents, known: RefCell::default() }
    }

    fn add(&self, name: &str, text: &str) -> Rc<Known> {
        // Only Pact files use others.
        self.keep(name, Known { text: Text::new(text), symbols: names(Language::Pact, text) })
    }

    fn keep(&self, name: &str, known: Known) -> Rc<Known> {
        let known = Rc::new(known);
        self.known.borrow_mut().insert(name.to_owned(), Some(Rc::clone(&known)));
        known
    }

    /// A file by its name; `user` is one that names it as `path`.
    fn get(&self, name: &str, user: &str, path: &str) -> Option<Rc<Known>> {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        if let Some(open) = self.documents.open.values().find(|open| open.name == name) {
            return Some(self.add(name, open.text.as_str()));
        }
        match self.documents.bench.find(user, path) {
            Ok((_, text)) => Some(self.add(name, &text)),
            Err(_) => {
                self.known.borrow_mut().insert(name.to_owned(), None);
                None
            }
        }
    }

    /// The file in which a name of a part is declared, and what it is called there: `pay.wire.full` may go through several files.
    fn home(
        &self,
        file: &str,
        symbols: &Symbols,
        foreign: &Occurrence,
    ) -> Option<(String, Rc<Known>, String)> {
        let follow = |user: &str, parts: &[(std::sync::Arc<str>, String)], part: &str| {
            let (_, path) = parts.iter().find(|(name, _)| **name == *part)?;
            let name = self.documents.bench.path(user, path);
            let known = self.get(&name, user, path)?;
            Some((name, known))
        };
        let (mut name, mut known) = follow(file, &symbols.parts, &foreign.scope)?;
        let mut rest: &str = &foreign.name;
        while let Some((part, inner)) = rest.split_once('.') {
            (name, known) = follow(&name, &known.symbols.parts, part)?;
            rest = inner;
        }
        Some((name, known, rest.to_owned()))
    }

    /// The name at an offset: in which file it is declared, and as what.
    pub(crate) fn declared(
        &self,
        document: &Document,
        offset: u32,
    ) -> Option<(String, Rc<Known>, Occurrence)> {
        let symbols = &document.analysis.symbols;
        let here = symbols.at(offset)?;
        if here.kind != SymbolKind::Foreign {
            let known = Known { text: document.text.clone(), symbols: symbols.clone() };
            let (name, here) = (document.name.clone(), here.clone());
            return Some((name, self.keep(&document.name, known), here));
        }
        let (name, known, inner) = self.home(&document.name, symbols, here)?;
        let found = known.symbols.occurrences.iter().find(|found| found.declares && *found.name == *inner);
        let found = found.cloned()?;
        Some((name, known, found))
    }

    /// All places where something is named that a file declares: in that file and in those that use it. Each is told whether it declares.
    pub(crate) fn everywhere(&self, home: &str, known: &Rc<Known>, declared: &Occurrence) -> Places {
        let mut places = Places::new();
        let own = known.symbols.same(declared).map(|found| (found.span, found.declares)).collect();
        places.insert(home.to_owned(), (Rc::clone(known), own));
        for name in self.users(home) {
            let Some(user) = self.known.borrow().get(&name).cloned().flatten() else { continue };
            let is_meant = |found: &&Occurrence| {
                found.kind == SymbolKind::Foreign
                    && found.name.rsplit('.').next() == Some(&*declared.name)
                    && self.home(&name, &user.symbols, found).is_some_and(|(file, ..)| file == home)
            };
            let named = user.symbols.occurrences.iter().filter(is_meant);
            let named: Vec<(Span, bool)> = named.map(|found| (found.span, false)).collect();
            if !named.is_empty() {
                places.entry(name.clone()).or_insert_with(|| (Rc::clone(&user), Vec::new())).1.extend(named);
            }
        }
        places
    }

    /// The files that use others: those that are open and their neighbours. They are read here.
    fn users(&self, home: &str) -> Vec<String> {
        let neighbours = self.documents.bench.neighbours(home, &self.documents.folders);
        let open = self.documents.open.values();
        let open = open.filter(|open| open.language == Language::Pact);
        let mut all: BTreeMap<String, String> = neighbours.into_iter().collect();
        all.extend(open.map(|open| (open.name.clone(), open.text.as_str().to_owned())));
        let users = all.into_iter().filter(|(name, text)| name != home && text.contains("use"));
        let users = users.map(|(name, text)| {
            if !self.known.borrow().contains_key(&name) {
                self.add(&name, &text);
            }
            name
        });
        users.collect()
    }

    /// A file that names something of the part that is called so in `home`: there the part cannot be called otherwise.
    pub(crate) fn reaches_through(&self, home: &str, part: &str) -> Option<String> {
        self.users(home).into_iter().find(|name| {
            let Some(user) = self.known.borrow().get(name).cloned().flatten() else { return false };
            let through = |found: &Occurrence| {
                let (parts, _) = found.name.rsplit_once('.').unwrap_or_default();
                found.kind == SymbolKind::Foreign && parts.split('.').any(|one| one == part)
            };
            user.symbols.occurrences.iter().any(through)
        })
    }
}
