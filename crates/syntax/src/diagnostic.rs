//! What a front end has to say about a text.

use serde::{Deserialize, Serialize};

use crate::{Code, Span};

/// What is longer is cut in the middle: names and states can be of any length, and nobody reads that.
const LONGEST: usize = 4000;

/// So much is left at the end of what is cut.
const END: usize = 1000;

/// The text, or its beginning and its end.
fn short(text: String) -> String {
    if text.len() <= LONGEST {
        return text;
    }
    let (begin, end) = (text.floor_char_boundary(LONGEST - END), text.ceil_char_boundary(text.len() - END));
    format!("{} … {}", &text[..begin], &text[end..])
}

crate::named! {
    /// How serious a diagnostic is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Severity {
        /// The input has no meaning; no verdict is given.
        Error = "error",
        /// The input has a meaning that is probably not the one wanted.
        Warning = "warning",
        /// Worth knowing.
        Note = "note",
    }
}

/// A further place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is to be seen there.
    pub message: String,
}

/// One finding, with its place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// What it is about.
    pub code: Code,
    /// One sentence without a full stop.
    pub message: String,
    /// The text it is about.
    pub span: Span,
    /// What is shown under the marked text, if more than the marking itself.
    pub note_at_span: Option<String>,
    /// Further places.
    pub labels: Vec<Label>,
    /// What to do about it: what was expected, or the nearest valid name.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic of the given severity with nothing but a message.
    pub fn new(severity: Severity, code: Code, message: impl Into<String>, span: Span) -> Self {
        let message = short(message.into());
        Diagnostic { severity, code, message, span, note_at_span: None, labels: Vec::new(), help: None }
    }

    /// An error.
    pub fn error(code: Code, message: impl Into<String>, span: Span) -> Self {
        Diagnostic::new(Severity::Error, code, message, span)
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>, span: Span) -> Self {
        Diagnostic::new(Severity::Warning, code, message, span)
    }

    /// A name that nothing of a kind has, with the nearest of those that there are.
    pub fn unknown<'a>(what: &str, name: &str, span: Span, known: impl IntoIterator<Item = &'a str>) -> Self {
        let message = format!("no {what} is called `{name}`");
        Diagnostic::error(Code::UnknownName, message, span).suggest(name, known)
    }

    /// A name that nothing has which could stand at its place, with the nearest of those that could.
    pub fn nothing<'a>(name: &str, span: Span, known: impl IntoIterator<Item = &'a str>) -> Self {
        let message = format!("nothing is called `{name}` here");
        Diagnostic::error(Code::UnknownName, message, span).suggest(name, known)
    }

    /// Adds the text shown under the marked source.
    #[must_use]
    pub fn at_span(mut self, text: impl Into<String>) -> Self {
        self.note_at_span = Some(short(text.into()));
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: short(message.into()) });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(short(text.into()));
        self
    }

    /// Adds "did you mean" advice when some candidate is close to `name`.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match crate::nearest(name, candidates) {
            Some(best) => self.help(format!("did you mean `{best}`?")),
            None => self,
        }
    }

    /// Is it an error?
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Is any of them an error?
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(Diagnostic::is_error)
}

/// What a front end has found, as long as it collects that: methods for a list of diagnostics, which is a type of the standard library.
pub trait Findings {
    /// Reports why there is no result.
    fn refuse<T>(&mut self, error: Diagnostic) -> Option<T>;

    /// Reports an error with nothing but a message, because of which there is no result.
    fn error<T>(&mut self, code: Code, message: impl Into<String>, span: Span) -> Option<T> {
        self.refuse(Diagnostic::error(code, message, span))
    }

    /// The result, or nothing where an error is reported instead.
    fn accept<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Option<T> {
        result.map_or_else(|error| self.refuse(*error), Some)
    }
}

impl Findings for Vec<Diagnostic> {
    fn refuse<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.push(error);
        None
    }
}
