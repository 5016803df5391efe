//! Walks through a model.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ouroboros::self_referencing;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use servanda_engine::NoLimits;
use servanda_sim::{Chance, Simulation as Walk, Starts};

use crate::fault;
use crate::load::Subject;
use crate::model::Model;
use crate::state::State;

/// A walk together with the model that it goes through.
#[self_referencing]
pub(crate) struct Walker {
    subject: Arc<Subject>,
    #[borrows(subject)]
    #[not_covariant]
    walk: Walk<'this>,
}

impl Walker {
    /// At the beginning.
    pub(crate) fn begin(py: Python<'_>, subject: &Arc<Subject>) -> PyResult<Self> {
        let begun =
            Walker::try_new(Arc::clone(subject), |subject| Walk::new(subject.loaded.model(), &NoLimits));
        begun.map_err(|halt| fault::undecided(py, &halt.to_string()))
    }
}

/// A label and where it leads.
pub(crate) type Possible = (String, State);

/// What can happen in a state.
pub(crate) fn successors(
    walker: &mut Walker,
    subject: &Arc<Subject>,
    state: &[u64],
) -> PyResult<Vec<Possible>> {
    walker.with_walk_mut(|walk| {
        walk.resume(state.to_vec(), []);
        match walk.trouble() {
            Some(trouble) => Err(PyValueError::new_err(trouble.to_owned())),
            None => Ok(possible(walk, subject)),
        }
    })
}

fn possible(walk: &Walk<'_>, subject: &Arc<Subject>) -> Vec<Possible> {
    let choices = walk.choices().iter();
    choices.map(|choice| (choice.label.clone(), State::new(subject, choice.target()))).collect()
}

/// Stepping through a model.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct Simulation {
    subject: Arc<Subject>,
    inner: Mutex<(Walker, Chance)>,
}

impl Simulation {
    fn inner(&self) -> MutexGuard<'_, (Walker, Chance)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(py: Python<'_>, model: &Model, seed: u64) -> PyResult<Self> {
        let inner = Mutex::new((Walker::begin(py, &model.subject)?, Chance::new(seed)));
        Ok(Simulation { subject: Arc::clone(&model.subject), inner })
    }

    /// The initial states, and whether these are all.
    fn starts(&self) -> (Vec<State>, bool) {
        self.inner().0.with_walk(|walk| {
            let states = walk.start_states().iter().map(|state| State::new(&self.subject, state)).collect();
            (states, walk.starts().1 == Starts::All)
        })
    }

    /// Begins in an initial state.
    fn start(&self, index: usize) -> PyResult<()> {
        let begun = self.inner().0.with_walk_mut(|walk| walk.start(index));
        begun.then_some(()).ok_or_else(|| PyIndexError::new_err(format!("there is no initial state {index}")))
    }

    /// The states so far, the present one last; none while an initial state is to be chosen.
    fn states(&self) -> Vec<State> {
        self.inner()
            .0
            .with_walk(|walk| walk.run().0.iter().map(|state| State::new(&self.subject, state)).collect())
    }

    /// What led from each to the next.
    fn labels(&self) -> Vec<String> {
        self.inner().0.with_walk(|walk| walk.labels().to_vec())
    }

    /// What can happen next.
    fn choices(&self) -> Vec<Possible> {
        self.inner().0.with_walk(|walk| possible(walk, &self.subject))
    }

    /// What stands in the way of a transition that should be possible.
    fn trouble(&self) -> Option<String> {
        self.inner().0.with_walk(|walk| walk.trouble().map(str::to_owned))
    }

    /// Takes a transition.
    fn take(&self, index: usize) -> PyResult<()> {
        let taken = self.inner().0.with_walk_mut(|walk| walk.take(index));
        taken.then_some(()).ok_or_else(|| PyIndexError::new_err(format!("there is no choice {index}")))
    }

    /// Takes a transition by chance, or chooses an initial state; says whether there was one.
    fn take_any(&self) -> bool {
        let mut inner = self.inner();
        let (walker, chance) = &mut *inner;
        walker.with_walk_mut(|walk| walk.take_any(chance))
    }

    /// Takes the last step back; says whether there was one.
    fn undo(&self) -> bool {
        self.inner().0.with_walk_mut(|walk| walk.undo())
    }

    /// Begins again.
    fn restart(&self) {
        self.inner().0.with_walk_mut(|walk| walk.restart());
    }

    /// May control rest for good in the present state?
    fn is_at_end(&self) -> bool {
        self.inner().0.with_walk(|walk| walk.is_at_end())
    }
}
