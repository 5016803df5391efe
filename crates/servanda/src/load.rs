//! From a text to a model and the questions asked about it.

use std::sync::Arc;

use servanda_decompose::Claim;
use servanda_engine::Validity;
use servanda_ispl::{Dialect, System};
use servanda_logic::Formula;
use servanda_lts::Lts;
use servanda_model::{CommandId, Model, Property};
use servanda_pact::Protocol;
use servanda_report::{Finding, ModelReport, Space};
use servanda_syntax::{Diagnostic, SourceFile, Span, has_errors};

/// The languages that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Pact: protocols of agents that act one at a time.
    Pact,
    /// ISPL: agents that act together in rounds.
    Ispl,
    /// CCS: processes that synchronise on names.
    Ccs,
    /// The `.aut` format of Aldebaran: numbered states and labelled transitions.
    Aut,
}

/// A model that can be worked on, with the text it came from.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub source: Arc<SourceFile>,
    /// What is worth knowing about it; no errors.
    pub findings: Vec<Finding>,
    meaning: Meaning,
}

/// What a text means, language by language.
#[derive(Debug)]
enum Meaning {
    Pact(Box<Protocol>),
    Ispl(Box<System>),
    Ccs(Box<servanda_ccs::System>),
    Aut(Box<servanda_aut::System>),
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

impl Loaded {
    /// Reads a Pact text; `parameters` override those of the text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, warnings included.
    pub fn pact(
        name: impl Into<String>,
        text: impl Into<String>,
        parameters: &[(String, i64)],
    ) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let loaded = servanda_pact::load(&source, parameters);
        let meaning = loaded.protocol.map(|protocol| Meaning::Pact(Box::new(protocol)));
        Loaded::of(source, meaning, loaded.diagnostics)
    }

    /// Reads an ISPL text of either dialect.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, warnings included.
    pub fn ispl(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let loaded = servanda_ispl::load(&source);
        let meaning = loaded.system.map(|system| Meaning::Ispl(Box::new(system)));
        Loaded::of(source, meaning, loaded.diagnostics)
    }

    /// Reads one process of a CCS text: the named one, else the one that no other uses.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, warnings included; that it is not clear which process is meant.
    pub fn ccs(
        name: impl Into<String>,
        text: impl Into<String>,
        process: Option<&str>,
    ) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let loaded = servanda_ccs::load(&source, process);
        let meaning = loaded.system.map(|system| Meaning::Ccs(Box::new(system)));
        let read = Loaded::of(Arc::clone(&source), meaning, loaded.diagnostics);
        read.map_err(|findings| findings.into_iter().map(|finding| without_place(finding, &source)).collect())
    }

    /// Reads an `.aut` text.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, warnings included.
    pub fn aut(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Vec<Finding>> {
        let source = Arc::new(SourceFile::new(name, text));
        let loaded = servanda_aut::load(&source);
        let meaning = loaded.system.map(|system| Meaning::Aut(Box::new(system)));
        Loaded::of(source, meaning, loaded.diagnostics)
    }

    fn of(
        source: Arc<SourceFile>,
        meaning: Option<Meaning>,
        diagnostics: Vec<Diagnostic>,
    ) -> Result<Self, Vec<Finding>> {
        let bad = has_errors(&diagnostics);
        let findings: Vec<Finding> =
            diagnostics.into_iter().map(|diagnostic| Finding::placed(diagnostic, &source)).collect();
        match meaning {
            Some(meaning) if !bad => Ok(Loaded { source, findings, meaning }),
            _ => Err(findings),
        }
    }

    /// The language of the text.
    pub fn language(&self) -> Language {
        match &self.meaning {
            Meaning::Pact(_) => Language::Pact,
            Meaning::Ispl(_) => Language::Ispl,
            Meaning::Ccs(_) => Language::Ccs,
            Meaning::Aut(_) => Language::Aut,
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        match &self.meaning {
            Meaning::Pact(protocol) => &protocol.model,
            Meaning::Ispl(system) => &system.model,
            Meaning::Ccs(system) => &system.model,
            Meaning::Aut(system) => system.model(),
        }
    }

    /// Where commands of the model were written, as far as that is known.
    pub(crate) fn places(&self, commands: &[CommandId]) -> Vec<Option<Span>> {
        match &self.meaning {
            Meaning::Aut(system) => system.places(&self.source, commands),
            Meaning::Pact(_) | Meaning::Ispl(_) | Meaning::Ccs(_) => {
                commands.iter().map(|command| Some(self.model().command(*command).span)).collect()
            }
        }
    }

    /// The transition system, where the text is nothing else.
    pub(crate) fn transition_system(&self) -> Option<&Lts> {
        match &self.meaning {
            Meaning::Aut(system) => Some(system.lts()),
            Meaning::Pact(_) | Meaning::Ispl(_) | Meaning::Ccs(_) => None,
        }
    }

    /// The properties that the text declares; CCS has no words for them.
    pub fn properties(&self) -> &[Property] {
        match &self.meaning {
            Meaning::Pact(protocol) => &protocol.properties,
            Meaning::Ispl(system) => &system.properties,
            Meaning::Ccs(_) => &[],
            Meaning::Aut(_) => &[],
        }
    }

    /// The decompositions that the text claims; only Pact has words for them.
    pub fn claims(&self) -> &[Claim] {
        match &self.meaning {
            Meaning::Pact(protocol) => &protocol.claims,
            Meaning::Ispl(_) | Meaning::Ccs(_) | Meaning::Aut(_) => &[],
        }
    }

    /// Where properties must hold unless the user says otherwise (docs/formulas.md section 9).
    pub fn usual_validity(&self) -> Validity {
        match &self.meaning {
            Meaning::Ispl(system) if system.dialect == Dialect::Year2005 => Validity::Reachable,
            Meaning::Ispl(_) | Meaning::Pact(_) | Meaning::Ccs(_) | Meaning::Aut(_) => Validity::Initial,
        }
    }

    /// Reads a further formula in the words of the text's language.
    ///
    /// # Errors
    ///
    /// What is wrong with it; places are places in `text`.
    pub fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        match &self.meaning {
            Meaning::Pact(protocol) => protocol.formula(text),
            Meaning::Ispl(system) => system.formula(text),
            Meaning::Ccs(system) => system.formula(text),
            Meaning::Aut(system) => system.formula(text),
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
                Ok(formula) => questions.push(Question {
                    property: Property {
                        name: free_names.next().unwrap_or_default(),
                        text: text.split_whitespace().collect::<Vec<_>>().join(" "),
                        formula,
                        expected: None,
                        span: Span::new(0, text.len()),
                    },
                    source,
                }),
                Err(diagnostics) => {
                    errors.extend(
                        diagnostics.into_iter().map(|diagnostic| Finding::placed(diagnostic, &source)),
                    );
                }
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
        let error = Diagnostic::error("unknown-property", message, Span::default());
        Finding::general(match (servanda_syntax::nearest(name, names.iter().copied()), names.as_slice()) {
            (Some(best), _) => error.help(format!("did you mean `{best}`?")),
            (None, []) => error.help("it declares no properties; ask for a formula with --formula"),
            (None, names) => error.help(format!("its properties are {}", names.join(", "))),
        })
    }
}
