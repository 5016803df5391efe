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
    assert_eq!(verdicts[3], Verdict::True);
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
        Technique::Bounded
            | Technique::Chance
            | Technique::Habits
            | Technique::Ic3
            | Technique::Induction
            | Technique::Direct
    )));
}

/// Bob does not see how much Ann has, only that she has said something.
const SECRET: &str = "
protocol Secret
roles Ann, Bob
var said : bool = false
private var has of Ann : 0..9 = 0

start s
s -- Ann: earn when has < 9 & !said set has = has + 1 --> s
s -- Ann: tell when !said set said = true --> s

property bob_knows_nothing  = AG K(Bob, has = 0)
property bob_may_doubt      = EF (said & !K(Bob, has < 3))
property both_doubt         = EF (has = 2 & !GCK(has >= 1))
property together           = AG DK({Ann, Bob}, has < 3)
property everybody          = AG GK({Ann, Bob}, has < 3)
property bob_twice          = AG K(Bob, !K(Ann, has = 2))
property ann_knows          = AG K(Ann, has <= 9)
property doubt_for_ever     = EG !K(Bob, has = 0)
property far                = AG K(Bob, has < 9)
";

#[test]
fn knowledge_is_refuted_by_points_of_other_runs() {
    let protocol = servanda_testkit::load(SECRET);
    let choices = SatOptions { bound: Some(4), ..SatOptions::default() };
    let mut sat = Sat::new(&protocol.model, Options::default(), choices, &NoLimits).expect("a small model");
    let mut verdict = |name: &str| {
        let property =
            protocol.properties.iter().find(|property| property.name == name).expect("it is there");
        sat.decide(&property.formula, &NoLimits).expect("no fault")
    };
    for refuted in ["bob_knows_nothing", "together", "everybody"] {
        assert_eq!(verdict(refuted), Verdict::False, "{refuted}");
    }
    for shown in ["bob_may_doubt", "both_doubt", "doubt_for_ever"] {
        assert_eq!(verdict(shown), Verdict::True, "{shown}");
    }
    // That somebody knows something is never seen on single runs, and what is far is not seen.
    for (unknown, why) in
        [("bob_twice", "that something is known"), ("ann_knows", "within 4 steps"), ("far", "within 4 steps")]
    {
        assert!(matches!(verdict(unknown), Verdict::Unknown(reason) if reason.contains(why)), "{unknown}");
    }
}
