//! A model, and what is asked about it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use servanda::{Loaded, PackedStates, Question};
use servanda_report::Finding;

use crate::checked::Checked;
use crate::choose::Settings;
use crate::fault;
use crate::load::{Reading, Subject, load};
use crate::state::State;
use crate::walk::{Possible, Walker, successors};
use crate::work::{self, Limits};

/// A model with the text it came from.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct Model {
    pub(crate) subject: Arc<Subject>,
    /// Who finds what can happen in a state, once somebody asks.
    walker: OnceLock<Mutex<Walker>>,
}

impl Model {
    pub(crate) fn new(loaded: Loaded) -> Self {
        Model { subject: Arc::new(Subject::new(loaded)), walker: OnceLock::new() }
    }

    fn loaded(&self) -> &Loaded {
        &self.subject.loaded
    }

    /// What is asked: each one is a property by its name, otherwise a formula.
    fn questions(&self, asked: &[String]) -> Result<Vec<Question>, Vec<Finding>> {
        let loaded = self.loaded();
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        let is_property = |text: &&String| loaded.properties().iter().any(|property| property.name == **text);
        let (names, formulas): (Vec<&String>, Vec<&String>) = asked.iter().partition(is_property);
        let owned = |texts: Vec<&String>| texts.into_iter().cloned().collect::<Vec<String>>();
        let (names, formulas) = (owned(names), owned(formulas));
        let found = loaded.questions(&names, &formulas).map_err(|mut findings| {
            // A word that is no formula may be meant as a property.
            let is_word =
                |text: &&String| text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            let words: Vec<String> = formulas
                .iter()
                .filter(is_word)
                .filter(|word| loaded.formula(word).is_err())
                .cloned()
                .collect();
            if !words.is_empty() {
                findings.extend(loaded.questions(&words, &[]).err().into_iter().flatten());
            }
            findings
        })?;
        // Properties come first there; here they come as they were asked.
        let (mut properties, mut others) = (found.iter(), found.iter().skip(names.len()));
        let ordered =
            asked.iter().map(|text| if is_property(&text) { properties.next() } else { others.next() });
        Ok(ordered.flatten().cloned().collect())
    }
}

#[pymethods]
impl Model {
    /// Reads a file, or a text that goes by a name.
    #[staticmethod]
    #[pyo3(signature = (name, text, reading))]
    fn read(py: Python<'_>, name: String, text: Option<String>, reading: Reading) -> PyResult<Self> {
        reading.language()?;
        let loaded = work::run(py, Limits::default(), move |_| load(&name, text, &reading))?;
        loaded.map(Model::new).map_err(|findings| fault::input(py, &findings))
    }

    /// The name of the model.
    #[getter]
    fn name(&self) -> &str {
        &self.loaded().model().name
    }

    /// The name of its file or text.
    #[getter]
    fn file(&self) -> &str {
        self.loaded().source.name()
    }

    /// Its text.
    #[getter]
    fn text(&self) -> &str {
        self.loaded().source.text()
    }

    /// The language of the text, by the ending of its files.
    #[getter]
    fn language(&self) -> &'static str {
        self.loaded().language().front_end().ending
    }

    /// The parameters that were set.
    #[getter]
    fn params(&self) -> Vec<(String, i64)> {
        self.loaded().parameters().to_vec()
    }

    /// The agents.
    #[getter]
    fn agents(&self) -> Vec<&str> {
        self.loaded().model().agents.iter().map(|agent| agent.name.as_str()).collect()
    }

    /// Name, formula and expectation of each property that the text declares.
    #[getter]
    fn properties(&self) -> Vec<(&str, &str, Option<bool>)> {
        let properties = self.loaded().properties().iter();
        properties
            .map(|property| (property.name.as_str(), property.text.as_str(), property.expected))
            .collect()
    }

    /// What is worth knowing about the text.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        fault::findings(py, &self.loaded().findings)
    }

    /// Decides properties and formulas.
    fn check(
        &self,
        py: Python<'_>,
        asked: Option<Vec<String>>,
        settings: Settings,
        limits: Limits,
    ) -> PyResult<Checked> {
        let questions = match &asked {
            Some(asked) => self.questions(asked),
            None => self.loaded().questions(&[], &[]),
        };
        let questions = questions.map_err(|findings| fault::input(py, &findings))?;
        let options = settings.options(self.loaded(), limits.memory())?;
        let subject = Arc::clone(&self.subject);
        let report = work::run(py, limits, move |watch| {
            let (mut report, seconds) =
                timed(watch, || servanda::check(&subject.loaded, &questions, options, watch));
            report.run.seconds = seconds;
            (report, questions)
        })?;
        Checked::new(py, &self.subject, report)
    }

    /// Counts the reachable states.
    fn size(&self, py: Python<'_>, settings: Settings, limits: Limits) -> PyResult<Checked> {
        let chosen = settings.engine(limits.memory())?;
        let subject = Arc::clone(&self.subject);
        let report = work::run(py, limits, move |watch| {
            let (mut report, seconds) = timed(watch, || servanda::size(&subject.loaded, chosen, watch));
            report.run.seconds = seconds;
            (report, Vec::new())
        })?;
        Checked::new(py, &self.subject, report)
    }

    /// The states, or those where a formula holds, the nearest first; at most so many are looked at where there is no formula.
    fn states(
        &self,
        py: Python<'_>,
        formula: Option<String>,
        most: Option<usize>,
        settings: Settings,
        limits: Limits,
    ) -> PyResult<States> {
        let question = formula.map(|formula| self.questions(&[formula])).transpose();
        let question =
            question.map_err(|findings| fault::input(py, &findings))?.and_then(|mut found| found.pop());
        let readings = settings.options(self.loaded(), limits.memory())?.readings;
        let subject = Arc::clone(&self.subject);
        let states = work::run(py, limits, move |watch| match question {
            Some(question) => servanda::holding(&subject.loaded, &question, readings, watch),
            None => servanda::reach(&subject.loaded, most.unwrap_or(usize::MAX), watch)
                .map(|reached| reached.states),
        })?;
        let states = states.map_err(|refusal| fault::refusal(py, &refusal))?;
        Ok(States { subject: Arc::clone(&self.subject), states })
    }

    /// The graph of at most so many states.
    fn reach(&self, py: Python<'_>, most: usize, limits: Limits) -> PyResult<Reached> {
        let subject = Arc::clone(&self.subject);
        let reached = work::run(py, limits, move |watch| servanda::reach(&subject.loaded, most, watch))?;
        let reached = reached.map_err(|refusal| fault::refusal(py, &refusal))?;
        Ok(Reached { subject: Arc::clone(&self.subject), reached })
    }

    /// What can happen in a state: labels, and where they lead.
    fn successors(&self, py: Python<'_>, state: &State) -> PyResult<Vec<Possible>> {
        if !self.subject.is_same(&state.subject) {
            return Err(PyTypeError::new_err("this is a state of another model"));
        }
        let walker = match self.walker.get() {
            Some(walker) => walker,
            None => {
                let walker = Mutex::new(Walker::begin(py, &self.subject)?);
                self.walker.get_or_init(|| walker)
            }
        };
        let mut walker = walker.lock().unwrap_or_else(PoisonError::into_inner);
        successors(&mut walker, &self.subject, &state.packed)
    }
}

/// States in a row.
#[pyclass(frozen, sequence, module = "servanda._native")]
pub(crate) struct States {
    subject: Arc<Subject>,
    states: PackedStates,
}

#[pymethods]
impl States {
    fn __len__(&self) -> usize {
        self.states.len()
    }

    fn __getitem__(&self, position: usize) -> PyResult<State> {
        let state = self.states.get(position);
        let state =
            state.ok_or_else(|| PyIndexError::new_err("the index is larger than the number of states"))?;
        Ok(State::new(&self.subject, state))
    }
}

/// The graph of the nearest states.
#[pyclass(frozen, module = "servanda._native")]
pub(crate) struct Reached {
    subject: Arc<Subject>,
    reached: servanda::Reached,
}

#[pymethods]
impl Reached {
    /// The states, the initial ones first.
    fn states(&self) -> States {
        States { subject: Arc::clone(&self.subject), states: self.reached.states.clone() }
    }

    /// How many are initial.
    #[getter]
    fn initial(&self) -> usize {
        self.reached.initial
    }

    /// What labels the transitions.
    #[getter]
    fn labels(&self) -> Vec<String> {
        self.reached.labels.clone()
    }

    /// The transitions: positions of the source, of the label and of the target.
    fn moves(&self) -> Vec<(u32, u32, u32)> {
        self.reached.moves.iter().map(|one| (one.source, one.label, one.target)).collect()
    }

    /// A picture of the nearest ones, at most so many.
    fn svg(&self, most: usize) -> String {
        servanda_chart::graph_svg(&self.reached.picture(&self.subject.loaded, most))
    }

    /// Are these all?
    #[getter]
    fn is_complete(&self) -> bool {
        self.reached.is_complete
    }
}

fn timed<T>(watch: servanda::Watch<'_>, work: impl FnOnce() -> T) -> (T, f64) {
    let before = watch.clock.elapsed();
    let result = work();
    (result, watch.clock.elapsed().saturating_sub(before).as_secs_f64())
}
