//! The module `servanda._native`: what the Python package is a face of.
//!
//! Nothing is decided here. Python's values come in, the façade works on a thread of its own while other Python threads run, and the plain
//! reports go out: as JSON where the report crate has it, as objects of `servanda._findings` and `servanda._errors` where they carry places.

mod audit;
mod checked;
mod choose;
mod compare;
mod examples;
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
    use super::examples::{example_texts, examples};
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

    /// Panics, for the test of what becomes of that.
    #[pyfunction]
    fn _panic(py: Python<'_>) -> PyResult<()> {
        super::work::run(py, Default::default(), |_| panic!("on purpose"))
    }

    /// Seconds that it takes without Python to load a Pact text and to decide its properties, for the test of what Python costs.
    #[pyfunction]
    fn _measure(text: &str) -> f64 {
        let started = std::time::Instant::now();
        let clock = servanda::host::Stopwatch::start();
        let watch = servanda::Watch { budget: &servanda_engine::NoLimits, clock: &clock };
        let loaded = servanda::Loaded::read(servanda::Language::Pact, "text", text, Default::default());
        if let Ok(loaded) = loaded
            && let Ok(questions) = loaded.questions(&[], &[])
        {
            std::hint::black_box(servanda::check(&loaded, &questions, Default::default(), watch));
        }
        started.elapsed().as_secs_f64()
    }

    /// The names of the engines.
    #[pyfunction]
    fn engines() -> Vec<&'static str> {
        servanda::engine_names().collect()
    }
}
