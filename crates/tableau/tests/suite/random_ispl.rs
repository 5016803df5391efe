//! The on-the-fly engine against the reference engine on random ISPL models.

use servanda_engine::{NoLimits, Verdict};
use servanda_enumerate::Explored;
use servanda_syntax::SourceFile;
use servanda_tableau::Tableau;
use servanda_testkit::random::IsplModels;

#[test]
fn the_engines_agree_on_random_ispl_models() {
    let cases = std::env::var("SERVANDA_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(3000);
    let mut models = IsplModels::new(11);
    let (mut decided, mut asked) = (0, 0);
    for case in 0..cases {
        let (text, options) = models.next_model();
        let loaded = servanda_ispl::load(&SourceFile::new("random.ispl", text.as_str()));
        let system = loaded.system.unwrap_or_else(|| panic!("{:?}\n{text}", loaded.diagnostics));
        let mut engine = Tableau::new(&system.model, options, 1, &NoLimits).expect("a small model");
        let mut explored = Explored::new(&system.model, options, &NoLimits).expect("a small model");
        for property in &system.properties {
            let left = explored.decide(&property.formula, &NoLimits).expect("no fault");
            let right = engine.decide(&property.formula, &NoLimits).expect("no fault");
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
