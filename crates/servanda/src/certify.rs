//! Proofs that others can check, for properties that hold.

use servanda_engine::Options;
use servanda_sat::{Certified, Sat, SatOptions};

use crate::{Loaded, Question, Watch};

/// A proof of each of these properties, in the order given, as questions to a SAT solver; or why there is none.
pub fn certify(
    loaded: &Loaded,
    questions: &[&Question],
    readings: Options,
    watch: Watch<'_>,
) -> Vec<Certified> {
    let nothing = |why: &servanda_engine::Halt| Certified::Nothing(why.to_string());
    let mut sat = match Sat::new(loaded.model(), readings, SatOptions::default(), watch.budget) {
        Ok(sat) => sat,
        Err(why) => return questions.iter().map(|_| nothing(&why)).collect(),
    };
    let prove = |question: &&Question| {
        sat.certify(&question.property.formula, watch.budget).unwrap_or_else(|why| nothing(&why))
    };
    questions.iter().map(prove).collect()
}
