//! The module `servanda._native`: what the Python package is a face of.
//!
//! Nothing is decided here. Python's values come in, the façade works on a thread of its own while other Python threads run, and the plain
//! reports go out: as JSON where the report crate has it, as objects of `servanda._findings` and `servanda._errors` where they carry places.

mod audit;
mod checked;
mod choose;
mod compare;
mod fault;
mod load;
mod model;
mod state;
mod walk;
mod work;

use pyo3::prelude::*;

/// What the Python package is a face of.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::audit::{AuditFound, Auditor, library, library_texts};
    #[pymodule_export]
    use super::checked::Checked;
    #[pymodule_export]
    use super::compare::{conform, conform_to, convert, equiv, format, minimise, targets};
    #[pymodule_export]
    use super::model::{Model, Reached, States};
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::walk::Simulation;
    #[pymodule_export]
    use super::work::Progress;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::fault::listen();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    /// The names of the engines.
    #[pyfunction]
    fn engines() -> Vec<&'static str> {
        servanda::engine_names().collect()
    }
}
