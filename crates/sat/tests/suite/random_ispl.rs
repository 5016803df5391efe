//! The satisfiability engine against the reference engine on random ISPL models.

use servanda_engine::{NoLimits, Verdict};
use servanda_enumerate::Explored;
use servanda_sat::{Sat, SatOptions};
use servanda_syntax::SourceFile;
use servanda_testkit::Trials;
use servanda_testkit::random::IsplModels;

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let (decided, asked) = agree(SatOptions::default(), Trials::from_environment(1000));
    assert!(decided * 10 > asked * 8, "only {decided} of {asked} properties were decided");
}

/// Knowledge and correct behaviour within a bound, where there are local states that are not green.
#[test]
fn the_engines_agree_on_random_ispl_models_within_a_bound() {
    let choices = SatOptions { bound: Some(5), ..SatOptions::default() };
    let (decided, asked) = agree(choices, Trials::from_environment(600));
    assert!(decided * 4 > asked, "only {decided} of {asked} properties were decided");
}

/// How many properties both decide, and how many there are.
fn agree(choices: SatOptions, trials: Trials) -> (u32, u32) {
    let mut models = IsplModels::new(trials.seed as u8);
    let (mut decided, mut asked) = (0, 0);
    for case in 0..trials.cases {
        let (text, options) = models.next_model();
        let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let mut sat = Sat::new(&system.model, options, choices, &NoLimits).expect("a small model");
        let mut explored = Explored::new(&system.model, options, &NoLimits).expect("a small model");
        for property in &system.properties {
            let left = explored.decide(&property.formula, &NoLimits).expect("no fault");
            let right = sat.decide(&property.formula, &NoLimits).expect("no fault");
            asked += 1;
            match (&left, &right) {
                (_, Verdict::Unknown(reason)) if reason.contains("internal error") => {
                    panic!("case {case}, {options:?}: {}: {reason}\n{text}", property.text)
                }
                (Verdict::True | Verdict::False, Verdict::True | Verdict::False) => {
                    decided += 1;
                    assert_eq!(left, right, "case {case}, {options:?}: {}\n{text}", property.text);
                }
                _ => {}
            }
        }
    }
    (decided, asked)
}
