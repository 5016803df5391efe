//! Random protocols and formulas.

use proptest::collection::vec;
use proptest::strategy::Strategy;
use servanda_abta::Simplify;
use servanda_engine::Options;
use servanda_logic::Features;
use servanda_testkit::random::{Case, protocols, state_formulas};
use servanda_testkit::{Decider, Reference, Trials, Tried, Walks, load};

use crate::soundness::solve::decide;

const TIME: Features =
    Features::QUANTIFIERS.with(Features::FUTURE).with(Features::PATH_FORMULAS).with(Features::BRANCHING);

/// Compares automata, simplified and not, with the reference engine.
fn compare(features: Features, contents: Features, count: u32) {
    let cases = (protocols(contents), vec(state_formulas(features), 4))
        .prop_map(|(outline, formulas)| Case { outline, formulas });
    Trials::from_environment(count).run(&cases, |case| {
        let protocol = load(&case.text());
        let Some(walks) = Walks::new(&protocol.model, 60) else { return Ok(Tried::Skipped) };
        if protocol.model.has_fairness() {
            return Ok(Tried::Skipped);
        }
        let acts = protocol.model.acts;
        let verdicts = Reference.verdicts(&protocol.model, &protocol.properties, Options::default());
        let mut tried = Tried::Skipped;
        for (property, verdict) in protocol.properties.iter().zip(verdicts) {
            let Some(verdict) = verdict else { continue };
            for simplify in [Simplify::Fully, Simplify::Not] {
                let Some(found) = decide(&protocol.model, &walks, &property.formula, simplify, acts) else {
                    continue;
                };
                tried = Tried::Holds;
                if found != verdict {
                    return Err(format!(
                        "the automaton ({simplify:?}) says {found}, the engine {verdict} of {}\n{}",
                        property.text,
                        case.outline.text(),
                    ));
                }
            }
        }
        Ok(tried)
    });
}

#[test]
fn time() {
    compare(TIME, Features::NONE, 1500);
}

#[test]
fn time_and_actions() {
    compare(TIME.with(Features::DOES), Features::NONE, 1500);
}

#[test]
fn time_actions_and_past() {
    compare(TIME.with(Features::DOES).with(Features::LINEAR_PAST), Features::NONE, 1000);
}

#[test]
fn acts_and_commitments() {
    let features = TIME.with(Features::DOES).with(Features::ACTS).with(Features::COMMITMENTS);
    compare(features, TIME.with(Features::DOES), 1500);
}
