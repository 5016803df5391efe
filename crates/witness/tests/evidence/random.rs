//! Evidence for the verdicts of random protocols and formulas of the whole language, in all readings. Every piece of it is replayed
//! by the model and decided again by the reference engine; what is wrong there is an internal error, and fails the test.

use std::cell::RefCell;

use crate::common::Count;
use servanda_testkit::{Limits, RandomModel, Trials, Tried};

fn ask(count: &mut Count, case: &RandomModel) -> Result<(), String> {
    let found = count.ask_all(&case.model, &case.properties, case.options, &Limits::default());
    found.map_err(|wrong| format!("{wrong}\n{}\nwith {:?}", case.text, case.options))
}

fn judge(count: &Count) {
    assert!(count.shown * 3 > count.asked, "hardly anything is shown: {count:?}");
    assert!(count.by_reference * 10 > count.shown * 9, "hardly anything is decided again: {count:?}");
    assert!(count.in_part * 10 < count.shown, "much is not shown: {count:?}");
}

#[test]
fn evidence_for_random_protocols() {
    let count = RefCell::new(Count::default());
    Trials::from_environment(600)
        .on_protocols(|case| ask(&mut count.borrow_mut(), case).map(|()| Tried::Holds));
    judge(&count.into_inner());
}

/// Here a loop must do what fairness demands, which is checked step by step.
#[test]
fn evidence_with_fairness_of_steps() {
    let count = RefCell::new(Count::default());
    Trials::from_environment(400)
        .on_fair_protocols(|case| ask(&mut count.borrow_mut(), case).map(|()| Tried::Holds));
    judge(&count.into_inner());
}

/// Messages under way, time, fairness of steps, parts made elsewhere.
#[test]
fn evidence_for_random_talks() {
    let count = RefCell::new(Count::default());
    Trials::from_environment(300).on_talks(|case| ask(&mut count.borrow_mut(), case).map(|()| Tried::Holds));
    judge(&count.into_inner());
}

#[test]
fn evidence_for_random_ispl_models() {
    let mut count = Count::default();
    for case in Trials::from_environment(600).ispl_models() {
        ask(&mut count, &case).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    judge(&count);
}
