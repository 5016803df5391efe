//! Evidence whose length was worked out by hand.

use servanda_engine::{Deadlock, NoLimits, Options};
use servanda_testkit::load;
use servanda_witness::{Because, Checked, Checker, Decided, Evidence, Shown};

fn evidence_with(text: &str, formula: &str, verdict: bool, options: Options) -> Evidence {
    let protocol = load(&format!("{text}\nproperty asked = {formula}"));
    let property = &protocol.properties[0];
    let decided = Decided { formula: &property.formula, text: &property.text, verdict };
    match Checker::new(&protocol.model, options).show(decided, &NoLimits) {
        Ok(Shown::Evidence(evidence)) => *evidence,
        other => panic!("{formula}: {other:?}"),
    }
}

/// How many steps the path for a formula has, and how many of them before the loop.
fn length(text: &str, formula: &str, verdict: bool) -> (usize, Option<usize>) {
    let evidence = evidence_with(text, formula, verdict, Options::default());
    assert_eq!(evidence.checked, Checked::ByReference);
    let path = evidence.line().path;
    (path.steps.len(), path.loop_to)
}

/// Counts up by one or by three, and from nine back to four.
const COUNTER: &str = "protocol Counter roles A  var x : 0..9 = 0  start s
    s -- A: one when x < 9 set x = x + 1 --> s
    s -- A: three when x < 7 set x = x + 3 --> s
    s -- A: back when x = 9 set x = 4 --> s";

#[test]
fn paths_are_the_shortest() {
    assert_eq!(length(COUNTER, "EF x = 9", true), (3, None));
    assert_eq!(length(COUNTER, "EF x = 8", true), (4, None));
    assert_eq!(length(COUNTER, "AG x < 7", false), (3, None));
    assert_eq!(length(COUNTER, "EX EX x = 4", true), (2, None));
    assert_eq!(length(COUNTER, "AG !does(back)", false), (4, None));
    assert_eq!(length(COUNTER, "A[x < 2 U x = 2]", false), (1, None));
}

#[test]
fn loops_are_the_shortest() {
    // From 0 to 4 in two steps, then 4, 7, 8, 9.
    assert_eq!(length(COUNTER, "E G F x = 9", true), (6, Some(2)));
    assert_eq!(length(COUNTER, "A F G x != 8", false), (6, Some(2)));
    // 4, 5, 8, 9 and 4, 7, 8, 9 are as long; with 5 and 6 it takes a step more.
    assert_eq!(length(COUNTER, "E (G F x = 5 & G F x = 6)", true), (6, Some(2)));
    assert_eq!(length(COUNTER, "AF x = 6", false).1, Some(2));
}

#[test]
fn a_deadlock_goes_on_for_ever() {
    let text = "protocol End roles A  start s  s -- A: go --> t";
    assert_eq!(length(text, "AF false", false), (2, Some(1)));
}

#[test]
fn strict_deadlocks_have_no_loop() {
    let text = "protocol End roles A  start s  s -- A: go --> t  s -- A: stay --> s";
    let options = Options { deadlock: Deadlock::Strict, ..Options::default() };
    let evidence = evidence_with(text, "AG EX true", false, options);
    let path = evidence.line().path;
    assert_eq!((path.steps.len(), path.loop_to), (1, None));
}

#[test]
fn loops_are_fair() {
    let text = "protocol Fair roles A  start s  s -- A: stay --> s  s -- A: go --> t  t -- A: back --> s
        fair in t";
    assert_eq!(length(text, "E G true", true), (2, Some(0)));
}

#[test]
fn common_doubt_takes_several_steps() {
    // Each sees its own number and its neighbour's; none of them alone is in doubt about x = 0 two steps away.
    let text =
        "protocol Rumour roles A, B  private var a of A : 0..1 = 0..1  private var b of B : 0..1 = 0..1
        start s  s -- A: say --> s";
    let evidence = evidence_with(text, "a = 0 & b = 0 -> GCK(a = 0 | b = 0)", false, Options::default());
    fn steps(because: &Because) -> usize {
        match because {
            Because::CannotTell(doubt) => doubt.steps.len(),
            Because::Parts(parts) => parts.iter().map(|part| steps(&part.because)).max().unwrap_or(0),
            _ => 0,
        }
    }
    assert_eq!(steps(&evidence.claim.because), 2);
}
