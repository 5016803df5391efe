//! The symbolic engine against the reference engine on random ISPL models.

use servanda_engine::{NoLimits, Verdict};
use servanda_enumerate::Explored;
use servanda_symbolic::Symbolic;
use servanda_syntax::SourceFile;
use servanda_testkit::random::IsplModels;

#[test]
fn diagrams_agree_with_the_reference_on_random_ispl() {
    let cases = std::env::var("SERVANDA_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut models = IsplModels::new(7);
    let (mut decided, mut asked) = (0, 0);
    for case in 0..cases {
        let (text, options) = models.next_model();
        let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let mut symbolic = Symbolic::new(&system.model, options, 1 << 18, &NoLimits).expect("a small model");
        let mut explored = Explored::new(&system.model, options, &NoLimits).expect("a small model");
        let counts = explored.counts();
        assert_eq!(symbolic.states(), counts.states.into(), "states, case {case}\n{text}");
        assert_eq!(symbolic.deadlocks(), counts.deadlocks.into(), "deadlocks, case {case}\n{text}");
        assert_eq!(
            symbolic.transitions().expect("room"),
            counts.transitions.into(),
            "transitions, case {case}\n{text}"
        );
        let lost = symbolic.lost_moves().expect("room").len();
        assert_eq!(lost, explored.lost_moves().len(), "lost moves, case {case}\n{text}");
        for property in &system.properties {
            let left = explored.decide(&property.formula, &NoLimits).expect("no fault");
            let right = symbolic.decide(&property.formula, &NoLimits).expect("no fault");
            asked += 1;
            if let (Verdict::True | Verdict::False, Verdict::True | Verdict::False) = (&left, &right) {
                decided += 1;
                assert_eq!(left, right, "case {case}, {options:?}: {}\n{text}", property.text);
            }
        }
    }
    println!("{decided} of {asked} properties decided by both");
    assert!(decided * 10 > asked * 8, "only {decided} of {asked} properties were decided");
}
