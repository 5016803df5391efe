//! Files in the `.aut` format of Aldebaran.

use servanda_aut::System;
use servanda_logic::Formula;
use servanda_lts::Lts;
use servanda_model::{CommandId, Model};
use servanda_syntax::{Diagnostic, SourceFile, Span};

use super::{FrontEnd, Labelling, Meaning, USUAL, boxed};

pub(super) const FRONT_END: FrontEnd = FrontEnd {
    ending: "aut",
    name: ("an", ".aut"),
    labels: Labelling::AsWritten,
    load: |source, _| {
        let loaded = servanda_aut::load(source);
        (boxed(loaded.system), loaded.diagnostics)
    },
    ..USUAL
};

impl Meaning for System {
    fn model(&self) -> &Model {
        self.model()
    }

    fn formula(&self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.formula(text)
    }

    fn transition_system(&self) -> Option<&Lts> {
        Some(self.lts())
    }

    fn places(&self, source: &SourceFile, commands: &[CommandId]) -> Vec<Option<Span>> {
        self.places(source, commands)
    }
}
