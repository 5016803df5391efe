//! One process of a CCS file. CCS has no words for properties.

use servanda_ccs::System;
use servanda_logic::Formula;
use servanda_model::Model;
use servanda_syntax::Diagnostic;

use crate::TABLEAU;

use super::{FrontEnd, Labelling, Meaning, NO_INITIAL_STATE, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "ccs",
    name: ("a", "CCS"),
    has_parameters: false,
    has_processes: true,
    standard_form: None,
    no_initial_state: NO_INITIAL_STATE,
    warns_of_unreachable: false,
    usual_engine: TABLEAU,
    labels: Labelling::Patterns,
    load: |source, choices| {
        let loaded = servanda_ccs::load(source, choices.process);
        (boxed(loaded.system), loaded.diagnostics)
    },
};

impl Meaning for System {
    fn model(&self) -> &Model {
        &self.model
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.formula(text)
    }
}
