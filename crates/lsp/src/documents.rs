//! The texts that are open in the editor.

use std::collections::BTreeMap;
use std::sync::Arc;

use servanda_service::{Analysis, Language, Position, Text};
use servanda_syntax::Diagnostic;

use crate::{Bench, Checked, Decided, Subject, places};

/// A text that is open.
pub(crate) struct Document {
    pub(crate) uri: String,
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) version: i32,
    pub(crate) text: Text,
    pub(crate) analysis: Arc<Analysis>,
    /// Has it changed since it was understood?
    pub(crate) stale: bool,
    /// What the last check of this very text said.
    pub(crate) verdicts: BTreeMap<String, Decided>,
    pub(crate) found: Vec<Diagnostic>,
}

/// All of them.
pub(crate) struct Documents {
    pub(crate) open: BTreeMap<String, Document>,
    pub(crate) bench: Arc<dyn Bench>,
    /// The folders that the editor works in.
    pub(crate) folders: Vec<String>,
}

impl Documents {
    /// What a file is called that the editor names.
    pub(crate) fn name(&self, uri: &str) -> String {
        match places::path(uri) {
            Some(path) => self.bench.name(&path),
            None => uri.to_owned(),
        }
    }

    /// The address of a file: the very one of the editor where it is open.
    pub(crate) fn uri(&self, name: &str) -> String {
        match self.open.values().find(|document| document.name == name) {
            Some(document) => document.uri.clone(),
            None => places::uri(&self.bench.place(name)),
        }
    }

    /// Opens a text; `None` where its language is not known.
    pub(crate) fn open(&mut self, uri: &str, language: &str, version: i32, text: String) -> Option<()> {
        let name = self.name(uri);
        let language = Language::of_id(language).or_else(|| Language::of_file(&name))?;
        let analysis = Arc::new(Analysis::new(language, &name, "", &mut servanda_service::nothing));
        let (text, verdicts) = (Text::new(text), BTreeMap::new());
        let uri = uri.to_owned();
        let (stale, found) = (true, Vec::new());
        let document =
            Document { uri: uri.clone(), name, language, version, text, analysis, stale, verdicts, found };
        self.open.insert(uri.clone(), document);
        self.changed(&uri);
        Some(())
    }

    /// A text has changed, and with it those that use it.
    pub(crate) fn changed(&mut self, uri: &str) {
        let name = self.name(uri);
        for document in self.open.values_mut() {
            if document.uri == uri || document.analysis.source.texts().any(|text| text.name() == name) {
                document.stale = true;
                document.verdicts.clear();
                document.found.clear();
            }
        }
    }

    /// Puts something in the place of a part of a text, or of all of it.
    pub(crate) fn edit(&mut self, uri: &str, place: Option<(Position, Position)>, by: &str) {
        let Some(document) = self.open.get_mut(uri) else { return };
        match place {
            Some((from, to)) => document.text.replace(from, to, by),
            None => document.text = Text::new(by),
        }
    }

    /// The texts that have changed, read again.
    pub(crate) fn refresh(&mut self) -> Vec<String> {
        let stale: Vec<String> = self
            .open
            .values()
            .filter(|document| document.stale)
            .map(|document| document.uri.clone())
            .collect();
        for uri in &stale {
            self.understand(uri);
        }
        stale
    }

    fn understand(&mut self, uri: &str) {
        let Some(document) = self.open.get(uri) else { return };
        let mut find = |user: &str, path: &str| {
            let name = self.bench.path(user, path);
            match self.open.values().find(|other| other.name == name) {
                Some(other) => Ok((name, other.text.as_str().to_owned())),
                None => self.bench.find(user, path),
            }
        };
        let text = document.text.as_str();
        let analysis = Analysis::new(document.language, &document.name, text, &mut find);
        if let Some(document) = self.open.get_mut(uri) {
            document.analysis = Arc::new(analysis);
            document.stale = false;
        }
    }

    /// A text for those who check it.
    pub(crate) fn subject(&self, uri: &str) -> Option<Subject> {
        let document = self.open.get(uri)?;
        let others = self.open.values().filter(|other| other.uri != uri);
        Some(Subject {
            language: document.language,
            name: document.name.clone(),
            text: document.text.as_str().to_owned(),
            open: others.map(|other| (other.name.clone(), other.text.as_str().to_owned())).collect(),
        })
    }

    /// Takes over what a check found about a text, unless the text has changed since.
    pub(crate) fn checked(&mut self, uri: &str, version: i32, checked: Checked) -> bool {
        let Some(document) = self.open.get_mut(uri).filter(|document| document.version == version) else {
            return false;
        };
        document.found = checked.findings;
        for decided in checked.verdicts {
            document.verdicts.insert(decided.name.clone(), decided);
        }
        true
    }
}
