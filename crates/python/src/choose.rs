//! What users choose between, in Python's words.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use servanda::{CheckOptions, EngineChoice, EngineOptions, Loaded, ReachedDeadlock, Traces};
use servanda_engine::{Deadlock, Options, Past, Strategies, Validity};
use servanda_model::{ActReading, Level};
use servanda_report::Statistics;

use crate::fault::unknown;

/// How properties are decided: the entries of a dictionary.
#[derive(FromPyObject, Default)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    engine: Option<String>,
    threads: Option<usize>,
    bound: Option<usize>,
    evidence: bool,
    count: bool,
    statistics: bool,
    level: Option<String>,
    acts: Option<String>,
    past: Option<String>,
    validity: Option<String>,
    deadlock: Option<String>,
    uniform: Option<String>,
    recall: Option<u32>,
}

/// A word of a table; `usual` where none is given.
pub(crate) fn word<T: Copy>(what: &str, given: Option<&str>, table: &[(&str, T)], usual: T) -> PyResult<T> {
    let Some(given) = given else { return Ok(usual) };
    let found = table.iter().find(|(word, _)| *word == given).map(|(_, value)| *value);
    found.ok_or_else(|| unknown(what, given, table.iter().map(|(word, _)| *word)))
}

impl Settings {
    /// Which engine works, and with what; `memory` is the limit in bytes, where there is one.
    pub(crate) fn engine(&self, memory: Option<u64>) -> PyResult<EngineOptions> {
        let mut engine = EngineChoice::Auto;
        if let Some(name) = self.engine.as_deref().filter(|name| *name != "auto") {
            let found = servanda::engine_names().find(|known| *known == name);
            let names: Vec<&str> = servanda::engine_names().chain(["auto"]).collect();
            engine = EngineChoice::Only(found.ok_or_else(|| unknown("engine", name, names.iter().copied()))?);
        }
        if self.bound.is_some() {
            if ![EngineChoice::Auto, EngineChoice::Only(servanda::SAT)].contains(&engine) {
                return Err(PyValueError::new_err("bound: only the engine \"sat\" searches within a bound"));
            }
            engine = EngineChoice::Only(servanda::SAT);
        }
        Ok(EngineOptions {
            engine,
            nodes: memory.map_or(EngineOptions::USUAL_NODES, EngineOptions::nodes_in),
            threads: self.threads.unwrap_or(1).clamp(1, 256),
            bound: self.bound,
            statistics: if self.statistics { Statistics::Shown } else { Statistics::Hidden },
            ..EngineOptions::default()
        })
    }

    /// Everything that `check` takes for granted.
    pub(crate) fn options(&self, loaded: &Loaded, memory: Option<u64>) -> PyResult<CheckOptions> {
        let (deadlock, reached_deadlock) = word(
            "deadlock",
            self.deadlock.as_deref(),
            &[
                ("loop", (Deadlock::Loop, ReachedDeadlock::Noted)),
                ("strict", (Deadlock::Strict, ReachedDeadlock::Noted)),
                ("error", (Deadlock::Loop, ReachedDeadlock::Failure)),
            ],
            (Deadlock::Loop, ReachedDeadlock::Noted),
        )?;
        let acts = ActReading::NAMED.map(|(name, reading)| (name, Some(reading)));
        let uniform = [("objective", Strategies::Uniform), ("subjective", Strategies::Subjective)];
        let readings = Options {
            acts: word("acts", self.acts.as_deref(), &acts, None)?,
            deadlock,
            past: word("past", self.past.as_deref(), &Past::NAMED, Past::Reachable)?,
            validity: word("validity", self.validity.as_deref(), &Validity::NAMED, loaded.usual_validity())?,
            strategies: word("uniform", self.uniform.as_deref(), &uniform, Strategies::PerfectInformation)?,
            recall: self.recall,
            ..Options::default()
        };
        Ok(CheckOptions {
            readings,
            reached_deadlock,
            engine: self.engine(memory)?,
            traces: if self.evidence { Traces::Shown } else { Traces::Hidden },
            counted: self.count,
            level: word("level", self.level.as_deref(), &Level::NAMED, Level::default())?,
            ..CheckOptions::default()
        })
    }
}
