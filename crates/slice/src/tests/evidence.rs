//! Evidence that is found in a slice is evidence of the whole.

use servanda_engine::Options;
use servanda_logic::Formula;
use servanda_lower::Lowering;
use servanda_model::{CommandId, Layout};
use servanda_testkit::Limits;
use servanda_witness::{Because, Checker, Decided, Failure, Shown, Slicing};

use crate::{Projection, Slice};

struct View<'s> {
    slice: &'s Slice,
    projection: Projection,
}

impl Slicing for View<'_> {
    fn project(&self, state: &[u64]) -> Vec<u64> {
        self.projection.of(state)
    }

    fn leaves_out(&self, command: CommandId) -> bool {
        self.slice.leaves_out(command)
    }

    fn actors(&self) -> &[bool] {
        self.slice.actors()
    }
}

/// Looks for evidence in a slice, and has it checked in the whole: is something shown?
pub(super) fn shown(
    (whole, own): (&Lowering<'_>, &Lowering<'_>),
    slice: &Slice,
    (formula, verdict): (&Formula, bool),
    options: Options,
) -> Result<bool, String> {
    let limits = Limits { states: 3000, nodes: 1 << 16 };
    let view = View { slice, projection: slice.projection(&Layout::new(whole.model)) };
    let mut searcher = Checker::new(own.model, options).with_formulas(own);
    let mut checker = Checker::new(whole.model, options).with_formulas(whole);
    let text = formula.to_string();
    let decided = Decided { formula, text: &text, verdict };
    match checker.show_sliced((&view, &mut searcher), decided, &limits) {
        Ok(Shown::Evidence(evidence)) => Ok(!matches!(evidence.claim.because, Because::NotShown(_))),
        Ok(Shown::Nothing(_)) | Err(Failure::Halt(_)) => Ok(false),
        Err(Failure::Internal(wrong)) => Err(wrong),
    }
}
