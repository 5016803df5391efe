//! What a check has found.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use servanda::{Drawing, Question};
use servanda_report::{
    CheckReport, Finding, Input, Location, PropertyReport, Statistics, Style, Trace, json, text,
};

use crate::choose::word;
use crate::fault;
use crate::load::Subject;
use crate::state::State;

/// A file, where a stretch of it begins and ends, and what happens there.
type Place = (String, usize, usize, usize, usize, String);

/// What a check has found.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct Checked {
    subject: Arc<Subject>,
    report: CheckReport,
    questions: Vec<Question>,
}

impl Checked {
    /// A report whose input has a meaning; otherwise the error that says why it has none.
    pub(crate) fn new(
        py: Python<'_>,
        subject: &Arc<Subject>,
        (report, questions): (CheckReport, Vec<Question>),
    ) -> PyResult<Self> {
        let checked = Checked { subject: Arc::clone(subject), report, questions };
        if checked.report.run.input == Input::Good {
            return Ok(checked);
        }
        let findings = checked.report.run.findings.iter();
        let errors: Vec<Finding> = findings.filter(|found| found.diagnostic.is_error()).cloned().collect();
        let error = fault::input(py, &errors);
        // What was decided before stands.
        error.value(py).setattr("_checked", checked)?;
        Err(error)
    }

    fn property(&self, index: usize) -> PyResult<&PropertyReport> {
        self.report.properties.get(index).ok_or_else(|| PyIndexError::new_err("there is no such result"))
    }
}

#[pymethods]
impl Checked {
    /// The report of `servanda check --format json`.
    fn json(&self) -> String {
        json::check(std::slice::from_ref(&self.report), Statistics::Shown)
    }

    /// The report of `servanda check` in words.
    fn text(&self) -> String {
        text::check(&self.report, Style::plain())
    }

    /// How it ended: `wanted`, `undecided`, `unwanted`.
    #[getter]
    fn status(&self) -> &'static str {
        self.report.status().word()
    }

    /// What is worth knowing besides.
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        fault::findings(py, &self.report.run.findings)
    }

    /// Where a property is written.
    fn place(&self, index: usize) -> PyResult<Option<Place>> {
        Ok(self.property(index)?.location.as_ref().map(|location| place(location, "")))
    }

    /// The states of the run that shows a verdict.
    fn states(&self, index: usize) -> PyResult<Vec<State>> {
        let Trace::Evidence { evidence, .. } = &self.property(index)?.trace else { return Ok(Vec::new()) };
        let states = evidence.line().path.states;
        Ok(states.iter().map(|state| State::new(&self.subject, &state.packed)).collect())
    }

    /// For each step of that run where it is written.
    fn origins(&self, index: usize) -> PyResult<Vec<Vec<Place>>> {
        let Trace::Evidence { origins, .. } = &self.property(index)?.trace else { return Ok(Vec::new()) };
        let step = |origins: &Vec<servanda_report::Origin>| {
            origins.iter().map(|origin| place(&origin.location, &origin.what)).collect()
        };
        Ok(origins.iter().map(step).collect())
    }

    /// Draws why a verdict is what it is.
    fn draw(&self, py: Python<'_>, index: usize, form: &str, width: usize, full: bool) -> PyResult<String> {
        let drawing = word("form", Some(form), &Drawing::NAMED, Drawing::Text)?;
        let property = self.property(index)?.clone();
        let Some(question) = self.questions.get(index) else { return Ok(String::new()) };
        let report = CheckReport { properties: vec![property], ..self.report.clone() };
        let loaded = &self.subject.loaded;
        let drawn = py.detach(|| {
            fault::guarded(|| {
                let mut explained = servanda::explained(loaded, question, report);
                if let (true, Some(explanation)) = (full, &mut explained.explanation) {
                    explanation.unfold();
                }
                explained.draw(loaded, drawing, width)
            })
        });
        match drawn {
            Ok(Ok(drawn)) => Ok(drawn),
            Ok(Err(findings)) => Err(fault::input(py, &findings)),
            Err(words) => Err(fault::internal(py, &words)),
        }
    }
}

fn place(location: &Location, what: &str) -> Place {
    let Location { file, line, column, end_line, end_column } = location;
    (file.clone(), *line, *column, *end_line, *end_column, what.to_owned())
}
