//! A text as it is understood.

use servanda_logic::Formula;
use servanda_model::{Model, Property};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, Symbols};

use crate::mapping::{self, Vocabulary};

/// The languages that are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Pact.
    Pact,
    /// ISPL.
    Ispl,
    /// CCS.
    Ccs,
    /// A mapping of an audit, in TOML.
    Mapping,
}

/// How the names of mappings end.
const MAPPING: &str = ".audit.toml";

impl Language {
    /// The language of a file, by the ending of its name.
    pub fn of_file(name: &str) -> Option<Language> {
        if name.ends_with(MAPPING) {
            return Some(Language::Mapping);
        }
        Some(match name.rsplit_once('.')?.1 {
            "pact" => Language::Pact,
            "ispl" => Language::Ispl,
            "ccs" => Language::Ccs,
            _ => return None,
        })
    }

    /// The language that an editor calls so.
    pub fn of_id(id: &str) -> Option<Language> {
        Some(match id {
            "pact" => Language::Pact,
            "ispl" => Language::Ispl,
            "ccs" => Language::Ccs,
            "audit-mapping" => Language::Mapping,
            _ => return None,
        })
    }
}

/// Finds a text that another one uses: given what that one is called and the path as it is written there, what the text is called and
/// what stands in it; or why there is none, without a place.
pub type FindText<'a> = servanda_pact::FindText<'a>;

/// Finds no text.
///
/// # Errors
///
/// In any case.
pub fn nothing(_: &str, path: &str) -> Result<(String, String), Box<Diagnostic>> {
    let message = format!("`{path}` cannot be read: no other files are read here");
    Err(Box::new(Diagnostic::error(Code::CannotRead, message, Span::default())))
}

/// What the names of a text stand for, without asking what it means.
pub fn names(language: Language, text: &str) -> Symbols {
    match language {
        Language::Pact => servanda_pact::symbols(text),
        Language::Ispl => servanda_ispl::symbols(text),
        Language::Ccs => servanda_ccs::symbols(text),
        Language::Mapping => servanda_audit::mapping::names(text).symbols,
    }
}

/// A text as it is understood.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The language.
    pub language: Language,
    /// The text and those that it uses.
    pub source: SourceFile,
    /// What is wrong with it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What its names stand for.
    pub symbols: Symbols,
    /// Its formulas, in the order of the text; none is a part of another.
    pub formulas: Vec<Formula>,
    /// The properties with the places of their statements; none where there is an error.
    pub properties: Vec<(String, Span)>,
    /// What it means; nothing where there is an error, and nothing for a mapping.
    pub model: Option<Model>,
    /// Of a mapping what the models of its views have names for, view by view.
    pub views: Vec<Vocabulary>,
}

impl Analysis {
    /// Reads a text.
    pub fn new(language: Language, name: &str, text: &str, find: &mut FindText<'_>) -> Self {
        let mut source = SourceFile::new(name, text);
        let mut views = Vec::new();
        let (diagnostics, symbols, formulas, meaning) = match language {
            Language::Pact => {
                let read = servanda_pact::read_with(&mut source, find);
                let meaning = read.loaded.protocol.map(|protocol| (protocol.model, protocol.properties));
                (read.loaded.diagnostics, read.symbols, read.formulas, meaning)
            }
            Language::Ispl => {
                let (loaded, symbols) = servanda_ispl::read(&source);
                let meaning = loaded.system.map(|system| (system.model, system.properties));
                let stated = meaning.iter().flat_map(|(_, properties)| properties);
                let formulas = stated.map(|property| property.formula.clone()).collect();
                (loaded.diagnostics, symbols, formulas, meaning)
            }
            Language::Ccs => {
                let (diagnostics, symbols) = servanda_ccs::read(&source);
                (diagnostics, symbols, Vec::new(), None)
            }
            Language::Mapping => {
                let (diagnostics, symbols) = mapping::read(&mut source, find, &mut views);
                (diagnostics, symbols, Vec::new(), None)
            }
        };
        let (model, properties) = meaning.unzip();
        let named = |property: Property| (property.name, property.span);
        let properties = properties.into_iter().flatten().map(named).collect();
        Analysis { language, source, diagnostics, symbols, formulas, properties, model, views }
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// What is written at a place of it, or of a text that it uses.
    pub fn slice(&self, span: Span) -> &str {
        self.source.slice(span)
    }

    /// The text in standard form; `None` where there is no such form, or the text cannot be read.
    pub fn standard_form(&self) -> Option<String> {
        match self.language {
            Language::Pact => servanda_pact::format(self.text()).ok(),
            Language::Ispl | Language::Ccs | Language::Mapping => None,
        }
    }

    /// The names of the properties that a statement makes: several in a repetition.
    pub fn properties_of(&self, stated: &servanda_syntax::Stated) -> Vec<&str> {
        let base = |name: &str| name.split('[').next() == Some(&*stated.name);
        let named = self.properties.iter().map(|(name, _)| name.as_str()).filter(|name| base(name));
        named.collect()
    }
}
