//! One process of a CCS file. CCS has no words for properties.

use servanda_ccs::System;
use servanda_logic::Formula;
use servanda_model::Model;
use servanda_syntax::Diagnostic;

use super::{FrontEnd, Meaning, USUAL, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "ccs",
    name: ("a", "CCS"),
    has_processes: true,
    has_acts: true,
    warns_of_unreachable: false,
    load: |source, choices| {
        let loaded = servanda_ccs::load(source, choices.process);
        (boxed(loaded.system), loaded.diagnostics)
    },
    ..USUAL
};

impl Meaning for System {
    fn model(&self) -> &Model {
        &self.model
    }

    fn processes(&self) -> &[String] {
        &self.processes
    }

    fn model_mut(&mut self) -> Option<&mut Model> {
        Some(&mut self.model)
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.formula(text)
    }
}
