//! ISPL files of both dialects.

use servanda_engine::Validity;
use servanda_ispl::{Dialect, System};
use servanda_logic::Formula;
use servanda_model::{Model, Property};
use servanda_syntax::Diagnostic;

use crate::BDD;

use super::{FrontEnd, Labelling, Meaning, USUAL, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "ispl",
    name: ("an", "ISPL"),
    has_acts: true,
    no_initial_state: "no state satisfies InitStates, so every formula is vacuously true",
    usual_engine: BDD,
    labels: Labelling::Joint,
    load: |source, _| {
        let loaded = servanda_ispl::load(source);
        (boxed(loaded.system), loaded.diagnostics)
    },
    ..USUAL
};

impl Meaning for System {
    fn model(&self) -> &Model {
        &self.model
    }

    fn model_mut(&mut self) -> Option<&mut Model> {
        Some(&mut self.model)
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.formula(text)
    }

    fn properties(&self) -> &[Property] {
        &self.properties
    }

    fn usual_validity(&self) -> Validity {
        match self.dialect {
            Dialect::Mcmas => Validity::Initial,
            Dialect::Year2005 => Validity::Reachable,
        }
    }
}
