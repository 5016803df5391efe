//! What a project asks of a model.

use std::sync::Arc;

use servanda::{Loaded, Question};
use servanda_report::Finding;
use servanda_syntax::{Code, Diagnostic, SourceFile, Span, Text};

/// What is asked, with the places where the project asks it.
#[derive(Debug)]
pub(crate) struct Asked {
    source: Arc<SourceFile>,
    /// The properties to decide; `None`: all that the model declares.
    pub(super) properties: Option<Vec<Text>>,
    /// Formulas to decide besides.
    pub(super) formulas: Vec<Formula>,
    /// What is expected of properties, whatever the model says.
    pub(super) expected: Vec<(Text, bool)>,
}

/// A formula of the project.
#[derive(Debug)]
pub(super) struct Formula {
    pub(super) name: Text,
    pub(super) formula: Text,
    pub(super) expected: Option<bool>,
}

impl Asked {
    /// All properties of the model.
    pub(super) fn everything(source: Arc<SourceFile>) -> Self {
        Asked { source, properties: None, formulas: Vec::new(), expected: Vec::new() }
    }

    /// The questions in the words of the model, or all that it has no words for.
    pub(crate) fn questions(&self, loaded: &Loaded) -> Result<Vec<Question>, Vec<Finding>> {
        let mut errors = Vec::new();
        let mut questions = Vec::new();
        match &self.properties {
            None => questions.extend(loaded.questions(&[], &[])?),
            Some(names) => {
                for name in names {
                    match loaded.questions(std::slice::from_ref(&name.text), &[]) {
                        Ok(found) => questions.extend(found),
                        Err(found) => errors.extend(found.into_iter().map(|it| self.moved(it, name.span))),
                    }
                }
            }
        }
        for (name, expected) in &self.expected {
            match questions.iter_mut().find(|question| question.property.name == name.text) {
                Some(question) => question.property.expected = Some(*expected),
                None => {
                    let message = format!("no property that is asked for is called `{}`", name.text);
                    let known = questions.iter().map(|question| question.property.name.as_str());
                    let error = Diagnostic::error(Code::UnknownProperty, message, name.span);
                    errors.push(self.placed(error.suggest(&name.text, known)));
                }
            }
        }
        for formula in &self.formulas {
            if questions.iter().any(|question| question.property.name == formula.name.text) {
                let message = format!("a property is called `{}` as well", formula.name.text);
                errors.push(self.placed(Diagnostic::error(Code::DuplicateName, message, formula.name.span)));
            }
            match self.question(formula, loaded) {
                Ok(question) => questions.push(question),
                Err(found) => errors.extend(found),
            }
        }
        if errors.is_empty() { Ok(questions) } else { Err(errors) }
    }

    fn question(&self, asked: &Formula, loaded: &Loaded) -> Result<Question, Vec<Finding>> {
        let Text { text, span } = &asked.formula;
        let as_written = self.source.slice(*span) == text;
        let place = |inside: Span| {
            let shifted = |at: u32| span.start.saturating_add(at);
            // What is written with escapes cannot be pointed into.
            if as_written { Span { start: shifted(inside.start), end: shifted(inside.end) } } else { *span }
        };
        let formula = loaded.formula(text).map_err(|diagnostics| {
            let moved = diagnostics.into_iter().map(|mut diagnostic| {
                diagnostic.span = place(diagnostic.span);
                diagnostic.labels.iter_mut().for_each(|label| label.span = place(label.span));
                self.placed(diagnostic)
            });
            moved.collect::<Vec<_>>()
        })?;
        let name = asked.name.text.clone();
        Ok(Question::new(name, text, formula, asked.expected, (&self.source, *span)))
    }

    /// A finding without a place, at the place where the project gives rise to it.
    fn moved(&self, finding: Finding, span: Span) -> Finding {
        match finding.source {
            Some(_) => finding,
            None => self.placed(Diagnostic { span, ..finding.diagnostic }),
        }
    }

    fn placed(&self, diagnostic: Diagnostic) -> Finding {
        Finding::placed(diagnostic, &self.source)
    }
}
