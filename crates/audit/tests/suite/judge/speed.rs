//! How long a step takes that has been made before.

use std::time::Instant;

use servanda_audit::judge::{Judge, Step, Terms};
use servanda_engine::NoLimits;

use super::known::REQUEST;

#[test]
#[allow(clippy::print_stdout, reason = "measurements are printed")]
fn a_step_that_is_remembered_is_a_look_up() {
    let protocol = servanda_testkit::load(REQUEST);
    let mut judge = Judge::new(&protocol.model, &protocol.properties, &Terms::default(), &NoLimits).unwrap();
    let word = ["Requestor: request_tracked", "Cr(Responder, answer)", "Responder: progress"];
    let mut word: Vec<_> = word.iter().map(|text| judge.letter(text)).collect();
    word.extend([word[2]; 5]);
    word.extend(["Sat(Responder, answer)", "close"].map(|text| judge.letter(text)));
    let rounds = 200_000;
    let began = Instant::now();
    for _ in 0..rounds {
        let mut at = judge.begin().standing;
        for letter in &word {
            let Ok(Step::Went { to, .. }) = judge.step(at, *letter, &NoLimits) else {
                panic!("not possible")
            };
            at = to;
        }
    }
    let each = began.elapsed().as_nanos() / (rounds * word.len() as u128);
    println!("a remembered step: {each} ns");
    // Far more than it takes, on any machine; that it is no search is what is claimed.
    assert!(each < 2_000, "{each} ns");
}
