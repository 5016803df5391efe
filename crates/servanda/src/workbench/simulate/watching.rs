//! Formulas that are watched.

use std::sync::Arc;

use servanda_engine::Verdict;
use servanda_logic::Formula;
use servanda_messages::{Watched, Word};
use servanda_model::bind_boolean;
use servanda_report::Finding;
use servanda_sim::Simulation;
use servanda_syntax::SourceFile;

use super::super::places::FORMULA;
use crate::{Loaded, Present, Watch};

/// Formulas that are watched, and what is known of them.
pub(super) struct Watching<'k, 'l> {
    present: Present<'k, 'l>,
    formulas: Vec<(String, Formula)>,
}

impl<'k, 'l> Watching<'k, 'l> {
    pub(super) fn new(present: Present<'k, 'l>) -> Self {
        Watching { present, formulas: Vec::new() }
    }

    /// Watches a formula; one that is watched already is watched once.
    pub(super) fn add(&mut self, text: &str, loaded: &Loaded) -> Result<(), Vec<Finding>> {
        let placed = |errors| Finding::all_placed(errors, &Arc::new(SourceFile::new(FORMULA, text)));
        let formula = loaded.formula(text).map_err(placed)?;
        // What has no meaning in any state is refused here, and not at every moment.
        if bind_boolean(loaded.model(), &formula, &mut Vec::new()).is_none() {
            self.present.has_meaning(&formula).map_err(placed)?;
        }
        if self.formulas.iter().all(|(known, _)| known != text) {
            self.formulas.push((text.to_owned(), formula));
        }
        Ok(())
    }

    /// Watches a formula no longer; `false` where it was not watched.
    pub(super) fn remove(&mut self, text: &str) -> bool {
        let before = self.formulas.len();
        self.formulas.retain(|(known, _)| known != text);
        self.formulas.len() < before
    }

    /// What the formulas are worth where the simulation is; nothing while no initial state is chosen.
    pub(super) fn at(&mut self, simulation: &Simulation<'_>, watch: Watch<'_>) -> Vec<Watched> {
        let run = simulation.run();
        if run.0.is_empty() {
            return Vec::new();
        }
        let Watching { present, formulas } = self;
        let value = |(text, formula): &(String, Formula)| {
            let verdict = present.value(formula, run, watch).unwrap_or_else(|errors| {
                let words: Vec<String> = errors.into_iter().map(|error| error.message).collect();
                Verdict::Unknown(words.join("; "))
            });
            let (value, reason) = match verdict {
                Verdict::True => (Word::True, None),
                Verdict::False => (Word::False, None),
                Verdict::Unknown(reason) => (Word::Unknown, Some(reason)),
            };
            Watched { text: text.clone(), value, reason }
        };
        formulas.iter().map(value).collect()
    }
}
