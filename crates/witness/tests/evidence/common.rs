//! What the tests of evidence share: evidence for every decided property of a model, counted.

use servanda_engine::{Budget, Halt, Options};
use servanda_enumerate::Explored;
use servanda_model::{Model, Property};
use servanda_witness::{Because, Checked, Checker, Claim, Decided, Evidence, Failure, Shown};

/// How much was shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) asked: u64,
    pub(crate) shown: u64,
    pub(crate) nothing_to_show: u64,
    /// With a part that could be shown but is not.
    pub(crate) in_part: u64,
    pub(crate) by_reference: u64,
    pub(crate) stopped: u64,
}

/// Is everything shown that can be?
pub(crate) fn is_whole(claim: &Claim) -> bool {
    match &claim.because {
        Because::NotShown(_) => false,
        Because::State | Because::Everywhere(_) | Because::Strategy(_) => true,
        Because::Parts(parts) => parts.iter().all(is_whole),
        Because::Path(path) => path.claims.iter().all(|(_, claim)| is_whole(claim)),
        Because::Accessible(path) => path.evidence.claims.iter().all(|(_, claim)| is_whole(claim)),
        Because::CannotTell(doubt) => is_whole(&doubt.claim),
        Because::Before(before) => is_whole(&before.claim),
    }
}

impl Count {
    /// Asks for evidence for a verdict.
    pub(crate) fn ask(
        &mut self,
        checker: &mut Checker<'_>,
        property: &Property,
        verdict: bool,
        budget: &dyn Budget,
    ) -> Result<Option<Box<Evidence>>, String> {
        self.asked += 1;
        let decided = Decided { formula: &property.formula, text: &property.text, verdict };
        match checker.show(decided, budget) {
            Ok(Shown::Evidence(evidence)) => {
                self.shown += 1;
                self.in_part += u64::from(!is_whole(&evidence.claim));
                self.by_reference += u64::from(evidence.checked == Checked::ByReference);
                Ok(Some(evidence))
            }
            Ok(Shown::Nothing(_)) => {
                self.nothing_to_show += 1;
                Ok(None)
            }
            Err(Failure::Halt(Halt::Stopped { .. } | Halt::TooLarge(_))) => {
                self.stopped += 1;
                Ok(None)
            }
            Err(failure) => Err(format!("`{}` is {verdict}: {failure:?}", property.text)),
        }
    }

    /// Asks for evidence for all properties of a small model.
    pub(crate) fn ask_all(
        &mut self,
        model: &Model,
        properties: &[Property],
        options: Options,
        budget: &dyn Budget,
    ) -> Result<(), String> {
        let mut checker = Checker::new(model, options);
        for (property, verdict) in decided(model, properties, options, budget)? {
            self.ask(&mut checker, property, verdict, budget)?;
        }
        Ok(())
    }
}

/// The properties of a small model that the reference engine decides, with its verdicts.
pub(crate) fn decided<'p>(
    model: &Model,
    properties: &'p [Property],
    options: Options,
    budget: &dyn Budget,
) -> Result<Vec<(&'p Property, bool)>, String> {
    let mut explored = match Explored::new(model, options, budget) {
        Ok(explored) => explored,
        Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => return Ok(Vec::new()),
        Err(halt) => return Err(format!("{halt:?}")),
    };
    let mut found = Vec::new();
    for property in properties {
        match explored.decide(&property.formula, budget) {
            Ok(verdict) => found.extend(verdict.decided().map(|verdict| (property, verdict))),
            Err(Halt::Stopped { .. } | Halt::TooLarge(_)) => {}
            Err(halt) => return Err(format!("{halt:?}")),
        }
    }
    Ok(found)
}
