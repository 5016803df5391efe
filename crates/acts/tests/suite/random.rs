//! Protocols written as CCS and ISPL with acts files mean what they meant: every engine has the same verdicts.

use servanda_engine::{NoLimits, Past};
use servanda_export::{Failure, Subject, TARGETS};
use servanda_logic::Features;
use servanda_testkit::{Decider, RandomModel, Reference, Room, Trials, Tried, verdicts_of_all};

use crate::support::{Read, ccs, ispl};

/// What the other languages have no words for: other initial states, conditions on what is in force, and private commitments where
/// knowledge matters.
const CANNOT: [&str; 4] = [
    "exactly one initial state",
    "a condition reads what is in force",
    "compares what is in force",
    "what agents know depends on what they see",
];

/// Writes a protocol as a target, reads it again, and compares.
fn same_verdicts(
    case: &RandomModel,
    target: &str,
    read: impl Fn(&str, &str) -> Read,
) -> Result<Tried, String> {
    let RandomModel { text, model, properties, options } = case;
    // Acts files have no words for fairness of steps.
    if !model.step_fairness.is_empty() {
        return Ok(Tried::Skipped);
    }
    let subject = Subject {
        model,
        properties,
        validity: options.validity,
        system: &|| unreachable!("these targets explore nothing"),
        budget: &NoLimits,
    };
    let writer = TARGETS.iter().find(|writer| writer.name == target).ok_or("no such target")?;
    let written = match (writer.write)(&subject) {
        Ok(written) => written,
        Err(Failure::Unfit { reason, .. }) if CANNOT.iter().any(|known| reason.contains(known)) => {
            return Ok(Tried::Skipped);
        }
        Err(failure) => return Err(format!("{failure:?}\n{text}")),
    };
    let acts = match writer.acts.ok_or("no acts")?(&subject) {
        Ok(acts) => acts,
        Err(Failure::Unfit { reason, .. }) if CANNOT.iter().any(|known| reason.contains(known)) => {
            return Ok(Tried::Skipped);
        }
        Err(failure) => return Err(format!("{failure:?}\n{text}")),
    };
    let (converted, asked) =
        read(&written, &acts).map_err(|errors| format!("{errors:?}\n{text}\n{written}\n{acts}"))?;
    let wanted = Reference.verdicts(model, properties, *options);
    let mut tried = Tried::Skipped;
    let room = Room { states: 3000, diagram_nodes: 1 << 18, solver_calls: 3000 };
    for (engine, verdicts) in verdicts_of_all(&converted, &asked, *options, room) {
        for (property, pair) in properties.iter().zip(wanted.iter().zip(verdicts)) {
            let (Some(wanted), Some(found)) = pair else { continue };
            tried = Tried::Holds;
            if *wanted != found {
                let formula = &property.text;
                return Err(format!(
                    "as {target}, {engine} says {found} of {formula}\n{text}\n{written}\n{acts}\nwith {options:?}"
                ));
            }
        }
    }
    Ok(tried)
}

#[test]
fn protocols_as_ispl_have_the_same_verdicts() {
    let features = Features::ALL.without(Features::STRATEGIC);
    Trials::from_environment(300).on_protocols_within(features, |case| same_verdicts(case, "ispl", ispl));
}

#[test]
fn protocols_as_ccs_have_the_same_verdicts() {
    let lost = Features::STRATEGIC | Features::KNOWLEDGE | Features::CORRECT_BEHAVIOUR;
    let features = Features::ALL.without(lost);
    Trials::from_environment(300).on_protocols_blind_to_commitments(features, |case| {
        // Other states than reachable ones are other states there.
        if case.options.past == Past::All {
            return Ok(Tried::Skipped);
        }
        same_verdicts(case, "ccs", |text, acts| ccs(text, Some("Protocol"), acts))
    });
}
