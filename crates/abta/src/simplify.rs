//! Smaller automata with the same language.
//!
//! Three simplifications, repeated until none finds anything: constants are propagated and states with one successor
//! and no step are skipped; acceptance sets that say nothing or follow from others are dropped; states with the same
//! behaviour are merged.

mod acceptance;
mod constants;
mod quotient;
mod rebuild;

use crate::automaton::Abta;

/// An automaton with the same language and at most as many states.
pub(crate) fn simplify(abta: &Abta) -> Abta {
    let mut simple = abta.clone();
    loop {
        let before = (simple.states.len(), simple.acceptance.len());
        simple = constants::propagate(&simple);
        acceptance::minimise(&mut simple);
        simple = quotient::merge(&simple);
        if (simple.states.len(), simple.acceptance.len()) == before {
            return simple;
        }
    }
}
