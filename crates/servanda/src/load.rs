//! From a text to a model and the questions asked about it.

use std::ops::Deref;
use std::sync::Arc;

use servanda_logic::Formula;
use servanda_model::{CommandId, Property};
use servanda_report::{Finding, ModelReport, Space};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, has_errors};

use crate::language::{Choices, Language, Meaning};

/// A model that can be worked on, with the text it came from; what it has is what the text means.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub source: Arc<SourceFile>,
    /// What is worth knowing about it; no errors.
    pub findings: Vec<Finding>,
    language: Language,
    meaning: Box<dyn Meaning>,
}

impl Deref for Loaded {
    type Target = dyn Meaning;

    fn deref(&self) -> &Self::Target {
        &*self.meaning
    }
}

/// What is wrong with the choice of a process has no place in the text.
fn without_place(finding: Finding, source: &SourceFile) -> Finding {
    if finding.diagnostic.span != Span::default() {
        return finding;
    }
    let message = format!("{}: {}", source.name(), finding.diagnostic.message);
    Finding::general(Diagnostic { message, ..finding.diagnostic })
}

/// Something to decide, with the text its spans refer to.
#[derive(Clone, Debug)]
pub struct Question {
    /// What to decide.
    pub property: Property,
    /// The file, or a formula of the command line.
    pub source: Arc<SourceFile>,
}

impl Question {
    /// A formula that is no property of the model, as it is written at a place.
    pub fn new(
        name: String,
        text: &str,
        formula: Formula,
        expected: Option<bool>,
        (source, span): (&Arc<SourceFile>, Span),
    ) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Question { property: Property { name, text, formula, expected, span }, source: Arc::clone(source) }
    }
}

impl Loaded {
    /// Reads a text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, warnings included; that it is not clear which process is meant.
    pub fn read(
        language: Language,
        name: impl Into<String>,
        text: impl Into<String>,
        choices: Choices<'_>,
    ) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let front_end = language.front_end();
        let (meaning, diagnostics) = (front_end.load)(&source, choices);
        let bad = has_errors(&diagnostics);
        let findings = Finding::all_placed(diagnostics, &source);
        match meaning {
            Some(meaning) if !bad => Ok(Loaded { findings, source, language, meaning }),
            _ if front_end.has_processes => {
                Err(findings.into_iter().map(|finding| without_place(finding, &source)).collect())
            }
            _ => Err(findings),
        }
    }

    /// The language of the text.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Where commands of the model were written, as far as that is known.
    pub(crate) fn places(&self, commands: &[CommandId]) -> Vec<Option<Span>> {
        self.meaning.places(&self.source, commands)
    }

    /// The model in numbers, before anything is explored.
    pub fn model_report(&self) -> ModelReport {
        let model = self.model();
        ModelReport {
            name: model.name.clone(),
            agents: model.agents.len(),
            typed_states: model.typed_states(),
            space: Space::NotExplored,
        }
    }

    /// What to decide: the properties with the given names and the given formulas, or all properties if neither is
    /// given. Formulas are named `formula_1`, `formula_2`, ..., leaving out names that properties have.
    ///
    /// # Errors
    ///
    /// Every name that no property has, and everything that is wrong with the formulas.
    pub fn questions(&self, names: &[String], formulas: &[String]) -> Result<Vec<Question>, Vec<Finding>> {
        let properties = self.properties();
        let mut errors = Vec::new();
        let mut questions = Vec::new();

        if names.is_empty() && formulas.is_empty() {
            questions.extend(properties.iter().map(|property| self.question(property)));
        }
        for name in names {
            match properties.iter().find(|property| property.name == *name) {
                Some(property) => questions.push(self.question(property)),
                None => errors.push(self.unknown_property(name)),
            }
        }

        let taken = |name: &String| properties.iter().any(|property| property.name == *name);
        let mut free_names = (1..).map(|number| format!("formula_{number}")).filter(|name| !taken(name));
        for text in formulas {
            let source = Arc::new(SourceFile::new("--formula", text.as_str()));
            match self.formula(text) {
                Ok(formula) => {
                    let (name, span) = (free_names.next().unwrap_or_default(), Span::new(0, text.len()));
                    questions.push(Question::new(name, text, formula, None, (&source, span)));
                }
                Err(diagnostics) => errors.extend(Finding::all_placed(diagnostics, &source)),
            }
        }
        if errors.is_empty() { Ok(questions) } else { Err(errors) }
    }

    fn question(&self, property: &Property) -> Question {
        Question { property: property.clone(), source: Arc::clone(&self.source) }
    }

    fn unknown_property(&self, name: &str) -> Finding {
        let names: Vec<&str> = self.properties().iter().map(|property| property.name.as_str()).collect();
        let message = format!("{} has no property `{name}`", self.source.name());
        let error = Finding::error(Code::UnknownProperty, message);
        match (servanda_syntax::nearest(name, names.iter().copied()), names.as_slice()) {
            (Some(best), _) => error.help(format!("did you mean `{best}`?")),
            (None, []) => error.help("it declares no properties; ask for a formula with --formula"),
            (None, names) => error.help(format!("its properties are {}", names.join(", "))),
        }
    }
}
