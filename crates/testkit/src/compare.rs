//! One engine against another.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use servanda_engine::{Deadlock, Options, Past, Strategies, Validity};
use servanda_logic::Features;

use crate::random::{Case, cases};
use crate::{Decider, Trials, Tried, load};

/// All readings a user can choose, but that of acts, which protocols choose themselves.
pub fn options() -> BoxedStrategy<Options> {
    let deadlock = prop_oneof![3 => Just(Deadlock::Loop), 1 => Just(Deadlock::Strict)];
    let past = prop_oneof![5 => Just(Past::Reachable), 1 => Just(Past::All)];
    let validity = select(vec![Validity::Initial, Validity::Reachable]);
    let strategies = prop_oneof![2 => Just(Strategies::PerfectInformation), 1 => Just(Strategies::Uniform)];
    (deadlock, past, validity, strategies)
        .prop_map(|(deadlock, past, validity, strategies)| Options {
            acts: None,
            deadlock,
            past,
            validity,
            strategies,
        })
        .boxed()
}

/// Compares two engines on random protocols, formulas of the whole language and all readings.
///
/// # Panics
/// When they disagree. The message has the smallest protocol and formula found on which they do, and both verdicts.
/// No verdict disagrees with nothing.
pub fn compare(cases: u32, seed: u64, a: &dyn Decider, b: &dyn Decider) {
    compare_within(Features::ALL, Trials { cases, seed }, a, b);
}

/// As [`compare`], with formulas that use nothing but these features.
///
/// # Panics
/// When the engines disagree.
pub fn compare_within(features: Features, trials: Trials, a: &dyn Decider, b: &dyn Decider) {
    trials.run(&(cases(features, 1..=4), options()), |(case, options)| agreement(case, *options, a, b));
}

/// Do the engines agree on all formulas of a case?
fn agreement(case: &Case, options: Options, a: &dyn Decider, b: &dyn Decider) -> Result<Tried, String> {
    let text = case.text();
    let protocol = load(&text);
    // All type-correct states of a small protocol can be many.
    if options.past == Past::All && protocol.model.typed_states().is_none_or(|states| states > 3000) {
        return Ok(Tried::Skipped);
    }
    let (left, right) = (a.verdicts(&protocol, options), b.verdicts(&protocol, options));
    let mut decided = false;
    for (number, (left, right)) in left.iter().zip(&right).enumerate() {
        let (Some(left), Some(right)) = (left, right) else { continue };
        decided = true;
        if left != right {
            let property = &protocol.properties[number];
            let outline = case.outline.text();
            return Err(format!(
                "{} says {left} and {} says {right} of\n{outline}property {} = {}\nwith {options:?}",
                a.name(),
                b.name(),
                property.name,
                property.text,
            ));
        }
    }
    Ok(if decided { Tried::Holds } else { Tried::Skipped })
}
