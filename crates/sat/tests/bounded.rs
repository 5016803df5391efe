//! A bounded search finds what is near, and says so where it finds nothing.

use servanda_engine::{NoLimits, Options, Verdict};
use servanda_sat::{Sat, SatOptions, Technique};

const CHAIN: &str = "
protocol Chain
roles Ann
var x : 0..100 = 0

start s
s -- Ann: add when x < 90 set x = x + 1 --> s

property far      = AG x < 20
property near     = AG x < 5
property loops    = AF x = 91
property possible = EF x = 4
property true_far = AG x < 95
";

fn verdicts(bound: Option<usize>) -> Vec<Verdict> {
    let protocol = servanda_testkit::load(CHAIN);
    let choices = SatOptions { bound, ..SatOptions::default() };
    let mut sat = Sat::new(&protocol.model, Options::default(), choices, &NoLimits).expect("a small model");
    let mut decide = |property: &servanda_model::Property| sat.decide(&property.formula, &NoLimits);
    protocol.properties.iter().map(|property| decide(property).expect("no fault")).collect()
}

#[test]
fn what_is_beyond_the_bound_is_unknown() {
    let verdicts = verdicts(Some(10));
    assert!(matches!(&verdicts[0], Verdict::Unknown(reason) if reason.contains("within 10 steps")));
    assert_eq!(verdicts[1], Verdict::False);
    assert!(matches!(&verdicts[2], Verdict::Unknown(reason) if reason.contains("10 steps")));
    assert!(matches!(&verdicts[3], Verdict::Unknown(_)));
    assert!(verdicts[4] != Verdict::False);
}

#[test]
fn without_a_bound_all_is_decided() {
    let expected = [Verdict::False, Verdict::False, Verdict::False, Verdict::True, Verdict::True];
    assert_eq!(verdicts(None), expected);
}

#[test]
fn what_decided_is_known() {
    let protocol = servanda_testkit::load(CHAIN);
    let mut sat = Sat::new(&protocol.model, Options::default(), SatOptions::default(), &NoLimits)
        .expect("a small model");
    sat.decide(&protocol.properties[1].formula, &NoLimits).expect("no fault");
    assert!(!sat.techniques().is_empty());
    assert!(sat.techniques().iter().all(|technique| matches!(
        technique,
        Technique::Bounded | Technique::Ic3 | Technique::Induction | Technique::Direct
    )));
}
