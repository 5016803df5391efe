//! What words say on other terms: fairness, what a role sees, how much is remembered.

use servanda_audit::judge::{Judge, Step, Terms, Verdict};
use servanda_engine::NoLimits;

use super::known::{REQUEST, Slice, property, silent};

#[test]
fn what_is_fair_counts() {
    let text = "
        roles A, B
        fair weak does(A.done)
        start idle
        idle -- A: work --> busy
        busy -- A: done --> idle
        busy -- B: look --> busy
        property returns = AG (in busy -> F in idle)
    ";
    let protocol = servanda_testkit::load(text);
    let mut slice = Slice::new(&protocol, &Terms::default());
    assert_eq!(slice.verdicts(), ["true"]);
    slice.say("A: work").unwrap();
    slice.say("B: look").unwrap();
    assert_eq!(slice.verdicts(), ["true"]);
    // The log is whole, and it did not happen.
    assert_eq!(slice.judge.end(slice.at).verdicts, [Verdict::False]);
    // Where it leaves no line it may have happened, and what is fair is that it did.
    let mut slice = Slice::new(&protocol, &silent(&["A: done"]));
    slice.say("A: work").unwrap();
    slice.say("B: look").unwrap();
    assert_eq!(slice.judge.end(slice.at).verdicts, [Verdict::True]);
}

#[test]
fn what_a_role_sees() {
    let text = "
        roles A, B, C
        var told : bool = false
        start idle
        idle -- A -> B: tell set told = true --> idle
        idle -- B -> C: pass when told --> idle
        idle -- C: wait --> idle
        property know = A G !told
    ";
    let protocol = servanda_testkit::load(text);
    let terms = Terms { seen_by: Some("C".to_owned()), ..Terms::default() };
    let mut slice = Slice::new(&protocol, &terms);
    assert_eq!(slice.judge.states(slice.at).len(), 2, "it may have been told");
    assert_eq!(slice.say("A -> B: tell").unwrap(), []);
    assert_eq!(slice.verdicts(), ["open"]);
    assert_eq!(slice.say("B -> C: pass").unwrap(), [property(0, Verdict::False)]);
    let unknown = Terms { seen_by: Some("D".to_owned()), ..Terms::default() };
    assert!(Judge::new(&protocol.model, &[], &unknown, &NoLimits).is_err());
}

#[test]
fn more_standings_than_may_be_remembered() {
    let protocol = servanda_testkit::load(REQUEST);
    let terms = Terms { most: 2, ..Terms::default() };
    let mut judge = Judge::new(&protocol.model, &protocol.properties, &terms, &NoLimits).unwrap();
    let (request, create) = (judge.letter("Requestor: request"), judge.letter("Cr(Responder, answer)"));
    let Step::Went { to, .. } = judge.step(judge.begin().standing, request, &NoLimits).unwrap() else {
        panic!()
    };
    for _ in 0..2 {
        assert_eq!(judge.step(to, create, &NoLimits).unwrap(), Step::TooMany);
    }
    assert!(matches!(judge.step(judge.begin().standing, request, &NoLimits).unwrap(), Step::Went { .. }));
}
