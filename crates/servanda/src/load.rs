//! From a text to a model and the questions asked about it.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use servanda_logic::Formula;
use servanda_model::{CommandId, Model, Property};
use servanda_report::{Finding, ModelReport, Run, Space, visible};
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, has_errors};

use crate::engine;
use crate::language::{ActsFile, Choices, Language, Meaning};

/// A model that can be worked on, with the text it came from; what it has is what the text means.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub source: Arc<SourceFile>,
    /// What is worth knowing about it; no errors.
    pub findings: Vec<Finding>,
    /// The parameters that the user has set.
    parameters: Vec<(String, i64)>,
    language: Language,
    meaning: Box<dyn Meaning>,
    /// The properties, those of the text first.
    properties: Vec<Property>,
    /// The acts file, where there is one, and how many properties come before its own.
    acts: Option<(Arc<SourceFile>, usize)>,
    /// Are the initial states listed in no time? Found out when it is first asked, since that takes time too.
    soon_listed: OnceLock<bool>,
}

impl Deref for Loaded {
    type Target = dyn Meaning;

    fn deref(&self) -> &Self::Target {
        &*self.meaning
    }
}

/// A model by itself.
#[derive(Debug)]
struct Bare(Model);

impl Meaning for Bare {
    fn model(&self) -> &Model {
        &self.0
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        servanda_logic::parse_formula(text)
    }
}

/// What is wrong with the choice of a process has no place in the text.
fn without_place(finding: Finding, source: &SourceFile) -> Finding {
    if finding.diagnostic.span != Span::default() {
        return finding;
    }
    let message = format!("{}: {}", visible(source.name()), finding.diagnostic.message);
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
        Question {
            property: Property { expected, ..Property::new(name, text, formula, span) },
            source: Arc::clone(source),
        }
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
        let mut source = SourceFile::new(name, text);
        let front_end = language.front_end();
        let (meaning, diagnostics) = (front_end.load)(&mut source, choices);
        let source = Arc::new(source);
        let bad = has_errors(&diagnostics);
        let findings = Finding::all_placed(diagnostics, &source);
        match meaning {
            Some(meaning) if !bad => {
                let properties = meaning.properties().to_vec();
                let parameters = choices.parameters.to_vec();
                let (acts, soon_listed) = (None, OnceLock::new());
                let loaded =
                    Loaded { findings, parameters, source, language, meaning, properties, acts, soon_listed };
                loaded.with_acts(choices.acts)
            }
            _ if front_end.has_processes => {
                Err(findings.into_iter().map(|finding| without_place(finding, &source)).collect())
            }
            _ => Err(findings),
        }
    }

    /// Adds what an acts file says.
    fn with_acts(mut self, acts: Option<ActsFile<'_>>) -> Result<Self, Vec<Finding>> {
        let Some(ActsFile { name, text, is_given }) = acts else { return Ok(self) };
        let source = Arc::new(SourceFile::new(name, text));
        let processes = self.meaning.processes().to_vec();
        let no_file = |message: String| {
            let error = Diagnostic::error(Code::NoActsFile, message, Span::default());
            vec![Finding::general(error)]
        };
        let Some(model) = self.meaning.model_mut() else {
            return Err(no_file(format!("{name}: {} says itself which acts there are", self.shown_name())));
        };
        let added = servanda_acts::add(&source, model, &processes);
        if is_given && !added.is_about && !has_errors(&added.diagnostics) {
            return Err(no_file(format!("{name} is about other processes than `{}`", self.model().name)));
        }
        let bad = has_errors(&added.diagnostics);
        self.findings.extend(Finding::all_placed(added.diagnostics, &source));
        let taken = |name: &str| self.properties.iter().any(|property| property.name == name);
        if let Some(twice) = added.properties.iter().find(|property| taken(&property.name)) {
            let message = format!("{} has a property `{}` already", self.shown_name(), twice.name);
            let error = Diagnostic::error(Code::DuplicateName, message, twice.span);
            self.findings.push(Finding::placed(error, &source));
            return Err(self.findings);
        }
        if bad {
            return Err(self.findings);
        }
        if added.is_about {
            self.acts = Some((source, self.properties.len()));
        }
        self.properties.extend(added.properties);
        Ok(self)
    }

    /// Does an acts file say which actions are which acts?
    pub fn has_acts_file(&self) -> bool {
        self.acts.is_some()
    }

    /// The language of the text.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Where commands of the model were written, as far as that is known.
    pub(crate) fn places(&self, commands: &[CommandId]) -> Vec<Option<Span>> {
        self.meaning.places(&self.source, commands)
    }

    /// The properties that the text and its acts file declare.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// The same text with another model in place of its own, and without properties.
    pub(crate) fn with_model(&self, model: Model) -> Loaded {
        Loaded {
            source: Arc::clone(&self.source),
            findings: self.findings.clone(),
            parameters: self.parameters.clone(),
            language: self.language,
            meaning: Box::new(Bare(model)),
            properties: Vec::new(),
            acts: None,
            soon_listed: OnceLock::new(),
        }
    }

    /// Are the initial states listed in no time?
    pub(crate) fn lists_initial_states_soon(&self) -> bool {
        *self.soon_listed.get_or_init(|| engine::are_initial_states_soon_listed(self.model()))
    }

    /// The parameters that the user has set.
    pub fn parameters(&self) -> &[(String, i64)] {
        &self.parameters
    }

    /// The text as it is told apart from the same text with other parameters.
    pub fn title(&self) -> String {
        self.run("").title()
    }

    /// A run about it that has found nothing but what is known already.
    pub(crate) fn run(&self, engine: &'static str) -> Run {
        Run {
            parameters: self.parameters.clone(),
            findings: self.findings.clone(),
            ..Run::new(self.source.name(), engine)
        }
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
            questions.extend((0..properties.len()).map(|number| self.question(number)));
        }
        for name in names {
            match properties.iter().position(|property| property.name == *name) {
                Some(number) => questions.push(self.question(number)),
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

    /// Is there nothing in the model: nobody, no variable, nothing that happens, and nothing that is said of it? In other languages than
    /// Pact this is a mistake already, or a process that does nothing.
    pub fn is_empty(&self) -> bool {
        let model = self.model();
        self.language == Language::Pact
            && model.agents().next().is_none()
            && model.variables().next().is_none()
            && model.commands().next().is_none()
            && self.properties.is_empty()
    }

    /// What messages call the text: nothing in it commands a terminal.
    pub fn shown_name(&self) -> Cow<'_, str> {
        visible(self.source.name())
    }

    fn question(&self, number: usize) -> Question {
        let source = match &self.acts {
            Some((acts, before)) if number >= *before => acts,
            _ => &self.source,
        };
        Question { property: self.properties[number].clone(), source: Arc::clone(source) }
    }

    fn unknown_property(&self, name: &str) -> Finding {
        let names: Vec<&str> = self.properties().iter().map(|property| property.name.as_str()).collect();
        let message = format!("{} has no property `{name}`", self.shown_name());
        let error = Finding::error(Code::UnknownProperty, message);
        match (servanda_syntax::nearest(name, names.iter().copied()), names.as_slice()) {
            (Some(best), _) => error.help(format!("did you mean `{best}`?")),
            (None, []) => error.help("it declares no properties; ask for a formula with --formula"),
            (None, names) => error.help(format!("its properties are {}", names.join(", "))),
        }
    }
}
