//! Pact files.

use servanda_abta::decompose::Claim;
use servanda_logic::Formula;
use servanda_model::{Model, Property};
use servanda_pact::Protocol;
use servanda_syntax::Diagnostic;

use super::{FrontEnd, Meaning, USUAL, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "pact",
    name: ("a", "Pact"),
    has_parameters: true,
    standard_form: Some(servanda_pact::format),
    load: |source, choices| {
        let loaded = match choices.find {
            Some(find) => servanda_pact::load_with(source, choices.parameters, &mut |user, path| find(user, path)),
            None => servanda_pact::load(source, choices.parameters),
        };
        (boxed(loaded.protocol), loaded.diagnostics)
    },
    ..USUAL
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
