//! Evidence for the verdicts of random protocols and formulas of the whole language, in all readings. Every piece of it is replayed
//! by the model and decided again by the reference engine; what is wrong there is an internal error, and fails the test.

use std::cell::RefCell;

use crate::common::Count;
use servanda_engine::Past;
use servanda_logic::Features;
use servanda_syntax::SourceFile;
use servanda_testkit::random::{IsplModels, cases};
use servanda_testkit::{Limits, Trials, Tried, load, options};

#[test]
fn evidence_for_random_protocols() {
    let count = RefCell::new(Count::default());
    let trials = Trials::from_environment(2000);
    trials.run(&(cases(Features::ALL, 1..=4), options()), |(case, options)| {
        let protocol = load(&case.text());
        if options.past == Past::All && protocol.model.typed_states().is_none_or(|states| states > 3000) {
            return Ok(Tried::Skipped);
        }
        let limits = Limits::default();
        let found = count.borrow_mut().ask_all(&protocol.model, &protocol.properties, *options, &limits);
        found.map_err(|wrong| format!("{wrong}\n{}\nwith {options:?}", case.text()))?;
        Ok(Tried::Holds)
    });
    let count = count.into_inner();
    println!("{count:?}");
    assert!(count.shown * 3 > count.asked, "hardly anything is shown: {count:?}");
    assert!(count.by_reference * 10 > count.shown * 9, "hardly anything is decided again: {count:?}");
    assert!(count.in_part * 10 < count.shown, "much is not shown: {count:?}");
}

#[test]
fn evidence_for_random_ispl_models() {
    let trials = Trials::from_environment(2000);
    let mut count = Count::default();
    let mut models = IsplModels::new(23);
    for _ in 0..trials.cases {
        let (text, options) = models.next_model();
        let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let found = count.ask_all(&system.model, &system.properties, options, &Limits::default());
        found.unwrap_or_else(|wrong| panic!("{wrong}\n{text}\nwith {options:?}"));
    }
    println!("{count:?}");
    assert!(count.shown * 3 > count.asked, "hardly anything is shown: {count:?}");
    assert!(count.by_reference * 10 > count.shown * 9, "hardly anything is decided again: {count:?}");
    assert!(count.in_part * 10 < count.shown, "much is not shown: {count:?}");
}
