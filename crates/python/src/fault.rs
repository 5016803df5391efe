//! What goes wrong, as Python's exceptions.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use servanda::Refusal;
use servanda_report::{Finding, Location, Style, diagnostics};
use servanda_syntax::nearest;

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on a panic is written nowhere: it becomes an exception that says where it was.
pub(crate) fn listen() {
    panic::set_hook(Box::new(|information| {
        let place = information.location().map(ToString::to_string).unwrap_or_default();
        PLACE.with(|known| *known.borrow_mut() = place);
    }));
}

/// Does something; a panic becomes words.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let place = PLACE.with(|known| known.take());
        format!("{} ({place})", words(&*panic))
    })
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// A mistake of this program.
pub(crate) fn internal(py: Python<'_>, words: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(CLASS.import(py, "servanda._errors", "InternalError"), |class| class.call1((words,)))
}

/// A limit was reached before there was an answer.
pub(crate) fn undecided(py: Python<'_>, reason: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(CLASS.import(py, "servanda._errors", "Undecided"), |class| class.call1((reason,)))
}

/// The input has no meaning.
pub(crate) fn input(py: Python<'_>, found: &[Finding]) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let found = match findings(py, found) {
        Ok(found) => found,
        Err(error) => return error,
    };
    raise(CLASS.import(py, "servanda._errors", "InputError"), |class| class.call1((found,)))
}

/// Why nothing was made.
pub(crate) fn refusal(py: Python<'_>, refusal: &Refusal) -> PyErr {
    match refusal {
        Refusal::Invalid(findings) => input(py, findings),
        Refusal::Undecided(reason) => undecided(py, reason),
    }
}

fn raise<'py>(
    class: PyResult<&Bound<'py, PyType>>,
    make: impl FnOnce(&Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>>,
) -> PyErr {
    class.and_then(make).map_or_else(|error| error, PyErr::from_value)
}

/// An argument that is none of those that there are.
pub(crate) fn unknown<'a>(what: &str, given: &str, known: impl Iterator<Item = &'a str> + Clone) -> PyErr {
    let help = match nearest(given, known.clone()) {
        Some(near) => format!("did you mean {near:?}?"),
        None => format!("there are {}", known.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")),
    };
    PyValueError::new_err(format!("{what}: there is no {given:?}; {help}"))
}

/// Findings as the package shows them.
pub(crate) fn findings<'py>(py: Python<'py>, found: &[Finding]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    found.iter().map(|found| finding(py, found)).collect()
}

fn finding<'py>(py: Python<'py>, found: &Finding) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "servanda._findings", "Finding")?;
    let diagnostic = &found.diagnostic;
    let location = found.source.as_ref().map(|source| Location::within(source, diagnostic.span));
    let fields = PyDict::new(py);
    fields.set_item("severity", diagnostic.severity.word())?;
    fields.set_item("code", diagnostic.code.word())?;
    fields.set_item("message", &diagnostic.message)?;
    fields.set_item("file", location.as_ref().map(|location| &location.file))?;
    fields.set_item("line", location.as_ref().map(|location| location.line))?;
    fields.set_item("column", location.as_ref().map(|location| location.column))?;
    fields.set_item("end_line", location.as_ref().map(|location| location.end_line))?;
    fields.set_item("end_column", location.as_ref().map(|location| location.end_column))?;
    fields.set_item("detail", diagnostic.note_at_span.as_deref())?;
    fields.set_item("help", diagnostic.help.as_deref())?;
    fields.set_item("more", &found.more)?;
    fields.set_item("rendered", diagnostics::render_findings([found], Style::plain()))?;
    class.call((), Some(&fields))
}
