//! States as Python sees them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use servanda_model::StateView;

use crate::load::Subject;

/// A state of a model.
#[pyclass(frozen, eq, hash, module = "servanda._native")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) subject: Arc<Subject>,
    pub(crate) packed: Box<[u64]>,
}

impl State {
    pub(crate) fn new(subject: &Arc<Subject>, packed: &[u64]) -> Self {
        State { subject: Arc::clone(subject), packed: packed.into() }
    }

    fn view(&self) -> StateView {
        StateView::new(self.subject.loaded.model(), &self.subject.layout, &self.packed)
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.packed == other.packed && self.subject.is_same(&other.subject)
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.packed.hash(hasher);
    }
}

/// Truth values and numbers are such, names of values are texts.
fn value<'py>(py: Python<'py>, shown: &str) -> PyResult<Bound<'py, PyAny>> {
    match (shown.parse::<bool>(), shown.parse::<i64>()) {
        (Ok(truth), _) => truth.into_bound_py_any(py),
        (_, Ok(number)) => number.into_bound_py_any(py),
        _ => shown.into_bound_py_any(py),
    }
}

#[pymethods]
impl State {
    /// The variables with their values.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let variables = PyDict::new(py);
        for (name, shown) in &self.view().variables {
            variables.set_item(name, value(py, shown)?)?;
        }
        Ok(variables)
    }

    /// The control state of each machine; the name of the machine is empty where there are no `machine` blocks.
    #[getter]
    fn at<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let places = PyDict::new(py);
        for (machine, location) in &self.view().locations {
            places.set_item(machine, location)?;
        }
        Ok(places)
    }

    /// The messages under way in each channel, the oldest first.
    #[getter]
    fn channels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let channels = PyDict::new(py);
        for (name, messages) in &self.view().channels {
            channels.set_item(name, messages)?;
        }
        Ok(channels)
    }

    /// The commitments in force: by name where they have one, otherwise written out.
    #[getter]
    fn in_force(&self) -> Vec<String> {
        self.view().in_force.iter().map(|commitment| commitment.called().to_owned()).collect()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let view = self.view();
        let shown = view.variables.iter().find(|(known, _)| known == name).map(|(_, shown)| shown);
        value(py, shown.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)
    }

    fn __str__(&self) -> String {
        self.view().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<State {}>", self.view())
    }

    /// The same in every run of the same model.
    #[getter]
    fn key(&self) -> String {
        self.packed.iter().map(|word| format!("{word:016x}")).collect()
    }
}
