//! Pact files.

use servanda_abta::decompose::Claim;
use servanda_logic::Formula;
use servanda_model::{Model, Property};
use servanda_pact::Protocol;
use servanda_syntax::Diagnostic;

use crate::TABLEAU;

use super::{FrontEnd, Labelling, Meaning, NO_INITIAL_STATE, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "pact",
    name: ("a", "Pact"),
    has_parameters: true,
    has_processes: false,
    standard_form: Some(servanda_pact::format),
    no_initial_state: NO_INITIAL_STATE,
    warns_of_unreachable: true,
    usual_engine: TABLEAU,
    labels: Labelling::Patterns,
    load: |source, choices| {
        let loaded = servanda_pact::load(source, choices.parameters);
        (boxed(loaded.protocol), loaded.diagnostics)
    },
};

impl Meaning for Protocol {
    fn model(&self) -> &Model {
        &self.model
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.formula(text)
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn claims(&self) -> &[Claim] {
        &self.claims
    }
}
